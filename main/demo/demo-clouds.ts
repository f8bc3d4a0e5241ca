import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Clock } from '../clock/clock.ts'
import { coupleClouds } from './couple-clouds.ts'
import { type KubernetesSimulator, startKubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { DEFAULT_TIMINGS } from './kubernetes/simulated-cluster.ts'
import { type OpenStackSimulator, startOpenStackSimulator } from './openstack/openstack-simulator.ts'
import { demoPlain } from './scenarios/demo-plain.ts'

/** How the embedded clouds are to be. */
export interface DemoCloudsOptions {
  readonly clock: Clock
  /** Where kubeconfig and clouds.yaml are written, readable by their owner alone; made when missing. */
  readonly directory: string
  /** How many times as fast as real clouds; 1 when absent. */
  readonly speed?: number
}

/** One embedded cloud, and how to reach it. */
export interface DemoCluster {
  readonly name: string
  readonly kubeconfigPath: string
  readonly context: string
  readonly cloudsYamlPath: string
  readonly cloud: string
  readonly flavour: 'plain'
}

/** The embedded clouds, running until stopped. */
export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  readonly kubernetes: KubernetesSimulator
  readonly openstack: OpenStackSimulator
  stop(): Promise<void>
}

/** Starts demo-plain and writes the files by which Lockkeeper, kubectl and openstack reach it. */
export async function startDemoClouds(options: DemoCloudsOptions): Promise<DemoClouds> {
  const { clock, directory, speed = 1 } = options
  const scenario = demoPlain()
  const ending = new AbortController()
  const kubernetes = await startKubernetesSimulator({
    clock,
    seed: scenario.kubernetes,
    timings: { podStartMs: DEFAULT_TIMINGS.podStartMs / speed, podStopMs: DEFAULT_TIMINGS.podStopMs / speed },
  })
  const openstack = await startOpenStackSimulator({ clock, seed: scenario.openstack, timings: { speed } }).catch(
    async (thrown: unknown) => {
      await kubernetes.stop()
      throw thrown
    },
  )
  const coupling = coupleClouds(clock, kubernetes, openstack, ending.signal)
  const stop = async () => {
    ending.abort()
    await coupling
    await Promise.all([kubernetes.stop(), openstack.stop()])
  }

  const kubeconfigPath = join(directory, 'kubeconfig')
  const cloudsYamlPath = join(directory, 'clouds.yaml')
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeSecretly(kubeconfigPath, withContext(kubernetes.kubeconfig(), scenario.name))
    await writeSecretly(cloudsYamlPath, openstack.cloudsYaml(scenario.name))
  } catch (thrown) {
    await stop()
    throw thrown
  }
  const { name } = scenario
  return {
    clusters: [{ name, kubeconfigPath, context: name, cloudsYamlPath, cloud: name, flavour: 'plain' }],
    kubernetes,
    openstack,
    stop,
  }
}

/** A file left from an earlier start keeps its mode when it is written again, so the mode is set as well. */
async function writeSecretly(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  await chmod(path, 0o600)
}

interface Kubeconfig {
  readonly clusters: readonly object[]
  readonly users: readonly object[]
}

/** Names cluster, user and context of a simulator's kubeconfig after the scenario, so that it can be merged with others. */
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
