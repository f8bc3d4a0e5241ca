import type { PlanChoices } from '../../shared/contract/index.ts'
import { type CheckedPlan, type Plan, type PlannedNodeRunKind, takesOut } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { completeOptions, makePlan } from '../procedures/plans/node/make-plan.ts'
import { watchedWords } from '../procedures/steps/general/node-lease.ts'
import { openCloud } from '../windows/window-services.ts'
import { whyCommandContinues } from './command-work.ts'
import type { ControlServices } from './control-services.ts'
import { awaySinceEntered, ranWhenEntered } from './node-past.ts'
import { viewSettled } from './run-elsewhere.ts'
import { findUndoable, planUndo } from './undo.ts'

type Services = Pick<ControlServices, 'clock' | 'commands' | 'emit' | 'newId' | 'others' | 'plans' | 'runs' | 'worlds'>

/** Makes the plan of a run on one node, runs every check, and keeps the plan for its start. Only reads. */
export async function planNode(
  wish: {
    readonly cluster: string
    readonly node: string
    readonly kind: PlannedNodeRunKind
    readonly choices: PlanChoices
  },
  services: Services,
): Promise<Result<CheckedPlan>> {
  const { cluster, node, kind, choices } = wish
  const { clock, runs } = services
  const opened = await openToPlan({ cluster, node }, services)
  if (!opened.ok) return opened
  const world = opened.value
  // The checks of an entry need all nodes and pods; requested early, these answers serve them too.
  if (takesOut(kind)) void Promise.all([world.kubernetes.listNodes(), world.kubernetes.listPods(null)])
  // In a whole maintenance the run itself records them.
  const isKnown = kind === 'home' || (kind === 'leave' && choices.home === true)
  const away = isKnown ? awaySinceEntered(node, cluster, runs, { mayBeBack: kind === 'home' }) : null
  if (away?.ok === false) return away
  const options = completeOptions(choices, world.cluster)
  const plan = await makePlan({ id: services.newId(), kind, node, madeAt: isoNow(clock), options }, world, {
    ran: kind === 'leave' ? ranWhenEntered(node, cluster, runs) : null,
    ...(away === null ? {} : { away: away.value }),
  })
  if (!plan.ok) return plan
  for (const words of await watchedWords(node, world)) services.emit('plan.watches', { cluster, node, words })
  return checkAndKeep(plan.value, world, services)
}

/** Makes the plan that undoes a run on its node, or on the named one of many, and keeps it for its start. Only reads. */
export async function planUndoOfRun(
  wish: {
    readonly runId: string
    readonly node?: string | undefined
    readonly choices: PlanChoices
    readonly instancesStay?: boolean | undefined
  },
  services: Services,
): Promise<Result<CheckedPlan>> {
  await viewSettled(wish.runId, services)
  const found = findUndoable(wish.runId, wish.node ?? null, services.runs)
  if (!found.ok) return found
  const { view, node } = found.value
  const opened = await openToPlan({ cluster: view.plan.cluster, node }, services)
  if (!opened.ok) return opened
  const choices = { ...wish.choices, home: wish.instancesStay !== true }
  const plan = await planUndo(found.value, choices, opened.value, services)
  return plan.ok ? checkAndKeep(plan.value, opened.value, services) : plan
}

/** One reading of a cloud, so that the plan and its checks describe the same moment; fails while a command works on the node. */
async function openToPlan(
  of: { readonly cluster: string; readonly node: string },
  services: Services,
): Promise<Result<MaintenanceWorld>> {
  const opened = await openCloud(of.cluster, services.worlds)
  if (!opened.ok) return opened
  const command = await whyCommandContinues(of, services)
  return command === null ? ok(readCluster(opened.value, services.clock).world) : failed(command)
}

async function checkAndKeep(
  plan: Plan,
  world: MaintenanceWorld,
  { runs, plans }: Services,
): Promise<Result<CheckedPlan>> {
  const checked = await runs.check(plan, world)
  plans.keep(checked.plan)
  return ok(checked)
}
