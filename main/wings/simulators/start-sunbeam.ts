import { join } from 'node:path'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { createMicroCeph, type MicroCeph } from './ceph/microceph.ts'
import { type DemoCloud, type DemoCloudOptions, startDemoCloud } from './demo-cloud.ts'
import { type JujuSimulator, startJujuSimulator } from './juju/juju-simulator.ts'
import { type SunbeamMachines, sunbeamMachines, sunbeamWorld } from './juju/sunbeam-world.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { isServing } from './kubernetes/simulated-objects.ts'
import { demoSunbeam, type SunbeamVariant } from './scenarios/demo-sunbeam.ts'
import { JUJU_CONTROLLER, JUJU_NAMESPACE, STORAGE_ONLY, SUNBEAM_NODES } from './scenarios/demo-sunbeam-names.ts'

export type SunbeamOptions = SunbeamVariant

/** demo-sunbeam with its Juju controller and MicroCeph. */
export interface SunbeamCloud extends DemoCloud {
  readonly juju: JujuSimulator
  readonly machines: SunbeamMachines
}

/** Starts demo-sunbeam: both sides of the cloud with Watcher, MicroCeph and MicroOVN, and the Juju controller that operates its machines. */
export async function startSunbeam(
  place: Pick<DemoCloudOptions, 'clock' | 'directory' | 'speed' | 'release'>,
  options: SunbeamOptions,
): Promise<SunbeamCloud> {
  const { clock, directory } = place
  let stopped: MicroCeph['isStopped'] = () => false
  const cloud = await startDemoCloud(demoSunbeam(options), {
    ...place,
    production: false,
    isStopped: host => stopped(host),
  })
  const { kubernetes, openstack, ceph } = cloud
  if (ceph === null) throw new Error('demo-sunbeam has Ceph')
  const ending = new AbortController()
  const microceph = createMicroCeph(ceph, SUNBEAM_NODES)
  stopped = microceph.isStopped
  const machines = sunbeamMachines(SUNBEAM_NODES)
  const world = sunbeamWorld({
    hosts: SUNBEAM_NODES,
    storageOnly: options.storageOnly === true ? [STORAGE_ONLY] : [],
    machines,
    ceph,
    microceph,
    onOvn: host => openstack.faults.setAgentsAlive(host, machines.ovn.get(host)?.has('chassis') === true),
  })
  const juju = await startJujuSimulator({ clock, world, name: JUJU_CONTROLLER }).catch(async (thrown: unknown) => {
    await cloud.stop()
    throw thrown
  })
  const coupled = coupleJuju(clock, kubernetes, juju, {
    controllerNamespace: JUJU_NAMESPACE,
    signal: ending.signal,
  })
  const files = join(directory, 'juju')
  juju.writeClientFiles(files)
  return {
    ...cloud,
    cluster: {
      ...cloud.cluster,
      roleMaintenance: {
        ...DEFAULT_ROLE_MAINTENANCE,
        // Only two of three monitors remain besides the node's own: the seed's rule wants three, MicroCeph 19 a majority.
        cephServicesRule: 'by-version',
        juju: { kind: 'client-files', directory: files, controller: juju.name, model: juju.model },
      },
    },
    juju,
    machines,
    stop: async () => {
      ending.abort()
      await coupled
      await juju.stop()
      await cloud.stop()
    },
  }
}

const LOOK_MS = 200

/** Makes Juju follow Kubernetes until `signal` aborts: an agent answers while its node is ready, a controller in a pod while the pod is ready. */
async function coupleJuju(
  clock: Clock,
  kubernetes: KubernetesSimulator,
  juju: JujuSimulator,
  { controllerNamespace, signal }: { readonly controllerNamespace: string; readonly signal: AbortSignal },
): Promise<void> {
  const reported = new Map<string, boolean>()
  const pass = (key: string, now: boolean, report: (now: boolean) => void) => {
    // Only changes are passed on, so a state that a test set stays.
    if ((reported.get(key) ?? true) !== now) report(now)
    reported.set(key, now)
  }
  let hadController = false
  let revision = -1
  while (!signal.aborted) {
    if (kubernetes.objects.revision() !== revision) {
      revision = kubernetes.objects.revision()
      for (const node of kubernetes.objects.list('Node')) {
        const { name } = node.metadata
        pass(`agent ${name}`, isServing(node), answers => juju.faults.setAgentLost(name, !answers))
      }
      const running = kubernetes.objects.list('Pod', controllerNamespace).some(isServing)
      // A controller also answers before its pod is ready for the first time, while the cloud starts.
      hadController ||= running
      if (hadController) pass('controller', running, answers => juju.faults.setReachable(answers))
    }
    await clock.sleep(LOOK_MS, signal)
  }
}
