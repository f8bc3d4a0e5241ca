import { afterAll, beforeAll, describe } from 'vitest'
import type { KubernetesPort } from '../../main/ports/kubernetes.ts'
import { must } from '../../shared/domain/must.ts'
import { apiServerContract } from '../contract/api-server-contract.ts'
import { type HintsTarget, hintsContract } from '../contract/hints-contract.ts'
import { kubernetesContract } from '../contract/kubernetes-contract.ts'
import { maintenanceContract } from '../contract/maintenance-contract.ts'
import { openstackContract } from '../contract/openstack-contract.ts'
import { type ContractTarget, until, value } from '../contract/target.ts'
import { connectTarget } from '../fixtures/connect-target.ts'
import { bootServers } from './cli/boot-servers.ts'
import { openstack } from './cli/referees.ts'
import { LAB_CLOUDS, LAB_CONTEXT, LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from './lab-places.ts'

let target: ContractTarget & HintsTarget

/** Tests before this one may have drained a control node, and its pods do not come back: one is taken that has what the contract looks at. */
function settledControlNode(kubernetes: KubernetesPort): Promise<string> {
  return until('budgets have room and a control node runs mariadb and memcached', async () => {
    const budgets = value(await kubernetes.listBudgets()).filter(budget => budget.namespace === 'openstack')
    if (budgets.some(budget => budget.disruptionsAllowed < 1)) return null
    const pods = value(await kubernetes.listPods('openstack')).filter(pod => pod.ready && pod.deletionAt === null)
    const nodesOf = (prefix: string) => pods.filter(pod => pod.name.startsWith(prefix)).map(pod => pod.nodeName)
    const memcached = nodesOf('memcached-')
    return nodesOf('mariadb-server-').find(node => node !== null && memcached.includes(node)) ?? null
  })
}
beforeAll(async () => {
  const connected = await connectTarget({
    kubeconfig: LAB_KUBECONFIG,
    context: LAB_CONTEXT,
    viewerKubeconfig: LAB_VIEWER_KUBECONFIG,
    cloudsYaml: LAB_CLOUDS,
    cloud: 'lab',
    userCloud: 'lab-demo',
  })
  target = {
    ...connected,
    name: 'lab',
    computeNode: 'cmp-2',
    controlNode: await settledControlNode(connected.kubernetes),
    movableServer: 'vm-09',
    pausedServer: 'vm-06',
    stoppedServer: 'vm-05',
    erroredServer: 'vm-08',
    hintedServer: `contract-${process.pid}-hinted`,
  }
  const other = must(
    value(await target.openstack.listInstances()).items.find(({ name }) => name === target.movableServer),
    'the lab has been seeded',
  )
  const { hintedServer: name } = target
  // Where it may be: both are of one zone.
  const host = other.host === 'cmp-1' ? 'cmp-2' : 'cmp-1'
  await bootServers(host, [{ name, tag: null, status: 'ACTIVE', hints: { different_host: [other.id] } }])
})
afterAll(async () => {
  await openstack('server', 'delete', target.hintedServer)
  await target.close()
})

describe('the real Kubernetes keeps the contract', () => kubernetesContract(() => target))
describe('its API server keeps the contract', () => apiServerContract(() => target))
describe('the node maintenance API on the real Kubernetes keeps the contract', () => maintenanceContract(() => target))
describe('the real OpenStack keeps the contract', () => openstackContract(() => target))
describe('its hints keep the contract', () => hintsContract(() => target))
