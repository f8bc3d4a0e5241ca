import type { ReactNode } from 'react'
import { timeLeft } from '../../../shared/words/windows.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { nextWindowOf, standingAt, useWindows } from '../../stores/windows.ts'
import { When, WhenMinute } from '../../ui/when.tsx'

/** The window of a cloud that is open, else the next one; which there is none of is said. */
export function FleetWindow({ cluster }: { readonly cluster: string }): ReactNode {
  const list = useWindows(store => store.list)
  const id = useTicks(({ nowMs }) => {
    const open = (list ?? []).find(
      each => each.window.cluster === cluster && ['open', 'overrunning'].includes(standingAt(each, nowMs)),
    )
    return (open ?? nextWindowOf(list, cluster, nowMs))?.window.id ?? null
  })
  const listed = (list ?? []).find(({ window }) => window.id === id)
  const standing = useTicks(({ nowMs }) => (listed === undefined ? 'planned' : standingAt(listed, nowMs)))
  const left = useTicks(({ nowMs }) => (listed === undefined ? '' : timeLeft(listed.window, standing, nowMs)))
  if (list === null) return <p className="fleet-line quiet">Windows are not read yet.</p>
  if (listed === undefined) {
    return (
      <p className="fleet-line quiet">
        No window is planned. <a href={hashOf({ kind: 'new-window', cluster })}>Announce one</a>
      </p>
    )
  }
  const { window } = listed
  return (
    <p className="fleet-line" data-tone={standing === 'overrunning' ? 'waits' : undefined}>
      <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>{' '}
      {standing === 'planned' ? (
        <>
          begins <When at={window.startsAt} />
        </>
      ) : (
        <>
          open until <WhenMinute at={window.endsAt} />
        </>
      )}
      {left === '' ? null : <span className="quiet">, {left}</span>}
    </p>
  )
}
