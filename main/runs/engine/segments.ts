import type { Plan, PlannedStep } from '../../../shared/domain/plan.ts'

export interface Lane {
  readonly name: string
  readonly steps: readonly PlannedStep[]
}

/** A part of a plan that runs as one unit: a single step, or the lanes of a batch side by side. */
export type Segment =
  | { readonly kind: 'step'; readonly step: PlannedStep }
  | { readonly kind: 'batch'; readonly id: string; readonly atOnce: number; readonly lanes: readonly Lane[] }

/** A plan in the order of execution: steps in order, with consecutive steps of one batch grouped into its lanes (shared/domain/plan.ts, `lane`). */
export function segmentsOf(steps: readonly PlannedStep[], batches: Plan['batches']): readonly Segment[] {
  const segments: Segment[] = []
  for (const step of steps) {
    if (step.lane === null) {
      segments.push({ kind: 'step', step })
      continue
    }
    const { batch: id, name } = step.lane
    const last = segments.at(-1)
    const batch = last?.kind === 'batch' && last.id === id ? last : null
    if (batch !== null) segments.pop()
    const before = batch?.lanes ?? []
    const lanes = before.some(lane => lane.name === name)
      ? before.map(lane => (lane.name === name ? { name, steps: [...lane.steps, step] } : lane))
      : [...before, { name, steps: [step] }]
    segments.push({ kind: 'batch', id, atOnce: batches.find(known => known.id === id)?.atOnce ?? 1, lanes })
  }
  return segments
}

/** The plan's order, refined only by dependencies: a step comes after everything it needs. */
export function inOrder(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const ordered = new Set<PlannedStep>()
  const byId = new Map(steps.map(step => [step.id, step]))
  const visit = (step: PlannedStep, path: readonly string[]) => {
    if (ordered.has(step)) return
    if (path.includes(step.id))
      throw new Error(`Broken invariant: the plan's steps need each other in a circle: ${path.join(', ')}`)
    for (const need of step.needs) {
      const needed = byId.get(need)
      if (needed !== undefined) visit(needed, [...path, step.id])
    }
    ordered.add(step)
  }
  for (const step of steps) visit(step, [])
  return [...ordered]
}
