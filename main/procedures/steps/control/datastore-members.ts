import type { Failure } from '../../../../shared/domain/failure.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import { unitOnNode } from '../../../../shared/domain/juju-units.ts'
import type { ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { type RoleLabelRules, rolesOf } from '../../../../shared/domain/roles.ts'
import type { MemberReported } from '../../../../shared/words/steps/control.ts'
import type { JujuPort } from '../../../ports/juju.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import type { NodesAway } from '../general/other-maintenances.ts'

interface DatastoreMember {
  readonly name: string
  /** Null if unknown. */
  readonly node: string | null
  readonly onNode: boolean
  readonly serves: boolean
  readonly reported: MemberReported
}

interface Datastore {
  readonly kind: string
  readonly members: readonly DatastoreMember[]
}

type DatastoreFailure = { readonly by: 'juju' | 'kubernetes'; readonly failure: Failure }

/** Sunbeam's Kubernetes is the application k8s; its snap runs the datastore as a service (Sunbeam `core/k8s.py`). */
const K8S = 'k8s'
const DATASTORE_SETTING = 'bootstrap-datastore'
const SNAP_SERVICES: ReadonlyMap<string, { readonly kind: string; readonly service: string }> = new Map([
  ['dqlite', { kind: 'dqlite', service: 'k8s.k8s-dqlite' }],
  ['managed-etcd', { kind: 'etcd', service: 'k8s.etcd' }],
])
const COMMAND_MS = 60_000
const AT_ONCE = 5

/** Reads the members through Juju, else by the pods of kube-system, else by nodes. A member on a node that is out of service never serves. */
export async function readDatastore(
  node: string,
  away: NodesAway,
  ctx: MaintenanceContext,
): Promise<{ readonly ok: true; readonly value: Datastore } | { readonly ok: false; readonly why: DatastoreFailure }> {
  const { juju } = ctx.world
  if (juju !== null) {
    const reported = await byJuju(juju, node, away, ctx)
    if (!reported.ok) return { ok: false, why: { by: 'juju', failure: reported.failure } }
    if (reported.value !== null) return { ok: true, value: reported.value }
  }
  const read = await byKubernetes(node, away, ctx)
  return read.ok ? read : { ok: false, why: { by: 'kubernetes', failure: read.failure } }
}

/** The members by Juju's units; null if Juju does not run this datastore. */
async function byJuju(
  juju: JujuPort,
  node: string,
  away: NodesAway,
  ctx: MaintenanceContext,
): Promise<Result<Datastore | null>> {
  const config = await juju.applicationConfig(K8S, ctx.signal)
  if (!config.ok) return config.failure.code === 'not-found' ? ok(null) : config
  const snap = SNAP_SERVICES.get(settingText(config.value[DATASTORE_SETTING]))
  if (snap === undefined) return ok(null)
  const status = await juju.status(ctx.signal)
  if (!status.ok) return status
  const own = unitOnNode(status.value.units, K8S, node)
  const units = status.value.units.filter(({ application }) => application === K8S)
  const awayUnits = new Map(
    [...away.values()].flatMap(each => {
      const unit = unitOnNode(status.value.units, K8S, each.node)
      return unit === null ? [] : [[unit.name, each] as const]
    }),
  )
  const members = await mapLimited(units, AT_ONCE, async (unit): Promise<DatastoreMember> => {
    const name = unit.hostname === null ? unit.name : `${unit.name} on ${unit.hostname}`
    const gone = awayUnits.get(unit.name)
    if (gone !== undefined) {
      return { name, node: gone.node, onNode: false, serves: false, reported: { code: 'IsAway', away: gone } }
    }
    if (unit.name === own?.name) return { name, node, onNode: true, serves: false, reported: { code: 'IsOnNode' } }
    return { name, node: unit.hostname, onNode: false, ...(await serviceOf(juju, unit, snap, ctx)) }
  })
  return ok({ kind: snap.kind, members })
}

/** A unit whose machine is lost does not serve, as in Sunbeam (`checks.py`, K8sDqliteRedundancyCheck). */
async function serviceOf(
  juju: JujuPort,
  unit: JujuUnit,
  { service }: { readonly service: string },
  ctx: MaintenanceContext,
): Promise<Pick<DatastoreMember, 'serves' | 'reported'>> {
  // A lost agent may never answer a command.
  if (unit.agent.status === 'lost') return { serves: false, reported: { code: 'AgentLost', cause: unit.agent.message } }
  const answer = await juju.exec(unit.name, `snap services ${service}`, { timeoutMs: COMMAND_MS, signal: ctx.signal })
  if (!answer.ok) return { serves: false, reported: { code: 'NotAnswered', cause: answer.failure.message } }
  const current = snapServiceState(answer.value.stdout, service)
  return current === null
    ? { serves: false, reported: { code: 'NoService', service, output: answer.value.stderr.trim() } }
    : { serves: current === 'active', reported: { code: 'ServiceIs', service, state: current } }
}

/** The third column of `snap services`, such as `active`; null if the service is not listed. */
export function snapServiceState(stdout: string, service: string): string | null {
  const line = stdout.split('\n').find(row => row.trim().split(/\s+/)[0] === service)
  return line?.trim().split(/\s+/)[2] ?? null
}

async function byKubernetes(node: string, away: NodesAway, ctx: MaintenanceContext): Promise<Result<Datastore>> {
  const pods = await ctx.world.kubernetes.listPods('kube-system', ctx.signal)
  if (!pods.ok) return pods
  const byPods = datastorePods(pods.value)
  if (byPods !== null) return ok(asSeenFrom(node, away, byPods))
  const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
  if (!nodes.ok) return nodes
  return ok(asSeenFrom(node, away, controlNodes(nodes.value, ctx.world.cluster.roleLabels)))
}

interface PlacedDatastore {
  readonly kind: string
  readonly members: readonly {
    readonly name: string
    readonly node: string | null
    readonly serves: boolean
    readonly reported: MemberReported
  }[]
}

/** etcd's own pods, else the API servers; null if neither runs as a pod. */
export function datastorePods(pods: readonly Pod[]): PlacedDatastore | null {
  for (const [component, kind] of [
    ['etcd', 'etcd'],
    ['kube-apiserver', 'API servers'],
  ] as const) {
    const members = pods.filter(({ labels, nodeName }) => labels.component === component && nodeName !== null)
    if (members.length === 0) continue
    return {
      kind,
      members: members.map(pod => ({
        name: pod.name,
        node: pod.nodeName,
        serves: pod.phase === 'Running' && pod.ready && pod.deletionAt === null,
        reported: { code: 'PodIs', phase: pod.phase, ready: pod.ready, node: pod.nodeName },
      })),
    }
  }
  return null
}

/** Control nodes count as members where the datastore shows no pods. */
export function controlNodes(nodes: readonly ClusterNode[], rules: RoleLabelRules): PlacedDatastore {
  return {
    kind: 'control nodes',
    members: nodes
      .filter(({ labels }) => rolesOf(labels, rules).includes('control'))
      .map(({ name, readiness }) => ({
        name,
        node: name,
        serves: readiness === 'ready',
        reported: { code: 'NodeIs', readiness },
      })),
  }
}

function asSeenFrom(node: string, away: NodesAway, { kind, members }: PlacedDatastore): Datastore {
  return {
    kind,
    members: members.map(member => {
      const why = member.node === null ? undefined : away.get(member.node)
      return {
        ...member,
        onNode: member.node === node,
        serves: member.serves && why === undefined,
        reported: why === undefined ? member.reported : { code: 'IsAway', away: why },
      }
    }),
  }
}

/** Juju returns a setting as its value, or as an object with the value. */
function settingText(setting: unknown): string {
  if (typeof setting === 'string') return setting
  if (typeof setting !== 'object' || setting === null || !('value' in setting)) return ''
  return typeof setting.value === 'string' ? setting.value : ''
}
