import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { type ClusterNode, DRAIN_DEFAULTS, type DrainOptions } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { taintsOfOthers } from '../../../../shared/domain/node-taints.ts'
import {
  type Declined,
  declinedOf,
  type EmptinessReading,
  type EmptinessVerdict,
  emptinessOf,
  type HeldBackBy,
  isForcedDown,
  type NodeVerdict,
  returnOf,
  serviceOf,
  type Unread,
  type VerdictLook,
} from '../../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { fateOf } from '../compute/classify-instances.ts'
import { computeServiceOf, underAnotherName } from '../compute/compute-host.ts'
import { readDoubles } from '../compute/compute-records.ts'
import { readCountedMore } from '../compute/hypervisor-records.ts'
import { type ProofContext, proveInstances } from '../compute/prove-instances.ts'
import { readMachine } from './machine-outside.ts'

interface VerdictQuestion {
  readonly node: string
  /** "Nova has none" then proves nothing. */
  readonly computes: boolean
  readonly stores: boolean
  readonly isDrainOnly: boolean
  readonly decided: EmptinessReading['decided']
}

/** A verdict, and the first transient failure: a caller that can wait repeats the check. */
interface ReadVerdict<Verdict extends NodeVerdict> {
  readonly verdict: Verdict
  readonly passing: Failure | null
}

interface Part {
  readonly looked: readonly VerdictLook[]
  readonly unread: readonly Unread[]
  readonly failures: readonly Failure[]
}

const LOOKS_AT_ONCE = 8

/** Whether a node is empty, by Nova's proved list, migrations that return an instance, and pods. A missing answer is never "empty". */
export async function readEmptiness(
  question: VerdictQuestion,
  ctx: ProofContext,
): Promise<ReadVerdict<EmptinessVerdict>> {
  const node = await readMachine(question.node, ctx.world, ctx.signal)
  if (!node.ok) {
    const unread = [unanswered('node', node.failure)]
    return {
      verdict: { kind: 'Unknown', at: ctx.at(), looked: [], unread },
      passing: passingIfTransient([node.failure]),
    }
  }
  const [instances, pods, osds] = await Promise.all([
    readInstances(node.value, question, ctx),
    readPods(node.value, ctx),
    readOsds(question, ctx),
  ])
  const parts = [instances, pods, osds]
  const verdict = emptinessOf({
    at: ctx.at(),
    instances: instances.instances,
    returning: instances.returning,
    pods: pods.pods,
    unread: parts.flatMap(({ unread }) => unread),
    looked: parts.flatMap(({ looked }) => looked),
    declined: osds.declined,
    isDrainOnly: question.isDrainOnly,
    isForcedDown: instances.isForcedDown,
    decided: question.decided,
  })
  return { verdict, passing: passingIfTransient(parts.flatMap(({ failures }) => failures)) }
}

/** Whether a returned node accepts work, and what else keeps work off it. */
export async function readService(
  { node: name, computes }: Pick<VerdictQuestion, 'node' | 'computes'>,
  ctx: Pick<ProofContext, 'world' | 'signal' | 'at'>,
): Promise<ReadVerdict<Extract<NodeVerdict, { kind: 'InService' | 'HeldBack' | 'Unknown' }>>> {
  const { world, signal } = ctx
  const [node, services] = await Promise.all([
    readMachine(name, world, signal),
    computes ? (world.openstack?.computeServices(signal) ?? null) : null,
  ])
  const taints = node.ok ? taintsOfOthers(node.value.taints, world.cluster.roleLabels) : []
  const service = node.ok && services?.ok ? computeServiceOf(node.value, services.value) : null
  const by: readonly HeldBackBy[] = [
    ...(node.ok && node.value.unschedulable ? [{ code: 'Cordoned' } as const] : []),
    // A taint of an unknown owner may describe the node's purpose: it is reported apart.
    ...taints
      .filter(({ owner }) => owner !== 'unknown')
      .map(({ taint, owner }) => ({ code: 'Tainted', taint, owner }) as const),
    ...(service?.status === 'disabled' ? [{ code: 'ComputeDisabled', reason: service.disabledReason } as const] : []),
    ...(service?.status === 'enabled' && service.state === 'down' ? [{ code: 'ComputeDown' } as const] : []),
  ]
  const at = ctx.at()
  const failures = [node, services].flatMap(read => (read === null || read.ok ? [] : [read.failure]))
  const unread = [
    ...(node.ok ? [] : [unanswered('node', node.failure)]),
    ...(services === null || services.ok ? [] : [unanswered('compute-service', services.failure)]),
    ...(computes && services?.ok && service === null ? [missingService(name)] : []),
  ]
  const looked: readonly VerdictLook[] = [
    ...(node.ok ? [{ what: 'node', by: 'Kubernetes', at } as const] : []),
    ...(service === null ? [] : [{ what: 'compute-service', by: 'Nova', at } as const]),
  ]
  return {
    verdict: serviceOf({
      at,
      looked,
      unread,
      by,
      taints: taints.flatMap(({ taint, owner }) => (owner === 'unknown' ? [taint] : [])),
    }),
    passing: passingIfTransient(failures),
  }
}

