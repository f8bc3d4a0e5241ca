import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab/lab-places.ts'
import { median } from './median.ts'

/**
 * How long the built terminal face (`npm run build:cli`) takes: the processor time of `lockkeeper --help`, and `lockkeeper nodes` over
 * `kubectl get nodes` in turn, with a kept token but for the first call. Ours also asks Nova. On the lab (`npm run lab:up`), or with `--demo` on an
 * embedded cloud in a process of its own.
 */
const PAIRS = 15
const MS_A_TICK = 10
const LOCKKEEPER = join(import.meta.dirname, '../../bin/lockkeeper')
const run = promisify(execFile)
const dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-nodes-'))
const demo = process.argv.includes('--demo') ? await startDemo() : null
const { kubeconfig, clouds, cloud } = demo ?? { kubeconfig: LAB_KUBECONFIG, clouds: LAB_CLOUDS, cloud: 'lab' }

try {
  await help()
  const helps: number[] = []
  for (let turn = 1; turn <= PAIRS; turn += 1) helps.push(await processorTime(help))
  console.log(`--help: median of ${PAIRS} ${median(helps).toFixed(0)} ms of processor time (aim: under 100)`)
  await lockkeeper('cluster', 'add', 'lab', '--kubeconfig', kubeconfig, '--clouds-yaml', clouds, '--cloud', cloud)
  console.log(`first call, without a token: ${(await timed(nodesByUs)).toFixed(0)} ms`)
  const ours: number[] = []
  const theirs: number[] = []
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    ours.push(await timed(nodesByUs))
    theirs.push(await timed(nodesByKubectl))
  }
  const [our, their] = [median(ours), median(theirs)]
  console.log(`ours ${milliseconds(ours)}\nkubectl ${milliseconds(theirs)}`)
  console.log(
    `nodes: median of ${PAIRS} ours ${our.toFixed(0)} ms, kubectl ${their.toFixed(0)} ms, ratio ${(our / their).toFixed(2)} (aim: at most 2)`,
  )
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Of the children of this process that ended meanwhile, in milliseconds, by the kernel's own count. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = childTicks()
  await work()
  return (childTicks() - before) * MS_A_TICK
}

/** cutime and cstime (proc_pid_stat(5)), in ticks of a hundredth of a second. */
function childTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[13]) + Number(fields[14])
}

function milliseconds(values: readonly number[]): string {
  return `${values.map(value => value.toFixed(0)).join(' ')} ms`
}
