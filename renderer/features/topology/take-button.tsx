import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { isOver, useRuns } from '../../stores/runs.ts'
import type { DropTarget } from '../../ui/drag/drop-verdict.ts'
import { takeTo } from './node-actions.ts'

interface Props {
  readonly cluster: string
  /** Read when it is pressed. */
  readonly nodes: () => readonly string[]
  readonly target: DropTarget
  readonly text: string
  readonly label?: string
  /** The run that works on the nodes; null: none is known. */
  readonly runId?: string | null
}

/** Takes nodes somewhere, as dropping them there does; where that cannot be, it says why. */
export function TakeButton({ cluster, nodes, target, text, label, runId = null }: Props): ReactNode {
  const cut = useConnection(whyCutOff)
  const held = useRuns(store => {
    const run = store.list?.find(({ id }) => id === runId)
    if (run === undefined || isOver(run)) return null
    return run.condition.kind === 'interrupted'
      ? `Nobody drives run ${run.id}, which works on it: resume or abort that first.`
      : `Run ${run.id} works on it: let it end, or abort it first.`
  })
  const why = cut ?? held
  return (
    <Button
      size="small"
      text={text}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(why === null ? {} : { disabled: true, title: why })}
      onClick={() => takeTo(cluster, nodes(), target)}
    />
  )
}
