import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { LAB_KUBECONFIG } from '../lab-places.ts'
import { openstackClient } from '../openstack-client.ts'

/** What the lab's own clients say: the referees of the tests that drive our terminal face. */
const run = promisify(execFile)

/** The administrator's kubectl. */
export async function kubectl(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, ...args])
  return stdout
}

/** Makes an object as `kubectl apply` does. */
export async function apply(object: unknown): Promise<void> {
  const applied = run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'apply', '-f', '-'])
  applied.child.stdin?.end(JSON.stringify(object))
  await applied
}

/** Writes the status of an object of the node maintenance API, as its controller does: this kubectl has no word for it. */
export async function replaceStatus(
  plural: string,
  name: string,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const object = JSON.parse(await kubectl('get', plural, name, '-o', 'json')) as object
  const path = `/apis/lcm.mirantis.com/v1alpha1/${plural}/${name}/status`
  const replaced = run('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'replace', '--raw', path, '-f', '-'])
  replaced.child.stdin?.end(JSON.stringify({ ...object, status }))
  await replaced
}

/** The administrator's openstack client. */
export function openstack(...args: readonly string[]): Promise<string> {
  return openstackClient('lab', '--os-compute-api-version', '2.92', ...args)
}

const Server = z.object({ ID: z.string(), Name: z.string(), Status: z.string(), Host: z.string().nullable() })
export type ListedServer = z.infer<typeof Server>

/** Every instance of every project with its host and status, by name. */
export async function serversByName(): Promise<ReadonlyMap<string, ListedServer>> {
  const listed = await openstack('server', 'list', '--all-projects', '--long', '-f', 'json')
  return new Map(
    z
      .array(Server)
      .parse(JSON.parse(listed))
      .map(server => [server.Name, server]),
  )
}

const Service = z.object({
  Host: z.string(),
  Status: z.string(),
  State: z.string(),
  'Disabled Reason': z.string().nullable(),
})

/** The nova-compute service of a host. */
export async function computeService(host: string): Promise<z.infer<typeof Service>> {
  const args = ['compute', 'service', 'list', '--service', 'nova-compute', '--host', host, '--long', '-f', 'json']
  return z.tuple([Service]).parse(JSON.parse(await openstack(...args)))[0]
}

const Pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        namespace: z.string(),
        name: z.string(),
        ownerReferences: z.array(z.object({ kind: z.string() })).optional(),
      }),
    }),
  ),
})

/** The pods that kubectl sees on a node and that no DaemonSet keeps there. */
export async function evictablePods(node: string): Promise<readonly string[]> {
  const selector = `--field-selector=spec.nodeName=${node}`
  const pods = Pods.parse(JSON.parse(await kubectl('get', 'pods', '-A', selector, '-o', 'json')))
  return pods.items
    .filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet'))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
}

/** Whether kubectl says that new pods may come to the node. */
export async function isSchedulable(node: string): Promise<boolean> {
  return (await kubectl('get', 'node', node, '-o', 'jsonpath={.spec.unschedulable}')) !== 'true'
}

/** Returns the holder of a node's Lease, or an empty text. */
export function leaseHolder(node: string): Promise<string> {
  const lease = `lockkeeper-node-${node}`
  return kubectl('get', 'lease', lease, '-n', 'default', '--ignore-not-found', '-o', 'jsonpath={.spec.holderIdentity}')
}

/** Makes the node as it was before the test, whatever the test did. */
export async function returnNode(node: string): Promise<void> {
  await kubectl('uncordon', node)
  await kubectl('delete', 'lease', `lockkeeper-node-${node}`, '-n', 'default', '--ignore-not-found')
}
