import type { ReactNode } from 'react'
import { useRuns } from '../../stores/runs.ts'

interface Props {
  readonly cluster: string
  /** Null: the runs of the whole cluster. */
  readonly node: string | null
}

/** The runs of a cluster or of one of its nodes, newest first. */
export function RunList({ cluster, node }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const runs = (list ?? []).filter(run => run.cluster === cluster && (node === null || run.node === node))
  return (
    <ul className="run-list">
      {runs.map(run => (
        <li key={run.id}>{run.summary}</li>
      ))}
    </ul>
  )
}
