import { isNodePlan, isWayBack, type MaintenanceScope, staysOut } from './plan.ts'
import type { RunView, StepView } from './run.ts'
import { updateNodeOf } from './update-nodes.ts'

/** What a run did with its nodes: the scope under which it took one out of service, or `back`. */
export type TakenOut = ReadonlyMap<string, MaintenanceScope | 'back'>

/** The nodes that a run took out of service and left there, or brought back. */
export function takenOutIn(view: Pick<RunView, 'plan' | 'steps' | 'state'>): TakenOut {
  const { plan, steps, state } = view
  const scope = plan.options.scope
  if (isNodePlan(plan)) {
    const { kind, node } = plan
    if (kind === 'home') return new Map()
    if (isWayBack(kind)) return new Map(isDone(state) ? [[node, 'back']] : [])
    if (!hasBegun(steps)) return new Map()
    return new Map([[node, staysOut(kind) || !isBack(steps) ? (kind === 'rescue' ? 'os' : scope) : 'back']])
  }
  const ofNode = Map.groupBy(steps, ({ step }) => updateNodeOf(step))
  return new Map(
    [...ofNode].flatMap(([node, own]): readonly [string, MaintenanceScope | 'back'][] =>
      node === null || !hasBegun(own) ? [] : [[node, isBack(own) ? 'back' : plan.update.scope]],
    ),
  )
}

/** The nodes that were last taken out with scope `drain`, so that their instances stay; results of runs, newest first. */
export function drainedOnly(newestFirst: readonly TakenOut[]): ReadonlySet<string> {
  const last = new Map<string, MaintenanceScope | 'back'>()
  for (const run of newestFirst) {
    for (const [node, scope] of run) if (!last.has(node)) last.set(node, scope)
  }
  return new Set([...last].flatMap(([node, scope]) => (scope === 'drain' ? [node] : [])))
}

type Progress = Pick<StepView, 'step' | 'state' | 'attempts'>

function hasBegun(steps: readonly Progress[]): boolean {
  return steps.some(({ step, state, attempts }) => step.verbs.includes('apply') && (attempts > 0 || BEHIND.has(state)))
}

function isDone(state: RunView['state']): boolean {
  return state.kind === 'finished' && state.outcome === 'done'
}

function isBack(steps: readonly Progress[]): boolean {
  const wayBack = steps.filter(({ step }) => step.stage === 'returning')
  return wayBack.length > 0 && wayBack.every(({ state }) => BEHIND.has(state))
}

const BEHIND: ReadonlySet<StepView['state']> = new Set(['applied', 'verified', 'nothing-to-do', 'skipped'])
