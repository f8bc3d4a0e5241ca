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

/** The world of one cluster, as its session gives it to steps. `openstack` is null for a Kubernetes-only cluster. */
export interface MaintenanceWorld {
  readonly cluster: Cluster
  readonly kubernetes: KubernetesPort
  readonly openstack: OpenStackPort | null
  readonly maintenanceApi: MaintenanceApiPort
  /** Asks Ceph by the way the cluster's settings name; a cluster without one answers `not-found`. */
  readonly ceph: CephPort
  /** Null for a cluster without a cloud; a cloud without Watcher answers `not-found`. */
  readonly watcher: WatcherPort | null
  /** Null when the cluster's settings name no controller. */
  readonly juju: JujuPort | null
  /** Null unless Ceph is MicroCeph by Juju. */
  readonly microceph: MicroCephPort | null
  /** Null where nobody but a person can stop OSDs. */
  readonly osds: OsdDaemonsPort | null
  /** Commands of the operator's own on this machine: only a terminal starts any. */
  readonly commands: CommandPort
  /** Null when the cluster's settings name no Prometheus. */
  readonly prometheus: PrometheusPort | null
  /** What answers there, by name, such as `Kubernetes`: `v1.31.4`. One that could not be asked is left out. */
  readonly versions: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
  /** The clocks of the API server, Keystone and Nova against this machine's; one that was not heard lately is asked, and one that tells no time is left out. */
  readonly clocks: (signal?: AbortSignal) => Promise<readonly MeasuredClock[]>
  /** The clock of the API server alone, as {@link MaintenanceWorld.clocks}: neither Keystone nor Nova is asked. Null: it tells no time. */
  readonly apiServerClock: (signal?: AbortSignal) => Promise<MeasuredClock | null>
}

/** The world of application controllers: what procedures have, and the locks. */
export interface ControllerWorld extends MaintenanceWorld {
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly watchNodes: WatchNodes
}
