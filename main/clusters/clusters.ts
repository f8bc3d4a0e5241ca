import type { ClusterTestReport, ExecPlugin, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { MaintenanceWorld } from '../maintenance/ports.ts'
import { addCluster } from './add-cluster.ts'
import { resolveCloud, secretsIn } from './clouds-yaml.ts'
import { testCluster } from './cluster-test.ts'
import type { Registry } from './registry.ts'
import type { ConnectKubernetes, ConnectOpenStack, DescribeContexts } from './session-ports.ts'
import { createSessions } from './sessions.ts'
import { suggestCloudsFiles, suggestKubeconfigs } from './suggest-files.ts'
import type { Surroundings } from './surroundings.ts'

/** The world of one cluster over its sessions. */
export interface ConnectedWorld {
  readonly world: MaintenanceWorld
  readonly openstackFailure: Failure | null
}

/** Everything the faces may do with clusters. */
export interface Clusters {
  list(): Result<Cluster[]>
  get(name: string): Result<Cluster>
  add(input: RequestInput<'cluster.add'>): Promise<Result<Cluster>>
  remove(name: string): Promise<Result<Record<string, never>>>
  /** The command that the cluster's kubeconfig asks to run; null when there is none. */
  execPlugin(name: string): Promise<Result<ExecPlugin | null>>
  /** Agrees to exactly the command that was shown. */
  consent(name: string, fingerprint: string): Promise<Result<Record<string, never>>>
  test(name: string): Promise<Result<ClusterTestReport>>
  connect(name: string): Promise<Result<RequestOutput<'cluster.connect'>>>
  /** The world of a cluster, for procedures; `openstackFailure` says why its cloud cannot be asked although it should. */
  open(name: string): Promise<Result<ConnectedWorld>>
  /** Files of this kind in the usual places that exist. */
  suggestFiles(kind: RequestInput<'file.suggest'>['kind']): readonly string[]
  closeAll(): void
}

/** What the room is built of; main/app.ts passes the real adapters. */
export interface ClustersOptions {
  readonly registry: Registry
  readonly surroundings: Surroundings
  readonly describeContexts: DescribeContexts
  readonly defaultKubeconfigPaths: () => readonly string[]
  readonly connectKubernetes: ConnectKubernetes
  readonly connectOpenStack: ConnectOpenStack
  /** The same without a kept token, where there is such: a test of the cloud is about logging in too. */
  readonly connectOpenStackAfresh?: ConnectOpenStack
  readonly accessQuestions: (leaseNamespace: string) => readonly AccessQuestion[]
  /** Told every secret that is loaded, so that the log can keep it out. */
  readonly registerSecret: (secret: string) => void
  readonly clock: Clock
  readonly log: Logger
}

/** Builds the room of clusters: the registry, the sessions over it, and what an operator may ask of them. */
export function createClusters(options: ClustersOptions): Clusters {
  const { registry, surroundings, describeContexts, clock } = options
  const resolve = async (source: NonNullable<Cluster['cloud']>) => {
    const cloud = await resolveCloud(source, surroundings)
    if (cloud.ok) for (const secret of secretsIn(cloud.value)) options.registerSecret(secret)
    return cloud
  }
  const sessions = createSessions({ ...options, resolveCloud: resolve })

  async function execPlugin(name: string): Promise<Result<ExecPlugin | null>> {
    const cluster = registry.get(name)
    if (!cluster.ok) return cluster
    const { paths, context } = cluster.value.kubeconfig
    const contexts = await describeContexts(paths)
    if (!contexts.ok) return contexts
    const plugin = contexts.value.find(each => each.name === context)?.execPlugin ?? null
    if (plugin === null) return ok(null)
    return ok({
      ...plugin,
      args: [...plugin.args],
      envNames: [...plugin.envNames],
      consented: registry.isConsented(plugin.fingerprint),
    })
  }

  return {
    list: registry.list,
    get: registry.get,
    add: input => addCluster(input, options),
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
      if (plugin.value?.fingerprint !== fingerprint) {
        return failed(
          failure(
            'conflict',
            `The command in the kubeconfig of ${name} is no longer the one that was shown. Look at it again before you agree.`,
            { target: `cluster/${name}` },
          ),
        )
      }
      const { file, command } = plugin.value
      const kept = registry.consent({ fingerprint, cluster: name, file, command })
      return kept.ok ? ok({}) : kept
    },
    test: async name => {
      const cluster = registry.get(name)
      return cluster.ok
        ? ok(
            await testCluster({
              ...options,
              connectOpenStack: options.connectOpenStackAfresh ?? options.connectOpenStack,
              cluster: cluster.value,
              resolveCloud: resolve,
              clock,
            }),
          )
        : cluster
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
      const { cluster, kubernetes, openstack, openstackFailure } = session.value
      return ok({
        world: { cluster, kubernetes: kubernetes.port, openstack: openstack?.port ?? null },
        openstackFailure,
      })
    },
    suggestFiles: kind =>
      kind === 'kubeconfig'
        ? suggestKubeconfigs(options.defaultKubeconfigPaths(), surroundings)
        : suggestCloudsFiles(surroundings),
    closeAll: sessions.closeAll,
  }
}
