import { type CephOsd, NOOUT_ANNOTATION } from '../../../shared/domain/ceph.ts'
import { unprotectedOsds } from '../../../shared/domain/ceph-safety.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  allOf,
  type ConditionReported,
  isCordoned,
  isDisabledAndUp,
  isDrained,
  isEmptied,
  isProtected,
  type NodeCondition,
  nodeStateByRoles,
  osdProblems,
} from '../../../shared/domain/node-conditions.ts'
import type { NodeState } from '../../../shared/domain/node-summary.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { conditionOf, conditionSaid } from '../../../shared/words/node-conditions.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { maintenanceStatus, type NodeMaintenanceOwners } from './maintenance-owners.ts'
import { osdProblemFinding } from './osd-trouble.ts'

interface StatusInput {
  readonly node: ClusterNode
  readonly isControl: boolean
  /** Its nova-compute; `missing`: it should have one, `not-asked`: Nova did not answer, null if it is not a compute node. */
  readonly compute: ComputeService | 'missing' | 'not-asked' | null
  /** Null if there is no storage; `osds` null: Ceph did not answer. */
  readonly storage: { readonly osds: readonly CephOsd[] | null } | null
  /** Remaining pods and instances that should have left; null if not read. */
  readonly pods: number | null
  readonly instances: number | null
  readonly onIt: number
  /** The node in the node maintenance API; null if not listed, `not-asked`: the API did not answer. */
  readonly owner: NodeMaintenanceOwners | 'not-asked' | null
  readonly run: ActiveNodeRun | null
}

/** An unfinished run, which decides the state of its node. */
export interface ActiveNodeRun {
  readonly runId: string
  readonly kind: 'enter' | 'leave'
  readonly isDriven: boolean
  readonly waits?: string
}

export interface NodeStatus {
  readonly state: NodeState
  /** Each a sentence; empty if it is simply active. */
  readonly reasons: readonly Finding[]
  readonly conditions: readonly NodeCondition[]
}

/** The current state of a node (shared/domain/node-summary.ts, NodeState): by its roles' conditions, unless a run works on it. */
export function statusOf(input: StatusInput): NodeStatus {
  const { node, run } = input
  const conditions = conditionsOf(input)
  if (run !== null) return { ...statusUnder(run), conditions }
  if (node.readiness === 'unknown') {
    return { state: 'unknown', reasons: [because('NodeContactLost', { detail: node.readinessText })], conditions }
  }
  const troubles = troublesOf(input)
  return mandated(byRoles(input, troubles, conditions), input.owner)
}

export function statusUnder({ runId, kind, isDriven, waits }: ActiveNodeRun): Pick<NodeStatus, 'state' | 'reasons'> {
  // A rescue leaves the node out of service too.
  const entering = kind !== 'leave'
  const run = { run: runId }
  const reason = isDriven
    ? because(entering ? 'NodeRunTakesOut' : 'NodeRunBringsBack', { ...run, waits: waits ?? null })
    : because(entering ? 'NodeRunTakingOutLeft' : 'NodeRunBringingBackLeft', run)
  return { state: entering ? 'entering' : 'leaving', reasons: [reason] }
}

function byRoles(input: StatusInput, troubles: readonly Finding[], conditions: readonly NodeCondition[]): NodeStatus {
  const state = nodeStateByRoles(conditions, troubles.length > 0)
  switch (state) {
    case 'active':
      return { state, reasons: [], conditions }
    case 'unknown':
      return { state, reasons: whyUnknown(input, conditions), conditions }
    case 'partial':
      return { state, reasons: whyPartial(input, troubles, conditions), conditions }
    case 'maintenance':
      return { state, reasons: whyInMaintenance(input), conditions }
  }
}

/** Requests and locks decide where a node is going; it is in maintenance only when every controller has released it (seed 001). */
function mandated(seen: NodeStatus, owner: StatusInput['owner']): NodeStatus {
  if (owner === 'not-asked') {
    return seen.state === 'maintenance' || seen.state === 'active'
      ? { ...seen, state: 'unknown', reasons: [because('LocksAndRequestsNotRead')] }
      : seen
  }
  const reported = owner === null ? null : maintenanceStatus(owner)
  if (reported === null) return seen
  const status = (state: NodeState): NodeStatus => ({
    ...seen,
    state,
    reasons: [reported.because, ...seen.reasons],
  })
  switch (reported.kind) {
    case 'asked':
      return status('entering')
    case 'returning':
      return status('leaving')
    case 'released':
      return status(seen.state === 'active' ? 'entering' : seen.state)
    case 'odd':
      return status(seen.state === 'unknown' ? 'unknown' : 'partial')
    case 'held':
      return seen.state === 'maintenance' ? status('partial') : seen
  }
}

