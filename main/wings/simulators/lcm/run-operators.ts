import type { Clock } from '../../../platform/clock/clock.ts'
import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { createBundleOperator } from './application-bundles.ts'
import { reportDeploymentHealth } from './deployment-health.ts'
import { keepOsdBudgets } from './rook-budgets.ts'

const LOOK_MS = 250

/** Runs the operators of a MOSK cluster outside node maintenance until the signal aborts: Rockoon's health report, Rook's budgets, application updates. */
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
