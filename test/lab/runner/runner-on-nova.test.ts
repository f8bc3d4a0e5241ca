import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { manifestsText, runnerManifests } from '../../../main/wings/runner/manifests/runner-manifests.ts'
import { must } from '../../../shared/domain/must.ts'
import { value } from '../../contract/target.ts'
import { type CliProcess, startLockkeeper, startProgram } from '../../fixtures/cli/lockkeeper-process.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { tries } from '../../fixtures/tries.ts'
import { createDice } from '../../simulation/dice.ts'
import { startToolbox, until } from '../ceph/real-ceph.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { apply, computeService, isSchedulable, kubectl, serversByName } from '../cli/referees.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab-places.ts'
import { novaTallyFromNow } from '../moves/nova-tally.ts'
import { type LabConsole, namesOn, openLabConsole, returnComputeHost, setFaults } from '../roles/lab-console.ts'

/**
 * A runner over the real API server and the real Nova: another process that only has the bound token of its
 * ServiceAccount and a Secret. A console reaches it by the API server's port-forward, requests a maintenance and
 * ends. With LOCKKEEPER_RUNNER_ROOT, the unpacked root file system of the image (`npm run package:oci`), it runs
 * there as the image's user; otherwise as the terminal program of these sources.
 */
const NAMESPACE = 'lockkeeper'
const POD = 'lockkeeper-runner-0'
const HOST = 'cmp-3'
const PREFIX = `runner-${process.pid}`
/** How often the process of the runner is killed, in all. */
const KILLS = Number(process.env.LOCKKEEPER_KILLS ?? tries(2, 20))
/** The moments of its kills: LOCKKEEPER_SEED throws the same dice again. */
const SEED = process.env.LOCKKEEPER_SEED ?? String(Date.now())
const dice = createDice(SEED)
const ROOT = process.env.LOCKKEEPER_RUNNER_ROOT
/** User and group of the image, and where its home is. */
const IMAGE_USER = 65532
const IMAGE_HOME = '/home/lockkeeper'
const run = promisify(execFile)

let directory: string
let session: KubernetesSession
let desk: LabConsole
let endToolbox: () => Promise<void>
let seeded: readonly string[]
let runner: CliProcess | null = null
/** Consoles that must end before the clean-up. */
const started: CliProcess[] = []
let kills = 0

const ListedRun = z.object({ id: z.string(), state: z.string() })
const ListedRunner = z.object({
  name: z.string().nullable(),
  clouds: z.array(z.string()),
  connection: z.object({ kind: z.string() }),
})
const Status = z.object({
  status: z.object({ phase: z.string(), message: z.string().optional(), runId: z.string().optional() }).optional(),
})

beforeAll(async () => {
  console.info(`LOCKKEEPER_SEED=${SEED}`)
  directory = await mkdtemp(join(ROOT === undefined ? tmpdir() : join(ROOT, IMAGE_HOME), 'lockkeeper-lab-runner-'))
  session = await labSession(LAB_KUBECONFIG)
  endToolbox = await startToolbox(createExec(session))
  seeded = await namesOn(HOST)
  // Long enough for a kill to fall into them.
  await setFaults({ '*': { delay: 3 } })
  await installRunner()
  await startPod()
  desk = await openLabConsole()
  await bootServers(
    HOST,
    [0, 1].map(at => ({ name: `${PREFIX}-${at}`, tag: null, status: 'ACTIVE' as const })),
  )
}, 600_000)

afterAll(async () => {
  for (const each of [runner, ...started]) each?.child.kill('SIGKILL')
  await returnComputeHost(HOST, seeded, PREFIX)
  // The definitions stay: others work with theirs at the same time.
  await kubectl('delete', 'namespace', NAMESPACE, '--wait=false', '--ignore-not-found')
  await kubectl('delete', 'pod', POD, '-n', NAMESPACE, '--grace-period=0', '--force', '--ignore-not-found')
  desk.end()
  await endToolbox()
  session.close()
  await rm(directory, { recursive: true, force: true })
}, 600_000)

