import { type CephOsd, NOOUT_ANNOTATION } from '../../shared/domain/ceph.ts'
import { unprotectedOsds } from '../../shared/domain/ceph-safety.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import {
  allOf,
  type ConditionTold,
  isCordoned,
  isDisabledAndUp,
  isDrained,
  isEmptied,
  isProtected,
  type NodeCondition,
  nodeStateByRoles,
  osdTroubles,
} from '../../shared/domain/node-conditions.ts'
import type { NodeState } from '../../shared/domain/node-summary.ts'
import type { ComputeService } from '../../shared/domain/openstack.ts'
import { asPhrase, counted } from '../../shared/grammar/counts.ts'
import { conditionOf, osdTroubleWords } from '../../shared/words/node-conditions.ts'
import { mandateStanding, type NodeMandate } from './node-mandates.ts'

/** What is known of one node, for saying where it stands. */
interface StandingInput {
  readonly node: ClusterNode
  readonly isControl: boolean
  /** Its nova-compute; `missing` when it should have one, `not-asked` when Nova was silent, null when it computes nothing. */
  readonly compute: ComputeService | 'missing' | 'not-asked' | null
  /** Null when it stores nothing; `osds` null when Ceph was silent. */
  readonly storage: { readonly osds: readonly CephOsd[] | null } | null
  /** Pods that should have left, and instances that had to; null when not asked. */
  readonly pods: number | null
  readonly instances: number | null
  /** How many instances are on it, also those that did not have to leave. */
  readonly onIt: number
  /** What the node maintenance API says of it; null where it says nothing, `not-asked` when it was silent. */
  readonly mandate: NodeMandate | 'not-asked' | null
  readonly run: StandingRun | null
}

/** A run that is not over, as what it works on stands by it. */
export interface StandingRun {
  readonly runId: string
  readonly kind: 'enter' | 'leave'
  readonly isDriven: boolean
  readonly waits?: string
}

/** Where a node stands, why, and what each of its roles asks. */
export interface NodeStanding {
  readonly state: NodeState
  readonly reason: string
  readonly conditions: readonly NodeCondition[]
}

/** Where a node stands now (shared/domain/node-summary.ts, NodeState): by its roles' conditions, unless a run works on it. */
export function standOf(input: StandingInput): NodeStanding {
  const { node, run } = input
  const conditions = conditionsOf(input)
  if (run !== null) return { ...standingUnder(run), conditions }
  if (node.readiness === 'unknown') {
    const reason = `The control plane has lost contact with it${because(node.readinessText)}.`
    return { state: 'unknown', reason, conditions }
  }
  const troubles = troublesOf(input)
  return mandated(byRoles(input, troubles, conditions), input.mandate)
}

/** Where a node is going, by the run that works on it. */
export function standingUnder(run: StandingRun): Pick<NodeStanding, 'state' | 'reason'> {
  // A rescue leaves the node out of service too.
  const entering = run.kind !== 'leave'
  const way = entering ? 'take it out of service' : 'bring it back into service'
  const reason = run.isDriven
    ? `Run ${run.runId} ${entering ? 'takes it out of service' : 'brings it back into service'}.${run.waits === undefined ? '' : ` It waits: ${run.waits}`}`
    : `Run ${run.runId} was to ${way}, and nobody drives it now: resume it, or abort it where it is.`
  return { state: entering ? 'entering' : 'leaving', reason }
}

/** By what is out of service alone. */
function byRoles(
  input: StandingInput,
  troubles: readonly string[],
  conditions: readonly NodeCondition[],
): NodeStanding {
  const state = nodeStateByRoles(conditions, troubles.length > 0)
  switch (state) {
    case 'active':
      return { state, reason: '', conditions }
    case 'unknown':
      return { state, reason: whyUnknown(input, conditions), conditions }
    case 'partial':
      return { state, reason: whyPartial(input, troubles, conditions), conditions }
    case 'maintenance':
      return { state, reason: whyInMaintenance(input), conditions }
  }
}

/**
 * Under the node maintenance API requests and locks say where a node is going, and no node is in maintenance before every controller has
 * released it: an active lock means that LCM must not touch it (seed 001).
 */
function mandated(seen: NodeStanding, mandate: StandingInput['mandate']): NodeStanding {
  if (mandate === 'not-asked') {
    return seen.state === 'maintenance' || seen.state === 'active'
      ? { ...seen, state: 'unknown', reason: 'Its workload locks and maintenance requests could not be asked.' }
      : seen
  }
  const told = mandate === null ? null : mandateStanding(mandate)
  if (told === null) return seen
  const standing = (state: NodeState): NodeStanding => ({
    ...seen,
    state,
    reason: [told.text, seen.reason].filter(text => text !== '').join(' '),
  })
  switch (told.kind) {
    case 'asked':
      return standing('entering')
    case 'returning':
      return standing('leaving')
    case 'released':
      return standing(seen.state === 'active' ? 'entering' : seen.state)
    case 'odd':
      return standing(seen.state === 'unknown' ? 'unknown' : 'partial')
    case 'held':
      return seen.state === 'maintenance' ? standing('partial') : seen
  }
}

