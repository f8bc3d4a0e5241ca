import type { ClusterTestReport, ExecPlugin, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { API_SERVER } from '../../shared/domain/clock-skew.ts'
import { type Cluster, cephAccessOf, DEFAULT_LIMITS, type SessionWarning } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE, type JujuAccess } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import type { SignalSettings } from '../../shared/domain/signals.ts'
import { NOVA_SPOKEN } from '../../shared/domain/version-evidence.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { CephPort } from '../ports/ceph.ts'
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
import { absolutePath, cloudsFile, kubeconfigFiles } from './choose-files.ts'
import { resolveCloud, secretsIn } from './clouds-yaml.ts'
import { testCluster } from './cluster-test.ts'
import type { FilePlaces } from './file-places.ts'
import { findClusters } from './find-clusters.ts'
import {
  contextOffers,
  inspectClouds,
  inspectKubeconfig,
  suggestCloudsFiles,
  suggestKubeconfigs,
} from './inspect-files.ts'
import { resolveJuju } from './juju-files.ts'
import type { Registry } from './registry.ts'
import type {
  ClusterSession,
  ConnectJuju,
  ConnectKubernetes,
  ConnectOpenStack,
  DescribeContexts,
  KubernetesConnection,
} from './session-ports.ts'
import { createSessions } from './sessions.ts'

export interface ConnectedWorld {
  readonly world: MaintenanceWorld
  readonly openstackFailure: Failure | null
  /** For live views: pushed changes from Kubernetes, and warnings about the connections. */
  readonly feeds: KubernetesFeeds
  readonly warnings: readonly SessionWarning[]
  /** For our own application controllers: the only ones that write locks. */
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly readLcmReport: ReadLcmReport
}

/** Everything the faces may do with clusters. */
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
  /** The clusters that files of this machine offer; null: files in the usual places. */
  found(files: readonly string[] | null): Promise<Result<RequestOutput<'cluster.found'>>>
  /** Approves exactly the shown command of a context, before a cluster with it is registered. */
  consentToContext(input: RequestInput<'exec-plugin.consent'>): Promise<Result<Record<string, never>>>
  tryOut(input: RequestInput<'cluster.try'>): Promise<Result<ClusterTestReport>>
  /** The command that the cluster's kubeconfig asks to run; null: there is none. */
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

/** What the clusters are built from; main/app.ts passes the real adapters. */
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
  /** The Prometheus of the cluster's settings; null: none. */
  readonly prometheusOf?: (cluster: Cluster) => PrometheusPort | null
  readonly accessQuestions: (cluster: Cluster) => readonly AccessQuestion[]
  /** Receives every loaded secret, so that the log can redact it. */
  readonly registerSecret: (secret: string) => void
  readonly clock: Clock
  readonly log: Logger
}

