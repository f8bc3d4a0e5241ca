import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LAB_KUBECONFIG } from '../lab/lab-places.ts'

const run = promisify(execFile)

/** The administrator's kubectl on the lab, the measure of the benchmarks. */
export async function kubectl(...args: readonly string[]): Promise<string> {
  return (await run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, ...args], { maxBuffer: 2 ** 26 })).stdout
}

/** Makes objects as `kubectl apply` does. */
export async function apply(object: unknown): Promise<void> {
  const applied = run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'apply', '-f', '-'])
  applied.child.stdin?.end(JSON.stringify(object))
  await applied
}
