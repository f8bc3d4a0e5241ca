import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { useConsole } from '../stores/console.ts'
import { endFirstMinute, hasTried, useFirstMinute } from '../stores/first-minute.ts'
import { useRuns } from '../stores/runs.ts'
import './first-minute.css'

/** Whether this operator sees the demo for the first time: has neither started a run here nor dismissed the hint. */
export function useIsFirstMinute(): boolean {
  const machine = useConsole(({ description }) => (description?.demo === true ? description.machine : null))
  const isRead = useRuns(({ list }) => list !== null)
  const tried = useRuns(({ list }) => machine !== null && hasTried(list ?? [], machine))
  const seen = useFirstMinute(store => store.seen)
  useEffect(() => {
    if (tried && !seen) endFirstMinute()
  }, [tried, seen])
  return machine !== null && isRead && !tried && !seen
}

/** The hint of the first minute, over what it points at. */
export function FirstHint({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <aside className="first-hint row" aria-label="First steps">
      <span>{children}</span>
      <Button size="small" variant="minimal" text="Skip" onClick={endFirstMinute} />
    </aside>
  )
}
