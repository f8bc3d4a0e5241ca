import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { type DemoCloud, startDemoCloud } from '../../main/wings/simulators/demo-cloud.ts'
import { demoEdge } from '../../main/wings/simulators/scenarios/demo-edge.ts'
import { demoPlain } from '../../main/wings/simulators/scenarios/demo-plain.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { NAMESPACE, openLaptop, secretOf, startManagement } from '../fixtures/runner/runner-clouds.ts'
import { sampleSpec } from '../fixtures/runner/sample-maintenance-run.ts'

// What one runner costs with many clouds: processor and memory of its process, and requests by the servers' own records. Idle clouds should cost only their
// Secret. Prints a table, without a verdict. `node test/bench/runner-fleet.ts [IDLE] [WORKING]`.
const IDLE = Number(process.argv[2] ?? 100)
const WORKING = Number(process.argv[3] ?? 10)
const SPEED = 3
const IDLE_SECONDS = 60

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-fleet-'))
const say = (text: string) => process.stdout.write(`${text}\n`)
const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const management = await startManagement()
const kubeconfig = join(directory, 'kubeconfig')
writeFileSync(kubeconfig, management.kubeconfig(), { mode: 0o600 })

const start = (scenario: ReturnType<typeof demoPlain>, name: string): Promise<DemoCloud> =>
  startDemoCloud(scenario, { clock: systemClock, directory: join(directory, name), speed: SPEED, production: false })
const working: DemoCloud[] = []
for (let at = 0; at < WORKING; at += 1) working.push(await start(demoPlain(), `work-${at}`))
const idle: DemoCloud[] = []
for (let at = 0; at < IDLE; at += 1) idle.push(await start(demoEdge(), `idle-${at}`))

const { session, runs, laptop } = await openLaptop(directory, kubeconfig)
for (const [at, { cluster }] of working.entries()) {
  valueIn(
    await laptop.contract.ask('cluster.add', {
      name: `work-${at}`,
      flavour: 'plain',
      kubeconfig: { paths: [cluster.kubeconfigPath], context: cluster.context },
      cloud: { path: cluster.cloudsYamlPath, cloud: cluster.cloud },
    }),
  )
}
for (const [at, { cluster }] of working.entries()) management.objects.create(secretOf(`work-${at}`, cluster))

/** A request that no runner sent comes from the laptop, which plans before a phase. */
const requestsOf = (clouds: readonly DemoCloud[]) =>
  clouds.reduce((sum, { kubernetes, openstack }) => sum + kubernetes.log.all().length + openstack.log.length, 0)

interface Figures {
  readonly cpuSeconds: number
  readonly rssMiB: number
}

function figuresOf(pid: number): Figures {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rssMiB: Number(rss) / 1024 }
}

async function startRunner(name: string) {
  const port = String(20_000 + Math.floor(Math.random() * 20_000))
  const words = [
    '--data-dir',
    join(directory, name),
    'runner',
    'run',
    '--namespace',
    NAMESPACE,
    '--kubeconfig',
    kubeconfig,
    '--port',
    port,
  ]
  const entry = join(import.meta.dirname, '../../main/compose/terminal/index.ts')
  const reader = join(import.meta.dirname, '../../bin/read-tsx.ts')
  const bundle = process.env.LOCKKEEPER_TEST_BUNDLE
  const program = bundle === undefined ? [`--import=${reader}`, entry] : [bundle]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let clouds = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    clouds += text.split('"cloud-known"').length - 1
  })
  return {
    child,
    pid: child.pid ?? 0,
    clouds: () => clouds,
    gone: new Promise<void>(resolve => child.on('close', () => resolve())),
  }
}

