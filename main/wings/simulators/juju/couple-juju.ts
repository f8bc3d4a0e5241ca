import type { Clock } from '../../../platform/clock/clock.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { listAt, textAt } from '../kubernetes/store/json.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import type { JujuSimulator } from './juju-simulator.ts'

/** How often the Kubernetes side is looked at. */
const LOOK_MS = 200

/**
 * Makes Juju follow Kubernetes: the agent of a machine answers while its node is ready, and the controller while its pod is where it has one.
 * Ends when `signal` aborts.
 */
export async function coupleJuju(
  clock: Clock,
  kubernetes: KubernetesSimulator,
  juju: JujuSimulator,
  { controllerNamespace, signal }: { readonly controllerNamespace: string; readonly signal: AbortSignal },
): Promise<void> {
  const reported = new Map<string, boolean>()
  const pass = (key: string, now: boolean, report: (now: boolean) => void) => {
    // Only changes are passed on, so that what a test set by hand stays.
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
        pass(`agent ${name}`, isReady(node), answers => juju.faults.setAgentLost(name, !answers))
      }
      const running = kubernetes.objects.list('Pod', controllerNamespace).some(isReady)
      // Until its pod is up for the first time it answers as well: the cloud has only been started.
      hadController ||= running
      if (hadController) pass('controller', running, answers => juju.faults.setReachable(answers))
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Condition Ready is True and deletion was not asked for. */
function isReady(object: Stored<'Node'> | Stored<'Pod'>): boolean {
  const ready = listAt(object, 'status', 'conditions').find(each => textAt(each, 'type') === 'Ready')
  return textAt(ready, 'status') === 'True' && object.metadata.deletionTimestamp === undefined
}
