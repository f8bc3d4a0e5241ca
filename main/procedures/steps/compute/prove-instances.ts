import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import type { Blocker, Counted, Evidence, VerifyAnswer } from '../../../../shared/domain/plan.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { cannotTell, evidence, fails } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { type ComputeHost, instanceLabel } from './classify-instances.ts'

/** So many instances are asked for side by side; the first that contradicts ends the asking. */
const LOOKS_AT_ONCE = 8

const COUNTED = 'instance'

/** What a proof leans on: the cloud, when it looks, and which instances were counted before. */
export type ProofContext = Pick<MaintenanceContext, 'world' | 'signal' | 'at' | 'counted'>

/** Nova's list of the servers of a host, which is to be held against something else. */
interface ListedHost {
  /** Nova's name of the host. */
  readonly host: string
  readonly node: Pick<ClusterNode, 'name'>
  readonly instances: readonly Pick<Instance, 'id'>[]
  /** Ids of instances that this run set in motion and follows to their end: that they are still on their way off the host is no contradiction. Absent: none. */
  readonly leaving?: ReadonlySet<string>
}

/** What a second source says of a list of the servers of a host. */
type InstancesProof =
  | { readonly kind: 'proved'; readonly evidence: Evidence }
  /** An instance that the list does not show is on the host, or on its way. */
  | { readonly kind: 'contradicted'; readonly reason: string; readonly remedy: string; readonly evidence: Evidence }
  /** Nothing proves the list, or what could was not read. No force makes a proof of it. */
  | {
      readonly kind: 'unproved' | 'unread'
      readonly reason: string
      readonly remedy: string
      readonly evidence: Evidence
    }

/** What was read of a compute host, as a list to be proved. */
export function listedOf({ service, node, instances }: ComputeHost): ListedHost {
  return { host: service.host, node, instances: instances.map(({ instance }) => instance) }
}

/** The instances of a host as a check counts them. */
export function countedInstances(instances: readonly Pick<Instance, 'id' | 'name'>[]): readonly Counted[] {
  return instances.map(({ id, name }) => ({ kind: COUNTED, id, name, values: {} }))
}

/**
 * Holds Nova's list of the servers of a host against what else knows of them: Placement's allocations on the host, or all servers of the
 * cloud where these credentials may not read Placement, and migrations to and from it. Whatever they name that the list does not is asked for
 * by itself, and so is every instance that the plan counted: one that is in no list has not moved (docs/decisions/0025).
 */
export async function proveInstances(listed: ListedHost, ctx: ProofContext): Promise<InstancesProof> {
  const { host, instances, leaving = NOBODY } = listed
  const cloud = cloudOf(ctx)
  const shown = new Set(instances.map(({ id }) => id))
  const [migrations, second] = await Promise.all([cloud.migrations({ host }, ctx.signal), secondSource(listed, ctx)])
  const seen = (values: Evidence['values']) =>
    evidence(`second look at the instances on ${host}`, ctx.at(), { listed: instances.length, ...values })
  if (!migrations.ok) {
    return unread(`The migrations of ${host} could not be read: ${migrations.failure.message}`, seen({}))
  }
  if (second.kind === 'unread') return unread(second.why, seen({}))
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
  for (let at = 0; at < ids.length; at += LOOKS_AT_ONCE) {
    const looks = await mapLimited(ids.slice(at, at + LOOKS_AT_ONCE), LOOKS_AT_ONCE, id =>
      lookAt(
        id,
        host,
        moving.filter(({ instanceId, sourceHost }) => !(leaving.has(instanceId) && sourceHost === host)),
        ctx,
      ),
    )
    const here = looks.flatMap(look => (look.kind === 'here' ? [look.words] : []))
    if (here.length > 0) {
      return {
        kind: 'contradicted',
        reason: `Nova's list of the servers on ${host} has ${instances.length}, but ${someOf(here)}.`,
        remedy:
          'The list is not whole, or something came to the host. Look with `openstack server list --all-projects --host` what is there, then resume.',
        evidence: seen({ ...values, here }),
      }
    }
    const blind = looks.find(look => look.kind === 'unread')
    if (blind?.kind === 'unread') return unread(blind.why, seen(values))
    orphans.push(...looks.flatMap(look => (look.kind === 'gone' && named.includes(look.id) ? [look.id] : [])))
  }
  if (orphans.length > 0) {
    return {
      kind: 'unproved',
      reason: `Placement has allocations on ${host} of ${counted(orphans.length, 'consumer')} that Nova does not know: ${someOf(orphans)}. Either they were left behind, or these credentials do not see every server.`,
      remedy:
        'Where `openstack server show` finds none as admin, remove what was left behind with `openstack resource provider allocation delete`. Else use credentials that see every server.',
      evidence: seen({ ...values, orphans }),
    }
  }
  if (second.kind === 'none') {
    return {
      kind: 'unproved',
      reason: `Nova lists no server on ${host}, and none in the whole cloud: nothing proves it. ${second.why}`,
      remedy: 'Grant the right to read Placement (placement:resource_providers:list, :allocations:list).',
      evidence: seen(values),
    }
  }
  return { kind: 'proved', evidence: seen(values) }
}

