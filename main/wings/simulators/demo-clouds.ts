import { join } from 'node:path'
import type { PlayedSituation } from '../../../shared/domain/demo-situations.ts'
import type { Trouble } from '../../../shared/domain/demo-troubles.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { DemoClouds as StartedClouds } from '../../ports/demo-clouds.ts'
import { type DemoCloud, startDemoCloud } from './demo-cloud.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import type { ReleaseName } from './kubernetes/store/release.ts'
import { type MoskCloud, type MoskOptions, startMosk } from './lcm/start-mosk.ts'
import type { OpenStackSimulator } from './openstack/openstack-simulator.ts'
import { demoEdge } from './scenarios/demo-edge.ts'
import { demoPlain, type Scenario } from './scenarios/demo-plain.ts'
import { playSituation } from './situations.ts'
import { type SunbeamCloud, type SunbeamOptions, startSunbeam } from './start-sunbeam.ts'
import { createTroubles } from './troubles.ts'

interface DemoCloudsOptions {
  readonly clock: Clock
  /** Folder for kubeconfig and clouds.yaml, readable by their owner only; created if missing. */
  readonly directory: string
  /** How many times as fast as real clouds; the default is 1. */
  readonly speed?: number
  /** The Kubernetes release whose answers they give; the default is the newest. */
  readonly release?: ReleaseName
  /** Scripted situations at nodes of demo-plain. */
  readonly play?: readonly PlayedSituation[]
  /** Troubles of demo-plain that are on from the start. */
  readonly troubles?: readonly Trouble[]
  readonly edge?: boolean
  /** Adds a Masakari that watches the compute nodes of demo-plain, one failover segment for each zone. */
  readonly masakari?: boolean
  readonly mosk?: MoskOptions
  readonly sunbeam?: SunbeamOptions
}

/** The embedded clouds, which run until they are stopped. */
export interface DemoClouds extends StartedClouds {
  readonly kubernetes: KubernetesSimulator
  readonly openstack: OpenStackSimulator
  readonly mosk: MoskCloud | null
  readonly sunbeam: SunbeamCloud | null
}

/** Starts demo-plain and the other requested clouds. */
export async function startDemoClouds(options: DemoCloudsOptions): Promise<DemoClouds> {
  const { clock, directory, speed = 1 } = options
  const release = options.release === undefined ? {} : { release: options.release }
  const started: DemoCloud[] = []
  const ending = new AbortController()
  const underWay: Promise<void>[] = []
  const stop = async () => {
    ending.abort()
    await Promise.all([...started.map(cloud => cloud.stop()), ...underWay])
  }
  const start = async (scenario: Scenario, folder: string, production: boolean): Promise<DemoCloud> => {
    const cloud = await startDemoCloud(scenario, { clock, directory: folder, speed, production, ...release })
    started.push(cloud)
    return cloud
  }
  try {
    const plain = await start(demoPlain({ masakari: options.masakari === true }), directory, false)
    for (const played of options.play ?? []) {
      const continues = playSituation(played, { ...plain, clock, speed, signal: ending.signal })
      if (continues !== null) underWay.push(continues)
    }
    if (options.edge === true) await start(demoEdge(), join(directory, 'edge'), true)
    const mosk =
      options.mosk === undefined
        ? null
        : await startMosk({ clock, directory: join(directory, 'mosk'), speed, ...release }, options.mosk)
    if (mosk !== null) started.push(mosk)
    const sunbeam =
      options.sunbeam === undefined
        ? null
        : await startSunbeam({ clock, directory: join(directory, 'sunbeam'), speed, ...release }, options.sunbeam)
    if (sunbeam !== null) started.push(sunbeam)
    const { kubernetes, openstack } = plain
    const troubles = createTroubles(plain, mosk, speed)
    for (const name of options.troubles ?? []) troubles.set(name, true)
    return { clusters: started.map(({ cluster }) => cluster), troubles, kubernetes, openstack, mosk, sunbeam, stop }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}
