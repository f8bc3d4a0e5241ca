import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab/lab-places.ts'
import { type Cost, cost } from './child-cost.ts'
import { startDemo } from './demo-process.ts'
import { median } from './median.ts'
import { noteFigure } from './note-figure.ts'

/**
 * What the built terminal face (`npm run build:cli`) costs: the processor time of `lockkeeper --help`, and the processor time and the wall time of
 * `lockkeeper nodes` and, where it is installed, of `kubectl get nodes`, in turn, with a kept token but for the first call. Ours also asks Nova.
 * On the lab (`npm run lab:up`), or with `--demo` on an embedded cloud in a separate process.
 */

const PAIRS = 15
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
  noteFigure('help', medianOf(helps, 'processorMs'))
  console.log(`--help: ${figures(helps)} (aim: under 60 ms of processor time)`)
  await lockkeeper('cluster', 'add', 'lab', '--kubeconfig', kubeconfig, '--clouds-yaml', clouds, '--cloud', cloud)
  console.log(`first call, without a token: ${figures([await cost(nodesByUs)])}`)
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    ours.push(await cost(nodesByUs))
    if (hasKubectl) theirs.push(await cost(nodesByKubectl))
  }
  console.log(`lockkeeper nodes: ${figures(ours)}`)
  if (hasKubectl) {
    noteFigure('nodes-ratio', medianOf(ours, 'processorMs') / medianOf(theirs, 'processorMs'))
    const ratio = (of: keyof Cost) => (medianOf(ours, of) / medianOf(theirs, of)).toFixed(2)
    console.log(`kubectl get nodes: ${figures(theirs)}`)
    console.log(`ratio: processor time ${ratio('processorMs')}, wall time ${ratio('wallMs')} (aim: at most 2.5)`)
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

async function costs(work: () => Promise<unknown>): Promise<readonly Cost[]> {
  const all: Cost[] = []
  for (let turn = 1; turn <= PAIRS; turn += 1) all.push(await cost(work))
  return all
}

function medianOf(all: readonly Cost[], of: keyof Cost): number {
  return median(all.map(each => each[of]))
}

/** The medians, and the processor time of each if there are several. */
function figures(all: readonly Cost[]): string {
  const medians = `${medianOf(all, 'processorMs').toFixed(0)} ms of processor time, ${medianOf(all, 'wallMs').toFixed(0)} ms by the clock`
  return all.length === 1
    ? medians
    : `${medians}, medians of ${all.length} (${all.map(each => each.processorMs).join(' ')})`
}
