import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { DemoCluster } from '../../ports/demo-clouds.ts'
import { type CephSimulator, createCephSimulator } from './ceph/ceph-simulator.ts'
import { coupleCeph } from './ceph/couple-ceph.ts'
import { coupleClouds } from './couple-clouds.ts'
import { type KubernetesSimulator, startKubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { DEFAULT_TIMINGS, type SimulatorTimings } from './kubernetes/simulated-cluster.ts'
import type { ReleaseName } from './kubernetes/store/release.ts'
import { runOperators, runRook } from './lcm/run-operators.ts'
import { type OpenStackSimulator, startOpenStackSimulator } from './openstack/openstack-simulator.ts'
import type { Scenario } from './scenarios/demo-plain.ts'

/** One embedded cloud that runs until it is stopped. */
export interface DemoCloud {
  readonly cluster: DemoCluster
  readonly kubernetes: KubernetesSimulator
  readonly openstack: OpenStackSimulator
  readonly ceph: CephSimulator | null
  stop(): Promise<void>
}

export interface DemoCloudOptions {
  readonly clock: Clock
  readonly directory: string
  readonly speed: number
  readonly production: boolean
  /** The Kubernetes release whose answers it gives; the default is the newest. */
  readonly release?: ReleaseName
  readonly isStopped?: (host: string) => boolean
}

/** Starts both sides of a scenario, connects them, and writes the kubeconfig and clouds.yaml that clients use. */
export async function startDemoCloud(scenario: Scenario, more: DemoCloudOptions): Promise<DemoCloud> {
  const { clock, directory, speed, production } = more
  const ending = new AbortController()
  const kubernetes = await startKubernetesSimulator({
    clock,
    seed: scenario.kubernetes,
    ...(more.release === undefined ? {} : { release: more.release }),
    timings: spedUp(speed),
  })
  const openstack = await startOpenStackSimulator({ clock, seed: scenario.openstack, timings: { speed } }).catch(
    async (thrown: unknown) => {
      await kubernetes.stop()
      throw thrown
    },
  )
  const ceph = scenario.ceph === undefined ? null : createCephSimulator({ clock, ...scenario.ceph, speed })
  const { signal } = ending
  const underWay = [coupleClouds(clock, kubernetes, openstack, signal)]
  if (ceph !== null && scenario.ceph !== undefined) {
    const { rook } = scenario.ceph
    underWay.push(coupleCeph(clock, kubernetes, ceph, { rook, isStopped: more.isStopped ?? (() => false), signal }))
    if (scenario.flavour === 'mosk') underWay.push(runOperators(clock, kubernetes, ceph, signal, speed))
    else if (rook !== null) underWay.push(runRook(clock, kubernetes, ceph, signal))
  }
  const stop = async () => {
    ending.abort()
    await Promise.all(underWay)
    await Promise.all([kubernetes.stop(), openstack.stop()])
  }

  const { name } = scenario
  const kubeconfigPath = join(directory, 'kubeconfig')
  const cloudsYamlPath = join(directory, 'clouds.yaml')
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeSecretly(kubeconfigPath, withContext(kubernetes.kubeconfig(), name))
    await writeSecretly(cloudsYamlPath, openstack.cloudsYaml(name))
  } catch (thrown) {
    await stop()
    throw thrown
  }
  return {
    cluster: {
      name,
      kubeconfigPath,
      context: name,
      cloudsYamlPath,
      cloud: name,
      flavour: scenario.flavour,
      production,
      maintenanceApi: scenario.maintenanceApi ?? DEFAULT_MAINTENANCE_API,
      roleMaintenance:
        scenario.cephAccess === undefined
          ? DEFAULT_ROLE_MAINTENANCE
          : { ...DEFAULT_ROLE_MAINTENANCE, ceph: scenario.cephAccess },
      updatePlan: scenario.updatePlan ?? null,
    },
    kubernetes,
    openstack,
    ceph,
    stop,
  }
}

/** Shortens the cluster's own delays; how it reports and answers does not change. */
function spedUp(speed: number): Partial<SimulatorTimings> {
  const { podStartMs, podStopMs, jobRunMs, rebootMs, nodeGraceMs, kubeletReadyMs, podRestartMs } = DEFAULT_TIMINGS
  const taken = { podStartMs, podStopMs, jobRunMs, rebootMs, nodeGraceMs, kubeletReadyMs, podRestartMs }
  return Object.fromEntries(Object.entries(taken).map(([name, ms]): readonly [string, number] => [name, ms / speed]))
}

/** An existing file keeps its mode when it is rewritten, so this sets the mode as well. */
async function writeSecretly(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  await chmod(path, 0o600)
}

interface Kubeconfig {
  readonly clusters: readonly object[]
  readonly users: readonly object[]
}

/** Names the cluster, user and context of a kubeconfig after the scenario, so that kubeconfigs can be merged. */
function withContext(text: string, name: string): string {
  const kubeconfig = parse(text) as Kubeconfig
  return stringify({
    ...kubeconfig,
    clusters: kubeconfig.clusters.map(cluster => ({ ...cluster, name })),
    users: kubeconfig.users.map(user => ({ ...user, name })),
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}
