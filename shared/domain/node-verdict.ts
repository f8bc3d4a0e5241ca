import { z } from 'zod'
import type { CephOsd } from './ceph.ts'
import { unprotectedOsds } from './ceph-safety.ts'
import { UNDER_WAY } from './migration-under-way.ts'
import { TaintOwner } from './node-taints.ts'
import type { Instance, Migration } from './openstack.ts'

/** Why an instance keeps a node from being empty. The code is the one that JSON, the journal and objects carry. */
export const StayReason = z.enum([
  /** It runs there, and nothing more is known of why. */
  'StillRuns',
  /** Somebody decided in the run that it stays. */
  'LeftHere',
  /** Its tag or the host's mode says that it goes down with the node; until then it runs. */
  'StopsWithNode',
  /** Its owner has to move or stop it. */
  'WaitsForOwner',
  /** The work was agreed without moving instances (scope `drain`). */
  'StaysByScope',
  /** Nova builds or moves it onto the node right now. */
  'Arriving',
  /** It is elsewhere after a resize or a cold migration that is not confirmed: a revert brings it back. */
  'AwaitsConfirmation',
  /** Nova is busy with it there. */
  'Busy',
  /** It is in ERROR, and its power is not off. */
  'InError',
])
export type StayReason = z.infer<typeof StayReason>

/** An instance that keeps a node from being empty. */
export const StillHere = z.strictObject({
  id: z.string(),
  name: z.string(),
  code: StayReason,
  /** Nova's status, such as ACTIVE. */
  status: z.string(),
  /** Who decided that it stays, where somebody did, when, and the reason that was given. */
  decided: z.strictObject({ by: z.string(), at: z.string(), reason: z.string() }).nullable(),
})
export type StillHere = z.infer<typeof StillHere>

/** What was looked at, by which API, and when: what a verdict rests on. */
export const VerdictLook = z.strictObject({
  what: z.enum(['instances', 'hypervisors', 'migrations', 'pods', 'compute-service', 'node', 'osds']),
  by: z.enum(['Nova', 'Placement', 'Kubernetes', 'Ceph']),
  at: z.string(),
})
export type VerdictLook = z.infer<typeof VerdictLook>

/** What could not be read, and so is not known. `message`: the failure's own words, for a person alone. */
export const Unread = z.strictObject({
  what: z.enum(['node', 'instances', 'migrations', 'pods', 'compute-service', 'osds']),
  code: z.enum(['NotAsked', 'NoAnswer', 'PartialAnswer', 'NotProved']),
  message: z.string(),
})
export type Unread = z.infer<typeof Unread>

/** A safeguard that the seed calls optional and that was not taken: it makes a node no less empty, and a person should know (seed 004, storage). */
export const Declined = z.strictObject({ code: z.enum(['OsdsUpWithoutNoout']), osds: z.array(z.number()) })
export type Declined = z.infer<typeof Declined>

/** Who keeps work off a node that was brought back. */
export const HeldBackBy = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('ComputeDisabled'), reason: z.string().nullable() }),
  z.strictObject({ code: z.literal('ComputeDown') }),
  z.strictObject({ code: z.literal('Cordoned') }),
  /** Absent owner: an earlier version did not say. */
  z.strictObject({ code: z.literal('Tainted'), taint: z.string(), owner: TaintOwner.optional() }),
])
export type HeldBackBy = z.infer<typeof HeldBackBy>

const looked = z.array(VerdictLook)

/**
 * What a node is, by what was read of it: the one judgement that the map, the terminal, the end of a run, reports, notifications and exit codes share.
 * `at` and `looked` are empty where a face shows by itself how fresh it is (the map). `Empty`: nothing of it runs, comes back or can be reverted to it, and nothing that had to leave is left: it is safe to power off.
 */
