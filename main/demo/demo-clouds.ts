import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { type DemoCluster, startDemoCloud } from './demo-cloud.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import type { OpenStackSimulator } from './openstack/openstack-simulator.ts'
import { demoEdge } from './scenarios/demo-edge.ts'
import { demoPlain } from './scenarios/demo-plain.ts'

/** How the embedded clouds are to be. */
export interface DemoCloudsOptions {
  readonly clock: Clock
  /** Where kubeconfig and clouds.yaml are written, readable by their owner alone; made when missing. */
  readonly directory: string
  /** How many times as fast as real clouds; 1 when absent. */
  readonly speed?: number
  /** Starts demo-edge beside demo-plain, in a folder of its own. */
  readonly edge?: boolean
}

/** The embedded clouds, running until stopped. */
export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  /** The two sides of demo-plain. */
  readonly kubernetes: KubernetesSimulator
  readonly openstack: OpenStackSimulator
  stop(): Promise<void>
}

/** Starts demo-plain, and demo-edge where it is wanted. */
export async function startDemoClouds(options: DemoCloudsOptions): Promise<DemoClouds> {
  const { clock, directory, speed = 1 } = options
  const plain = await startDemoCloud(demoPlain(), { clock, directory, speed, production: false })
  if (options.edge !== true) return { ...plain, clusters: [plain.cluster] }
  const edge = await startDemoCloud(demoEdge(), {
    clock,
    directory: join(directory, 'edge'),
    speed,
    production: true,
  }).catch(async (thrown: unknown) => {
    await plain.stop()
    throw thrown
  })
  return {
    ...plain,
    clusters: [plain.cluster, edge.cluster],
    stop: async () => {
      await Promise.all([plain.stop(), edge.stop()])
    },
  }
}
