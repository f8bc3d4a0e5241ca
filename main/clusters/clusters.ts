import type { ClusterTestReport, ExecPlugin, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS, type SessionWarning } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE, type JujuAccess } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import type { SignalSettings } from '../../shared/domain/signals.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { KubernetesFeeds } from '../ports/kubernetes.ts'
import type { ReadLcmReport } from '../ports/lcm.ts'
import type { LockWriterPort, WatchMaintenance } from '../ports/maintenance-api.ts'
import type { PrometheusPort } from '../ports/prometheus.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import {
  addCluster,
  changedCluster,
  isReachedAnotherWay,
  keepChanged,
  LEASE_NAMESPACE,
  OPENSTACK_NAMESPACE,
} from './add-cluster.ts'
import { agreeToEndpoints, consentToContext, consentToPlugin, execPluginOf, foreignEndpoints } from './approvals.ts'
import { cloudsFile, kubeconfigFiles } from './choose-files.ts'
import { resolveCloud, secretsIn } from './clouds-yaml.ts'
import { testCluster } from './cluster-test.ts'
import type { FilePlaces } from './file-places.ts'
import { findClusters } from './find-clusters.ts'
import { inspectClouds, inspectKubeconfig, suggestCloudsFiles, suggestKubeconfigs } from './inspect-files.ts'
import { resolveJuju } from './juju-files.ts'
import type { Registry } from './registry.ts'
import type {
  ConnectJuju,
  ConnectKubernetes,
  ConnectOpenStack,
  DescribeContexts,
  KubernetesConnection,
} from './session-ports.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { worldOf } from './world-of-session.ts'

export interface ConnectedWorld {
  readonly world: MaintenanceWorld
  readonly openstackFailure: Failure | null
  /** Changes that Kubernetes pushes to live views, and warnings about the connections. */
  readonly feeds: KubernetesFeeds
  readonly warnings: readonly SessionWarning[]
  /** Used by our own application controllers, which alone write locks. */
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly readLcmReport: ReadLcmReport
}

export interface Clusters {
  list(): Result<Cluster[]>
  get(name: string): Result<Cluster>
  add(input: RequestInput<'cluster.add'>): Promise<Result<Cluster>>
  /** The cluster after a change, and whether it is then reached another way; stores nothing yet. */
  planUpdate(
    name: string,
    change: RequestInput<'cluster.update'>['change'],
  ): Promise<Result<{ readonly before: Cluster; readonly after: Cluster; readonly reachedAnotherWay: boolean }>>
  /** Stores the result of {@link Clusters.planUpdate}; closes a session that was open over another way. */
  keepUpdate(before: Cluster, after: Cluster): Result<Cluster>
  keepSignals(name: string, signals: SignalSettings): Result<Cluster>
  remove(name: string): Promise<Result<Record<string, never>>>
  inspectKubeconfig(paths: readonly string[]): Promise<Result<RequestOutput<'kubeconfig.inspect'>>>
  inspectClouds(path: string | null): Promise<Result<RequestOutput<'clouds.inspect'>>>
  /** The clusters that files of this machine offer; null means files in the usual places. */
  found(files: readonly string[] | null): Promise<Result<RequestOutput<'cluster.found'>>>
  /** Approves exactly the shown command of a context, before a cluster with it is registered. */
  consentToContext(input: RequestInput<'exec-plugin.consent'>): Promise<Result<Record<string, never>>>
  tryOut(input: RequestInput<'cluster.try'>): Promise<Result<ClusterTestReport>>
  /** The command that the cluster's kubeconfig asks to run; null if there is none. */
  execPlugin(name: string): Promise<Result<ExecPlugin | null>>
  consent(name: string, fingerprint: string): Promise<Result<Record<string, never>>>
  /** Services of the cloud's catalogue whose address needs the operator's approval to receive a token; reads Keystone again. */
  endpoints(name: string): Promise<Result<RequestOutput<'cluster.endpoints'>>>
  agreeToEndpoints(input: RequestInput<'cluster.agree-to-endpoints'>): Promise<Result<Record<string, never>>>
  test(name: string): Promise<Result<ClusterTestReport>>
  connect(name: string): Promise<Result<RequestOutput<'cluster.connect'>>>
  /** The world of a cluster, for procedures; `openstackFailure`: why its cloud is unreachable although it has one. */
  open(name: string): Promise<Result<ConnectedWorld>>
  /** The Kubernetes side of a cluster, without a login to its cloud. */
  openKubernetes(name: string): Promise<Result<Pick<KubernetesConnection, 'port' | 'session'>>>
  suggestFiles(kind: RequestInput<'file.suggest'>['kind']): Promise<readonly string[]>
  closeAll(): void
}

interface ClustersOptions {
  readonly registry: Registry
  readonly places: FilePlaces
  readonly describeContexts: DescribeContexts
  readonly defaultKubeconfigPaths: () => readonly string[]
  readonly connectKubernetes: ConnectKubernetes
  readonly connectOpenStack: ConnectOpenStack
  /** The same without a stored token: a test of the cloud includes the login. */
  readonly reconnectOpenStack?: ConnectOpenStack
  readonly connectJuju: ConnectJuju
  readonly commands: CommandPort
  readonly prometheusOf?: (cluster: Cluster) => PrometheusPort | null
  readonly accessQuestions: (cluster: Cluster) => readonly AccessQuestion[]
  /** Receives every loaded secret, so that the log can redact it. */
  readonly registerSecret: (secret: string) => void
  readonly clock: Clock
  readonly log: Logger
}