test(
  'a console requests it and ends; the runner, killed at random moments and its API server with it, empties the node once and gives it back once; a later console has the whole history',
  async () => {
    await startRunner()
    // Found is not enough: it is listed as soon as its pod is there, connected or not.
    await until('the console is connected to the runner, which knows the cloud', async () => {
      const listed = z
        .array(ListedRunner)
        .parse(JSON.parse((await desk.run('runner', 'list', 'lab', '-o', 'json')).stdout))
      return listed.some(
        each => each.name === POD && each.connection.kind === 'connected' && each.clouds.includes('lab'),
      )
    })
    const outcomes: string[] = []
    for (let at = 0; at < 2 || at % 2 === 1 || kills < KILLS; at += 1) {
      const [kind, cordoned] = at % 2 === 0 ? (['enter', true] as const) : (['leave', false] as const)
      const before = new Map([...(await serversByName())].filter(([, { Host }]) => Host === HOST))
      const tally = await novaTallyFromNow()
      const object = await requestMaintenance(kind)
      await drivenToItsEnd(object)
      outcomes.push('done')
      expect((await phaseOf(object)).phase, (await phaseOf(object)).message).toBe('Done')
      expect(await tally.services(), 'its compute service is changed once').toBe(1)
      const records = await tally.records()
      const now = await serversByName()
      for (const [name, { ID, Status: was }] of before) {
        const moves = kind === 'enter' && was !== 'SHUTOFF' ? 1 : 0
        expect({ name, moves: records(ID).length, ...(await tally.asked(ID)) }).toEqual({
          name,
          moves,
          actions: moves,
          aborts: 0,
          forced: 0,
        })
        expect(now.get(name)?.Status, name).toBe(was)
        if (moves === 1) expect(now.get(name)?.Host, name).not.toBe(HOST)
      }
      expect(await isSchedulable(HOST)).toBe(!cordoned)
      expect(await computeService(HOST)).toMatchObject({ Status: cordoned ? 'disabled' : 'enabled' })
      await untilMirrored(object)
    }
    const runs = z.array(ListedRun).parse(JSON.parse((await desk.run('runs', 'lab', '-o', 'json')).stdout))
    expect(runs.map(({ state }) => state)).toEqual(outcomes)
    const report = await desk.run('report', must(runs[1], 'the first').id, '--format', 'md', '-o', '-')
    expect(report, report.stderr).toMatchObject({ code: 0 })
    expect(report.stdout).toContain(HOST)
    console.log(`runner on the lab: ${JSON.stringify({ kills, runs: runs.length })}`)
  },
  600_000 + KILLS * 30_000,
)

test('a console that closes in the middle of emptying a node hands its run over: the runner moves the rest, each instance once', async () => {
  if (runner === null || runner.child.exitCode !== null || runner.child.signalCode !== null) await startRunner()
  await bootServers(
    HOST,
    [2, 3, 4].map(at => ({ name: `${PREFIX}-${at}`, tag: null, status: 'ACTIVE' as const })),
  )
  const before = new Map([...(await serversByName())].filter(([, { Host }]) => Host === HOST))
  const tally = await novaTallyFromNow()
  await setFaults({ '*': { delay: 10 } })
  const driving = startLockkeeper(desk.dataDirectory, ['enter', 'lab', HOST, '--yes', '--concurrency', '1'])
  started.push(driving)
  await until('an instance has left', async () => {
    const now = await serversByName()
    return [...before].some(([name]) => now.get(name)?.Host !== HOST)
  })
  // What is under way ends once the run was asked to pause: till then it is in the middle of emptying the node, however slow this machine is.
  await setFaults({ '*': { delay: 300 } })
  const listed = z.array(ListedRun).parse(JSON.parse((await desk.run('runs', 'lab', '-o', 'json')).stdout))
  const { id } = must(listed[0], 'it is under way')
  const handing = startLockkeeper(desk.dataDirectory, ['run', 'hand-over', id, '--yes'])
  started.push(handing)
  let hasEnded = false
  void handing.finished.then(() => {
    hasEnded = true
  })
  await until('it is asked to pause', async () => hasEnded || /to pause/.test(handing.output()))
  await setFaults({ '*': { delay: 3 } })
  const handed = await handing.finished
  expect(handed, handed.stdout + handed.stderr).toMatchObject({ code: 0 })
  await driving.finished
  const object = must(/MaintenanceRun (enter-[0-9a-z-]+)/.exec(handed.stdout)?.[1], handed.stdout)
  await until('its status says so too', async () => (await phaseOf(object)).phase === 'Done')
  expect(await tally.services(), 'its compute service is changed once').toBe(1)
  const records = await tally.records()
  const now = await serversByName()
  for (const [name, { ID, Status: was }] of before) {
    const moves = was === 'SHUTOFF' ? 0 : 1
    expect({ name, moves: records(ID).length, status: now.get(name)?.Status }).toEqual({ name, moves, status: was })
  }
  const runs = z.array(ListedRun).parse(JSON.parse((await desk.run('runs', 'lab', '-o', 'json')).stdout))
  expect(
    runs.filter(each => each.id === id),
    'it is one run, here and there',
  ).toMatchObject([{ state: 'done' }])
  const left = await desk.run('leave', 'lab', HOST, '--yes')
  expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
}, 600_000)

