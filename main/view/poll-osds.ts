import type { Cluster } from '../../shared/domain/cluster.ts'
import { seconds } from '../../shared/domain/durations.ts'
import { fitsSelector } from '../../shared/domain/label-selector.ts'
import { cephAccessOf } from '../../shared/domain/role-maintenance.ts'
import type { Clock } from '../clock/clock.ts'
import type { CephPort } from '../maintenance/ports.ts'
import type { ClusterFacts } from './facts.ts'

const EVERY_MS = seconds(15)
/** The toolbox is looked for among the pods, which come in a moment. */
const UNTIL_PODS_MS = seconds(1)
/** Who may not run commands in the toolbox will hardly be allowed to a moment later; every try is in the cluster's audit log. */
const REFUSED_MS = seconds(300)

/** Keeps the OSDs of the nodes known until the signal aborts. A cluster in which no toolbox pod is seen is not asked at all, unless
 * its Ceph is MicroCeph. */
export async function pollOsds(polling: {
  readonly ceph: Pick<CephPort, 'osds'>
  readonly cluster: Pick<Cluster, 'flavour' | 'roleMaintenance' | 'maintenanceApi'>
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onChange: () => void
}): Promise<void> {
  const { ceph, cluster, facts, clock, signal } = polling
  const { cephNamespace, cephToolbox } = cluster.maintenanceApi
  const hasToolbox = () =>
    [...facts.podsOn.values()].some(pods =>
      [...pods.values()].some(pod => pod.namespace === cephNamespace && fitsSelector(pod.labels, cephToolbox)),
    )
  // MicroCeph is asked by Juju, or not at all where no controller is known.
  const mayAsk = () => (cephAccessOf(cluster) === 'microceph' ? cluster.roleMaintenance.juju !== null : hasToolbox())
  while (!signal.aborted) {
    const read = mayAsk() ? await ceph.osds(signal) : null
    if (signal.aborted) return
    // What was known stays known while Ceph is silent: OSDs do not move to other nodes by themselves.
    const news = read?.ok ? facts.putOsds(read.value) : facts.cephIsSilent()
    if (news) polling.onChange()
    const refused = read !== null && !read.ok && read.failure.code === 'not-permitted'
    await clock.sleep(refused ? REFUSED_MS : facts.has('pods') ? EVERY_MS : UNTIL_PODS_MS, signal)
  }
}
