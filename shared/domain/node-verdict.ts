import { z } from 'zod'
import type { CephOsd } from './ceph.ts'
import { unprotectedOsds } from './ceph-safety.ts'
import type { ClusterNode } from './kubernetes.ts'
import { UNDER_WAY } from './migration-under-way.ts'
import { TaintOwner } from './node-taints.ts'
import type { ComputeService, Instance, Migration } from './openstack.ts'

export const StayReason = z.enum([
  /** It runs there, for an unknown reason. */
  'StillRuns',
  /** Its node is forced down. */
  'NotRescued',
  'LeftHere',
  /** Its tag or the host's mode says that it goes down with the node; until then it runs. */
  'StopsWithNode',
  'WaitsForOwner',
  /** The operator agreed to work without moving instances (scope `drain`). */
  'StaysByScope',
  'Arriving',
  /** A resize or cold migration off the node is not confirmed: a revert brings it back. */
  'AwaitsConfirmation',
  'Busy',
  'InError',
])
export type StayReason = z.infer<typeof StayReason>

export const StillHere = z.strictObject({
  id: z.string(),
  name: z.string(),
  code: StayReason,
  status: z.string(),
  /** Null if no decision keeps it. */
  decided: z.strictObject({ by: z.string(), at: z.string(), reason: z.string() }).nullable(),
})
export type StillHere = z.infer<typeof StillHere>

export const VerdictLook = z.strictObject({
  what: z.enum(['instances', 'hypervisors', 'migrations', 'pods', 'compute-service', 'node', 'osds']),
  by: z.enum(['Nova', 'Placement', 'Kubernetes', 'Ceph']),
  at: z.string(),
})
export type VerdictLook = z.infer<typeof VerdictLook>

/** `message`: the failure's own words, for people only. */
export const Unread = z.strictObject({
  what: z.enum(['node', 'instances', 'migrations', 'pods', 'compute-service', 'osds']),
  code: z.enum(['NotAsked', 'NoAnswer', 'PartialAnswer', 'NotProved']),
  message: z.string(),
})
export type Unread = z.infer<typeof Unread>

/** A missing safeguard that the seed leaves optional: the node is still empty (seed 004, storage). */
export const Declined = z.strictObject({ code: z.enum(['OsdsUpWithoutNoout']), osds: z.array(z.number()) })
export type Declined = z.infer<typeof Declined>

export const HeldBackBy = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('ComputeDisabled'), reason: z.string().nullable() }),
  z.strictObject({ code: z.literal('ComputeDown') }),
  z.strictObject({ code: z.literal('Cordoned') }),
  /** `owner` absent: an earlier version did not record it. */
  z.strictObject({ code: z.literal('Tainted'), taint: z.string(), owner: TaintOwner.optional() }),
])
export type HeldBackBy = z.infer<typeof HeldBackBy>

const looked = z.array(VerdictLook)

/**
 * The one judgement that map, terminal, reports and exit codes share. `Empty`: no instance runs there or can come back, and nothing that had to leave
 * remains: safe to power off.
 */
export const NodeVerdict = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('Empty'),
    at: z.string(),
    looked,
    /** Off before: powering the node off does not affect their owners. */
    off: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    declined: z.array(Declined),
  }),
  z.strictObject({
    kind: z.literal('NotEmpty'),
    at: z.string(),
    looked,
    instances: z.array(StillHere),
    pods: z.array(z.string()),
    unread: z.array(Unread),
    declined: z.array(Declined),
    /** Its nova-compute is forced down, as after a rescue: its instances are listed, but may not run. */
    forcedDown: z.literal(true).optional(),
  }),
  z.strictObject({
    kind: z.literal('Unknown'),
    at: z.string(),
    looked,
    unread: z.array(Unread).min(1),
    /** The question was whether the node takes work; if absent, whether it is empty. */
    about: z.literal('service').optional(),
  }),
  /** `taints`: of unknown owners; often they name the node's purpose. */
  z.strictObject({ kind: z.literal('InService'), at: z.string(), looked, taints: z.array(z.string()).optional() }),
  /** Another program or person keeps work off it, and the run does not change that. */
  z.strictObject({ kind: z.literal('HeldBack'), at: z.string(), looked, by: z.array(HeldBackBy).min(1) }),
])
export type NodeVerdict = z.infer<typeof NodeVerdict>

export type EmptinessVerdict = Extract<NodeVerdict, { kind: 'Empty' | 'NotEmpty' | 'Unknown' }>