/** Builds the registry, its sessions, and what an operator may request of them. */
export function createClusters(options: ClustersOptions): Clusters {
  const { registry, places, clock } = options
  const resolve = async (source: NonNullable<Cluster['cloud']>) => {
    const cloud = await resolveCloud(source, places)
    if (cloud.ok) for (const secret of secretsIn(cloud.value)) options.registerSecret(secret)
    return cloud
  }
  const resolveAccess = async (access: JujuAccess) => {
    const juju = await resolveJuju(access, places)
    if (juju.ok) options.registerSecret(juju.value.password)
    return juju
  }
  const sessions = createSessions({
    ...options,
    resolveCloud: resolve,
    resolveJuju: resolveAccess,
  })

  async function execPluginOf({ paths, context }: Cluster['kubeconfig']): Promise<Result<ExecPlugin | null>> {
    const contexts = await contextOffers(paths, options)
    return contexts.ok ? ok(contexts.value.find(each => each.name === context)?.execPlugin ?? null) : contexts
  }

  async function execPlugin(name: string): Promise<Result<ExecPlugin | null>> {
    const cluster = registry.get(name)
    return cluster.ok ? execPluginOf(cluster.value.kubeconfig) : cluster
  }

  function agree(
    plugin: ExecPlugin | null,
    shown: { readonly fingerprint: string; readonly cluster: string; readonly of: string; readonly target: string },
  ): Result<Record<string, never>> {
    if (plugin?.fingerprint !== shown.fingerprint) {
      return failed(refusal('conflict', because('CommandChanged', { of: shown.of }), { target: shown.target }))
    }
    const { fingerprint, file, command } = plugin
    const kept = registry.consent({ fingerprint, cluster: shown.cluster, file, command })
    return kept.ok ? ok({}) : kept
  }

  async function endpoints(name: string): Promise<Result<RequestOutput<'cluster.endpoints'>>> {
    const cluster = registry.get(name)
    if (!cluster.ok) return cluster
    if (cluster.value.cloud === null) return ok([])
    const cloud = await resolve(cluster.value.cloud)
    if (!cloud.ok) return cloud
    const connect = options.reconnectOpenStack ?? options.connectOpenStack
    const opened = await connect(cloud.value, registry.isEndpointAgreed)
    if (!opened.ok) return opened
    try {
      return ok(
        opened.value.foreignEndpoints().map(each => ({
          service: each.service,
          origin: each.origin,
          keystone: each.keystone,
          agreed: registry.isEndpointAgreed(each),
        })),
      )
    } finally {
      opened.value.close()
    }
  }

  const test = (cluster: Cluster, isRegistered: boolean) =>
    testCluster({
      ...options,
      connectOpenStack: options.reconnectOpenStack ?? options.connectOpenStack,
      cluster,
      isRegistered,
      resolveCloud: resolve,
      resolveJuju: resolveAccess,
      clock,
    })

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
    execPlugin,
    consent: async (name, fingerprint) => {
      const plugin = await execPlugin(name)
      if (!plugin.ok) return plugin
      return agree(plugin.value, { fingerprint, cluster: name, of: name, target: `cluster/${name}` })
    },
    endpoints,
    agreeToEndpoints: async ({ name, endpoints: shown }) => {
      const now = await endpoints(name)
      if (!now.ok) return now
      const isThere = (one: (typeof shown)[number]) =>
        now.value.some(
          each => each.service === one.service && each.origin === one.origin && each.keystone === one.keystone,
        )
      if (!shown.every(isThere)) {
        return failed(
          refusal('conflict', because('CatalogueChanged', { cluster: name }), { target: `cluster/${name}` }),
        )
      }
      const kept = registry.agreeToEndpoints(
        shown.map(({ service, origin, keystone }) => ({ service, origin, keystone, cluster: name })),
      )
      return kept.ok ? ok({}) : kept
    },
    consentToContext: async ({ paths: given, context, fingerprint }) => {
      const paths = given.map(path => absolutePath(path, places))
      const plugin = await execPluginOf({ paths, context })
      if (!plugin.ok) return plugin
      return agree(plugin.value, {
        fingerprint,
        cluster: `context ${context}`,
        of: `context ${context}`,
        target: paths.join(', '),
      })
    },
    inspectKubeconfig: paths => inspectKubeconfig(paths, options),
    inspectClouds: path => inspectClouds(path, options),
    found: files => findClusters(files, options),
    planUpdate: async (name, change) => {
      const before = registry.get(name)
      if (!before.ok) return before
      const after = await changedCluster(before.value, change, options)
      if (!after.ok) return after
      const reachedAnotherWay = isReachedAnotherWay(before.value, after.value)
      return ok({ before: before.value, after: after.value, reachedAnotherWay })
    },
    keepUpdate: (before, after) => {
      const kept = keepChanged(registry, before, after)
      if (kept.ok && isReachedAnotherWay(before, kept.value)) sessions.forget(before.name)
      return kept
    },
    test: async name => {
      const cluster = registry.get(name)
      return cluster.ok ? ok(await test(cluster.value, true)) : cluster
    },
    tryOut: async ({ kubeconfig, cloud, leaseNamespace = LEASE_NAMESPACE }) => {
      const paths = await kubeconfigFiles(kubeconfig.paths, options)
      if (!paths.ok) return paths
      const path = cloud === null ? null : await cloudsFile(cloud.path, options)
      if (path !== null && !path.ok) return path
      return ok(
        await test(
          {
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
            addedAt: isoNow(clock),
          },
          false,
        ),
      )
    },
    connect: async name => {
      const session = await sessions.open(name)
      if (!session.ok) return session
      const { cluster, kubernetes, openstack, openstackFailure } = session.value
      return ok({
        warnings: [...kubernetes.warnings, ...(openstack?.warnings ?? [])],
        openstack: openstackFailure ?? (cluster.cloud === null ? 'none' : 'ok'),
      })
    },
    open: async name => {
      const session = await sessions.open(name)
      if (!session.ok) return session
      const { kubernetes, openstack, openstackFailure } = session.value
      return ok({
        world: worldOf(session.value, options.prometheusOf?.(session.value.cluster) ?? null, options.commands),
        locks: kubernetes.locks,
        watchMaintenance: kubernetes.watchMaintenance,
        readLcmReport: kubernetes.readLcmReport,
        openstackFailure,
        feeds: kubernetes.feeds,
        warnings: [...kubernetes.warnings, ...(openstack?.warnings ?? [])],
      })
    },
    openKubernetes: sessions.openKubernetes,
    suggestFiles: kind =>
      kind === 'kubeconfig' ? suggestKubeconfigs(options.defaultKubeconfigPaths(), places) : suggestCloudsFiles(places),
    closeAll: sessions.closeAll,
  }
}

/** The ports of a cluster for procedures; Ceph in the way its settings name. */
function worldOf(
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
