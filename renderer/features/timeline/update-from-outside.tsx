import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { UpdateObservation } from '../../../shared/contract/maintenance.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { followObservation } from '../../bridge/updates.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useOutlook } from '../../ui/timeline/timeline-outlook.ts'
import { TimelinePanel } from '../../ui/timeline/timeline-panel.tsx'
import { UpdateHead } from '../../ui/timeline/update-head.tsx'
import { useShownMoment } from '../../ui/timeline/use-shown-moment.ts'
import { Age } from '../../ui/when.tsx'
import { UpdatePlan } from './update-plan.tsx'

interface Props {
  readonly cluster: string
}

/** No run of this console works on the cloud: an update that another program drives, else the plan of the next one. */
export function UpdateFromOutside({ cluster }: Props): ReactNode {
  useEffect(() => followObservation(cluster), [cluster])
  const asked = useUpdates(store => store.observations.get(cluster))
  const [wanted, setWanted] = useState<'plan' | 'seen' | null>(null)
  const seen = lastRead(asked)
  const timeline = seen?.timeline ?? null
  const isUnderWay = timeline !== null && timeline.endedAt === null && timeline.phase !== null
  if (asked === undefined) return <NonIdealState icon={<Spinner size={24} />} title={`Reading ${cluster}`} />
  const notice =
    asked.kind === 'failed' ? (
      <FailureCallout title={`Lockkeeper cannot see whether ${cluster} is being updated`} failure={asked.failure} />
    ) : null
  const link = (to: 'plan' | 'seen', text: string) => (
    <button type="button" className="link" onClick={() => setWanted(to)}>
      {text}
    </button>
  )
  if (seen === null || timeline === null || (wanted ?? (isUnderWay ? 'seen' : 'plan')) === 'plan') {
    return (
      <>
        {notice}
        <UpdatePlan
          cluster={cluster}
          links={
            timeline === null
              ? null
              : link('seen', isUnderWay ? 'The update that runs now' : 'The last update that was seen')
          }
        />
      </>
    )
  }
  return (
    <div className="upd column">
      {notice}
      <Seen cluster={cluster} seen={seen} timeline={timeline} isOld={asked.kind === 'failed'}>
        {link('plan', 'Plan the next one')}
      </Seen>
    </div>
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
        <details className="small">
          <summary className="quiet">What {seen.drivenBy ?? 'its plan'} says</summary>
          <ul className="upd-plans small quiet flush" aria-label="Plans and stages of the update">
            {seen.plans.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
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