/** What maintenance does to an instance, as far as a verdict needs it. */
type Fate = 'live_migrate' | 'cold_migrate' | 'evacuate' | 'stop' | 'poweroff' | 'notify' | 'ignore' | 'blocked'

export interface InstanceOnHost {
  readonly instance: Pick<Instance, 'id' | 'name' | 'status' | 'vmState' | 'taskState'>
  /** What happens to it, given its state, its tags and the host's mode. */
  readonly fate: Fate
}

/** Optional safeguards that are missing for a node's disks. */
export function declinedOf(osds: readonly CephOsd[], node: string): readonly Declined[] {
  const open = unprotectedOsds(osds, node)
  return open.length === 0 ? [] : [{ code: 'OsdsUpWithoutNoout', osds: open.map(({ id }) => id) }]
}

export interface EmptinessReading {
  readonly at: string
  /** Null if not read. */
  readonly instances: readonly InstanceOnHost[] | null
  /** Instances on other hosts that come to this host, or may be reverted to it. */
  readonly returning: readonly {
    readonly instance: Pick<Instance, 'id' | 'name' | 'status'>
    readonly code: 'Arriving' | 'AwaitsConfirmation'
  }[]
  readonly pods: readonly string[] | null
  readonly unread: readonly Unread[]
  readonly looked: readonly VerdictLook[]
  readonly declined: readonly Declined[]
  readonly isDrainOnly: boolean
  readonly isForcedDown: boolean
  readonly decided: ReadonlyMap<string, NonNullable<StillHere['decided']>>
}

/** Whether nova-compute is forced down, which claims that the machine is off, and the kubelet does not report either. */
export function isForcedDown(
  service: Pick<ComputeService, 'forcedDown' | 'state'> | null,
  { readiness }: Pick<ClusterNode, 'readiness'>,
): boolean {
  return service?.forcedDown === true && service.state === 'down' && readiness !== 'ready'
}

/** Unread facts never count as empty. */
export function emptinessOf(reading: EmptinessReading): EmptinessVerdict {
  const { at, instances, returning, pods, unread } = reading
  const looked = [...reading.looked]
  const declined = [...reading.declined]
  const onHost = (instances ?? []).map(each => ({ each, code: stayReasonOf(each, reading) }))
  const here = [
    ...onHost.flatMap(({ each, code }) => (code === null ? [] : [stillHere(each.instance, code, reading)])),
    ...returning
      .filter(({ instance }) => !onHost.some(({ each }) => each.instance.id === instance.id))
      .map(({ instance, code }) => stillHere(instance, code, reading)),
  ].toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  const podsHere = [...(pods ?? [])]
  if (here.length > 0 || podsHere.length > 0) {
    // What was not read may run there.
    const forced = reading.isForcedDown && unread.length === 0 ? { forcedDown: true as const } : {}
    return { kind: 'NotEmpty', at, looked, instances: here, pods: podsHere, unread: [...unread], declined, ...forced }
  }
  if (unread.length > 0) return { kind: 'Unknown', at, looked, unread: [...unread] }
  const off = onHost.map(({ each: { instance } }) => ({ id: instance.id, name: instance.name }))
  return { kind: 'Empty', at, looked, off, declined }
}

/** How many pods that had to leave remain; null if unknown. */
export function podsLeftIn(verdict: EmptinessVerdict | null): number | null {
  if (verdict === null || verdict.kind === 'Unknown') return isUnread(verdict, ['node', 'pods']) ? null : 0
  if (verdict.kind === 'Empty') return 0
  return verdict.pods.length === 0 && isUnread(verdict, ['node', 'pods']) ? null : verdict.pods.length
}

/** How many instances that had to leave remain, without those that stop with the node or wait for their owner; null if unknown. */
export function instancesLeftIn(verdict: EmptinessVerdict | null): number | null {
  const parts = ['node', 'instances', 'migrations', 'compute-service'] as const
  if (verdict === null || verdict.kind === 'Unknown') return isUnread(verdict, parts) ? null : 0
  if (verdict.kind === 'Empty') return 0
  const left = verdict.instances.filter(({ code }) => !STAYS_AS_AGREED.has(code)).length
  return left === 0 && isUnread(verdict, parts) ? null : left
}

/** Agreed leftovers need no action: instances that stop with the node, work that does not reboot it, or pods of a machine that is forced down. */
export function isAsAgreed(verdict: NodeVerdict): boolean {
  if (verdict.kind !== 'NotEmpty' || verdict.unread.length > 0) return false
  if (verdict.forcedDown) return verdict.instances.length === 0
  if (verdict.pods.length > 0) return false
  return verdict.instances.every(({ code }) => code === 'StopsWithNode' || code === 'StaysByScope')
}

