import type { Clock } from '../../../platform/clock/clock.ts'
import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { createBundleOperator } from './application-bundles.ts'
import { reportDeploymentHealth } from './deployment-health.ts'
import { keepOsdBudgets } from './rook-budgets.ts'

/** How often they look. */
const LOOK_MS = 250

/** The operators of a MOSK cluster that are no part of its node maintenance, until the signal aborts: Rockoon's health report, Rook's budgets, updates of applications. */
export async function runOperators(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  ceph: CephSimulator,
  signal: AbortSignal,
  speed = 1,
): Promise<void> {
  const deployBundles = createBundleOperator(clock, kubernetes, ceph, speed)
  while (!signal.aborted) {
    reportDeploymentHealth(kubernetes)
    keepOsdBudgets(kubernetes, ceph)
    deployBundles()
    await clock.sleep(LOOK_MS, signal)
  }
}
