import { z } from 'zod'
import type { CephOsd } from './ceph.ts'
import { osdsOfNode, unprotectedOsds } from './ceph-safety.ts'
import type { Coded } from './coded.ts'
import { Json } from './json.ts'
import type { ComputeService } from './openstack.ts'

export const ConditionHolds = z.enum(['holds', 'does-not-hold', 'unknown'])
export type ConditionHolds = z.infer<typeof ConditionHolds>

/** A condition of a role for a node in maintenance (seed 004, "Verify"; docs/domain.md B.1). `general`: a node without role control. */
export const NodeCondition = z.strictObject({
  role: z.enum(['general', 'control', 'compute', 'storage']),
  holds: ConditionHolds,
  code: z.string(),
  values: z.record(z.string(), Json),
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

type ConditionSaid = Coded<ConditionValues>

/** A run's verify and the node's state share these answers. */
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

/** Nova schedules nothing there, and its service stays up (seed 004). While the machine is off (`machineAway`) it may be silent. */
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

/** Each OSD can be lost without moving data: noout, or down; null if Ceph is unreadable. `isOptional`: neither is required (seed 004). */
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

export function allOf(reported: readonly ConditionReported[]): ConditionReported {
  const decides = (['does-not-hold', 'unknown'] as const).find(each => reported.some(({ holds }) => holds === each))
  const those = decides === undefined ? reported : reported.filter(({ holds }) => holds === decides)
  const [only, ...others] = those
  if (only !== undefined && others.length === 0) return only
  const of = those.map(({ holds: _holds, ...said }): ConditionSaid => said)
  return { holds: decides ?? 'holds', code: 'Several', values: { of } }
}

export type OsdProblem = Coded<{
  readonly OsdsDown: OsdIds
  readonly NooutOfNode: Nothing
  readonly NooutKeptByRun: { readonly run: string }
}>

/** Signs of this node's maintenance in Ceph. A cluster-wide noout says nothing about one node (docs/domain.md C.1). */
export function osdProblems(name: string, osds: readonly CephOsd[], notedFor: string | null): readonly OsdProblem[] {
  const own = osdsOfNode(osds, name)
  const down = idsOf(own.filter(osd => !osd.up))
  return [
    ...(down.length > 0 ? [{ code: 'OsdsDown', values: { osds: down } } as const] : []),
    ...(own.some(osd => osd.hostNoout) ? [{ code: 'NooutOfNode', values: {} } as const] : []),
    ...(notedFor === null ? [] : [{ code: 'NooutKeptByRun', values: { run: notedFor } } as const]),
  ]
}

type StatusByRoles = 'active' | 'maintenance' | 'partial' | 'unknown'

/** A node is in maintenance only if every role's conditions hold, and active only if nothing is visibly out of service. */
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
