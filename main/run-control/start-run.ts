import type { RunSummary } from '../../shared/contract/index.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { planGone } from '../windows/plan-forecast.ts'
import { windowOfRun } from '../windows/window-of-run.ts'
import { whyCommandBlocks } from './command-work.ts'
import { whyNotTyped } from './confirm-typed.ts'
import type { ControlServices } from './control-services.ts'
import { summaryOf } from './run-elsewhere.ts'
import { endUndone } from './undo.ts'

/** What the operator says when a shown plan is confirmed. */
interface Confirmation {
  readonly planId: string
  readonly typedCluster?: string | undefined
  readonly windowId?: string | undefined
  /** The reason for a start outside any window. */
  readonly outsideWindow?: string | undefined
}

type Services = Pick<
  ControlServices,
  'clock' | 'clusters' | 'commands' | 'emit' | 'plans' | 'runs' | 'windows' | 'worlds'
> & {
  readonly keepEstimate: (plan: Plan, windowId: string) => Promise<void>
}

/** Starts a shown plan in its window. A plan whose start is refused stays shown. */
export async function startRun(confirmation: Confirmation, services: Services): Promise<Result<RunSummary>> {
  const { plans, runs, worlds } = services
  const shown = plans.find(confirmation.planId)
  if (shown === null) return planGone(confirmation.planId)
  const confirmed = await confirm(shown, confirmation, services)
  if (!confirmed.ok) return confirmed
  const plan = confirmed.value
  // Another confirmation of the same plan may have been faster.
  if (plans.find(shown.id) === null) return planGone(shown.id)
  plans.forget(shown.id)
  const connected = await worlds.open(plan.cluster)
  if (!connected.ok) {
    plans.keep(shown)
    return connected
  }
  const ended = endUndone(plan, runs)
  if (!ended.ok) {
    plans.keep(shown)
    return ended
  }
  const windowId = plan.window?.kind === 'in' ? plan.window.id : null
  if (windowId !== null) await services.keepEstimate(plan, windowId)
  const started = await runs.start(plan, connected.value.world)
  // The journal may still contain the run, for resuming: its recommendation stays.
  if (!started.ok) return started
  if (windowId !== null) services.emit('window.changed', { id: windowId, cluster: plan.cluster })
  return summaryOf(started.value.runId, runs)
}

/** The shown plan with the window it starts in; a failure says what the operator has to say, or why nothing starts. */
async function confirm(
  shown: Plan,
  { typedCluster, windowId, outsideWindow }: Confirmation,
  services: Services,
): Promise<Result<Plan>> {
  const cluster = services.clusters.get(shown.cluster)
  if (!cluster.ok) return cluster
  const untyped = whyNotTyped(shown, cluster.value.production, typedCluster)
  if (untyped !== null) return failed(untyped)
  const command = await whyCommandBlocks(shown, services)
  if (command !== null) return failed(command)
  const { production } = cluster.value
  const window = windowOfRun(shown, { windowId, outsideWindow, production }, services)
  return window.ok ? ok({ ...shown, window: window.value }) : window
}
