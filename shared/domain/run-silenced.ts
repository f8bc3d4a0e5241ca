import { isNodePlan, type Plan, type StepCheck } from './plan.ts'
import type { RunView } from './run.ts'
import { historyOfFacts } from './run-history.ts'
import type { SilencedInstance } from './silence-matchers.ts'

interface SilencedNode {
  readonly node: string
  readonly instances: readonly SilencedInstance[]
}

/** The active silences; none before the run's first step or after its end. */
export function silencedNow(view: RunView): readonly SilencedNode[] {
  if (view.state.kind === 'finished') return []
  const { plan } = view
  if (isNodePlan(plan)) {
    // While instances go back, the node is in service.
    if (plan.kind === 'home' || view.steps.every(({ attempts }) => attempts === 0)) return []
    return [{ node: plan.node, instances: instancesOf(view, () => true) }]
  }
  const lanes = [...new Set(view.steps.flatMap(({ step }) => step.lane?.name ?? []))]
  return lanes.flatMap(name => {
    const acts = view.steps.filter(({ step }) => step.lane?.name === name && step.verbs.includes('apply'))
    const isBegun = acts.some(({ attempts }) => attempts > 0)
    const isComplete = acts.every(({ state }) => OVER.has(state))
    return isBegun && !isComplete
      ? [{ node: name, instances: instancesOf(view, step => step.lane?.name === name) }]
      : []
  })
}

const OVER: ReadonlySet<string> = new Set(['applied', 'verified', 'skipped', 'nothing-to-do'])

export function silencedBy(plan: Plan, checks: readonly StepCheck[]): readonly SilencedNode[] {
  const effectsOf = (lane: string | null) =>
    checks.flatMap(({ stepId, answer }) => {
      const step = plan.steps.find(({ id }) => id === stepId)
      return lane === null || step?.lane?.name === lane ? answer.effects : []
    })
  const known = (lane: string | null) =>
    unique(
      effectsOf(lane).flatMap(effect => (effect.kind === 'instance' ? [{ id: effect.id, name: effect.name }] : [])),
    )
  if (isNodePlan(plan)) return plan.kind === 'home' ? [] : [{ node: plan.node, instances: known(null) }]
  const lanes = [...new Set(plan.steps.flatMap(({ lane }) => lane?.name ?? []))]
  return lanes.map(node => ({ node, instances: known(node) }))
}

function instancesOf(
  view: RunView,
  isOwn: (step: RunView['steps'][number]['step']) => boolean,
): readonly SilencedInstance[] {
  return unique(
    view.steps
      .filter(({ step }) => isOwn(step))
      .flatMap(({ check, facts }) => [
        ...(check?.effects ?? []).flatMap(effect =>
          effect.kind === 'instance' ? [{ id: effect.id, name: effect.name }] : [],
        ),
        ...[...historyOfFacts({ facts }).nodes.values()].flatMap(({ noted }) => noted.flatMap(each => each.instances)),
      ]),
  )
}

function unique(instances: readonly SilencedInstance[]): readonly SilencedInstance[] {
  return [...new Map(instances.map(instance => [instance.id, instance])).values()]
}
