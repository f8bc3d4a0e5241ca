import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { UpdateObservation } from '../../../shared/contract/maintenance.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { followObservation } from '../../bridge/updates.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { openUpdateDialog } from '../../stores/update-dialog.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useOutlook } from '../../ui/timeline/timeline-outlook.ts'
import { TimelinePanel } from '../../ui/timeline/timeline-panel.tsx'
import { UpdateHead } from '../../ui/timeline/update-head.tsx'
import { useShownMoment } from '../../ui/timeline/use-shown-moment.ts'
import { Age } from '../../ui/when.tsx'
import { UpdateIdle } from './update-idle.tsx'

interface Props {
  readonly cluster: string
}

/** The cluster has no run of this console: shows an update that runs elsewhere, or how to start one. */
export function UpdateFromOutside({ cluster }: Props): ReactNode {
  useEffect(() => followObservation(cluster), [cluster])
  const asked = useUpdates(store => store.observations.get(cluster))
  const lastRun = useRuns(({ list }) => list?.find(run => run.cluster === cluster && !isNodeRun(run.kind))?.id ?? null)
  const [looksBack, setLooksBack] = useState(false)
  const seen = lastRead(asked)
  if (asked === undefined) return <NonIdealState icon={<Spinner size={24} />} title={`Reading ${cluster}`} />
  const timeline = seen?.timeline ?? null
  const isUnderWay = timeline !== null && timeline.endedAt === null && timeline.phase !== null
  const notice =
    asked.kind === 'failed' ? (
      <FailureCallout title={`Lockkeeper cannot see whether ${cluster} is being updated`} failure={asked.failure} />
    ) : null
  if (seen === null || timeline === null || !(isUnderWay || looksBack)) {
    return (
      <>
        {notice}
        <UpdateIdle
          cluster={cluster}
          isObserved={asked.kind === 'read'}
          onLookBack={timeline === null ? null : () => setLooksBack(true)}
        />
      </>
    )
  }
  return (
    <>
      {notice}
      <Seen cluster={cluster} seen={seen} timeline={timeline} isOld={asked.kind === 'failed'}>
        {lastRun === null ? null : (
          <a href={hashOf(clusterRoute(cluster, 'update', { runId: lastRun }))}>Timeline of the last run</a>
        )}
        <button type="button" className="link" onClick={() => openUpdateDialog(cluster)}>
          Plan an update…
        </button>
        {isUnderWay ? null : (
          <button type="button" className="link" onClick={() => setLooksBack(false)}>
            Current state
          </button>
        )}
      </Seen>
    </>
  )
}

interface SeenProps extends Props {
  readonly seen: UpdateObservation
  readonly timeline: UpdateTimeline
  readonly isOld: boolean
  readonly children: ReactNode
}

/** An update that runs elsewhere, as its objects describe it. */
function Seen({ cluster, seen, timeline, isOld, children }: SeenProps): ReactNode {
  const title = `Update of ${cluster}`
  const outlook = useOutlook(cluster, timeline, timeline.samples, null, null)
  const moment = useShownMoment(timeline)
  return (
    <>
      <UpdateHead
        title={title}
        timeline={timeline}
        driven={`${timeline.endedAt === null ? 'run by' : 'by'} ${seen.drivenBy ?? 'an unknown operator'}`}
        release={null}
        outlook={outlook}
        begunAt={timeline.startedAt}
        moment={moment}
      >
        <span>
          read <Age at={seen.readAt} />
        </span>
        {children}
      </UpdateHead>
      {seen.plans.length === 0 ? null : (
        <ul className="upd-plans" aria-label="Plans and stages of the update">
          {seen.plans.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <TimelinePanel
        cluster={cluster}
        title={title}
        timeline={timeline}
        samples={timeline.samples}
        outlook={outlook}
        isOld={isOld}
        moment={moment}
      />
    </>
  )
}
