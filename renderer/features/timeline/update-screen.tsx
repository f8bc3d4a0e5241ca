import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { rollingKindOf, rollingNoun } from '../../../shared/words/plans.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useCommands } from '../../stores/commands.ts'
import { clusterRoute, turnTo, useRoute } from '../../stores/route.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import { openUpdateDialog } from '../../stores/update-dialog.ts'
import { UpdateRun } from '../../ui/timeline/update-run.tsx'
import { UpdateFromOutside } from './update-from-outside.tsx'
import '../../ui/timeline/update.css'

interface Props {
  readonly cluster: string
}

/** The update of a cluster: its run, an update that runs elsewhere, or how to start one. */
export function UpdateScreen({ cluster }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const failure = useRuns(store => store.listFailure)
  const chosen = useRoute(({ place }) => (place.kind === 'cluster' ? place.runId : null))
  const underWay = useMemo(
    () => (list ?? []).find(run => run.cluster === cluster && !isNodeRun(run.kind) && !isFinished(run))?.id ?? null,
    [list, cluster],
  )
  const kind = useClusters(({ list }) =>
    rollingKindOf(list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined),
  )
  // A finished update stays here, also after a reload, so that the operator sees its end.
  useEffect(() => {
    if (chosen === null && underWay !== null) turnTo(clusterRoute(cluster, 'update', { runId: underWay }))
  }, [cluster, chosen, underWay])
  const commands = useMemo(
    () => [
      {
        id: 'update.plan',
        title: `Plan ${kind === 'update' ? 'an' : 'a'} ${rollingNoun(kind)} of ${cluster}`,
        group: 'Update',
        keys: 'u',
        run: () => openUpdateDialog(cluster),
        available: () => underWay === null,
      },
    ],
    [cluster, kind, underWay],
  )
  useCommands(commands)
  if (list === null && failure === null) return <NonIdealState icon={<Spinner size={24} />} title="Reading the runs" />
  const shown = chosen ?? underWay
  return (
    <div className="upd column">
      {shown === null ? (
        <UpdateFromOutside cluster={cluster} />
      ) : (
        <UpdateRun key={shown} cluster={cluster} runId={shown} isPast={shown !== underWay} />
      )}
    </div>
  )
}