const NOBODY: ReadonlySet<string> = new Set()

/** Why a check may not go on with this list of instances; an empty array: it is proved. */
export function proofBlockers(proof: InstancesProof): readonly Blocker[] {
  if (proof.kind === 'proved') return []
  const { reason: message, remedy } = proof
  return [
    {
      code: `instances-${proof.kind}`,
      message,
      remedy,
      override: { kind: 'never', why: 'what runs on the host is not known' },
    },
  ]
}

/** The answer of a verify whose list of instances is not proved; null: it is. */
export function proofVerdict(proof: InstancesProof, seen: readonly Evidence[]): VerifyAnswer | null {
  const read = [...seen, proof.evidence]
  switch (proof.kind) {
    case 'proved':
      return null
    case 'contradicted':
      return fails(proof.reason, proof.remedy, read)
    case 'unproved':
    case 'unread':
      return cannotTell(proof.reason, proof.remedy, read)
  }
}

type SecondSource =
  | { readonly kind: 'read'; readonly by: string; readonly ids: readonly string[] }
  /** There is nothing else to ask. */
  | { readonly kind: 'none'; readonly by: string; readonly why: string }
  | { readonly kind: 'unread'; readonly why: string }

/** Ids that something else than the list says are on the host: of servers, or of migrations that hold room there. */
async function secondSource({ host, node, instances }: ListedHost, ctx: ProofContext): Promise<SecondSource> {
  const cloud = cloudOf(ctx)
  const placed = await cloud.consumersOn([host, node.name], ctx.signal)
  // Two that agree on nothing may be silent for the same reason: a third is asked, which has something to show in every cloud that is used.
  const agreeOnNothing = placed.ok && placed.value?.length === 0 && instances.length === 0
  if (placed.ok && placed.value !== null && !agreeOnNothing) {
    return { kind: 'read', by: 'Placement', ids: placed.value }
  }
  if (!placed.ok && placed.failure.code !== 'not-permitted' && placed.failure.code !== 'not-found') {
    return { kind: 'unread', why: `Placement's allocations on ${host} could not be read: ${placed.failure.message}` }
  }
  const why = agreeOnNothing
    ? `Placement has no allocation on ${host}.`
    : placed.ok
      ? `Placement has no resource provider ${host}.`
      : `Placement: ${placed.failure.message}`
  const all = await cloud.listInstances(ctx.signal)
  if (!all.ok)
    return { kind: 'unread', why: `${why} The servers of the whole cloud could not be read: ${all.failure.message}` }
  if (all.value.unreachable.length > 0) return { kind: 'unread', why: `${why} ${all.value.unreachable.join('; ')}` }
  const by = agreeOnNothing ? 'Placement and all servers of the cloud' : 'all servers of the cloud'
  const isBare = all.value.items.length === 0 && instances.length === 0
  return isBare && !agreeOnNothing
    ? { kind: 'none', by, why }
    : { kind: 'read', by, ids: all.value.items.flatMap(instance => (instance.host === host ? [instance.id] : [])) }
}

type Look =
  | { readonly kind: 'here'; readonly words: string }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'gone'; readonly id: string }
  | { readonly kind: 'unread'; readonly why: string }

async function lookAt(id: string, host: string, moving: readonly Migration[], ctx: ProofContext): Promise<Look> {
  const read = await cloudOf(ctx).getInstance(id, ctx.signal)
  if (!read.ok) {
    return read.failure.code === 'not-found'
      ? { kind: 'gone', id }
      : { kind: 'unread', why: `Instance ${id} could not be read: ${read.failure.message}` }
  }
  const now = read.value
  if (now.partial) return { kind: 'unread', why: `Nova cannot tell where instance ${instanceLabel(now)} is.` }
  if (now.host === host) return { kind: 'here', words: `${instanceLabel(now)} is on it` }
  const record = moving.find(({ instanceId }) => instanceId === id)
  // A record that was left behind by a migration that ended says nothing about an instance that stands still.
  return record !== undefined && now.taskState !== null
    ? {
        kind: 'here',
        words: `${instanceLabel(now)} migrates from ${record.sourceHost ?? 'a host'} to ${record.destHost ?? 'a host'}`,
      }
    : { kind: 'elsewhere' }
}

function unread(reason: string, seen: Evidence): InstancesProof {
  const remedy = 'Try again when the service answers.'
  return { kind: 'unread', reason, remedy, evidence: seen }
}
