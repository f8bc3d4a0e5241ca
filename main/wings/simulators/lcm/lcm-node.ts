import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../../../shared/domain/maintenance-api.ts'
import { NEXT_KUBELET_ANNOTATION, REBOOT_ANNOTATION } from '../kubernetes/controllers/reboot-node.ts'
import { at, type Json, listAt, textAt } from '../kubernetes/store/json.ts'
import { type LcmParts, readObject, until } from './lcm-parts.ts'

/** The API path of the node maintenance objects. */
export const MAINTENANCE_PATH = `/apis/${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`

const NODES = '/api/v1/nodes'

/** The work that LCM does on every node. */
export interface NodeWork {
  readonly scope: 'drain' | 'os'
  readonly kubeletVersion: string
}

/** Takes one node through maintenance (seed 003, phases 3 and 4): request, locks inactive, cordon, drain, work, uncordon, request removed, locks active. */
export async function updateNode(parts: LcmParts, node: string, work: NodeWork): Promise<void> {
  const { client } = parts
  const request = `${MAINTENANCE_PATH}/nodemaintenancerequests/lcm-${node}`
  const isLocked = (await locksOf(parts, node)).length > 0
  if (isLocked) {
    await until(parts, async () => {
      const created = await client.create(`${MAINTENANCE_PATH}/nodemaintenancerequests`, {
        apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
        kind: 'NodeMaintenanceRequest',
        metadata: { name: `lcm-${node}` },
        spec: { nodeName: node, scope: work.scope },
      })
      return created.status === 201 || created.status === 409
    })
    await untilLocks(parts, node, 'inactive')
  }
  await setUnschedulable(parts, node, true)
  await drainNode(parts, node)
  await rebootInto(parts, node, work.kubeletVersion)
  await setUnschedulable(parts, node, false)
  if (!isLocked) return
  await until(parts, async () => [200, 404].includes((await client.remove(request)).status))
  await until(parts, async () => (await client.get(request)).status === 404)
  await untilLocks(parts, node, 'active')
}

async function locksOf(parts: LcmParts, node: string): Promise<readonly Json[]> {
  const locks = await readObject(parts, `${MAINTENANCE_PATH}/nodeworkloadlocks`)
  return listAt(locks, 'items').filter(lock => textAt(lock, 'spec', 'nodeName') === node)
}

async function untilLocks(parts: LcmParts, node: string, state: 'active' | 'inactive'): Promise<void> {
  await until(parts, async () => {
    const locks = await locksOf(parts, node)
    return locks.length > 0 && locks.every(lock => textAt(lock, 'status', 'state') === state)
  })
}

async function setUnschedulable(parts: LcmParts, node: string, unschedulable: boolean): Promise<void> {
  await until(parts, async () => {
    const patched = await parts.client.patch(`${NODES}/${node}`, { spec: { unschedulable: unschedulable || null } })
    return patched.status === 200
  })
}

/** Evicts pods until only DaemonSet pods and finished pods are left; refused evictions are retried. */
async function drainNode(parts: LcmParts, node: string): Promise<void> {
  await until(parts, async () => {
    const { status, body } = await parts.client.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`)
    if (status !== 200) return false
    const leaving = listAt(body, 'items').filter(leavesInDrain)
    for (const pod of leaving) if (at(pod, 'metadata', 'deletionTimestamp') === undefined) await evict(parts, pod)
    return leaving.length === 0
  })
}

function leavesInDrain(pod: Json): boolean {
  const owner = listAt(pod, 'metadata', 'ownerReferences').find(one => at(one, 'controller') === true)
  return (
    textAt(owner, 'kind') !== 'DaemonSet' && !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '')
  )
}

async function evict({ client }: LcmParts, pod: Json): Promise<void> {
  const name = textAt(pod, 'metadata', 'name') ?? ''
  const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
  await client.create(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
  })
}

/** Sets the new kubelet version, reboots the node and waits for its new boot id. */
async function rebootInto(parts: LcmParts, node: string, kubeletVersion: string): Promise<void> {
  const bootId = textAt(await readObject(parts, `${NODES}/${node}`), 'status', 'nodeInfo', 'bootID')
  const annotations = { [NEXT_KUBELET_ANNOTATION]: kubeletVersion, [REBOOT_ANNOTATION]: 'lcm' }
  await until(
    parts,
    async () => (await parts.client.patch(`${NODES}/${node}`, { metadata: { annotations } })).status === 200,
  )
  await until(parts, async () => {
    const { body } = await parts.client.get(`${NODES}/${node}`)
    const ready = listAt(body, 'status', 'conditions').find(one => textAt(one, 'type') === 'Ready')
    const isBack = textAt(body, 'status', 'nodeInfo', 'bootID') !== bootId && textAt(ready, 'status') === 'True'
    return isBack && textAt(body, 'status', 'nodeInfo', 'kubeletVersion') === kubeletVersion
  })
}
