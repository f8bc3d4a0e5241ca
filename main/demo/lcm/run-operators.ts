import type { Clock } from '../../clock/clock.ts'
import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { reportDeploymentHealth } from './deployment-health.ts'
import { keepOsdBudgets } from './rook-budgets.ts'

/** How often they look. */
const LOOK_MS = 250

/** The operators of a MOSK cluster that are no part of its node maintenance, until the signal aborts: Rockoon's health report, Rook's budgets. */
export async function runOperators(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  ceph: CephSimulator,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    reportDeploymentHealth(kubernetes)
    keepOsdBudgets(kubernetes, ceph)
    await clock.sleep(LOOK_MS, signal)
  }
}