export const NodeVerdict = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('Empty'),
    at: z.string(),
    looked,
    /** Instances that were off and stay there: powering the node off takes nothing from their owners. */
    off: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    declined: z.array(Declined),
  }),
  z.strictObject({
    kind: z.literal('NotEmpty'),
    at: z.string(),
    looked,
    instances: z.array(StillHere),
    /** Pods that had to leave and are there, as `namespace/name`. */
    pods: z.array(z.string()),
    /** What else could not be read. */
    unread: z.array(Unread),
    declined: z.array(Declined),
  }),
  z.strictObject({
    kind: z.literal('Unknown'),
    at: z.string(),
    looked,
    unread: z.array(Unread).min(1),
    /** What was asked of the node: whether it takes work; absent: whether it is empty. */
    about: z.literal('service').optional(),
  }),
  /** It takes work again. `taints`: what keeps pods off it that do not tolerate it, of owners unknown here; often what the node is for. */
  z.strictObject({ kind: z.literal('InService'), at: z.string(), looked, taints: z.array(z.string()).optional() }),
  /** Somebody or something else keeps work off it, and a run leaves that alone. */
  z.strictObject({ kind: z.literal('HeldBack'), at: z.string(), looked, by: z.array(HeldBackBy).min(1) }),
])
export type NodeVerdict = z.infer<typeof NodeVerdict>

/** The verdicts about a node that is out of service. */
export type EmptinessVerdict = Extract<NodeVerdict, { kind: 'Empty' | 'NotEmpty' | 'Unknown' }>

/** What maintenance of its host does to an instance, as far as a verdict asks. */
type Fate = 'live_migrate' | 'cold_migrate' | 'evacuate' | 'stop' | 'poweroff' | 'notify' | 'ignore' | 'blocked'

/** One instance that Nova has on the host or moves to or off it. */
export interface InstanceOnHost {
  readonly instance: Pick<Instance, 'id' | 'name' | 'status' | 'vmState' | 'taskState'>
  /** What the maintenance of the host does to it, by its state, its tags and the host's mode. */
  readonly fate: Fate
}

/** What was not taken of the optional safeguards of a node's disks. */
export function declinedOf(osds: readonly CephOsd[], node: string): readonly Declined[] {
  const open = unprotectedOsds(osds, node)
  return open.length === 0 ? [] : [{ code: 'OsdsUpWithoutNoout', osds: open.map(({ id }) => id) }]
}

/** All that was read of a node for its verdict. */
export interface EmptinessReading {
  readonly at: string
  /** Null: not read. */
  readonly instances: readonly InstanceOnHost[] | null
  /** Instances elsewhere that come to the host, or may be reverted to it. */
  readonly returning: readonly {
    readonly instance: Pick<Instance, 'id' | 'name' | 'status'>
    readonly code: 'Arriving' | 'AwaitsConfirmation'
  }[]
  /** Pods that have to leave and are there; null: not read. */
  readonly pods: readonly string[] | null
  readonly unread: readonly Unread[]
  readonly looked: readonly VerdictLook[]
  readonly declined: readonly Declined[]
  /** The work was agreed without moving instances. */
  readonly isDrainOnly: boolean
  /** Who decided, in the run, that an instance stays. */
  readonly decided: ReadonlyMap<string, NonNullable<StillHere['decided']>>
}

/** The verdict about a node that should be empty. What could not be read never counts as empty. */
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
    return { kind: 'NotEmpty', at, looked, instances: here, pods: podsHere, unread: [...unread], declined }
  }
  if (unread.length > 0) return { kind: 'Unknown', at, looked, unread: [...unread] }
  const off = onHost.map(({ each: { instance } }) => ({ id: instance.id, name: instance.name }))
  return { kind: 'Empty', at, looked, off, declined }
}

/** How many pods that had to leave are there; null: not known. */
export function podsLeftIn(verdict: EmptinessVerdict | null): number | null {
  if (verdict === null || verdict.kind === 'Unknown') return isUnread(verdict, ['node', 'pods']) ? null : 0
  if (verdict.kind === 'Empty') return 0
  return verdict.pods.length === 0 && isUnread(verdict, ['node', 'pods']) ? null : verdict.pods.length
}