/** Confirms a plan in a process of the terminal face, and kills that as soon as the plan was handed over; the name of its MaintenanceRun. */
async function requestMaintenance(kind: 'enter' | 'leave'): Promise<string> {
  const asking = startLockkeeper(desk.dataDirectory, [kind, 'lab', HOST, '--in-cluster', '--yes'])
  const named = () => new RegExp(`MaintenanceRun (${kind}-${HOST}-[0-9a-f]+)`).exec(asking.output())?.[1]
  let ended = false
  void asking.finished.then(() => {
    ended = true
  })
  await until('it is handed over', async () => ended || named() !== undefined)
  asking.child.kill('SIGKILL')
  await asking.finished
  return must(named(), `${asking.output()}\n${runner?.output()}`)
}

/** Kills the API server of the lab's Kubernetes, and starts it again: what it watched and answered is cut off in the middle. */
async function restartApiServer(): Promise<void> {
  const place = dirname(LAB_KUBECONFIG)
  const [pid] = (await readFile(join(place, 'run', 'apiserver.pid'), 'utf8')).split(' ')
  const port = must(/127\.0\.0\.1:(\d+)/.exec(await readFile(LAB_KUBECONFIG, 'utf8'))?.[1], 'it is on loopback')
  process.kill(Number(pid), 'SIGKILL')
  await run(join(import.meta.dirname, '../kubernetes/up.sh'), [basename(place).replace('kube-', ''), port])
}

const ENDS = ['Done', 'Failed', 'Aborted', 'Refused']

/**
 * Restarts the runner after each kill until the run ends. The API server is killed after the run's first step: a lost
 * API server makes nodes look lost for a moment, and checks before the first step rightly refuse such a node.
 */
async function drivenToItsEnd(object: string): Promise<void> {
  let isRestarted = false
  const hasEnded = async () => ENDS.includes((await phaseOf(object)).phase)
  const hasBegun = async () => {
    const { phase, message = '' } = await phaseOf(object)
    return ENDS.includes(phase) || (phase === 'Running' && !/^(Accepted|About to start|Checking)/.test(message))
  }
  while (!(await hasEnded())) {
    const current = runner ?? (await startRunner())
    if (kills < KILLS && !isRestarted) await until('it has begun a step', hasBegun)
    await pause(500 + dice.random() * 4_000)
    if (kills >= KILLS || (await hasEnded())) {
      await pause(500)
      continue
    }
    current.child.kill('SIGKILL')
    expect((await current.finished).signal, current.output()).toBe('SIGKILL')
    kills += 1
    await startRunner()
    if (isRestarted) continue
    isRestarted = true
    await restartApiServer()
  }
}

async function phaseOf(object: string): Promise<{ readonly phase: string; readonly message?: string | undefined }> {
  const text = await kubectl('get', 'maintenancerun', object, '-n', NAMESPACE, '-o', 'json')
  return Status.parse(JSON.parse(text)).status ?? { phase: 'New' }
}

