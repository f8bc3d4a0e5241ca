import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { createMaintenanceRuns } from '../../../main/wings/runner/kubernetes/maintenance-runs.ts'
import { manifestsText, runnerManifests } from '../../../main/wings/runner/manifests/runner-manifests.ts'
import type { MaintenanceRunsPort } from '../../../main/wings/runner/ports/maintenance-runs.ts'
import { MaintenanceRunStatus } from '../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { type MaintenanceRunsTarget, maintenanceRunsContract, SPEC } from '../../contract/maintenance-runs-contract.ts'
import { failureOf, until, value } from '../../contract/target.ts'
import { labNamespace, labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'

const NAMESPACE = `lockkeeper-contract-${process.pid}`
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:lockkeeper-runner`
const SUBMITTER = 'contract-submitter'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-runs-'))
const kubectl = (...words: readonly string[]): string =>
  execFileSync('kubectl', ['--kubeconfig', LAB_KUBECONFIG, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const may = (who: string, verb: string, what: string, namespace = NAMESPACE): string => {
  try {
    const [resource = '', subresource = ''] = what.split(':')
    return kubectl('auth', 'can-i', verb, resource, `--subresource=${subresource}`, '--as', who, '-n', namespace).trim()
  } catch (error) {
    // "no" is exit code 1.
    return String((error as { readonly stdout: string }).stdout).trim()
  }
}

let target: MaintenanceRunsTarget
let minor: number
/** The same cluster as a user who may submit, and nothing else. */
let asSubmitter: MaintenanceRunsPort
let manifests: string
const closing: (() => void)[] = []

beforeAll(async () => {
  const session = await labSession(LAB_KUBECONFIG)
  closing.push(() => session.close())
  minor = Number(/^v1\.(\d+)/.exec(value(await session.version()).gitVersion)?.[1])
  target = { session, namespace: NAMESPACE, hasRules: minor >= 25, user: minor >= 28 ? 'admin' : null }
  await labNamespace(session, NAMESPACE)
  manifests = join(directory, 'runner.yaml')
  const install = {
    namespace: NAMESPACE,
    image: 'lockkeeper:lab',
    replicas: 1,
    minor,
    admission: false,
    isVolumeElsewhere: false,
  }
  writeFileSync(manifests, manifestsText(runnerManifests(install)))
  kubectl('apply', '-f', manifests)
  kubectl('create', 'rolebinding', SUBMITTER, '--role', 'lockkeeper-submitter', '--user', SUBMITTER, '-n', NAMESPACE)
  const config = parse(readFileSync(LAB_KUBECONFIG, 'utf8')) as { users: { user: object }[] }
  const path = join(directory, 'submitter.kubeconfig')
  const users = config.users.map(each => ({ ...each, user: { ...each.user, as: SUBMITTER } }))
  writeFileSync(path, stringify({ ...config, users }), { mode: 0o600 })
  const theirs = await labSession(path)
  closing.push(() => theirs.close())
  asSubmitter = createMaintenanceRuns({ session: theirs, namespace: NAMESPACE, clock: systemClock })
})

afterAll(() => {
  for (const close of closing) close()
  // The definitions stay: others work with theirs at the same time.
  const rest = runnerManifests({
    namespace: NAMESPACE,
    image: 'lockkeeper:lab',
    replicas: 1,
    minor,
    admission: false,
    isVolumeElsewhere: false,
  })
  writeFileSync(manifests, manifestsText(rest.filter(({ kind }) => kind !== 'CustomResourceDefinition')))
  kubectl('delete', '--wait=false', '--ignore-not-found', '-f', manifests)
  kubectl('delete', 'namespace', NAMESPACE, '--wait=false')
  rmSync(directory, { recursive: true })
})

describe('the real API server keeps the contract of MaintenanceRuns', () => maintenanceRunsContract(() => target))

test('what is printed is applied again without a change', () => {
  const said = kubectl('apply', '-f', manifests).trim().split('\n')
  expect(said.length).toBeGreaterThan(15)
  // Of claim templates and budgets this kubectl believes each time that what the server fills in is a change.
  const changed = said.filter(line => !line.endsWith(' unchanged') && !/^(statefulset|poddisruptionbudget)/.test(line))
  expect(changed).toEqual([])
})

describe('a user who may only create MaintenanceRuns and their campaigns', () => {
  it('makes one, and nothing else', async () => {
    const made = value(await asSubmitter.createRun({ name: 'contract-submitted', spec: SPEC }))
    const pending = MaintenanceRunStatus.parse({ phase: 'Pending', nodesDone: 0, nodesAll: 0, lastSeq: 0 })
    const answers: readonly Result<unknown>[] = [
      await asSubmitter.objects(),
      await asSubmitter.run(made.name),
      await asSubmitter.createControl({
        name: 'c',
        spec: { run: made.name, control: 'abort', by: SUBMITTER, reason: '' },
      }),
      await asSubmitter.setRunStatus(made, pending),
    ]
    for (const answer of answers) expect(failureOf(answer).code).toBe('not-permitted')
    kubectl('delete', 'maintenancerun', made.name, '-n', NAMESPACE)
  })

  it('has no other right, by the API server itself', () => {
    const listed = kubectl('auth', 'can-i', '--list', '--no-headers', '--as', SUBMITTER, '-n', NAMESPACE)
    const rights = listed
      .trim()
      .split('\n')
      .map(line => line.split(/\s{2,}/)[0] ?? '')
      // What everybody has: asking about themselves, and the paths by which an API server is known.
      .filter(what => what !== '' && !/^selfsubject/.test(what) && !what.startsWith('['))
    const made = ['maintenancecampaigns.lockkeeper.dev', 'maintenanceruns.lockkeeper.dev']
    expect(rights.toSorted()).toEqual(made)
    for (const what of made) expect(listed).toMatch(new RegExp(`${what}\\s+\\[\\]\\s+\\[\\]\\s+\\[create\\]`))
  })
})

test.each<[string, string, 'yes' | 'no', string?]>([
  ['patch', 'maintenanceruns.lockkeeper.dev:status', 'yes'],
  ['patch', 'maintenanceruns.lockkeeper.dev', 'no'],
  ['create', 'maintenanceruns.lockkeeper.dev', 'no'],
  ['delete', 'maintenanceruns.lockkeeper.dev', 'no'],
  ['watch', 'maintenanceruncontrols.lockkeeper.dev', 'yes'],
  ['list', 'secrets', 'yes'],
  ['list', 'secrets', 'no', 'default'],
  ['create', 'secrets', 'no'],
  ['patch', 'leases.coordination.k8s.io', 'yes'],
  ['create', 'leases.coordination.k8s.io', 'yes', 'default'],
  ['create', 'leases.coordination.k8s.io', 'no', 'kube-node-lease'],
  ['patch', 'nodes', 'yes'],
  ['delete', 'nodes', 'no'],
  ['create', 'pods:eviction', 'yes', 'openstack'],
  ['delete', 'pods', 'no', 'openstack'],
  ['create', 'pods:exec', 'no', 'openstack'],
  ['create', 'pods:portforward', 'no'],
  ['get', 'namespaces/kube-system', 'yes'],
  ['get', 'namespaces/default', 'no'],
])("the runner's ServiceAccount may %s %s: %s", (verb, what, answer, namespace = NAMESPACE) => {
  expect(may(ACCOUNT, verb, what, namespace).split('\n').at(-1)).toBe(answer)
})

test('kubectl get -w shows the progress', async () => {
  const runs = createMaintenanceRuns({ ...target, clock: systemClock })
  const run = value(await runs.createRun({ name: 'contract-story', spec: SPEC }))
  const watching = spawn('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'get', 'mruns', '-w', '-n', NAMESPACE])
  let reported = ''
  watching.stdout.on('data', chunk => {
    reported += String(chunk)
  })
  const reports = (words: RegExp) => until(`it says ${words}`, async () => (words.test(reported) ? true : null), 20_000)
  try {
    await reports(/NAME +KIND +CLUSTER +NODE +PHASE +NODES +MESSAGE +AGE/)
    const at = (phase: 'Running' | 'Waiting' | 'Done', nodesDone: number, message: string) =>
      MaintenanceRunStatus.parse({ phase, nodesDone, nodesAll: 2, message, lastSeq: 1 })
    value(await runs.setRunStatus(run, at('Running', 0, 'Draining cmp-01.')))
    await reports(/contract-story +enter +contract +cmp-01 +Running +0\/2 +Draining cmp-01\./)
    value(await runs.setRunStatus(run, at('Waiting', 1, 'Is the node back?')))
    await reports(/Waiting +1\/2 +Is the node back\?/)
    value(await runs.setRunStatus(run, at('Done', 2, 'Done and verified.')))
    await reports(/Done +2\/2 +Done and verified\./)
  } finally {
    watching.kill()
    kubectl('delete', 'maintenancerun', run.name, '-n', NAMESPACE)
  }
})
