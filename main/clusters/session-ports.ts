import type { MeasuredClock } from '../../shared/domain/clock-skew.ts'
import type { Cluster, SessionWarning } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Values } from '../../shared/words/steps/coded.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import type { ContextDescription } from '../adapters/kubernetes/describe-contexts.ts'
import type { KubernetesSession } from '../adapters/kubernetes/session.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import type { CephPort, MicroCephPort, OsdDaemonsPort } from '../ports/ceph.ts'
import type { JujuPort } from '../ports/juju.ts'
import type { KubernetesFeeds, KubernetesPort } from '../ports/kubernetes.ts'
import type { ReadLcmReport } from '../ports/lcm.ts'
import type { LockWriterPort, MaintenanceApiPort, WatchMaintenance } from '../ports/maintenance-api.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { WatcherPort } from '../ports/watcher.ts'

/** The parts of an open Kubernetes session that this room needs; main/adapters/kubernetes implements them. */
export interface KubernetesConnection {
  readonly host: string
  readonly warnings: readonly SessionWarning[]
  readonly port: KubernetesPort
  readonly maintenanceApi: MaintenanceApiPort
  /** Ceph by its toolbox pod, which is searched at the first request. */
  readonly ceph: CephPort
  readonly osds: OsdDaemonsPort
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly readLcmReport: ReadLcmReport
  /** The session itself, for adapters of a wing. */
  readonly session: KubernetesSession
  readonly feeds: KubernetesFeeds
  version(signal?: AbortSignal): Promise<Result<{ readonly gitVersion: string }>>
  /** The API server's clock compared with this machine's, requested if no recent answer has it; empty if it gives no time. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  evictionVersion(signal?: AbortSignal): Promise<Result<'policy/v1' | 'policy/v1beta1' | null>>
  close(): void
}

/** Whether the cloud's policy allows this user one action that a plan needs. */
export interface PolicyAnswer {
  readonly need: string
  readonly rule: string
  readonly allowed: boolean | 'unknown'
  readonly message: string
  readonly code?: string
  readonly values?: Values
}

/** An address in the catalogue on another host than Keystone's, or with weaker encryption. */
interface ForeignAddress {
  readonly service: string
  readonly origin: string
  readonly keystone: string
}

/** The parts of a cloud session that this room needs; main/adapters/openstack implements them. */
export interface OpenStackConnection {
  readonly warnings: readonly SessionWarning[]
  readonly port: OpenStackPort
  readonly watcher: WatcherPort
  identity(): { readonly userName: string; readonly projectName: string | null; readonly roles: readonly string[] }
  has(service: 'compute' | 'network' | 'placement' | 'infra-optim' | 'instance-ha'): boolean
  /** Addresses that receive a token only with the operator's approval, approved or not. */
  foreignEndpoints(): readonly ForeignAddress[]
  microversion(
    service: 'compute' | 'placement' | 'infra-optim',
    signal?: AbortSignal,
  ): Promise<Result<{ readonly major: number; readonly minor: number } | null>>
  /** The clocks of Keystone and Nova, as {@link KubernetesConnection.clocks}. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  probePolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  probeWatcherPolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  probeMasakariPolicies(signal?: AbortSignal): Promise<Result<readonly PolicyAnswer[]>>
  close(): void
}

/** Opens a Kubernetes session; a command of the kubeconfig runs only if `consent` approves exactly that command. */
export type ConnectKubernetes = (
  cluster: Cluster,
  consent: (plugin: { readonly fingerprint: string }) => boolean,
) => Promise<Result<KubernetesConnection>>

export type ConnectOpenStack = (
  cloud: ResolvedCloud,
  /** Whether the operator approved that a token goes to a foreign address of the catalogue (docs/decisions/0024). */
  isAgreed: (endpoint: ForeignAddress) => boolean,
) => Promise<Result<OpenStackConnection>>

/** The parts of a Juju connection that this room needs; no request is sent before the first call. */
export interface JujuConnection {
  readonly port: JujuPort
  readonly microceph: MicroCephPort
  readonly ceph: CephPort
  close(): void
}

/** Connects to a Juju controller; `resolve` reads its details on first use. */
export type ConnectJuju = (resolve: () => Promise<Result<ResolvedJuju>>) => JujuConnection

/** Reads the contexts of kubeconfig files, without secrets and without running anything. */
export type DescribeContexts = (paths: readonly string[]) => Promise<Result<readonly ContextDescription[]>>

/** An open session with a cluster. Its OpenStack side may be missing although the cluster has one: the failure says why. */
export interface ClusterSession {
  readonly cluster: Cluster
  readonly kubernetes: KubernetesConnection
  readonly openstack: OpenStackConnection | null
  readonly openstackFailure: Failure | null
  readonly juju: JujuConnection | null
}

/** Called for each request that is sent to a cloud, with the system that it goes to. */
export type OnRequest = (system: 'kubernetes' | 'openstack') => void