/** Until a console opened now has the run in its mirror, with its end. */
async function untilMirrored(object: string): Promise<void> {
  const id = must(
    Status.parse(JSON.parse(await kubectl('get', 'maintenancerun', object, '-n', NAMESPACE, '-o', 'json'))).status
      ?.runId,
    'it became a run',
  )
  let said = ''
  await until('the console has the whole run', async () => {
    said = (await desk.run('runs', 'lab', '-o', 'json')).stdout
    return z
      .array(ListedRun)
      .parse(JSON.parse(said))
      .some(each => each.id === id && each.state === 'done')
  }).catch((error: unknown) => {
    throw new Error(said, { cause: error })
  })
}

async function startRunner(): Promise<CliProcess> {
  const place = (name: string) => join(ROOT === undefined ? directory : join(IMAGE_HOME, basename(directory)), name)
  const words = ['runner', 'run', '--namespace', NAMESPACE, '--kubeconfig', place('runner.kubeconfig')]
  words.push('--port', String(await freePort()), '--secrets-dir', place('secrets'))
  // Its port for consoles stays 7373: a console asks the API server for that port of the pod, and the lab has one runner at a time.
  const env = { POD_NAME: POD, NODE_NAME: 'ops-1', HOME: IMAGE_HOME }
  runner =
    ROOT === undefined
      ? startLockkeeper(place('volume'), words, env)
      : startProgram(
          'chroot',
          [
            `--userspec=${IMAGE_USER}:${IMAGE_USER}`,
            ROOT,
            '/usr/lib/lockkeeper/node',
            '--disable-warning=ExperimentalWarning',
            '/usr/lib/lockkeeper/out/cli/lockkeeper.mjs',
            '--data-dir',
            place('volume'),
            ...words,
          ],
          env,
        )
  return runner
}

/** What `lockkeeper runner manifests` prints, a Secret for the cloud, and a kubeconfig of the runner's ServiceAccount with a bound token. */
async function installRunner(): Promise<void> {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const minor = Number(/^v1\.(\d+)/.exec(value(await session.version()).gitVersion)?.[1])
  const install = {
    namespace: NAMESPACE,
    image: 'lockkeeper:lab',
    replicas: 1,
    minor,
    admission: false,
    isVolumeElsewhere: true,
  }
  const manifests = join(directory, 'runner.yaml')
  // Its own pod is played by this test: no StatefulSet makes one that no kubelet could start.
  await writeFile(manifests, manifestsText(runnerManifests(install).filter(({ kind }) => kind !== 'StatefulSet')))
  await kubectl('apply', '-f', manifests)
  await apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloud-lab', namespace: NAMESPACE, labels: { 'lockkeeper.dev/cloud': 'lab' } },
    stringData: { 'clouds.yaml': await readFile(LAB_CLOUDS, 'utf8'), cloud: 'lab' },
  })
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/lockkeeper-runner/token`
  const asked = run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'create', '--raw', path, '-f', '-'])
  asked.child.stdin?.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }))
  const { status } = z.object({ status: z.object({ token: z.string() }) }).parse(JSON.parse((await asked).stdout))
  const config = parse(await readFile(LAB_KUBECONFIG, 'utf8')) as { users: { name: string; user: object }[] }
  const users = config.users.map(({ name }) => ({ name, user: { token: status.token } }))
  const kubeconfig = join(directory, 'runner.kubeconfig')
  await writeFile(kubeconfig, stringify({ ...config, users }), { mode: 0o600 })
  if (ROOT !== undefined) for (const path of [directory, kubeconfig]) await chown(path, IMAGE_USER, IMAGE_USER)
}

/** The runner's pod, on the node whose kubelet forwards to this machine's loopback. */
async function startPod(): Promise<void> {
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: POD, namespace: NAMESPACE, labels: { 'app.kubernetes.io/name': 'lockkeeper-runner' } },
    spec: {
      nodeName: 'ops-1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'runner', image: 'lockkeeper:lab' }],
    },
  })
  const pod = JSON.parse(await kubectl('get', 'pod', POD, '-n', NAMESPACE, '-o', 'json')) as object
  const status = { phase: 'Running', podIP: '127.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] }
  const replaced = run('kubectl', [
    '--kubeconfig',
    LAB_KUBECONFIG,
    'replace',
    '--raw',
    `/api/v1/namespaces/${NAMESPACE}/pods/${POD}/status`,
    '-f',
    '-',
  ])
  replaced.child.stdin?.end(JSON.stringify({ ...pod, status }))
  await replaced
}
