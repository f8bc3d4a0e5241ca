import { seconds } from '../../shared/domain/durations.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { KubernetesPort } from '../ports/kubernetes.ts'
import type { ClusterFacts } from './facts.ts'

/** A maintenance by others lasts minutes to days, and each reading lists up to three kinds completely. */
const EVERY_MS = seconds(30)
/** The right to list these kinds rarely appears within minutes, and every attempt is in the cluster's audit log. */
const REFUSED_MS = seconds(300)

/** Keeps the maintenances by other programs current until the signal aborts. */
export async function pollForeign(polling: {
  readonly kubernetes: Pick<KubernetesPort, 'listForeignMaintenances'>
  readonly facts: Pick<ClusterFacts, 'putForeign'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onChange: () => void
}): Promise<void> {
  const { kubernetes, facts, clock, signal, onChange } = polling
  while (!signal.aborted) {
    const read = await kubernetes.listForeignMaintenances(signal)
    if (signal.aborted) return
    // The last answer stays valid while Kubernetes is silent, which the map shows by the age of its nodes.
    if (read.ok && facts.putForeign(read.value.found)) onChange()
    const isRefused = read.ok && read.value.unread.some(({ code }) => code === 'not-permitted')
    await clock.sleep(isRefused ? REFUSED_MS : EVERY_MS, signal)
  }
}
