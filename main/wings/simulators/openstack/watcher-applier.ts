import { type ActionTools, doAction } from './watcher-actions.ts'
import type { Action, ActionPlan, ActionState, PlanState } from './watcher-records.ts'
import { sleepUnlessStopped } from './world.ts'

const OVER: ReadonlySet<ActionState> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED'])

/** Runs a plan: each group of actions waits for the previous one. Cancelling drops actions that have not started (docs/domain.md B.2). `oldPlanState`: LP 2106407. */
export async function applyPlan(
  tools: ActionTools & { readonly oldPlanState: boolean },
  plan: ActionPlan,
): Promise<void> {
  const { world } = tools
  const now = () => world.cloud.clock.now()
  if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return
  if (stateOf(plan) !== 'PENDING') return
  setState(plan, 'ONGOING', now())
  for (;;) {
    const group = nextGroup(plan)
    if (group.length === 0) break
    const ended = await Promise.all(group.map(action => runAction(tools, plan, action)))
    if (ended.includes(false)) return
  }
  if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return
  const failed = plan.actions.some(action => action.state === 'FAILED')
  if (stateOf(plan) === 'CANCELLING') setState(plan, 'CANCELLED', now())
  else if (failed && !tools.oldPlanState) {
    plan.statusMessage = 'One or more actions failed'
    setState(plan, 'FAILED', now())
  } else setState(plan, 'SUCCEEDED', now())
}

function nextGroup(plan: ActionPlan): readonly Action[] {
  const over = new Set(plan.actions.filter(action => OVER.has(action.state)).map(action => action.uuid))
  return plan.actions.filter(action => action.state === 'PENDING' && action.parents.every(parent => over.has(parent)))
}

async function runAction(tools: ActionTools, plan: ActionPlan, action: Action): Promise<boolean> {
  const now = () => tools.world.cloud.clock.now()
  if (stateOf(plan) === 'CANCELLING') {
    setState(action, 'CANCELLED', now())
    return true
  }
  setState(action, 'ONGOING', now())
  const ending = await doAction(tools, action)
  if (ending === null) return false
  action.statusMessage = ending.message
  setState(action, ending.state, now())
  return true
}

/** Reads through a function, because the API changes the state meanwhile. */
function stateOf(plan: ActionPlan): PlanState {
  return plan.state
}

/** Sets a record's state and its time. */
export function setState<State extends string>(
  record: { state: State; updatedAt: number | null },
  state: State,
  now: number,
): void {
  record.state = state
  record.updatedAt = now
}
