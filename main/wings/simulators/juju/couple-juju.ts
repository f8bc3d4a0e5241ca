import type { Clock } from '../../../platform/clock/clock.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { listAt, textAt } from '../kubernetes/store/json.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import type { JujuSimulator } from './juju-simulator.ts'

const LOOK_MS = 200

/** Makes Juju follow Kubernetes until `signal` aborts: a machine's agent answers while its node is ready, a controller that runs in a pod while the pod is ready. */
export async function coupleJuju(
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
        pass(`agent ${name}`, isReady(node), answers => juju.faults.setAgentLost(name, !answers))
      }
      const running = kubernetes.objects.list('Pod', controllerNamespace).some(isReady)
      // A controller also answers before its pod is ready for the first time, while the cloud starts.
      hadController ||= running
      if (hadController) pass('controller', running, answers => juju.faults.setReachable(answers))
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

/** True if condition Ready is True and the object is not being deleted. */
function isReady(object: Stored<'Node'> | Stored<'Pod'>): boolean {
  const ready = listAt(object, 'status', 'conditions').find(each => textAt(each, 'type') === 'Ready')
  return textAt(ready, 'status') === 'True' && object.metadata.deletionTimestamp === undefined
}