async function readInstances(node: ClusterNode, { computes }: VerdictQuestion, ctx: ProofContext) {
  const nothing = { instances: null, returning: [], looked: [], unread: [], failures: [], isForcedDown: false } as const
  const { openstack, cluster } = ctx.world
  if (openstack === null) {
    const isMissing = cluster.cloud !== null && computes
    return { ...nothing, unread: isMissing ? [{ what: 'instances', code: 'NotAsked', message: '' } as const] : [] }
  }
  const services = await openstack.computeServices(ctx.signal)
  if (!services.ok) {
    // Only Nova's answer shows that a node has no compute role.
    return { ...nothing, unread: [unanswered('compute-service', services.failure)], failures: [services.failure] }
  }
  const service = computeServiceOf(node, services.value)
  if (service === null) return computes ? { ...nothing, unread: [missingService(node.name)] } : nothing
  const { host } = service
  const [listed, returning, doubled] = await Promise.all([
    openstack.instancesOnHost(host, ctx.signal),
    readReturning(host, ctx),
    readInstancesOfDoubles(node, services.value, ctx),
  ])
  if (!listed.ok) {
    const unread = [unanswered('instances', listed.failure), ...returning.unread]
    return { ...nothing, ...returning, unread, failures: [listed.failure, ...returning.failures] }
  }
  const onHost = listed.value.items
  const proof = await proveInstances(
    { host, node, instances: [...onHost, ...returning.returning.map(({ instance }) => instance)] },
    ctx,
  )
  const counted = await readCountedMore(node, host, new Set(onHost.map(({ id }) => id)), ctx)
  const at = ctx.at()
  const partial = [
    ...listed.value.unreachable.map(message => ({ what: 'instances', code: 'PartialAnswer', message }) as const),
    ...(proof.kind === 'proved'
      ? []
      : [{ what: 'instances', code: 'NotProved', message: proof.fault.message } as const]),
  ]
  return {
    instances: onHost.map(instance => ({ instance, fate: fateOf(instance, node, cluster) })),
    returning: returning.returning,
    looked: [
      { what: 'instances', by: 'Nova', at } as const,
      ...(proof.kind === 'proved' ? [{ what: 'instances', by: 'Placement', at } as const] : []),
      ...counted.looked,
      ...returning.looked,
    ],
    unread: [...partial, ...counted.unread, ...doubled.unread, ...returning.unread],
    failures: [...counted.failures, ...doubled.failures, ...returning.failures],
    isForcedDown: isForcedDown(service, node),
  }
}

/** Instances that Nova has under another name of the node. */
async function readInstancesOfDoubles(node: ClusterNode, services: readonly ComputeService[], ctx: ProofContext) {
  const { openstack } = ctx.world
  if (openstack === null) return { unread: [], failures: [] }
  const doubles = await readDoubles(node, services, ctx)
  if (!doubles.ok) return { unread: [unanswered('instances', doubles.failure)], failures: [doubles.failure] }
  const looks = await mapLimited(doubles.value, LOOKS_AT_ONCE, async host => ({
    host,
    read: await openstack.instancesOnHost(host, ctx.signal),
  }))
  return {
    unread: looks.flatMap(({ host, read }) => {
      if (!read.ok) return [unanswered('instances', read.failure)]
      return read.value.items.length === 0 ? [] : [underAnotherName(host, read.value.items.length)]
    }),
    failures: looks.flatMap(({ read }) => (read.ok ? [] : [read.failure])),
  }
}

