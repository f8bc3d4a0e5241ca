import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { clusterRoute, turnTo, useRoute } from '../../stores/route.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import { UpdateFromOutside } from './update-from-outside.tsx'
import '../../ui/timeline/update.css'

interface Props {
  readonly cluster: string
  /** The page of a run, which is the same here and in the history. */
  readonly run: (runId: string) => ReactNode
}

/** The update of a cloud: its run, an update that runs elsewhere, or the plan of the next one. */
export function UpdateScreen({ cluster, run }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const failure = useRuns(store => store.listFailure)
  const chosen = useRoute(({ place }) => (place.kind === 'cluster' ? place.runId : null))
  const underWay = useMemo(
    () => (list ?? []).find(each => each.cluster === cluster && !isNodeRun(each.kind) && !isFinished(each))?.id ?? null,
    [list, cluster],
  )
  // A finished update stays here, also after a reload, so that the operator sees its end.
  useEffect(() => {
    if (chosen === null && underWay !== null) turnTo(clusterRoute(cluster, 'update', { runId: underWay }))
  }, [cluster, chosen, underWay])
  if (list === null && failure === null) return <NonIdealState icon={<Spinner size={24} />} title="Reading the runs" />
  const shown = chosen ?? underWay
  return shown === null ? <UpdateFromOutside cluster={cluster} /> : run(shown)
}
