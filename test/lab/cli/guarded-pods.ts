import { apply, kubectl } from './referees.ts'

const LABELS = { app: 'guarded' }

/**
 * Two pods on one node, guarded by the budget `guarded` that lets one at a time go. They may live only where the label with the
 * namespace's name is: first on the node alone, then on the spare one too.
 */
export async function guardedPods(namespace: string, node: string, spare: string): Promise<void> {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await apply({
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace, name: 'guarded' },
    spec: { minAvailable: 1, selector: { matchLabels: LABELS } },
  })
  await kubectl('label', 'node', node, `${namespace}=here`)
  await apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'guarded' },
    spec: {
      replicas: 2,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          terminationGracePeriodSeconds: 1,
          nodeSelector: { [namespace]: 'here' },
          containers: [{ name: 'main', image: 'lab/none' }],
        },
      },
    },
  })
  await kubectl('rollout', 'status', 'deployment/guarded', '-n', namespace, '--timeout=150s')
  await kubectl('label', 'node', spare, `${namespace}=here`)
  await untilBudgetAllows(namespace, 1)
}

/** Waits until the budget's controller has seen how many pods may go. */
export async function untilBudgetAllows(namespace: string, pods: number): Promise<void> {
  const allowed = `--for=jsonpath={.status.disruptionsAllowed}=${pods}`
  await kubectl('wait', 'pdb/guarded', '-n', namespace, allowed, '--timeout=150s')
}

/** Takes the guarded pods and the labels of their nodes away. */
export async function removeGuardedPods(namespace: string): Promise<void> {
  await kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--wait=false')
  await kubectl('label', 'node', '-l', namespace, `${namespace}-`)
}
