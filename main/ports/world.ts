import type { MeasuredClock } from '../../shared/domain/clock-skew.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { CephPort, MicroCephPort, OsdDaemonsPort } from './ceph.ts'
import type { CommandPort } from './commands.ts'
import type { JujuPort } from './juju.ts'
import type { KubernetesPort, WatchNodes } from './kubernetes.ts'
import type { LockWriterPort, MaintenanceApiPort, WatchMaintenance } from './maintenance-api.ts'
import type { OpenStackPort } from './openstack.ts'
import type { PrometheusPort } from './prometheus.ts'
import type { WatcherPort } from './watcher.ts'

/** The ports of one cluster for steps. `openstack` is null for a Kubernetes-only cluster. */
export interface MaintenanceWorld {
  readonly cluster: Cluster
  readonly kubernetes: KubernetesPort
  readonly openstack: OpenStackPort | null
  readonly maintenanceApi: MaintenanceApiPort
  /** Reaches Ceph as the cluster's settings say; without Ceph it answers `not-found`. */
  readonly ceph: CephPort
  /** Null without a cloud; a cloud without Watcher answers `not-found`. */
  readonly watcher: WatcherPort | null
  readonly juju: JujuPort | null
  /** Null unless Ceph is MicroCeph managed by Juju. */
  readonly microceph: MicroCephPort | null
  readonly osds: OsdDaemonsPort | null
  /** The operator's commands on this machine; only a terminal starts any. */
  readonly commands: CommandPort
  readonly prometheus: PrometheusPort | null
  /** Versions by name, such as `Kubernetes`: `v1.31.4`. Unreachable services are omitted. */
  readonly versions: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
  /** The clocks of the API server, Keystone and Nova compared with this machine's; asks a service without a recent answer, and omits those without a time. */
  readonly clocks: (signal?: AbortSignal) => Promise<readonly MeasuredClock[]>
  /** The API server's clock alone, like {@link MaintenanceWorld.clocks}, without Keystone and Nova. Null if unknown. */
  readonly apiServerClock: (signal?: AbortSignal) => Promise<MeasuredClock | null>
}

/** The world of application controllers: the world of procedures, and the locks. */
export interface ControllerWorld extends MaintenanceWorld {
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly watchNodes: WatchNodes
}
