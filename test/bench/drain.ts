import { createKubernetesPort } from '../../main/adapters/kubernetes/kubernetes-port.ts'
import { readPod } from '../../main/adapters/kubernetes/read-pod.ts'
import { PODS as POD_TYPE } from '../../main/adapters/kubernetes/resource-types.ts'
import { watchResource } from '../../main/adapters/kubernetes/watch.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import type { Result } from '../../shared/domain/result.ts'
import { labSession } from '../fixtures/kubernetes/lab-session.ts'
import { LAB_KUBECONFIG } from '../lab/lab-places.ts'
import { apply, kubectl } from './lab-kubectl.ts'
import { median } from './median.ts'

/**
 * Draining 50 pods of one lab node, by us and by `kubectl drain`, in turn, each time with all pods running again. Prints the wall times,
 * and how long each took to return after a separate watch saw the last pod go. Needs the lab (`npm run lab:up`).
 */
const NODE = 'cmp-4'
const PODS = 50
const ROUNDS = 3
const NAMESPACE = `bench-drain-${process.pid}`
const OPTIONS = {
  force: true,
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 300_000,
}

const session = await labSession(LAB_KUBECONFIG)
const port = createKubernetesPort({ session, leaseNamespace: NAMESPACE, clock: systemClock, log: silentLogger })
const watching = new AbortController()
let lastRemovalAt = 0
const watched = watchResource({
  session,
  collection: { type: POD_TYPE, namespace: null },
  fieldSelector: `spec.nodeName=${NODE}`,
  parse: readPod,
  onChange: (_upserts, removals) => {
    if (removals.length > 0) lastRemovalAt = performance.now()
  },
  onState: () => {},
  clock: systemClock,
  signal: watching.signal,
})

const ours: number[] = []
const theirs: number[] = []
try {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  await apply(deployment())
  for (let round = 1; round <= ROUNDS; round += 1) {
    ours.push(await measure(`${round}. ours   `, drainByUs))
    theirs.push(await measure(`${round}. kubectl`, drainByKubectl))
  }
  const [our, their] = [median(ours), median(theirs)]
  console.log(
    `drain of ${PODS} pods: median ours ${seconds(our)}, kubectl ${seconds(their)}, ratio ${(our / their).toFixed(2)} (aim: at most 1.0)`,
  )
} finally {
  await kubectl('uncordon', NODE)
  await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false')
  watching.abort()
  await watched
  session.close()
}

async function measure(who: string, drain: () => Promise<string>): Promise<number> {
  await kubectl('uncordon', NODE)
  await kubectl('rollout', 'status', 'deployment/bench', '-n', NAMESPACE, '--timeout=120s')
  const began = performance.now()
  const said = await drain()
  const ended = performance.now()
  const afterLast = ended - lastRemovalAt
  console.log(
    `${who} ${seconds(ended - began)}, returned ${afterLast.toFixed(0)} ms after the last pod was gone; ${said}`,
  )
  return ended - began
}

/** Cordons and drains, as the command does. */
async function drainByUs(): Promise<string> {
  value(await port.setUnschedulable(NODE, true))
  let refused = 0
  let accepted = 0
  const began = performance.now()
  let acceptedAt = began
  const outcome = await port.drain(NODE, OPTIONS, {
    onFact: fact => {
      if (fact.kind === 'pod.eviction-refused') refused += 1
      if (fact.kind !== 'pod.eviction-accepted') return
      accepted += 1
      acceptedAt = performance.now()
    },
    requestedBefore: new Set(),
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'drained') throw new Error(`not drained: ${JSON.stringify(outcome)}`)
  return `${outcome.left.length} pods left; ${accepted} evictions accepted within ${seconds(acceptedAt - began)}, ${refused} refused`
}

async function drainByKubectl(): Promise<string> {
  const said = await kubectl('drain', NODE, '--ignore-daemonsets', '--delete-emptydir-data', '--force')
  return `${said.match(/^pod\/.* evicted$/gm)?.length ?? 0} pods evicted`
}

function deployment(): unknown {
  const labels = { app: 'bench' }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: NAMESPACE, name: 'bench' },
    spec: {
      replicas: PODS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          nodeSelector: { 'kubernetes.io/hostname': NODE },
          containers: [{ name: 'main', image: 'lab/none' }],
        },
      },
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}
