import { z } from 'zod'
import type { CephOsd } from './ceph.ts'
import { osdsOfNode, unprotectedOsds } from './ceph-safety.ts'
import type { Coded } from './coded.ts'
import { Json } from './json.ts'
import type { ComputeService } from './openstack.ts'

/** `unknown`: the facts could not be read. */
export const ConditionHolds = z.enum(['holds', 'does-not-hold', 'unknown'])
export type ConditionHolds = z.infer<typeof ConditionHolds>

/**
 * A condition that a role sets for a node in maintenance (seed 004, "Verify" of each role; docs/domain.md B.1), and whether it is met now.
 * `general`: a node without role control; its pods must be gone too.
 */
export const NodeCondition = z.strictObject({
  role: z.enum(['general', 'control', 'compute', 'storage']),
  holds: ConditionHolds,
  /** The finding by a stable name, with the values of its text. */
  code: z.string(),
  values: z.record(z.string(), Json),
  /** The same in an operator's words; whole sentences. */
  text: z.string(),
})
export type NodeCondition = z.infer<typeof NodeCondition>

type Nothing = Readonly<Record<string, never>>
type OfNode = { readonly node: string }
type OfHost = { readonly host: string }
type OsdIds = { readonly osds: readonly number[] }

export type ConditionValues = {
  readonly NodeUnschedulable: OfNode
  readonly NodeSchedulable: OfNode
  readonly PodsNotAsked: OfNode
  readonly NodeDrained: OfNode
  readonly PodsLeft: OfNode & { readonly pods: number }
  readonly ComputeNotAsked: OfNode
  readonly ComputeMissing: OfNode
  readonly ComputeEnabled: OfHost
  readonly ComputeDisabledAndUp: OfHost
  readonly ComputeDownWithMachine: OfHost
  readonly ComputeDisabledButDown: OfHost
  readonly InstancesNotKnown: OfHost
  readonly HostEmptied: OfHost
  readonly InstancesLeft: OfHost & { readonly instances: number }
  readonly CephNotAsked: OfNode
  readonly NodeWithoutOsds: OfNode
  readonly OsdsUpAsAllowed: OfNode & OsdIds
  readonly OsdsUpWithoutNoout: OfNode & OsdIds
  readonly OsdsProtected: OfNode & { readonly covered: readonly number[]; readonly down: readonly number[] }
  readonly NooutNoteNotRead: Nothing
  readonly NooutNotNoted: Nothing
  readonly NooutNoted: { readonly run: string }
  readonly Several: { readonly of: readonly ConditionSaid[] }
}

/** A finding about a node, with the values of its text (shared/words/node-conditions.ts). */
type ConditionSaid = Coded<ConditionValues>

/** One answer of the predicates that a run's verify and the node's state share. */
export type ConditionReported = { readonly holds: ConditionHolds } & ConditionSaid

export function isCordoned({
  name,
  unschedulable,
}: {
  readonly name: string
  readonly unschedulable: boolean
}): ConditionReported {
  return unschedulable
    ? { holds: 'holds', code: 'NodeUnschedulable', values: { node: name } }
    : { holds: 'does-not-hold', code: 'NodeSchedulable', values: { node: name } }
}

export function isDrained(node: string, podsLeft: number | null): ConditionReported {
  if (podsLeft === null) return { holds: 'unknown', code: 'PodsNotAsked', values: { node } }
  return podsLeft === 0
    ? { holds: 'holds', code: 'NodeDrained', values: { node } }
    : { holds: 'does-not-hold', code: 'PodsLeft', values: { node, pods: podsLeft } }
}

/**
 * Nova schedules nothing onto the host, and its hypervisor service stays up (seed 004, verify "No instances", "Nova is disabled"). While the
 * machine itself is off (`machineAway`), a silent service is expected.
 */
export function isDisabledAndUp(
  { host, status, state }: Pick<ComputeService, 'host' | 'status' | 'state'>,
  machineAway: boolean,
): ConditionReported {
  const values = { host }
  if (status !== 'disabled') return { holds: 'does-not-hold', code: 'ComputeEnabled', values }
  if (state === 'up') return { holds: 'holds', code: 'ComputeDisabledAndUp', values }
  return machineAway
    ? { holds: 'holds', code: 'ComputeDownWithMachine', values }
    : { holds: 'does-not-hold', code: 'ComputeDisabledButDown', values }
}