function conditionsOf({ node, isControl, compute, storage, pods, instances }: StandingInput): readonly NodeCondition[] {
  return [
    conditionOf(isControl ? 'control' : 'general', allOf([isCordoned(node), isDrained(node.name, pods)])),
    ...(compute === null ? [] : [conditionOf('compute', computeTold(node, compute, instances))]),
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

function computeTold(
  node: ClusterNode,
  compute: ComputeService | 'missing' | 'not-asked',
  instances: number | null,
): ConditionTold {
  if (compute === 'not-asked') return { holds: 'unknown', code: 'ComputeNotAsked', values: { node: node.name } }
  if (compute === 'missing') return { holds: 'does-not-hold', code: 'ComputeMissing', values: { node: node.name } }
  return allOf([isDisabledAndUp(compute, node.readiness !== 'ready'), isEmptied(compute.host, instances)])
}

/** What of a node is out of service, in words; empty while all of it serves. */
function troublesOf({ node, compute, storage }: StandingInput): readonly string[] {
  if (compute === 'missing') return ['it is labelled as a compute node, but Nova has no nova-compute service on it']
  const service = serviceOf(compute)
  return [
    ...(node.readiness === 'ready' ? [] : [`its kubelet is not ready${because(node.readinessText)}`]),
    ...(node.unschedulable
      ? [service === null ? 'it is cordoned' : 'it is cordoned, but its nova-compute still takes instances']
      : []),
    ...(service === null || service.status === 'enabled'
      ? []
      : [`its nova-compute is disabled${because(service.disabledReason ?? '')}`]),
    ...(service?.state === 'down' ? ['its nova-compute is down'] : []),
    ...(storage === null || storage.osds === null
      ? []
      : osdTroubles(node.name, storage.osds, node.annotations[NOOUT_ANNOTATION] ?? null).map(osdTroubleWords)),
  ]
}

function whyUnknown({ node, compute }: StandingInput, conditions: readonly NodeCondition[]): string {
  if (compute === 'not-asked') {
    return 'It is a compute node, and Nova could not be asked about its compute service.'
  }
  const silent = conditions.filter(({ holds }) => holds === 'unknown')
  const ofStorage = silent.filter(({ role }) => role === 'storage').map(({ text }) => text)
  return silent.length === ofStorage.length
    ? ofStorage.join(' ')
    : [sentence([`${outOf(node, compute)}, but what is still on it could not be asked`]), ...ofStorage].join(' ')
}

function whyPartial(
  { node, compute, pods, instances }: StandingInput,
  troubles: readonly string[],
  conditions: readonly NodeCondition[],
): string {
  const service = serviceOf(compute)
  if (compute === 'missing' || !node.unschedulable || service?.status === 'enabled') return sentence(troubles)
  const left = [
    ...(instances === null || instances === 0
      ? []
      : [`${counted(instances, 'instance that', 'instances that')} had to move`]),
    ...(pods === null || pods === 0 ? [] : [`${counted(pods, 'pod that', 'pods that')} should have left`]),
  ]
  const out = outOf(node, compute)
  const open = conditions.find(({ role, holds }) => role === 'storage' && holds === 'does-not-hold')
  return [
    sentence([
      left.length === 0 ? out : `${out}, but still here: ${left.join(', ')}`,
      ...(service?.state === 'down' ? ['its nova-compute is down'] : []),
    ]),
    ...(open === undefined ? [] : [open.text]),
  ].join(' ')
}

function whyInMaintenance({ node, compute, storage, onIt }: StandingInput): string {
  const service = serviceOf(compute)
  return sentence([
    `${outOf(node, compute)}, nothing that had to leave is left`,
    ...(onIt === 0 ? [] : [`${counted(onIt, 'instance stays', 'instances stay')} on it`]),
    ...(storage === null ? [] : [storageWords(storage.osds, node.name)]),
    ...(node.readiness === 'ready' ? [] : ['its kubelet is not ready']),
    ...(service?.state === 'down' ? ['its nova-compute is down'] : []),
  ])
}

/** What is so of the OSDs of a node in maintenance. */
function storageWords(osds: readonly CephOsd[] | null, name: string): string {
  return unprotectedOsds(osds ?? [], name).length === 0
    ? 'its OSDs are covered by noout, or down'
    : 'its OSDs are up without noout'
}

function outOf(node: ClusterNode, compute: StandingInput['compute']): string {
  const cordoned = node.unschedulable ? 'it is cordoned' : 'it is not cordoned'
  return serviceOf(compute)?.status === 'disabled' ? `${cordoned} and its nova-compute is disabled` : cordoned
}

function serviceOf(compute: StandingInput['compute']): ComputeService | null {
  return compute === 'missing' || compute === 'not-asked' ? null : compute
}

function because(text: string): string {
  const plain = asPhrase(text.trim())
  return plain === '' ? '' : ` (${plain})`
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
