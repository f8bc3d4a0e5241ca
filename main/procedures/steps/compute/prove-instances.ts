import { minutes } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { Blocker, Counted, Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import { labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { SilentPlacement } from '../../../../shared/words/steps/instances-proofs.ts'
import { blocker, cannotTell, evidence, fails, passingIfTransient } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { readChangedOf } from './changed-instances.ts'
import type { ComputeHost } from './classify-instances.ts'

/** At most this many instances are read at a time; the first contradiction ends the reads. */
const LOOKS_AT_ONCE = 8

const COUNTED = 'instance'

export type ProofContext = Pick<MaintenanceContext, 'world' | 'signal' | 'at' | 'counted'>

/** Nova's list of a host's instances, to compare with another source. */
interface ListedHost {
  readonly host: string
  readonly node: Pick<ClusterNode, 'name'>
  readonly instances: readonly Pick<Instance, 'id'>[]
  /** This run moves these: one that is still on the host does not contradict the list. */
  readonly leaving?: ReadonlySet<string>
}

type InstancesProof =
  /** `read`: the instances that are not in the list, as they are now. */
  | { readonly kind: 'proved'; readonly evidence: Evidence; readonly read: ReadonlyMap<string, Instance> }
  /** An instance that is not in the list is on the host, or moving to or from it. */
  | { readonly kind: 'contradicted'; readonly fault: Fault; readonly evidence: Evidence }
  /** No other source answers. `--force` does not replace a proof. */
  | { readonly kind: 'unproved'; readonly fault: Fault; readonly evidence: Evidence }
  | (Unread & { readonly evidence: Evidence })

/** A source was not read, so nothing is known. */
interface Unread {
  readonly kind: 'unread'
  readonly fault: Fault
  /** Null if it answered, but not about every instance. */
  readonly failure: Failure | null
}

export function listedOf({ service, node, instances }: ComputeHost): ListedHost {
  return { host: service.host, node, instances: instances.map(({ instance }) => instance) }
}

/** A host's instances as counts of a check. */
export function countedInstances(instances: readonly Pick<Instance, 'id' | 'name'>[]): readonly Counted[] {
  return instances.map(({ id, name }) => ({ kind: COUNTED, id, name, values: {} }))
}

/** Compares Nova's list with Placement (or all instances) and migrations; a missing instance is read on its own (docs/decisions/0025). */
export async function proveInstances(listed: ListedHost, ctx: ProofContext): Promise<InstancesProof> {
  const { host, instances, leaving = NOBODY } = listed
  const cloud = cloudOf(ctx)
  const shown = new Set(instances.map(({ id }) => id))
  const [migrations, second] = await Promise.all([cloud.migrations({ host }, ctx.signal), secondSource(listed, ctx)])
  const seen = (values: Evidence['values']) =>
    evidence(`second look at the instances on ${host}`, ctx.at(), { listed: instances.length, ...values })
  if (!migrations.ok) {
    return {
      ...unread(fault('MigrationsUnread', { host, cause: migrations.failure.message }), migrations.failure),
      evidence: seen({}),
    }
  }
  if (second.kind === 'unread') return { ...second, evidence: seen({}) }
  const moving = migrations.value.filter(({ status }) => UNDER_WAY.has(status))
  const owners = new Map(migrations.value.flatMap(owner => (owner.uuid === null ? [] : [[owner.uuid, owner] as const])))
  const named = second.kind === 'none' ? [] : second.ids.map(id => owners.get(id)?.instanceId ?? id)
  const planned = ctx.counted().flatMap(({ kind, id }) => (kind === COUNTED ? [id] : []))
  const doubtful = new Set(
    [...named, ...moving.map(({ instanceId }) => instanceId), ...planned].filter(id => !shown.has(id)),
  )
  const orphans: string[] = []
  const values = { by: second.by, named: named.length, underWay: moving.length, askedFor: doubtful.size }
  const ids = [...doubtful]
  const changed = await readChangedOf(ids, lastMovesBegan(ids, migrations.value), ctx)
  const elsewhere = new Map<string, Instance>()
  for (let at = 0; at < ids.length; at += LOOKS_AT_ONCE) {
    const looks = await mapLimited(ids.slice(at, at + LOOKS_AT_ONCE), LOOKS_AT_ONCE, id =>
      lookAt(
        id,
        host,
        changed.get(id) ?? null,
        moving.filter(({ instanceId, sourceHost }) => !(leaving.has(instanceId) && sourceHost === host)),
        ctx,
      ),
    )
    const here = looks.flatMap(look => (look.kind === 'here' ? [look] : []))
    if (here.length > 0) {
      return {
        kind: 'contradicted',
        fault: fault('InstancesContradicted', {
          host,
          listed: instances.length,
          here: here.map(({ now: { name, id }, migration }) => ({ name, id, migration })),
        }),
        evidence: seen({ ...values, here: here.map(({ now }) => labelOf(now)) }),
      }
    }
    const blind = looks.find(look => look.kind === 'unread')
    if (blind?.kind === 'unread') return { ...blind, evidence: seen(values) }
    for (const look of looks) if (look.kind === 'elsewhere') elsewhere.set(look.now.id, look.now)
    orphans.push(...looks.flatMap(look => (look.kind === 'gone' && named.includes(look.id) ? [look.id] : [])))
  }
  if (orphans.length > 0) {
    return {
      kind: 'unproved',
      fault: fault('ConsumersUnknown', { host, consumers: namesOf(orphans) }),
      evidence: seen({ ...values, orphans }),
    }
  }
  if (second.kind === 'none') {
    return {
      kind: 'unproved',
      fault: fault('InstancesUnproved', { host, placement: second.placement }),
      evidence: seen(values),
    }
  }
  return { kind: 'proved', evidence: seen(values), read: elsewhere }
}

/** When Nova wrote the first of the moves that these instances made last, leaving out those long before the newest. */
function lastMovesBegan(ids: readonly string[], migrations: readonly Migration[]): number {
  const began = new Map<string, number>()
  for (const { instanceId, createdAt } of migrations) {
    const atMs = createdAt === null ? Number.NaN : Date.parse(createdAt)
    if (atMs > (began.get(instanceId) ?? Number.NEGATIVE_INFINITY)) began.set(instanceId, atMs)
  }
  const lastMs = ids.flatMap(id => began.get(id) ?? [])
  const newestMs = Math.max(...lastMs)
  return lastMs.length === 0 ? Number.NaN : Math.min(...lastMs.filter(atMs => newestMs - atMs <= ONE_WORK_MS))
}

/** Moves further apart than this belong to different works: a list since the first would show what changed for days. */
const ONE_WORK_MS = minutes(120)

const NOBODY: ReadonlySet<string> = new Set()

/** Why a check may not use the list; empty if the list is proved. A source that fails now may answer when the window opens. */
export function proofBlockers(proof: InstancesProof): readonly Blocker[] {
  if (proof.kind === 'proved') return []
  const passing = proof.kind === 'unread' && proof.failure !== null ? passingIfTransient(proof.failure) : {}
  return [{ ...blocker(proof.fault), ...passing }]
}

/** The verdict about an unproved list; null if the list is proved. */
export function proofVerdict(proof: InstancesProof, seen: readonly Evidence[]): VerifyAnswer | null {
  const read = [...seen, proof.evidence]
  switch (proof.kind) {
    case 'proved':
      return null
    case 'contradicted':
      return fails(proof.fault, read)
    case 'unproved':
    case 'unread':
      return cannotTell(proof.fault, read)
  }
}

type SecondSource =
  | { readonly kind: 'read'; readonly by: string; readonly ids: readonly string[] }
  | { readonly kind: 'none'; readonly by: string; readonly placement: SilentPlacement }
  | Unread

/** Instances, or migrations that hold room there. */
async function secondSource({ host, node, instances }: ListedHost, ctx: ProofContext): Promise<SecondSource> {
  const cloud = cloudOf(ctx)
  const placed = await cloud.consumersOn([host, node.name], ctx.signal)
  // Two empty answers may have the same cause: ask a third source, which is never empty in a cloud in use.
  const agreeOnNothing = placed.ok && placed.value?.length === 0 && instances.length === 0
  if (placed.ok && placed.value !== null && !agreeOnNothing) {
    return { kind: 'read', by: 'Placement', ids: placed.value }
  }
  if (!placed.ok && placed.failure.code !== 'not-permitted' && placed.failure.code !== 'not-found') {
    return unread(fault('AllocationsUnread', { host, cause: placed.failure.message }), placed.failure)
  }
  const placement: SilentPlacement = placed.ok
    ? { kind: agreeOnNothing ? 'no-allocation' : 'no-provider', host }
    : { kind: 'unread', cause: placed.failure.message }
  const all = await cloud.listInstances(ctx.signal)
  if (!all.ok) return unread(fault('ServersUnread', { placement, cause: all.failure.message }), all.failure)
  if (all.value.unreachable.length > 0) {
    return unread(fault('ServersUntold', { placement, cause: all.value.unreachable.join('; ') }), null)
  }
  const by = agreeOnNothing ? 'Placement and all servers of the cloud' : 'all servers of the cloud'
  const isBare = all.value.items.length === 0 && instances.length === 0
  return isBare && !agreeOnNothing
    ? { kind: 'none', by, placement }
    : { kind: 'read', by, ids: all.value.items.flatMap(instance => (instance.host === host ? [instance.id] : [])) }
}

type Look =
  /** It is on the host; with `migration` it moves from or to it. */
  | {
      readonly kind: 'here'
      readonly now: Instance
      readonly migration: { readonly from: string | null; readonly to: string | null } | null
    }
  | { readonly kind: 'elsewhere'; readonly now: Instance }
  | { readonly kind: 'gone'; readonly id: string }
  | Unread

async function lookAt(
  id: string,
  host: string,
  listed: Instance | null,
  moving: readonly Migration[],
  ctx: ProofContext,
): Promise<Look> {
  const read = listed === null ? await cloudOf(ctx).getInstance(id, ctx.signal) : ok(listed)
  if (!read.ok) {
    return read.failure.code === 'not-found'
      ? { kind: 'gone', id }
      : unread(fault('InstanceUnread', { id, cause: read.failure.message }), read.failure)
  }
  const now = read.value
  if (now.partial) return unread(fault('InstancePlaceUntold', { name: now.name, id }), null)
  if (now.host === host) return { kind: 'here', now, migration: null }
  const record = moving.find(({ instanceId }) => instanceId === id)
  // A leftover record of an ended migration says nothing about an instance without a task.
  return record !== undefined && now.taskState !== null
    ? { kind: 'here', now, migration: { from: record.sourceHost, to: record.destHost } }
    : { kind: 'elsewhere', now }
}

function unread(fault: Fault, failure: Failure | null): Unread {
  return { kind: 'unread', fault, failure }
}
