import { holdsCordon } from './cordon-holders.ts'
import type { ClusterNode } from './kubernetes.ts'
import type { ComputeService } from './openstack.ts'
import { isNodePlan, isWayBack, type MaintenanceScope, staysOut } from './plan.ts'
import type { RunView, StepView } from './run.ts'
import { updateNodeOf } from './update-nodes.ts'

/** The scope under which a run took a node out, or `back`; `unknown`: its record is damaged. */
export type TakenOut = ReadonlyMap<string, MaintenanceScope | 'back' | 'unknown'>

/** The nodes that a run took out and left there, or brought back. */
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

/** A run with its nodes; null if its record is damaged, so it may have changed any node. */
export interface RunWithNodes {
  readonly id: string
  readonly nodes: TakenOut | null
}

/** Taken out with scope `drain`, so that instances stay; each with the run that did it. */
export type DrainedOnly = ReadonlyMap<string, string>

/** The nodes only drained, by runs, newest first. Runs before an unreadable one do not count. */
export function drainedOnly(newestFirst: readonly RunWithNodes[]): DrainedOnly {
  const last = new Map<string, { readonly run: string; readonly how: MaintenanceScope | 'back' | 'unknown' }>()
  for (const { id, nodes } of newestFirst) {
    if (nodes === null) break
    for (const [node, how] of nodes) if (!last.has(node)) last.set(node, { run: id, how })
  }
  return new Map([...last].flatMap(([node, { run, how }]) => (how === 'drain' ? [[node, run]] : [])))
}

/** An uncordon ends that maintenance. */
export function isDrainedOnly(
  drained: DrainedOnly,
  node: Pick<ClusterNode, 'name' | 'unschedulable' | 'cordonedBy'>,
): boolean {
  const run = drained.get(node.name)
  return run !== undefined && node.unschedulable && holdsCordon(node.cordonedBy, run)
}

/** A host without a Kubernetes node: enabling its compute service ends its maintenance. */
export function isHostDrainedOnly(
  drained: DrainedOnly,
  host: string,
  services: readonly Pick<ComputeService, 'host' | 'status'>[],
): boolean {
  return drained.has(host) && services.some(service => service.host === host && service.status === 'disabled')
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
