import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import type { DropZone } from '../../ui/drag/drop-verdict.ts'
import { takeTo } from './node-actions.ts'

interface Props {
  readonly cluster: string
  /** Read when the button is pressed. */
  readonly nodes: () => readonly string[]
  readonly target: DropZone
  readonly text: string
  readonly label?: string
  /** The run that works on the nodes; null if none is known. */
  readonly runId?: string | null
}

/** Takes nodes somewhere, as a drop does; an impossible action says why. */
export function TakeButton({ cluster, nodes, target, text, label, runId = null }: Props): ReactNode {
  const cut = useConnection(whyCutOff)
  const held = useRuns(store => {
    const run = store.list?.find(({ id }) => id === runId)
    if (run === undefined || isFinished(run)) return null
    return run.condition.kind === 'interrupted'
      ? `Run ${run.id} works on it and has no console. Resume or stop it first.`
      : `Run ${run.id} works on it. Let it end, or stop it first.`
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