/** Whether nova-compute of its node is forced down: what is left there needs a rescue, not a move. */
export function isOfForcedDown(verdict: NodeVerdict): boolean {
  return verdict.kind === 'NotEmpty' && verdict.forcedDown === true
}

/** Whether everything left on a node stops with it, as agreed: it may be powered off. */
export function onlyStopsWithNode(verdict: Extract<NodeVerdict, { kind: 'NotEmpty' }>): boolean {
  const { instances, pods, unread } = verdict
  if (verdict.forcedDown) return false
  const stop = instances.filter(({ code }) => code === 'StopsWithNode')
  return pods.length === 0 && unread.length === 0 && stop.length > 0 && stop.length === instances.length
}

const STAYS_AS_AGREED: ReadonlySet<StayReason> = new Set(['StopsWithNode', 'WaitsForOwner', 'StaysByScope'])

function isUnread(
  verdict: Extract<EmptinessVerdict, { kind: 'NotEmpty' | 'Unknown' }> | null,
  parts: readonly Unread['what'][],
): boolean {
  return verdict === null || verdict.unread.some(({ what }) => parts.includes(what))
}

function stayReasonOf(
  { instance, fate }: InstanceOnHost,
  { decided, isDrainOnly, isForcedDown }: Pick<EmptinessReading, 'decided' | 'isDrainOnly' | 'isForcedDown'>,
): StayReason | null {
  // A policy may treat an instance that is being built as off, but it will run there.
  if (instance.vmState === 'building') return 'Arriving'
  // So will a soft-deleted one that is being restored.
  if (instance.taskState === 'restoring') return 'Busy'
  if (fate === 'ignore') return null
  if (decided.has(instance.id)) return 'LeftHere'
  if (instance.status === 'ERROR' || instance.vmState === 'error') return 'InError'
  if (instance.taskState !== null) return 'Busy'
  if (isForcedDown) return 'NotRescued'
  if (isDrainOnly) return 'StaysByScope'
  if (fate === 'poweroff') return 'StopsWithNode'
  if (fate === 'notify') return 'WaitsForOwner'
  return 'StillRuns'
}

function stillHere(
  { id, name, status }: Pick<Instance, 'id' | 'name' | 'status'>,
  code: StayReason,
  { decided }: Pick<EmptinessReading, 'decided'>,
): StillHere {
  return { id, name, status, code, decided: decided.get(id) ?? null }
}

/** Nova can still bring the instance back. */
const REVERTIBLE: ReadonlySet<string> = new Set(['finished', 'post-migrating', 'migrating', 'reverting', 'confirming'])

/** Judges an instance that Nova does not list on the host. `AwaitsConfirmation`: a revert of its cold migration or resize brings it back. */
export function returnOf(
  migration: Pick<Migration, 'type' | 'status' | 'sourceHost' | 'destHost'>,
  instance: Pick<Instance, 'vmState' | 'taskState'>,
  host: string,
): 'Arriving' | 'AwaitsConfirmation' | null {
  const { type, status, sourceHost, destHost } = migration
  // An old record says nothing about an instance without a task.
  if (destHost === host && UNDER_WAY.has(status) && instance.taskState !== null) return 'Arriving'
  if (sourceHost !== host || (type !== 'migration' && type !== 'resize')) return null
  // Nova sets `reverted` before the instance is back: it comes until its task ends.
  if (status === 'reverted') return instance.taskState === 'resize_reverting' ? 'Arriving' : null
  if (!REVERTIBLE.has(status)) return null
  if (instance.vmState === 'resized')
    return instance.taskState === 'resize_reverting' ? 'Arriving' : 'AwaitsConfirmation'
  return instance.taskState?.startsWith('resize_') === true ? 'AwaitsConfirmation' : null
}

/** A returned node is in service unless something else keeps work off it. */
export function serviceOf(reading: {
  readonly at: string
  readonly looked: readonly VerdictLook[]
  readonly unread: readonly Unread[]
  readonly by: readonly HeldBackBy[]
  readonly taints: readonly string[]
}): Extract<NodeVerdict, { kind: 'InService' | 'HeldBack' | 'Unknown' }> {
  const { at, unread, by } = reading
  const looked = [...reading.looked]
  if (by.length > 0) return { kind: 'HeldBack', at, looked, by: [...by] }
  return unread.length > 0
    ? { kind: 'Unknown', at, looked, unread: [...unread], about: 'service' }
    : { kind: 'InService', at, looked, ...(reading.taints.length === 0 ? {} : { taints: [...reading.taints] }) }
}
