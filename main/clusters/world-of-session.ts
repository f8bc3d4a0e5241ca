import { API_SERVER } from '../../shared/domain/clock-skew.ts'
import { type Cluster, cephAccessOf } from '../../shared/domain/cluster.ts'
import { failed } from '../../shared/domain/result.ts'
import { NOVA_SPOKEN } from '../../shared/domain/version-evidence.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { CephPort } from '../ports/ceph.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { PrometheusPort } from '../ports/prometheus.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { ClusterSession } from './session-ports.ts'

/** The ports of a cluster for procedures; Ceph in the way its settings name. */
export function worldOf(
  { cluster, kubernetes, openstack, juju }: ClusterSession,
  prometheus: PrometheusPort | null,
  commands: CommandPort,
): MaintenanceWorld {
  const ceph = cephAccessOf(cluster)
  return {
    cluster,
    kubernetes: kubernetes.port,
    openstack: openstack?.port ?? null,
    maintenanceApi: kubernetes.maintenanceApi,
    ceph: ceph === 'microceph' ? (juju?.ceph ?? noCeph(cluster)) : kubernetes.ceph,
    watcher: openstack?.watcher ?? null,
    juju: juju?.port ?? null,
    microceph: ceph === 'microceph' ? (juju?.microceph ?? null) : null,
    osds: ceph === 'toolbox' ? kubernetes.osds : null,
    commands,
    prometheus,
    versions: signal => versionsOf(kubernetes, openstack, signal),
    clocks: async signal => (await Promise.all([kubernetes.clocks(signal), openstack?.clocks(signal) ?? []])).flat(),
    apiServerClock: async signal =>
      (await kubernetes.clocks(signal)).find(({ server }) => server === API_SERVER) ?? null,
  }
}

/** The servers' versions. OpenStack reports no release, only the microversion of Nova that both sides speak. */
async function versionsOf(
  kubernetes: ClusterSession['kubernetes'],
  openstack: ClusterSession['openstack'],
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, string>>> {
  const [server, nova] = await Promise.all([kubernetes.version(signal), openstack?.microversion('compute', signal)])
  return {
    ...(server.ok ? { Kubernetes: server.value.gitVersion } : {}),
    ...(nova?.ok && nova.value !== null
      ? { [NOVA_SPOKEN]: `microversion ${nova.value.major}.${nova.value.minor}` }
      : {}),
  }
}

/** The answer of a MicroCeph without a configured Juju controller. */
function noCeph({ name }: Cluster): CephPort {
  const none = async () =>
    failed(refusal('not-found', because('CephWithoutJuju', { cluster: name }), { target: `cluster/${name}` }))
  return { status: none, osds: none, osdsReported: none, okToStop: none, setNoout: none, services: none }
}