/** Instances elsewhere that come to the host, or may be reverted to it. */
export async function readReturning(host: string, ctx: Pick<ProofContext, 'world' | 'signal' | 'at'>) {
  const { openstack } = ctx.world
  const nothing = { returning: [], evacuated: [], looked: [], unread: [], failures: [] } as const
  const migrations = await openstack?.migrations({ host }, ctx.signal)
  if (migrations === undefined) return nothing
  if (!migrations.ok) {
    return { ...nothing, unread: [unanswered('migrations', migrations.failure)], failures: [migrations.failure] }
  }
  // Only the newest record of an instance counts.
  const newest = new Map(migrations.value.toReversed().map(migration => [migration.instanceId, migration] as const))
  const open = [...newest.values()].filter(({ status }) => !OVER.has(status))
  // Nova completes such a record after the source's nova-compute has started again and removed the leftovers.
  const evacuated = [...newest.values()].filter(
    ({ type, status, sourceHost }) => type === 'evacuation' && status === 'done' && sourceHost === host,
  )
  const looks = await mapLimited(open, LOOKS_AT_ONCE, async migration => ({
    migration,
    read: await openstack?.getInstance(migration.instanceId, ctx.signal),
  }))
  const failures = looks.flatMap(({ read }) =>
    read === undefined || read.ok || read.failure.code === 'not-found' ? [] : [read.failure],
  )
  return {
    returning: looks.flatMap(({ migration, read }) => {
      if (read?.ok !== true || read.value.host === host) return []
      const code = returnOf(migration, read.value, host)
      return code === null ? [] : [{ instance: read.value, code }]
    }),
    /** Evacuated from the host, with a copy that still exists there. */
    evacuated: evacuated.map(({ instanceId }) => instanceId),
    looked: [{ what: 'migrations', by: 'Nova', at: ctx.at() } as const],
    unread: [
      ...failures.map(failure => unanswered('migrations', failure)),
      ...looks.flatMap(({ read }): readonly Unread[] => {
        if (read?.ok !== true || !read.value.partial) return []
        const { message } = found('InstancePlaceNotKnown', { id: read.value.id, name: read.value.name })
        return [{ what: 'migrations', code: 'PartialAnswer', message }]
      }),
    ],
    failures,
  }
}

/** Statuses after which Nova moves no instance; it sets `reverted` before the instance is back. */
const OVER: ReadonlySet<string> = new Set(['completed', 'done', 'failed', 'error', 'cancelled', 'confirmed'])

async function readPods(node: ClusterNode, { world, signal, at }: ProofContext) {
  // A machine outside Kubernetes has no pods.
  if (node.uid === '') return { pods: [], looked: [], unread: [], failures: [] } as const
  const drain = await world.kubernetes.planDrain(node.name, LEAVING, {
    dryRun: false,
    ...(signal === undefined ? {} : { signal }),
  })
  if (!drain.ok) {
    return { pods: null, looked: [], unread: [unanswered('pods', drain.failure)], failures: [drain.failure] }
  }
  const left = drain.value.decisions.filter(({ fate }) => fate !== 'keep')
  return {
    pods: left.map(({ pod }) => `${pod.namespace}/${pod.name}`),
    looked: [{ what: 'pods', by: 'Kubernetes', at: at() } as const],
    unread: [],
    failures: [],
  }
}

const LEAVING: DrainOptions = { ...DRAIN_DEFAULTS, force: true, deleteEmptyDirData: true }

async function readOsds(
  { node, stores }: VerdictQuestion,
  { world, signal, at }: ProofContext,
): Promise<Part & { readonly declined: readonly Declined[] }> {
  const nothing = { declined: [], looked: [], unread: [], failures: [] } as const
  if (!stores || world.cluster.flavour === 'mosk' || cephAccessOf(world.cluster) === 'none') return nothing
  const osds = await world.ceph.osds(signal)
  if (!osds.ok) return { ...nothing, unread: [unanswered('osds', osds.failure)], failures: [osds.failure] }
  return {
    ...nothing,
    declined: declinedOf(osds.value, node),
    looked: [{ what: 'osds', by: 'Ceph', at: at() }],
  }
}

function missingService(node: string): Unread {
  return { what: 'compute-service', code: 'NoAnswer', message: found('NovaHasNoService', { node }).message }
}

function unanswered(what: Unread['what'], { message }: Failure): Unread {
  return { what, code: 'NoAnswer', message }
}

function passingIfTransient(failures: readonly Failure[]): Failure | null {
  return failures.find(isPassing) ?? null
}
