import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'
import { startControlLoop } from './controllers/control-loop.ts'
import { createDaemonSetController } from './controllers/daemon-set.ts'
import { createDeploymentController } from './controllers/deployment.ts'
import { createDisruptionBudgetController } from './controllers/disruption-budget.ts'
import { createGarbageCollector } from './controllers/garbage-collector.ts'
import { createHollowKubelet } from './controllers/hollow-kubelet.ts'
import { createJobController } from './controllers/job.ts'
import {
  createNodeLifecycle,
  type ReadyStatus,
  runHeartbeats,
  setReadyCondition,
} from './controllers/node-lifecycle.ts'
import { createReboots, createRebootsOnRequest, type RebootNode } from './controllers/reboot-node.ts'
import { createReplicaSetController } from './controllers/replica-set.ts'
import { createScheduler } from './controllers/scheduler.ts'
import { createStatefulSetController } from './controllers/stateful-set.ts'
import { createFaultTable, type Faults, type FaultTable } from './faults.ts'
import { ADMIN } from './rest/access.ts'
import { DEFAULT_TIMINGS, type SimulatedCluster, type SimulatorTimings } from './simulated-cluster.ts'
import { createSimulatedObjects, type SimulatedObjects, seedObjects } from './simulated-objects.ts'
import { createApiCatalog } from './store/api-catalog.ts'
import type { KubernetesObject } from './store/kubernetes-object.ts'
import { createObjectStore } from './store/object-store.ts'
import { type ReleaseName, releaseOf } from './store/release.ts'
import { type ApiServer, startApiServer } from './transport/api-server.ts'
import { createCertificates } from './transport/certificates.ts'
import type { CommandHandler, PodCommands } from './transport/exec-stream.ts'
import type { BackedPort } from './transport/forward-stream.ts'
import { type KubeconfigUser, kubeconfigText } from './transport/kubeconfig.ts'
import { createRequestLog, type RequestLog } from './transport/request-log.ts'

interface KubernetesSimulatorOptions {
  readonly clock: Clock
  readonly port?: number
  /** The release whose answers it gives; the default is the newest. */
  readonly release?: ReleaseName
  /** Objects at the start; controllers settle them before the first request is answered. */
  readonly seed: readonly KubernetesObject[]
  readonly timings?: Partial<SimulatorTimings>
}

/** A Kubernetes cluster in this process, with the real API on loopback. */
export interface KubernetesSimulator {
  readonly url: string
  /** Returns a kubeconfig with context `demo`; the default user is the administrator with a client certificate. */
  kubeconfig(user?: KubeconfigUser): string
  readonly objects: SimulatedObjects
  readonly faults: Faults
  readonly log: RequestLog
  /** Makes a node's kubelet report ready (true), not ready (false) or nothing (`Unknown`). */
  setNodeReady(name: string, ready: boolean | 'Unknown'): void
  /** The nodes whose kubelet does not report, with the time of its last report. */
  readonly silentNodes: ReadonlyMap<string, number>
  /** Answers commands (pods/exec) in the running pods of a namespace that have all these labels. */
  onExec(namespace: string, labels: Readonly<Record<string, string>>, handler: CommandHandler): void
  /** Forwards a port of a pod (pods/portforward) to a loopback port of this machine. */
  backPort(port: BackedPort): void
  /** Reboots a node: silent for a while, then Ready with another boot id. Resolves when its kubelet is Ready; its pods follow. */
  readonly rebootNode: RebootNode
  /** Cuts every forwarded port, as a restart of the API server does. */
  cutForwards(): void
  stop(): Promise<void>
}

const KEPT_CHANGES = 5000

/** A Kubernetes cluster in this process without an API server. */
interface KubernetesCore extends Omit<KubernetesSimulator, 'url' | 'kubeconfig' | 'cutForwards' | 'stop'> {
  readonly cluster: SimulatedCluster
  readonly table: FaultTable
  readonly commands: readonly PodCommands[]
  readonly ports: readonly BackedPort[]
  stop(): Promise<void>
}

/** Makes a cluster of objects, controllers, scheduler and hollow kubelets; `dropWatches` implements the fault of that name. */
export function createKubernetesCore(
  options: Omit<KubernetesSimulatorOptions, 'port'>,
  dropWatches: () => void,
): KubernetesCore {
  const release = releaseOf(options.release ?? '1.36')
  const store = createObjectStore(KEPT_CHANGES)
  const stopping = new AbortController()
  let isSettingUp = true
  const table = createFaultTable(
    dropWatches,
    () => store.compact(),
    () => loop.wake(),
  )
  const cluster: SimulatedCluster = {
    clock: options.clock,
    store,
    catalog: createApiCatalog(store, release),
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    release,
    frozenNodes: table.frozenNodes,
    silentNodes: new Map(),
  }
  const rebootNode = createReboots(cluster, stopping.signal)
  const loop = startControlLoop(store, [
    createNodeLifecycle(cluster),
    createRebootsOnRequest(cluster, rebootNode),
    createDeploymentController(cluster),
    createReplicaSetController(cluster),
    createStatefulSetController(cluster),
    createDaemonSetController(cluster),
    createJobController(cluster),
    createScheduler(cluster),
    createHollowKubelet(cluster, {
      wake: () => loop.wake(),
      isInstant: () => isSettingUp,
      stopped: stopping.signal,
    }),
    createDisruptionBudgetController(cluster),
    createGarbageCollector(cluster),
  ])
  seedObjects(cluster, options.seed)
  loop.settle()
  isSettingUp = false
  const heartbeats = runHeartbeats(cluster, stopping.signal)
  const commands: PodCommands[] = []
  const ports: BackedPort[] = []
  return {
    cluster,
    table,
    commands,
    ports,
    objects: createSimulatedObjects(cluster),
    faults: table.faults,
    log: createRequestLog(),
    setNodeReady(name, ready) {
      const status: ReadyStatus = ready === 'Unknown' ? 'Unknown' : ready ? 'True' : 'False'
      // A node becomes Unknown only after it was silent for the grace period.
      if (ready === 'Unknown') cluster.silentNodes.set(name, cluster.clock.now() - cluster.timings.nodeGraceMs)
      else cluster.silentNodes.delete(name)
      setReadyCondition(cluster, name, status)
    },
    silentNodes: cluster.silentNodes,
    onExec(namespace, labels, handler) {
      commands.push({ namespace, labels, handler })
    },
    backPort(port) {
      ports.push(port)
    },
    rebootNode,
    async stop() {
      stopping.abort()
      loop.stop()
      await heartbeats
    },
  }
}

/** Starts a simulated Kubernetes cluster: API server, controllers, scheduler and hollow kubelets. */
export async function startKubernetesSimulator(options: KubernetesSimulatorOptions): Promise<KubernetesSimulator> {
  let server: ApiServer | null = null
  const { cluster, table, commands, ports, stop, ...core } = createKubernetesCore(options, () => server?.dropWatches())
  const certificates = createCertificates(ADMIN)
  const tokens = { admin: randomBytes(24).toString('hex'), viewer: randomBytes(24).toString('hex') }
  const port = options.port ?? 0
  server = await startApiServer({ cluster, table, log: core.log, certificates, tokens, port, commands, ports })
  const { url } = server
  return {
    ...core,
    url,
    cutForwards: () => server?.cutForwards(),
    kubeconfig: (user = 'admin') => kubeconfigText(url, certificates, tokens, user),
    async stop() {
      const stopped = stop()
      await server?.stop()
      await stopped
    },
  }
}
