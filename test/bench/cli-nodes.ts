import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab/lab-places.ts'
import { median } from './median.ts'

/**
 * What the built terminal face (`npm run build:cli`) costs: the processor time of `lockkeeper --help`, and the processor time and the wall time of
 * `lockkeeper nodes` and, where it is installed, of `kubectl get nodes`, in turn, with a kept token but for the first call. Ours also asks Nova.
 * On the lab (`npm run lab:up`), or with `--demo` on an embedded cloud in a process of its own.
 */
interface Cost {
  /** User and system time, by the kernel's own count. */
  readonly processorMs: number
  readonly wallMs: number
}

const PAIRS = 15
const MS_A_TICK = 10
const LOCKKEEPER = join(import.meta.dirname, '../../bin/lockkeeper')
const run = promisify(execFile)
const dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-nodes-'))
const demo = process.argv.includes('--demo') ? await startDemo() : null
const { kubeconfig, clouds, cloud } = demo ?? { kubeconfig: LAB_KUBECONFIG, clouds: LAB_CLOUDS, cloud: 'lab' }

const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)

try {
  await cost(help)
  const helps = await costs(help)
  console.log(`--help: ${told(helps)} (aim: under 100 ms of processor time)`)
  await lockkeeper('cluster', 'add', 'lab', '--kubeconfig', kubeconfig, '--clouds-yaml', clouds, '--cloud', cloud)
  console.log(`first call, without a token: ${told([await cost(nodesByUs)])}`)
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    ours.push(await cost(nodesByUs))
    if (hasKubectl) theirs.push(await cost(nodesByKubectl))
  }
  console.log(`lockkeeper nodes: ${told(ours)}`)
  if (hasKubectl) {
    const ratio = (of: keyof Cost) => (medianOf(ours, of) / medianOf(theirs, of)).toFixed(2)
    console.log(`kubectl get nodes: ${told(theirs)}`)
    console.log(`ratio: processor time ${ratio('processorMs')}, wall time ${ratio('wallMs')} (aim: at most 2)`)
  } else console.log('kubectl is not installed: nothing to compare with')
} finally {
  demo?.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
}

function lockkeeper(...args: readonly string[]): Promise<unknown> {
  return run(LOCKKEEPER, ['--data-dir', dataDirectory, ...args])
}

function help(): Promise<unknown> {
  return run(LOCKKEEPER, ['--help'])
}

function nodesByUs(): Promise<unknown> {
  return lockkeeper('nodes', 'lab')
}

function nodesByKubectl(): Promise<unknown> {
  return run('kubectl', ['--kubeconfig', kubeconfig, 'get', 'nodes'])
}

/** `lockkeeper demo`, and where its first cloud is to be found. */
async function startDemo() {
  const child = spawn(LOCKKEEPER, ['demo'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += String(text)
    if (said.includes('demo-edge')) break
  }
  const folder = /kubeconfig +(\S+)\/kubeconfig/.exec(said)?.[1] ?? ''
  const stop = () => child.kill('SIGTERM')
  return { kubeconfig: `${folder}/kubeconfig`, clouds: `${folder}/clouds.yaml`, cloud: 'demo-plain', stop }
}

async function costs(work: () => Promise<unknown>): Promise<readonly Cost[]> {
  const all: Cost[] = []
  for (let turn = 1; turn <= PAIRS; turn += 1) all.push(await cost(work))
  return all
}

/** Of a command that ends meanwhile, with all that it starts and waits for; nothing else that this process started ends beside it. */
async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const before = childTicks()
  const began = performance.now()
  await work()
  return { wallMs: performance.now() - began, processorMs: (childTicks() - before) * MS_A_TICK }
}

/** cutime and cstime (proc_pid_stat(5)), in ticks of a hundredth of a second. */
function childTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[13]) + Number(fields[14])
}

function medianOf(all: readonly Cost[], of: keyof Cost): number {
  return median(all.map(each => each[of]))
}

/** The medians, and of several the processor time of each. */
function told(all: readonly Cost[]): string {
  const medians = `${medianOf(all, 'processorMs').toFixed(0)} ms of processor time, ${medianOf(all, 'wallMs').toFixed(0)} ms by the clock`
  return all.length === 1
    ? medians
    : `${medians}, medians of ${all.length} (${all.map(each => each.processorMs).join(' ')})`
}
