import { createHash } from 'node:crypto'
import { serverJsonOf } from '../../../shared/domain/json.ts'
import type { MaintenanceRun, MaintenanceRunSpec } from '../../../shared/domain/maintenance-run.ts'
import { nodeOfPlan, Plan } from '../../../shared/domain/plan.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { commandOfStep } from '../../procedures/steps/rolling/commands-of-steps.ts'
import { type StepRegistry, verbsOf } from '../../runs/engine/step.ts'

/** The plan that a MaintenanceRun requests, or why a runner refuses it. */
export type PlanOfSpec =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly why: Finding }

/** SHA-256 of a plan's text, as in `planHash`. */
export function planHashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Reads the plan of a MaintenanceRun. It must be exactly the confirmed text, and match what the spec shows to people. */
function planOfSpec(spec: MaintenanceRunSpec): PlanOfSpec {
  if (planHashOf(spec.plan) !== spec.planHash) {
    return refused(because('PlanHashDiffers'))
  }
  const read = Plan.safeParse(serverJsonOf(spec.plan))
  if (!read.success) {
    const [issue] = read.error.issues
    const place = issue === undefined || issue.path.length === 0 ? null : `${issue.path.join('.')}: ${issue.message}`
    return refused(because('PlanUnreadable', { place }))
  }
  const plan = read.data
  const said = { kind: spec.kind, cluster: spec.cluster, node: spec.node }
  const planned = { kind: plan.kind, cluster: plan.cluster, node: nodeOfPlan(plan) }
  for (const field of ['kind', 'cluster', 'node'] as const) {
    if (said[field] === planned[field]) continue
    return refused(because('SpecContradictsPlan', { field, said: said[field], planned: planned[field] }))
  }
  const command = plan.steps.map(commandOfStep).find(work => work !== null)
  if (command != null) {
    return refused(because('WorkIsCommandElsewhere'))
  }
  return { kind: 'plan', plan }
}

/**
 * Why Lockkeeper cannot have made a plan; null if it may have. The author of a MaintenanceRun may write any text as its plan: its steps must be steps of this
 * version with all their verbs, on the nodes of the plan. It must not create a Job, because the author may have no right to create one. Missing steps show
 * when the plan is made again ({@link whyOtherPlan}).
 */
export function whyNotMade(plan: Plan, registry: StepRegistry<MaintenanceWorld>): Finding | null {
  const nodes = new Set([
    nodeOfPlan(plan),
    ...nodesOfPlan(plan).map(({ node }) => node),
    ...plan.steps.map(({ lane }) => lane?.name),
  ])
  for (const step of plan.steps) {
    const known = registry.get(step.kind)
    if (known === undefined) return because('StepKindUnknown', { kind: step.kind })
    const isChanged =
      known.role !== step.role || known.risk !== step.risk || verbsOf(known).join() !== step.verbs.join()
    if (isChanged) return because('StepNotAsMade', { step: step.id, kind: step.kind })
    const { node } = step.input
    if (typeof node === 'string' && !nodes.has(node)) return because('StepOnOtherNode', { step: step.id, node })
  }
  return plan.options.work?.kind === 'job' ? because('WorkIsJob') : null
}

/** Reads plans of MaintenanceRuns, each once: they are large, and each change of a status sends the object again. */
export function createPlanReader(): (run: MaintenanceRun) => PlanOfSpec {
  const read = new Map<string, { readonly spec: MaintenanceRunSpec; readonly plan: PlanOfSpec }>()
  return ({ uid, spec }) => {
    if ('unreadable' in spec) return refused(because('ObjectUnreadable', { unreadable: spec.unreadable }))
    const known = read.get(uid)
    if (known !== undefined && isSame(known.spec, spec)) return known.plan
    const plan = planOfSpec(spec)
    read.set(uid, { spec, plan })
    for (const old of [...read.keys()].slice(0, -PLANS_KEPT)) read.delete(old)
    return plan
  }
}

const PLANS_KEPT = 200

function isSame(a: MaintenanceRunSpec, b: MaintenanceRunSpec): boolean {
  return (
    a.plan === b.plan && a.planHash === b.planHash && a.kind === b.kind && a.cluster === b.cluster && a.node === b.node
  )
}

function refused(why: Finding): PlanOfSpec {
  return { kind: 'refused', why }
}
