import type { Clock } from '../../../platform/clock/clock.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { isServing } from '../kubernetes/simulated-objects.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import type { CephSimulator } from './ceph-simulator.ts'

const LOOK_MS = 200

/** The label that Rook sets on an OSD's pod. */
const OSD_LABEL = 'ceph-osd-id'

/** Makes Ceph follow Kubernetes until `signal` aborts: OSDs run while their node (and under Rook their pod) is ready, monitors while their node is. */
export async function coupleCeph(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects' | 'onExec'>,
  ceph: CephSimulator,
  more: {
    /** The namespace in which Rook runs Ceph; null if Ceph does not run in pods. */
    readonly rook: { readonly namespace: string; readonly toolbox: Readonly<Record<string, string>> } | null
    readonly isStopped?: (host: string) => boolean
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { rook, signal } = more
  if (rook !== null) kubernetes.onExec(rook.namespace, rook.toolbox, ceph.command)
  const withPods = new Set<string>()
  const reported = new Map<string, boolean>()
  const pass = (key: string, now: boolean, report: (now: boolean) => void) => {
    // Only changes are passed on, so an OSD that a test stopped stays down.
    if ((reported.get(key) ?? true) !== now) report(now)
    reported.set(key, now)
  }
  let revision = -1
  while (!signal.aborted) {
    if (kubernetes.objects.revision() !== revision) {
      revision = kubernetes.objects.revision()
      const nodes = new Map(kubernetes.objects.list('Node').map(node => [node.metadata.name, isServing(node)]))
      const pods =
        rook === null ? [] : kubernetes.objects.list('Pod', rook.namespace).filter(pod => osdOf(pod) !== null)
      for (const pod of pods) withPods.add(osdOf(pod) ?? '')
      const running = new Set(pods.filter(isServing).map(osdOf))
      for (const { id, host } of ceph.osds()) {
        const podRuns = !withPods.has(String(id)) || running.has(String(id))
        // A snap keeps running when the Node object is deleted; Rook's pods do not.
        const machineRuns = nodes.get(host) ?? rook === null
        pass(`osd ${id}`, machineRuns && podRuns, up => {
          if (!up || more.isStopped?.(host) !== true) ceph.setOsdUp(id, up)
        })
      }
      for (const [name, ready] of nodes) pass(`mons ${name}`, ready, up => ceph.setMonsUp(name, up))
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

function osdOf(pod: Stored<'Pod'>): string | null {
  return pod.metadata.labels?.[OSD_LABEL] ?? null
}