interface ClustersParts extends ClustersOptions, ReturnType<typeof fileReaders> {
  readonly sessions: Sessions
  readonly reconnectOpenStack: ConnectOpenStack
}

export function createClusters(options: ClustersOptions): Clusters {
  const { registry, places } = options
  const readers = fileReaders(options)
  const sessions = createSessions({ ...options, ...readers })
  const reconnectOpenStack = options.reconnectOpenStack ?? options.connectOpenStack
  const parts: ClustersParts = { ...options, ...readers, sessions, reconnectOpenStack }
  return {
    list: registry.list,
    get: registry.get,
    add: input => addCluster(input, options),
    keepSignals: (name, signals) => registry.update(name, { signals }),
    remove: async name => {
      const removed = registry.remove(name)
      if (!removed.ok) return removed
      sessions.forget(name)
      return ok({})
    },
    execPlugin: name => execPluginOf(parts, name),
    consent: (name, fingerprint) => consentToPlugin(parts, name, fingerprint),
    consentToContext: input => consentToContext(parts, input),
    endpoints: name => foreignEndpoints(parts, name),
    agreeToEndpoints: input => agreeToEndpoints(parts, input),
    inspectKubeconfig: paths => inspectKubeconfig(paths, options),
    inspectClouds: path => inspectClouds(path, options),
    found: files => findClusters(files, options),
    planUpdate: (name, change) => planUpdate(parts, name, change),
    keepUpdate: (before, after) => {
      const kept = keepChanged(registry, before, after)
      if (kept.ok && isReachedAnotherWay(before, kept.value)) sessions.forget(before.name)
      return kept
    },
    test: async name => {
      const cluster = registry.get(name)
      return cluster.ok ? ok(await test(parts, cluster.value, true)) : cluster
    },
    tryOut: input => tryOut(parts, input),
    connect: async name => {
      const session = await sessions.open(name)
      if (!session.ok) return session
      const { cluster, kubernetes, openstack, openstackFailure } = session.value
      return ok({
        warnings: [...kubernetes.warnings, ...(openstack?.warnings ?? [])],
        openstack: openstackFailure ?? (cluster.cloud === null ? 'none' : 'ok'),
      })
    },
    open: name => openWorld(parts, name),
    openKubernetes: sessions.openKubernetes,
    suggestFiles: kind =>
      kind === 'kubeconfig' ? suggestKubeconfigs(options.defaultKubeconfigPaths(), places) : suggestCloudsFiles(places),
    closeAll: sessions.closeAll,
  }
}

async function openWorld(
  { sessions, prometheusOf, commands }: ClustersParts,
  name: string,
): Promise<Result<ConnectedWorld>> {
  const session = await sessions.open(name)
  if (!session.ok) return session
  const { cluster, kubernetes, openstack, openstackFailure } = session.value
  const { locks, watchMaintenance, readLcmReport, feeds } = kubernetes
  return ok({
    world: worldOf(session.value, prometheusOf?.(cluster) ?? null, commands),
    locks,
    watchMaintenance,
    readLcmReport,
    openstackFailure,
    feeds,
    warnings: [...kubernetes.warnings, ...(openstack?.warnings ?? [])],
  })
}

/** Read credentials from their files; the log redacts every secret in them. */
function fileReaders({ places, registerSecret }: ClustersOptions) {
  return {
    resolveCloud: async (source: NonNullable<Cluster['cloud']>) => {
      const cloud = await resolveCloud(source, places)
      if (cloud.ok) for (const secret of secretsIn(cloud.value)) registerSecret(secret)
      return cloud
    },
    resolveJuju: async (access: JujuAccess) => {
      const juju = await resolveJuju(access, places)
      if (juju.ok) registerSecret(juju.value.password)
      return juju
    },
  }
}

async function planUpdate(
  parts: ClustersParts,
  name: string,
  change: RequestInput<'cluster.update'>['change'],
): ReturnType<Clusters['planUpdate']> {
  const before = parts.registry.get(name)
  if (!before.ok) return before
  const after = await changedCluster(before.value, change, parts)
  if (!after.ok) return after
  const reachedAnotherWay = isReachedAnotherWay(before.value, after.value)
  return ok({ before: before.value, after: after.value, reachedAnotherWay })
}

function test(parts: ClustersParts, cluster: Cluster, isRegistered: boolean): Promise<ClusterTestReport> {
  return testCluster({ ...parts, connectOpenStack: parts.reconnectOpenStack, cluster, isRegistered })
}

/** Tests files before a cluster with them is registered. */
async function tryOut(
  parts: ClustersParts,
  { kubeconfig, cloud, leaseNamespace = LEASE_NAMESPACE }: RequestInput<'cluster.try'>,
): Promise<Result<ClusterTestReport>> {
  const paths = await kubeconfigFiles(kubeconfig.paths, parts)
  if (!paths.ok) return paths
  const path = cloud === null ? null : await cloudsFile(cloud.path, parts)
  if (path !== null && !path.ok) return path
  const cluster: Cluster = {
    name: kubeconfig.context,
    flavour: 'plain',
    kubeconfig: { paths: [...paths.value], context: kubeconfig.context },
    cloud: cloud === null || path === null ? null : { path: path.value, cloud: cloud.cloud },
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: DEFAULT_LIMITS,
    openstackNamespace: OPENSTACK_NAMESPACE,
    leaseNamespace,
    production: false,
    colour: null,
    maintenanceApi: DEFAULT_MAINTENANCE_API,
    roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
    addedAt: isoNow(parts.clock),
  }
  return ok(await test(parts, cluster, false))
}