/** How many instances are there that had to leave, which those that stop with the node or wait for their owner had not; null: not known. */
export function instancesLeftIn(verdict: EmptinessVerdict | null): number | null {
  const parts = ['node', 'instances', 'migrations', 'compute-service'] as const
  if (verdict === null || verdict.kind === 'Unknown') return isUnread(verdict, parts) ? null : 0
  if (verdict.kind === 'Empty') return 0
  const left = verdict.instances.filter(({ code }) => !STAYS_AS_AGREED.has(code)).length
  return left === 0 && isUnread(verdict, parts) ? null : left
}

/** Whether only that is left which was agreed to stay and needs nobody: instances that stop with the node, or work that does not reboot it. */
export function isAsAgreed(verdict: NodeVerdict): boolean {
  if (verdict.kind !== 'NotEmpty' || verdict.pods.length > 0 || verdict.unread.length > 0) return false
  return verdict.instances.every(({ code }) => code === 'StopsWithNode' || code === 'StaysByScope')
}

/** Why an instance stays that did not have to leave. */
const STAYS_AS_AGREED: ReadonlySet<StayReason> = new Set(['StopsWithNode', 'WaitsForOwner', 'StaysByScope'])

function isUnread(
  verdict: Extract<EmptinessVerdict, { kind: 'NotEmpty' | 'Unknown' }> | null,
  parts: readonly Unread['what'][],
): boolean {
  return verdict === null || verdict.unread.some(({ what }) => parts.includes(what))
}

/** Why an instance on the host keeps it from being empty; null: it is off, so that powering the host off takes nothing from its owner. */
function stayReasonOf(
  { instance, fate }: InstanceOnHost,
  { decided, isDrainOnly }: Pick<EmptinessReading, 'decided' | 'isDrainOnly'>,
): StayReason | null {
  // A policy may call one that is being built at rest; it will run there.
  if (instance.vmState === 'building') return 'Arriving'
  // One that was deleted softly and is being restored will run there.
  if (instance.taskState === 'restoring') return 'Busy'
  if (fate === 'ignore') return null
  if (decided.has(instance.id)) return 'LeftHere'
  if (instance.status === 'ERROR' || instance.vmState === 'error') return 'InError'
  if (instance.taskState !== null) return 'Busy'
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

/** Statuses in which Nova has moved an instance and can still bring it back to where it came from. */
const REVERTIBLE: ReadonlySet<string> = new Set(['finished', 'post-migrating', 'migrating', 'reverting', 'confirming'])

/**
 * What a migration says of an instance that is not on the host in Nova's list: `Arriving`: it is on its way there; `AwaitsConfirmation`: it left by a cold
 * migration or a resize, and a revert brings it back; null: neither.
 */
export function returnOf(
  migration: Pick<Migration, 'type' | 'status' | 'sourceHost' | 'destHost'>,
  instance: Pick<Instance, 'vmState' | 'taskState'>,
  host: string,
): 'Arriving' | 'AwaitsConfirmation' | null {
  const { type, status, sourceHost, destHost } = migration
  // A record left by a migration that ended says nothing about an instance that Nova does not work on.
  if (destHost === host && UNDER_WAY.has(status) && instance.taskState !== null) return 'Arriving'
  if (sourceHost !== host || (type !== 'migration' && type !== 'resize')) return null
  // Nova calls it reverted once its destination has let go of it: it is on its way back until its task ends.
  if (status === 'reverted') return instance.taskState === 'resize_reverting' ? 'Arriving' : null
  if (!REVERTIBLE.has(status)) return null
  if (instance.vmState === 'resized')
    return instance.taskState === 'resize_reverting' ? 'Arriving' : 'AwaitsConfirmation'
  return instance.taskState?.startsWith('resize_') === true ? 'AwaitsConfirmation' : null
}

/** The verdict about a node that was brought back: in service unless something else keeps work off it. */
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
