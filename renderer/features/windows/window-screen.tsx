import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { isOrWaits } from '../../../shared/domain/run-condition.ts'
import { listWindows } from '../../bridge/windows.ts'
import { hashOf } from '../../stores/route.ts'
import { isOver } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { standingAt, useWindows, windowOf } from '../../stores/windows.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ForecastCard } from './forecast-card.tsx'
import { PlanSection } from './plan-section.tsx'
import { usePlanDraft } from './use-plan-draft.ts'
import { WindowHead } from './window-head.tsx'
import { WindowNotes } from './window-notes.tsx'
import { WindowPlanDialog } from './window-plan-dialog.tsx'
import { WindowRuns } from './window-runs.tsx'
import { WindowTimeline } from './window-timeline.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-dialog.css'
import './batches.css'
import './window-page.css'
import './windows.css'

/** One maintenance window: where it stands, its plan with estimate and owners, its runs, what was seen. */
export function WindowScreen({ id }: { readonly id: string }): ReactNode {
  const listed = useWindows(store => windowOf(store.list, id))
  const isRead = useWindows(store => store.list !== null)
  const failure = useWindows(store => store.listFailure)
  if (listed !== null) return <Page listed={listed} />
  if (failure !== null) {
    return (
      <div className="win">
        <FailureCallout title="The window cannot be read" failure={failure} onRetry={() => void listWindows()} />
      </div>
    )
  }
  if (!isRead) return <NonIdealState icon={<Spinner size={24} />} title="Reading the window" />
  return (
    <NonIdealState
      title="There is no such window"
      description={`No maintenance window ${id} is in the journal of this console. It may have been announced from another one.`}
      action={<AnchorButton text="All windows" href={hashOf({ kind: 'windows' })} />}
    />
  )
}

function Page({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const standing = useTicks(store => standingAt(listed, store.nowMs))
  const known = useViews(store => lastOf(store.byCluster.get(window.cluster))?.nodes ?? null)
  const inHand = usePlanDraft(window, known === null ? null : [...known.keys()])
  const [isPlanning, setPlanning] = useState(false)
  const isEnded = standing === 'closed' || standing === 'cancelled'
  const working = runs.find(run => !isOver(run))
  const isWorking = working !== undefined
  const whyNoPlan =
    standing === 'planned'
      ? 'The plan is started once the window is open.'
      : standing !== 'open'
        ? 'The window is past its end: change its end first.'
        : inHand.isChanged
          ? 'Save the plan first.'
          : working !== undefined
            ? `A run of this window is not over: it ${isOrWaits(working.condition)}.`
            : null
  return (
    <div className="win">
      <WindowHead
        listed={listed}
        onPlan={window.plan.kind === 'open' || isEnded ? null : () => setPlanning(true)}
        whyNoPlan={whyNoPlan}
      />
      {standing === 'open' || standing === 'overrunning' ? <ForecastCard listed={listed} /> : null}
      <PlanSection window={window} inHand={inHand} mayEdit={!isEnded && !isWorking} />
      <WindowTimeline window={window} runs={runs} />
      <div className="win-columns">
        <WindowRuns runs={runs} />
        <WindowNotes window={window} />
      </div>
      {isPlanning ? <WindowPlanDialog window={window} onClose={() => setPlanning(false)} /> : null}
    </div>
  )
}
