import { type Cluster, cephAccessOf } from '../../../shared/domain/cluster.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import { fitsSelector } from '../../../shared/domain/label-selector.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { CephPort } from '../../ports/ceph.ts'
import type { ClusterFacts } from './facts.ts'
import { type Attention, pauseUntilDue, readEveryMs } from './pace.ts'

/** How often Ceph is polled during a run: Juju's controller stores each query, so less often. */
const BUSY_MS = { toolbox: seconds(3), microceph: seconds(5) } as const
/** How often it is polled while a node is out of service. */
const WATCHFUL_MS = seconds(15)
/** The toolbox is searched among the pods, which arrive in a moment. */
const UNTIL_PODS_MS = seconds(1)
/** The right to run commands in the toolbox rarely appears within minutes, and every attempt is in the cluster's audit log. */
const REFUSED_MS = seconds(300)

/** Keeps the nodes' OSDs current until the signal aborts. A cluster without a visible toolbox pod is not polled, unless its Ceph is MicroCeph. */
export async function pollOsds(polling: {
  readonly ceph: Pick<CephPort, 'osds'>
  readonly cluster: Pick<Cluster, 'flavour' | 'roleMaintenance' | 'maintenanceApi'>
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly attention: () => Attention
  readonly woken: () => AbortSignal
  readonly onChange: () => void
  /** OSDs arrived, requested at this moment of the monotonic clock. */
  readonly onRead: (askedAtMs: number) => void
}): Promise<void> {
  const { ceph, cluster, facts, clock, signal } = polling
  const { cephNamespace, cephToolbox } = cluster.maintenanceApi
  const hasToolbox = () =>
    [...facts.podsOn.values()].some(pods =>
      [...pods.values()].some(pod => pod.namespace === cephNamespace && fitsSelector(pod.labels, cephToolbox)),
    )
  // MicroCeph needs a known Juju controller.
  const mayAsk = () => (cephAccessOf(cluster) === 'microceph' ? cluster.roleMaintenance.juju !== null : hasToolbox())
  const everyMs = () => {
    const attention = polling.attention()
    if (attention.kind === 'busy') return BUSY_MS[cephAccessOf(cluster) === 'microceph' ? 'microceph' : 'toolbox']
    const isWatchful = attention.kind === 'shown' && [...facts.nodes.values()].some(node => node.unschedulable)
    return isWatchful ? WATCHFUL_MS : readEveryMs('osds', attention)
  }
  while (!signal.aborted) {
    const readFrom = clock.monotonicMs()
    const read = mayAsk() ? await ceph.osds(signal) : null
    if (signal.aborted) return
    // The last answer stays valid while Ceph is silent: OSDs do not move to other nodes alone.
    const news = read?.ok ? facts.putOsds(read.value) : facts.cephIsSilent()
    if (read?.ok) polling.onRead(readFrom)
    if (news) polling.onChange()
    const refused = read !== null && !read.ok && read.failure.code === 'not-permitted'
    const knewPods = facts.has('pods')
    await pauseUntilDue(polling, () => (refused ? REFUSED_MS : knewPods ? everyMs() : UNTIL_PODS_MS))
  }
}