function conditionsOf({ node, isControl, compute, storage, pods, instances }: StatusInput): readonly NodeCondition[] {
  return [
    conditionOf(isControl ? 'control' : 'general', allOf([isCordoned(node), isDrained(node.name, pods)])),
    ...(compute === null ? [] : [conditionOf('compute', computeReported(node, compute, instances))]),
    ...(storage === null
      ? []
      : [
          conditionOf(
            'storage',
            isProtected(node.name, storage.osds, node.annotations[NOOUT_ANNOTATION] === undefined),
          ),
        ]),
  ]
}

function computeReported(
  node: ClusterNode,
  compute: ComputeService | 'missing' | 'not-asked',
  instances: number | null,
): ConditionReported {
  if (compute === 'not-asked') return { holds: 'unknown', code: 'ComputeNotAsked', values: { node: node.name } }
  if (compute === 'missing') return { holds: 'does-not-hold', code: 'ComputeMissing', values: { node: node.name } }
  return allOf([isDisabledAndUp(compute, node.readiness !== 'ready'), isEmptied(compute.host, instances)])
}

function troublesOf({ node, compute, storage }: StatusInput): readonly Finding[] {
  if (compute === 'missing') return [because('NodeWithoutComputeService')]
  const service = serviceOf(compute)
  return [
    ...(node.readiness === 'ready' ? [] : [because('KubeletNotReady', { detail: node.readinessText })]),
    ...(node.unschedulable ? [because(service === null ? 'NodeIsCordoned' : 'NodeCordonedTakesInstances')] : []),
    ...(service === null || service.status === 'enabled'
      ? []
      : [because('NodeComputeDisabled', { detail: service.disabledReason ?? '' })]),
    ...(service?.state === 'down' ? [because('NodeComputeDown')] : []),
    ...(storage === null || storage.osds === null
      ? []
      : osdProblems(node.name, storage.osds, node.annotations[NOOUT_ANNOTATION] ?? null).map(osdProblemFinding)),
  ]
}

function whyUnknown({ node, compute }: StatusInput, conditions: readonly NodeCondition[]): readonly Finding[] {
  if (compute === 'not-asked') return [because('ComputeServiceNotAsked')]
  const silent = conditions.filter(({ holds }) => holds === 'unknown')
  const ofStorage = silent.filter(({ role }) => role === 'storage').map(conditionSaid)
  return silent.length === ofStorage.length
    ? ofStorage
    : [sentence([because('NodeClosedNotAsked', closedOf(node, compute))]), ...ofStorage]
}

function whyPartial(
  { node, compute, pods, instances }: StatusInput,
  troubles: readonly Finding[],
  conditions: readonly NodeCondition[],
): readonly Finding[] {
  const service = serviceOf(compute)
  if (compute === 'missing' || !node.unschedulable || service?.status === 'enabled') return [sentence(troubles)]
  const left = { instances: instances ?? 0, pods: pods ?? 0 }
  const closed = closedOf(node, compute)
  const open = conditions.find(({ role, holds }) => role === 'storage' && holds === 'does-not-hold')
  return [
    sentence([
      left.instances + left.pods === 0
        ? because('NodeClosed', closed)
        : because('NodeClosedNotEmpty', { ...closed, ...left }),
      ...(service?.state === 'down' ? [because('NodeComputeDown')] : []),
    ]),
    ...(open === undefined ? [] : [conditionSaid(open)]),
  ]
}

function whyInMaintenance({ node, compute, storage, onIt }: StatusInput): readonly Finding[] {
  return [
    sentence([
      because('NodeClosedAndEmpty', closedOf(node, compute)),
      ...(onIt === 0 ? [] : [because('InstancesStayOnNode', { instances: onIt })]),
      ...(storage === null ? [] : [because(osdsStandAs(storage.osds, node.name))]),
      ...(node.readiness === 'ready' ? [] : [because('KubeletNotReady', { detail: '' })]),
      ...(serviceOf(compute)?.state === 'down' ? [because('NodeComputeDown')] : []),
    ]),
  ]
}

function osdsStandAs(osds: readonly CephOsd[] | null, name: string): 'OsdsCoveredOrDown' | 'OsdsUpNotCovered' {
  return unprotectedOsds(osds ?? [], name).length === 0 ? 'OsdsCoveredOrDown' : 'OsdsUpNotCovered'
}

function closedOf({ unschedulable }: ClusterNode, compute: StatusInput['compute']) {
  return { cordoned: unschedulable, computeDisabled: serviceOf(compute)?.status === 'disabled' }
}

function serviceOf(compute: StatusInput['compute']): ComputeService | null {
  return compute === 'missing' || compute === 'not-asked' ? null : compute
}

function sentence(parts: readonly Finding[]): Finding {
  return because('NodeOutOfService', { parts })
}
