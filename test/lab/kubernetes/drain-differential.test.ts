import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { KubernetesPort } from '../../../main/ports/kubernetes.ts'
import type { DrainOptions, DrainPlan } from '../../../shared/domain/kubernetes.ts'
import { labNamespace, labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'

/**
 * Compares our plan with the decision of this machine's kubectl for the same pods of the real lab. Everything is in a
 * separate namespace on one node and is removed afterwards; the test cordons and evicts nothing. It omits DaemonSets
 * of other groups: kubectl 1.32 recognizes them by their kind alone, newer ones (docs/drain.md 5.2) and we do not.
 */
const NODE = 'cmp-4'
const NAMESPACE = `drain-differential-${process.pid}`
const run = promisify(execFile)

let session: KubernetesSession
let port: KubernetesPort

async function kubectl(...args: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
  try {
    const { stdout, stderr } = await run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, ...args])
    return { out: stdout, err: stderr }
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    return { out: stdout, err: stderr }
  }
}

beforeAll(async () => {
  session = await labSession(LAB_KUBECONFIG)
  port = createKubernetesPort({ session, leaseNamespace: NAMESPACE, clock: systemClock, log: silentLogger })
  await labNamespace(session, NAMESPACE)
})

afterAll(async () => {
  await removeAll()
  await kubectl('delete', 'namespace', NAMESPACE, '--wait=false')
  session.close()
})

/** Creates an object; the answer's HTTP status is handed back, because the server may refuse some on purpose. */
async function post(path: string, body: unknown): Promise<number> {
  const answer = await session.exchange({ method: 'POST', path, body })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.status
}

