import { type CheckedPlan, overrideFor, type PlannedStep, type StepCheck } from '../../../shared/domain/plan.ts'
import { UpdatePhase } from '../../../shared/domain/update.ts'

/** What a plan does on one node, or beside the nodes. */
export interface PlannedLane {
  /** Null: steps that belong to no node. */
  readonly node: string | null
  /** Those that act, in their order. */
  readonly steps: readonly PlannedStep[]
  readonly blockers: number
  readonly warnings: number
}

/** One phase of a planned update. */
export interface PlannedPhase {
  /** Null: steps that belong to no phase, such as the checks before all. */
  readonly phase: UpdatePhase | null
  readonly blocks: readonly {
    readonly id: string
    readonly title: string
    readonly lanes: readonly PlannedLane[]
  }[]
}

/** The plan as an operator reads it: phases in their order, in each the groups, in each the nodes with what is done on them. */
export function phasesOf(checked: CheckedPlan): readonly PlannedPhase[] {
  const answers = new Map(checked.checks.map(check => [check.stepId, check]))
  const phases: readonly (UpdatePhase | null)[] = [null, ...UpdatePhase.options]
  return phases.flatMap(phase => {
    const steps = checked.plan.steps.filter(step => step.phase === phase)
    if (steps.length === 0) return []
    const blocks = grouped(steps, step => step.lane?.block ?? '').map(([id, own]) => {
      const known = checked.plan.blocks.find(block => block.id === id)
      return {
        id,
        title: known?.title ?? '',
        lanes: grouped(own, step => step.lane?.name ?? '').map(([name, mine]) =>
          laneOf(name === '' ? null : name, mine, checked, answers),
        ),
      }
    })
    return [{ phase, blocks }]
  })
}

function laneOf(
  node: string | null,
  steps: readonly PlannedStep[],
  checked: CheckedPlan,
  answers: ReadonlyMap<string, StepCheck>,
): PlannedLane {
  const found = steps.flatMap(({ id }) => answers.get(id)?.answer ?? [])
  const open = found.flatMap(answer =>
    answer.kind === 'blocked'
      ? answer.blockers.filter(blocker => overrideFor(blocker, checked.plan.options.overrides) === null)
      : [],
  )
  return {
    node,
    steps: steps.filter(({ verbs }) => verbs.includes('apply')),
    blockers: open.length,
    warnings: found.reduce((sum, { warnings }) => sum + warnings.length, 0),
  }
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else known.push(one)
  }
  return [...groups]
}