/** What happens in a phase, per second and per hour. */
async function phase(title: string, pid: number, work: () => Promise<void>): Promise<void> {
  management.log.clear()
  for (const { kubernetes } of [...working, ...idle]) kubernetes.log.clear()
  const before = { ...figuresOf(pid), working: requestsOf(working), idle: requestsOf(idle), at: Date.now() }
  await work()
  const after = figuresOf(pid)
  const seconds = (Date.now() - before.at) / 1000
  const anHour = (count: number) => Math.round((count * 3600) / seconds)
  const byLease = management.log.all().filter(({ path }) => path.includes('/leases')).length
  say(
    [
      title.padEnd(46),
      `${seconds.toFixed(0)} s`.padStart(7),
      `${(((after.cpuSeconds - before.cpuSeconds) / seconds) * 100).toFixed(1)} %`.padStart(9),
      `${after.rssMiB.toFixed(0)} MiB`.padStart(9),
      `${anHour(management.log.all().length)} (${anHour(byLease)} Leases)`.padStart(24),
      String(anHour(requestsOf(working) - before.working)).padStart(12),
      String(requestsOf(idle) - before.idle).padStart(8),
    ].join(''),
  )
}

/** Reads the store directly, so that it adds no request to the count. */
async function untilDone(names: readonly string[]): Promise<void> {
  for (;;) {
    const statuses = names.map(name => {
      const { status } = management.objects.get('MaintenanceRun', NAMESPACE, name) as unknown as {
        status?: { phase: string; message: string }
      }
      return { name, phase: status?.phase ?? '', message: status?.message ?? '' }
    })
    if (statuses.every(({ phase: at }) => ['Done', 'Failed', 'Refused'].includes(at))) {
      for (const each of statuses.filter(({ phase: at }) => at !== 'Done')) say(`${each.name}: ${each.message}`)
      return
    }
    await sleep(500)
  }
}

async function submitAll(node: string, kind: 'enter' | 'leave'): Promise<readonly string[]> {
  const specs = []
  for (const at of working.keys()) {
    const made = await laptop.contract.ask('plan.make', {
      cluster: `work-${at}`,
      node,
      kind,
      choices: { concurrency: 4 },
    })
    specs.push({ name: `${kind}-${node}-${at}`, spec: sampleSpec({}, valueIn(made).plan) })
  }
  for (const each of specs) valueIn(await runs.createRun(each))
  return specs.map(({ name }) => name)
}

/** Waits a minute, then empties a node of every working cloud and brings it back. */
async function measure(name: string, clouds: number): Promise<void> {
  const runner = await startRunner(name)
  while (runner.clouds() < clouds) await sleep(200)
  await sleep(3_000)
  await phase(`${name}: idle`, runner.pid, () => sleep(IDLE_SECONDS * 1000))
  const entered = await submitAll('cmp-01', 'enter')
  await phase(`${name}: ${WORKING} nodes are emptied`, runner.pid, () => untilDone(entered))
  const left = await submitAll('cmp-01', 'leave')
  await phase(`${name}: ${WORKING} nodes come back`, runner.pid, () => untilDone(left))
  runner.child.kill('SIGTERM')
  await runner.gone
  for (const object of management.objects.list('MaintenanceRun', NAMESPACE))
    management.objects.remove('MaintenanceRun', NAMESPACE, object.metadata.name)
}

say(
  `${'phase'.padEnd(46)}${'lasted'.padStart(7)}${'of a core'.padStart(9)}${'memory'.padStart(9)}${'management, an hour'.padStart(24)}${'working'.padStart(12)}${'idle'.padStart(8)}`,
)
await measure(`${WORKING} clouds`, WORKING)
for (const [at, { cluster }] of idle.entries()) management.objects.create(secretOf(`idle-${at}`, cluster))
await measure(`${WORKING + IDLE} clouds`, WORKING + IDLE)
say(
  'working: requests an hour to the working clouds; idle: requests in all to the idle ones. Figures of processor and memory are of the runner’s process alone.',
)

await laptop.close()
session.close()
await Promise.all([...working, ...idle].map(cloud => cloud.stop()))
await management.stop()
rmSync(directory, { recursive: true, force: true })
process.exit(0)
