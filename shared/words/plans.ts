import type { ClusterFlavour } from '../domain/cluster.ts'
import {
  type CheckedPlan,
  type NodeRunKind,
  type Placed,
  planPlace,
  type RollingRunKind,
  type RunKind,
} from '../domain/plan.ts'
import { blockersOf } from '../domain/plan-effects.ts'
import { counted } from '../grammar/counts.ts'

/** A plan as a command: its title, and the question before it starts. */
export function planTitle(plan: Placed): string {
  switch (plan.kind) {
    case 'enter':
    case 'leave':
    case 'maintain':
    case 'home':
    case 'undo':
    case 'rescue':
      return nodePlanTitle(plan.kind, planPlace(plan))
    case 'update':
      return `Update ${planPlace(plan)}, node by node`
    case 'rolling-maintenance':
      return `Maintain nodes of ${planPlace(plan)} one after another`
    case 'take-out':
      return `Take nodes of ${planPlace(plan)} out of service`
  }
}

/** The same for one node, with or without the name of its cloud. */
export function nodePlanTitle(kind: NodeRunKind, place: string): string {
  switch (kind) {
    case 'enter':
      return `Take ${place} out of service`
    case 'leave':
      return `Bring ${place} back into service`
    case 'maintain':
      return `Take ${place} out, then bring it back`
    case 'home':
      return `Bring back the instances of ${place}`
    case 'undo':
      return `Undo a run on ${place}`
    case 'rescue':
      return `Rescue the instances of ${place}`
  }
}

/** The work of a run as a noun, to begin a sentence or a title: `Maintenance of nodes of east`. */
export function workTitle(plan: Placed): string {
  switch (plan.kind) {
    case 'enter':
      return `Taking ${planPlace(plan)} out of service`
    case 'leave':
      return `Bringing ${planPlace(plan)} back into service`
    case 'maintain':
      return `Maintenance of ${planPlace(plan)}`
    case 'home':
      return `Bringing back the instances of ${planPlace(plan)}`
    case 'undo':
      return `Undoing a run on ${planPlace(plan)}`
    case 'rescue':
      return `Rescue of the instances of ${planPlace(plan)}`
    case 'update':
      return `Update of ${planPlace(plan)}`
    case 'rolling-maintenance':
      return `Maintenance of nodes of ${planPlace(plan)}`
    case 'take-out':
      return `Taking nodes of ${planPlace(plan)} out of service`
  }
}

/** The noun for a run over several nodes. */
export function rollingNoun(kind: RunKind): string {
  return kind === 'rolling-maintenance' ? 'maintenance' : kind === 'take-out' ? 'taking out' : 'update'
}

/** The kind of runs over several nodes that a cloud has: updates need the node maintenance API of flavour `mosk`. */
export function rollingKindOf(flavour: ClusterFlavour | undefined): RollingRunKind {
  return flavour === undefined || flavour === 'mosk' ? 'update' : 'rolling-maintenance'
}

/** The checks let a plan start: all pass, or some were overridden. */
export function checksHoldWords(checked: CheckedPlan, when: 'now' | 'then' = 'now'): string {
  const [hold, holds] = when === 'now' ? ['pass', 'passes'] : ['passed', 'passed']
  const overridden = blockersOf(checked).filter(({ liftedBy }) => liftedBy !== null).length
  if (overridden === 0) return `All checks ${hold}`
  const well = checked.checks.filter(({ answer }) => answer.kind !== 'blocked').length
  return `${counted(well, `check ${holds}`, `checks ${hold}`)}, ${overridden} accepted by you`
}

/** The results of a plan's checks in a line: `15 checks pass, 1 fails`, or `15 pass, 1 accepted by you`. */
export function checkStatusWords(checked: CheckedPlan): string {
  const blockers = blockersOf(checked)
  const accepted = blockers.filter(({ liftedBy }) => liftedBy !== null).length
  const failing = new Set(blockers.filter(({ liftedBy }) => liftedBy === null).map(({ stepId }) => stepId)).size
  const pass = checked.checks.filter(({ answer }) => answer.kind !== 'blocked').length
  return [
    ...(pass === 0
      ? []
      : [accepted === 0 ? counted(pass, 'check passes', 'checks pass') : `${pass} ${pass === 1 ? 'passes' : 'pass'}`]),
    ...(failing === 0 ? [] : [`${failing} ${failing === 1 ? 'fails' : 'fail'}`]),
    ...(accepted === 0 ? [] : [`${accepted} accepted by you`]),
  ].join(', ')
}
