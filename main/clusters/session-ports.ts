import type { MeasuredClock } from '../../shared/domain/clock-skew.ts'
import type { Cluster, SessionWarning } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Values } from '../../shared/words/steps/coded.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import type { ContextDescription } from '../adapters/kubernetes/describe-contexts.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import type { CephPort, MicroCephPort, OsdDaemonsPort } from '../ports/ceph.ts'
import type { JujuPort } from '../ports/juju.ts'
import type { KubernetesFeeds, KubernetesPort } from '../ports/kubernetes.ts'
import type { ReadLcmReport } from '../ports/lcm.ts'
import type { LockWriterPort, MaintenanceApiPort, WatchMaintenance } from '../ports/maintenance-api.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { PortForward } from '../ports/port-forward.ts'
import type { WatcherPort } from '../ports/watcher.ts'

/** What this room needs of an open Kubernetes session; main/app.ts makes it of main/adapters/kubernetes. */
export interface KubernetesConnection {
  /** Host and port of the API server, without credentials. */
  readonly host: string
  readonly warnings: readonly SessionWarning[]
  readonly port: KubernetesPort
  readonly maintenanceApi: MaintenanceApiPort
  /** Ceph by its toolbox pod, which is looked for when it is first asked. */
  readonly ceph: CephPort
  /** Rook's OSD daemons. */
  readonly osds: OsdDaemonsPort
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  /** MaintenanceRuns in a namespace of this cluster, in which a runner may live. */
  readonly maintenanceRuns: (namespace: string) => MaintenanceRunsPort
  readonly readLcmReport: ReadLcmReport
  /** Connections to ports of pods. */
  readonly portForward: PortForward
  /** What live views are fed from. */
  readonly feeds: KubernetesFeeds
  version(signal?: AbortSignal): Promise<Result<{ readonly gitVersion: string }>>
  /** The clock of the API server against this machine's, asked for if it was not heard lately; empty: it tells no time. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  /** Which Eviction the server has; null where it has none. */
  evictionVersion(signal?: AbortSignal): Promise<Result<'policy/v1' | 'policy/v1beta1' | null>>
  close(): void
}

/** Whether the policy of the cloud lets this user do one thing that a plan needs. */
export interface PolicyAnswer {
  readonly need: string
  readonly rule: string
  readonly allowed: boolean | 'unknown'
  readonly message: string
  /** What `message` says, by a code. */
  readonly code?: string
  readonly values?: Values
}

/** Where the catalogue has a service: on another host than Keystone, or without the encryption that Keystone has. */
interface ForeignAddress {
  /** Its type, such as `compute`. */
  readonly service: string
  /** Scheme, host and port. */
  readonly origin: string
  readonly keystone: string
}

/** What this room needs of a cloud we are logged in to; main/app.ts makes it of main/adapters/openstack. */
export interface OpenStackConnection {
  readonly warnings: readonly SessionWarning[]
  readonly port: OpenStackPort
  readonly watcher: WatcherPort
  identity(): { readonly userName: string; readonly projectName: string | null; readonly roles: readonly string[] }
  has(service: 'compute' | 'network' | 'placement' | 'infra-optim' | 'instance-ha'): boolean
  /** Addresses that a token goes to only when the operator agreed, agreed to or not. */
  foreignEndpoints(): readonly ForeignAddress[]
  microversion(
    service: 'compute' | 'placement' | 'infra-optim',
    signal?: AbortSignal,
  ): Promise<Result<{ readonly major: number; readonly minor: number } | null>>
  /** The clocks of Keystone and Nova, as {@link KubernetesConnection.clocks}. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  /** Asks whether the policy allows what a plan needs, without doing any of it. */
  probePolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  /** The same of Watcher, for clusters whose compute nodes it empties. */
  probeWatcherPolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  /** The same of Masakari, for clouds that have it. */
  probeMasakariPolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  close(): void
}

/** Opens a Kubernetes session; a command of the kubeconfig is run only after `consent` said yes to exactly it. */
export type ConnectKubernetes = (
  cluster: Cluster,
  consent: (plugin: { readonly fingerprint: string }) => boolean,
) => Promise<Result<KubernetesConnection>>

/** Logs in to a cloud. */
export type ConnectOpenStack = (
  cloud: ResolvedCloud,
  /** Whether the operator agreed that a token goes to an address of the catalogue that is foreign to Keystone's (docs/decisions/0024). */
  isAgreed: (endpoint: ForeignAddress) => boolean,
) => Promise<Result<OpenStackConnection>>

/** What this room needs of a Juju controller; nothing is asked before the first call. */
export interface JujuConnection {
  readonly port: JujuPort
  /** MicroCeph and its `ceph` over that controller. */
  readonly microceph: MicroCephPort
  readonly ceph: CephPort
  close(): void
}

/** Makes the connection to a Juju controller; `resolve` reads its details when it is first needed. */
export type ConnectJuju = (resolve: () => Promise<Result<ResolvedJuju>>) => JujuConnection

/** Reads what contexts kubeconfig files offer, without secrets and without running anything. */
export type DescribeContexts = (paths: readonly string[]) => Promise<Result<readonly ContextDescription[]>>

/** An open session with a cluster. Its OpenStack side may be missing although the cluster has one: the failure says why. */
export interface ClusterSession {
  readonly cluster: Cluster
  readonly kubernetes: KubernetesConnection
  readonly openstack: OpenStackConnection | null
  readonly openstackFailure: Failure | null
  /** Null when the cluster's settings name no Juju controller. */
  readonly juju: JujuConnection | null
}

/** Called for each request that is sent to a cloud, with the system that it goes to. */
export type OnRequest = (system: 'kubernetes' | 'openstack') => void
