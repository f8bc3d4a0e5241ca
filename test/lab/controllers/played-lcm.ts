import { apply, kubectl } from '../cli/referees.ts'

/** LCM's part, played with kubectl on the lab: requests are made and removed, locks are read. */

/** Asks for the maintenance of a node. */
export async function requestNode(
  name: string,
  node: string,
  scope: 'os' | 'drain',
  release: string | null = null,
): Promise<void> {
  await apply({
    apiVersion: 'lcm.mirantis.com/v1alpha1',
    kind: 'NodeMaintenanceRequest',
    metadata: { name },
    spec: { nodeName: node, scope, ...(release === null ? {} : { release }) },
  })
}

/** Removes a request; finalizers hold it meanwhile. */
export async function removeRequest(name: string): Promise<void> {
  await kubectl('delete', 'nodemaintenancerequest', name, '--ignore-not-found', '--wait=false')
}

/** Whether the request is really gone. */
export async function isGone(name: string): Promise<boolean> {
  return (await kubectl('get', 'nodemaintenancerequest', name, '--ignore-not-found', '-o', 'name')) === ''
}

/** What a node's lock of the OpenStack controller says. */
interface SeenLock {
  readonly state: string
  readonly inner: string
  readonly message: string
}

export async function lockOf(node: string): Promise<SeenLock> {
  const what = '{.status.state}{"\\n"}{.metadata.annotations.inner_state}{"\\n"}{.status.errorMessage}'
  const [state = '', inner = '', ...message] = (
    await kubectl('get', 'nodeworkloadlock', `openstack-${node}`, '--ignore-not-found', '-o', `jsonpath=${what}`)
  ).split('\n')
  return { state, inner, message: message.join('\n') }
}

/** Looks until the lock is as wanted; tells what it says when it does not become so. */
export async function untilLock(
  node: string,
  what: string,
  isSo: (lock: SeenLock) => boolean,
  withinMs = 60_000,
): Promise<SeenLock> {
  let last: SeenLock = { state: '', inner: '', message: '' }
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    last = await lockOf(node)
    if (isSo(last)) return last
    await new Promise(resolve => setTimeout(resolve, 150))
  }
  throw new Error(
    `The lock of ${node} did not become so within ${withinMs} ms: ${what}. It says ${JSON.stringify(last)}`,
  )
}

/** Looks until something holds. */
export async function until(what: string, isSo: () => Promise<boolean>, withinMs = 180_000): Promise<void> {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    if (await isSo()) return
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  throw new Error(`It did not come about within ${withinMs} ms: ${what}`)
}
