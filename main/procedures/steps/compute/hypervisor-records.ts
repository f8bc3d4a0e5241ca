import type { Failure } from '../../../../shared/domain/failure.ts'
import { countedBeyond, hypervisorsOf, type NodeHypervisors } from '../../../../shared/domain/hypervisors-of-node.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../../../shared/domain/machine-names.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Unread, VerdictLook } from '../../../../shared/domain/node-verdict.ts'
import type { ComputeService, Hypervisor, Instance } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../../ports/openstack.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { blocker } from '../../answers.ts'
import type { OtherRecords } from './compute-records.ts'
import type { ProofContext } from './prove-instances.ts'

const LOOKS_AT_ONCE = 8

interface Asking {
  readonly world: Pick<MaintenanceWorld, 'kubernetes' | 'openstack'>
  readonly signal?: AbortSignal | undefined
}

async function readHypervisorsOf(
  node: ClusterNode,
  host: string,
  openstack: OpenStackPort,
  { world, signal }: Asking,
): Promise<Result<NodeHypervisors>> {
  const all = await openstack.hypervisors(signal)
  if (!all.ok) return all
  const names = namesOfNode(node)
  const byName = hypervisorsOf(names, host, all.value, [])
  // Only a name under another nova-compute may belong to another node.
  if (byName.elsewhere.length === 0) return ok(byName)
  const nodes = await world.kubernetes.listNodes(signal)
  return nodes.ok ? ok(hypervisorsOf(names, host, all.value, namesOfOthers(node, nodes.value))) : nodes
}

/** Unreadable records are reported and block nothing. */
export async function otherHypervisors(
  node: ClusterNode,
  service: ComputeService,
  openstack: OpenStackPort,
  asking: Asking,
): Promise<OtherRecords> {
  const read = await readHypervisorsOf(node, service.host, openstack, asking)
  if (read.ok) return judgeHypervisors(node.name, service, read.value)
  return { blockers: [], warnings: [found('HypervisorsNotRead', { node: node.name, cause: read.failure.message })] }
}

/** What the records mean, for display, with everything already read. */
export function hypervisorsSeen(
  node: ClusterNode,
  nodes: readonly ClusterNode[],
  service: ComputeService | null,
  all: readonly Hypervisor[],
): readonly Finding[] {
  if (service === null || all.length === 0) return []
  const own = hypervisorsOf(namesOfNode(node), service.host, all, namesOfOthers(node, nodes))
  const { blockers, warnings } = judgeHypervisors(node.name, service, own)
  return [...blockers, ...warnings].map(({ code, values, message }) => ({ code, values: values ?? {}, message }))
}

/** A live record under another nova-compute conflicts; a dead one, or a second one of the same nova-compute, is a leftover. */
function judgeHypervisors(
  node: string,
  { host, state }: Pick<ComputeService, 'host' | 'state'>,
  { own, elsewhere }: NodeHypervisors,
): OtherRecords {
  const live = elsewhere.filter(each => each.state === 'up')
  const dead = elsewhere.filter(each => each.state === 'down')
  const isDown = state === 'up' && own.length > 0 && own.every(each => each.state === 'down')
  return {
    blockers:
      live.length === 0
        ? []
        : [blocker(fault('SeveralHypervisors', { node, hypervisors: reported([...own, ...live]) }))],
    warnings: [
      ...(dead.length === 0 ? [] : [found('HypervisorLeftOver', { node, hypervisors: reported(dead) })]),
      ...(own.length > 1 ? [found('HypervisorsOfOneCompute', { host, hypervisors: reported(own) })] : []),
      ...(isDown ? [found('HypervisorDown', { host, hypervisors: reported(own) })] : []),
    ],
  }
}

interface CountedMore {
  readonly unread: readonly Unread[]
  readonly failures: readonly Failure[]
  readonly looked: readonly VerdictLook[]
}

const NOTHING: CountedMore = { unread: [], failures: [], looked: [] }

/** Instances that Nova's hypervisor records count and its list does not show; each is read on its own, because it may have moved. */
export async function readCountedMore(
  node: ClusterNode,
  host: string,
  listed: ReadonlySet<string>,
  ctx: ProofContext,
): Promise<CountedMore> {
  const { openstack } = ctx.world
  if (openstack === null) return NOTHING
  const records = await readHypervisorsOf(node, host, openstack, ctx)
  if (!records.ok) return records.failure.code === 'not-permitted' ? NOTHING : failing(records.failure)
  const { own, elsewhere } = records.value
  const onePerHost = [...Map.groupBy([...own, ...elsewhere], record => record.host).values()].flatMap(
    ([first]) => first ?? [],
  )
  const lists = await mapLimited(onePerHost, LOOKS_AT_ONCE, ({ id }) => openstack.hypervisorInstances(id, ctx.signal))
  const failed = lists.find(
    read => !read.ok && read.failure.code !== 'not-found' && read.failure.code !== 'not-permitted',
  )
  if (failed !== undefined && !failed.ok) return failing(failed.failure)
  const ids = lists.flatMap(read => (read.ok ? read.value : []))
  const beyond = ids.filter(id => !listed.has(id))
  const looks = await mapLimited(beyond, LOOKS_AT_ONCE, async id => ({
    id,
    read: await openstack.getInstance(id, ctx.signal),
  }))
  const hosts = new Set([host, ...onePerHost.map(record => record.host)])
  const isMoved = ({ partial, host: now }: Instance) => !partial && (now === null || !hosts.has(now))
  const moved = new Set(looks.flatMap(({ id, read }) => (read.ok && isMoved(read.value) ? [id] : [])))
  const more = countedBeyond(own, { ids, moved }, listed)
  const looked = [{ what: 'hypervisors', by: 'Nova', at: ctx.at() } as const]
  if (more === null) return { ...NOTHING, looked }
  const counts = found('HypervisorCountsMore', { host, ...more })
  return {
    looked,
    unread: [{ what: 'instances', code: 'PartialAnswer', message: counts.message }],
    // nova-compute counts again every minute: a count alone may be old.
    failures: more.ids.length > 0 ? [] : [refusal('conflict', counts, { retryable: true, target: `host/${host}` })],
  }
}

function failing(failure: Failure): CountedMore {
  return {
    ...NOTHING,
    unread: [{ what: 'instances', code: 'NoAnswer', message: failure.message }],
    failures: [failure],
  }
}

function namesOfOthers(node: ClusterNode, nodes: readonly ClusterNode[]): readonly string[] {
  return nodes.filter(({ name }) => name !== node.name).flatMap(namesOfNode)
}

function reported(hypervisors: readonly Hypervisor[]) {
  return hypervisors.map(({ name, host, state, id, serviceId }) => ({ name, host, state, id, serviceId }))
}