async function removeAll(): Promise<void> {
  const folder = `/api/v1/namespaces/${NAMESPACE}/pods`
  const pods = await port.listPods(NAMESPACE)
  if (!pods.ok) throw new Error(pods.failure.message)
  for (const { name } of pods.value) {
    // The finalizer of `terminating` pods is ours.
    const contentType = 'application/merge-patch+json'
    await session.exchange({
      method: 'PATCH',
      path: `${folder}/${name}`,
      contentType,
      body: { metadata: { finalizers: null } },
    })
    await session.exchange({ method: 'DELETE', path: `${folder}/${name}`, body: { gracePeriodSeconds: 0 } })
  }
  const budgets = `/apis/policy/v1beta1/namespaces/${NAMESPACE}/poddisruptionbudgets`
  await session.exchange({ method: 'DELETE', path: budgets })
  await session.exchange({ method: 'DELETE', path: `/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets` })
  const giveUpAt = Date.now() + 60_000
  for (;;) {
    const left = await port.listPods(NAMESPACE)
    if (left.ok && left.value.length === 0) return
    if (Date.now() > giveUpAt) throw new Error('The pods of the test do not go away')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** What a generated pod is. */
interface PodIdea {
  readonly owner: 'none' | 'replicaset' | 'job' | 'daemonset' | 'lost-daemonset' | 'node'
  readonly emptyDir: boolean
  readonly mirror: boolean
  readonly phase: 'Running' | 'Succeeded' | 'Failed' | 'Pending'
  readonly terminating: boolean
  readonly budget: boolean
}

const OWNERS = {
  replicaset: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs' },
  job: { apiVersion: 'batch/v1', kind: 'Job', name: 'job' },
  daemonset: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'ds' },
  'lost-daemonset': { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'lost' },
  node: { apiVersion: 'v1', kind: 'Node', name: NODE },
} as const

const podIdea: fc.Arbitrary<PodIdea> = fc.record({
  owner: fc.constantFrom('none', 'replicaset', 'job', 'daemonset', 'lost-daemonset', 'node'),
  emptyDir: fc.boolean(),
  mirror: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  phase: fc.constantFrom('Running', 'Succeeded', 'Failed', 'Pending'),
  terminating: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  budget: fc.boolean(),
})

/** A DaemonSet that selects no node, so its controller creates no pods and deletes none of the test's. */
const DAEMON_SET = {
  metadata: { name: 'ds' },
  spec: {
    selector: { matchLabels: { daemon: 'ds' } },
    template: {
      metadata: { labels: { daemon: 'ds' } },
      spec: { nodeSelector: { nowhere: 'x' }, containers: [{ name: 'c', image: 'busybox' }] },
    },
  },
}
const BUDGET = {
  metadata: { name: 'guard' },
  spec: { minAvailable: 100, selector: { matchLabels: { guarded: 'yes' } } },
}

/** Makes the pods of a round; answers how many the server refused. */
async function make(ideas: readonly PodIdea[]): Promise<number> {
  await post(`/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets`, DAEMON_SET)
  await post(`/apis/policy/v1beta1/namespaces/${NAMESPACE}/poddisruptionbudgets`, BUDGET)
  const found = await session.request({ method: 'GET', path: `/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets/ds` })
  if (!found.ok) throw new Error(found.failure.message)
  const { uid } = (found.value as { readonly metadata: { readonly uid: string } }).metadata
  const folder = `/api/v1/namespaces/${NAMESPACE}/pods`
  let refused = 0
  for (const [index, idea] of ideas.entries()) {
    const name = `p${index}`
    // Pods of owners that do not exist are collected as garbage: the finalizer keeps them, as terminating pods.
    const owner = idea.owner === 'none' ? null : OWNERS[idea.owner]
    const code = await post(folder, {
      metadata: {
        name,
        labels: {
          ...(idea.budget ? { guarded: 'yes' } : {}),
          // Without this label the DaemonSet's controller would release the pod.
          ...(idea.owner === 'daemonset' ? { daemon: 'ds' } : {}),
        },
        annotations: idea.mirror ? { 'kubernetes.io/config.mirror': 'x' } : {},
        finalizers: ['lockkeeper.dev/test'],
        ownerReferences:
          owner === null
            ? []
            : [
                {
                  ...owner,
                  controller: true,
                  uid: idea.owner === 'daemonset' ? uid : `00000000-0000-4000-8000-0000000000${10 + index}`,
                },
              ],
      },
      spec: {
        nodeName: NODE,
        containers: [{ name: 'c', image: 'busybox' }],
        volumes: idea.emptyDir ? [{ name: 'scratch', emptyDir: {} }] : [],
      },
    })
    if (code > 299) {
      refused += 1
      continue
    }
    await session.exchange({
      method: 'PATCH',
      path: `${folder}/${name}/status`,
      contentType: 'application/merge-patch+json',
      body: { status: { phase: idea.phase } },
    })
    if (idea.terminating) {
      await session.exchange({ method: 'DELETE', path: `${folder}/${name}`, body: { gracePeriodSeconds: 3600 } })
    }
  }
  return refused
}

function flagsOf(options: DrainOptions): readonly string[] {
  return [
    ...(options.force ? ['--force'] : []),
    ...(options.ignoreDaemonSets ? ['--ignore-daemonsets'] : []),
    ...(options.deleteEmptyDirData ? ['--delete-emptydir-data'] : []),
  ]
}

/** What kubectl decides for the pods of our namespace: those it would evict, and its error groups. */
async function kubectlDecides(options: DrainOptions) {
  const { out, err } = await kubectl('drain', NODE, '--dry-run=client', ...flagsOf(options))
  const leaving = [...out.matchAll(/evicting pod (\S+)|pod\/(\S+) (?:evicted|deleted)|Would evict pod (\S+)/g)]
    .map(([, one, , two]) => one ?? two ?? '')
    .filter(name => name.startsWith(`${NAMESPACE}/`))
  // kubectl 1.32 says "cannot delete" twice before one of its reasons.
  const said = `${out}\n${err}`.replaceAll('cannot delete cannot delete', 'cannot delete')
  const groups = [...said.matchAll(/cannot delete (.+?): ((?:[\w.-]+\/[\w.-]+(?:, )?)+)/g)].flatMap(
    ([, reason = '', names = '']) => ours(reason, names.split(', ')),
  )
  return { leaving: [...new Set(leaving)].sort(), groups: [...new Set(groups)].sort(), text: `${out}\n${err}` }
}

function weDecide(plan: DrainPlan) {
  const names = plan.decisions
    .filter(({ pod, fate }) => pod.namespace === NAMESPACE && (fate === 'evict' || fate === 'delete'))
    .map(({ pod }) => `${pod.namespace}/${pod.name}`)
  const groups = plan.decisions
    .filter(({ fate }) => fate === 'block')
    .flatMap(({ pod, reason }) => ours(reason, [`${pod.namespace}/${pod.name}`]))
  return { leaving: names.sort(), groups: groups.sort() }
}

const ours = (reason: string, names: readonly string[]) =>
  names.filter(name => name.startsWith(`${NAMESPACE}/`)).map(name => `${reason}: ${name.replace(/,$/, '')}`)

const DEFAULTS: DrainOptions = {
  force: false,
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}
const CHOICES = [false, true].flatMap(force =>
  [false, true].flatMap(ignoreDaemonSets =>
    [false, true].map(deleteEmptyDirData => ({ ...DEFAULTS, force, ignoreDaemonSets, deleteEmptyDirData })),
  ),
)
const ROUNDS = fc
  .sample(fc.array(podIdea, { minLength: 10, maxLength: 14 }), { seed: 20_261_121, numRuns: 5 })
  .map((ideas, round) => ({ ideas, round }))

/**
 * Makes both decisions over the same pods. Kubelets and the garbage collector keep working, so a world that changed
 * in between is read again.
 */
async function decideBoth(options: DrainOptions) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const before = await versions()
    const plan = await port.planDrain(NODE, options, { dryRun: false })
    if (!plan.ok) throw new Error(plan.failure.message)
    const theirs = await kubectlDecides(options)
    if ((await versions()) === before) return { plan: plan.value, theirs }
  }
  throw new Error('The pods of the node never stayed the same for the time of one comparison')
}

async function versions(): Promise<string> {
  const pods = await port.listPodsOnNode(NODE)
  if (!pods.ok) throw new Error(pods.failure.message)
  return pods.value
    .map(({ uid, resourceVersion }) => `${uid}@${resourceVersion}`)
    .sort()
    .join()
}

describe('our plan is what kubectl drain --dry-run=client decides', () => {
  test.each(ROUNDS)('generated pods, round $round, under every choice of options', async ({ ideas }) => {
    await removeAll()
    const refused = await make(ideas)
    // Only mirror pods may be refused: a server may keep them to its kubelets.
    expect(refused).toBeLessThanOrEqual(ideas.filter(({ mirror }) => mirror).length)
    const seen = { blocked: 0, free: 0 }
    for (const options of CHOICES) {
      const { plan, theirs } = await decideBoth(options)
      const mine = weDecide(plan)
      expect(mine.groups, theirs.text).toEqual(theirs.groups)
      const isBlocked = plan.blockers.length > 0
      expect(isBlocked, theirs.text).toBe(theirs.text.includes('unable to drain node'))
      // kubectl names those it would evict only when nothing blocks.
      if (!isBlocked) expect(mine.leaving, theirs.text).toEqual(theirs.leaving)
      seen[isBlocked ? 'blocked' : 'free'] += 1
    }
    expect(seen.blocked).toBeGreaterThan(0)
    console.info(`${ideas.length - refused} pods, ${refused} refused by the server; choices:`, seen)
  })
})
