import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab/lab-places.ts'
import { median } from './median.ts'

/**
 * `lockkeeper nodes` on the lab over `kubectl get nodes`, in turn, with the built terminal face (`npm run build:cli`) and, but for the
 * first call, a kept token. Ours also asks Nova. Needs the lab (`npm run lab:up`).
 */
const PAIRS = 15
const LOCKKEEPER = join(import.meta.dirname, '../../bin/lockkeeper')
const run = promisify(execFile)
const dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-nodes-'))

try {
  const files = ['--kubeconfig', LAB_KUBECONFIG, '--clouds-yaml', LAB_CLOUDS, '--cloud', 'lab']
  await lockkeeper('cluster', 'add', 'lab', ...files)
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
    `nodes: median of ${PAIRS} ours ${our.toFixed(0)} ms, kubectl ${their.toFixed(0)} ms, ratio ${(our / their).toFixed(2)} (aim: at most 3)`,
  )
} finally {
  rmSync(dataDirectory, { recursive: true, force: true })
}

function lockkeeper(...args: readonly string[]): Promise<unknown> {
  return run(LOCKKEEPER, ['--data-dir', dataDirectory, ...args])
}

function nodesByUs(): Promise<unknown> {
  return lockkeeper('nodes', 'lab')
}

function nodesByKubectl(): Promise<unknown> {
  return run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'get', 'nodes'])
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function milliseconds(values: readonly number[]): string {
  return `${values.map(value => value.toFixed(0)).join(' ')} ms`
}