export function isEmptied(host: string, instancesLeft: number | null): ConditionReported {
  if (instancesLeft === null) return { holds: 'unknown', code: 'InstancesNotKnown', values: { host } }
  return instancesLeft === 0
    ? { holds: 'holds', code: 'HostEmptied', values: { host } }
    : { holds: 'does-not-hold', code: 'InstancesLeft', values: { host, instances: instancesLeft } }
}

/**
 * Every OSD of the node can be lost without moving data: covered by noout, or already down; null: Ceph is unreadable. Both are optional (seed 004,
 * storage: "N/A" to verify): with `isOptional` a node without either still counts as in maintenance, and its verdict lists the OSDs.
 */
export function isProtected(node: string, osds: readonly CephOsd[] | null, isOptional: boolean): ConditionReported {
  if (osds === null) return { holds: 'unknown', code: 'CephNotAsked', values: { node } }
  const own = osdsOfNode(osds, node)
  if (own.length === 0) return { holds: 'holds', code: 'NodeWithoutOsds', values: { node } }
  const open = unprotectedOsds(osds, node)
  const values = { node, osds: idsOf(open) }
  if (open.length === own.length && isOptional) return { holds: 'holds', code: 'OsdsUpAsAllowed', values }
  if (open.length > 0) return { holds: 'does-not-hold', code: 'OsdsUpWithoutNoout', values }
  const covered = idsOf(own.filter(osd => osd.noout))
  return { holds: 'holds', code: 'OsdsProtected', values: { node, covered, down: idsOf(own.filter(osd => !osd.up)) } }
}

/** Combines answers: a failed one decides, then an unknown one; the result lists each that matters. */
export function allOf(reported: readonly ConditionReported[]): ConditionReported {
  const decides = (['does-not-hold', 'unknown'] as const).find(each => reported.some(({ holds }) => holds === each))
  const those = decides === undefined ? reported : reported.filter(({ holds }) => holds === decides)
  const [only, ...others] = those
  if (only !== undefined && others.length === 0) return only
  const of = those.map(({ holds: _holds, ...said }): ConditionSaid => said)
  return { holds: decides ?? 'holds', code: 'Several', values: { of } }
}

export type OsdTrouble = Coded<{
  readonly OsdsDown: OsdIds
  readonly NooutOfNode: Nothing
  readonly NooutKeptByRun: { readonly run: string }
}>

/**
 * Signs in Ceph of a maintenance of this node: OSDs that are down, noout of its host, or a note that it needs noout (`notedFor`, the run). A noout
 * for all of Ceph says nothing about one node: MicroCeph has no other (docs/domain.md C.1).
 */
export function osdTroubles(name: string, osds: readonly CephOsd[], notedFor: string | null): readonly OsdTrouble[] {
  const own = osdsOfNode(osds, name)
  const down = idsOf(own.filter(osd => !osd.up))
  return [
    ...(down.length > 0 ? [{ code: 'OsdsDown', values: { osds: down } } as const] : []),
    ...(own.some(osd => osd.hostNoout) ? [{ code: 'NooutOfNode', values: {} } as const] : []),
    ...(notedFor === null ? [] : [{ code: 'NooutKeptByRun', values: { run: notedFor } } as const]),
  ]
}

type StatusByRoles = 'active' | 'maintenance' | 'partial' | 'unknown'

/** In maintenance only if every role's conditions are met, active only if nothing is visibly out of service (`isOutOfService`). */
export function nodeStateByRoles(
  conditions: readonly Pick<NodeCondition, 'holds'>[],
  isOutOfService: boolean,
): StatusByRoles {
  const any = (holds: ConditionHolds) => conditions.some(condition => condition.holds === holds)
  if (!isOutOfService) return any('unknown') ? 'unknown' : 'active'
  if (any('does-not-hold')) return 'partial'
  return any('unknown') ? 'unknown' : 'maintenance'
}

function idsOf(osds: readonly CephOsd[]): readonly number[] {
  return osds.map(({ id }) => id)
}
