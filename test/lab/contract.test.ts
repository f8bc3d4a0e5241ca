import { afterAll, beforeAll, describe } from 'vitest'
import { kubernetesContract } from '../contract/kubernetes-contract.ts'
import { openstackContract } from '../contract/openstack-contract.ts'
import type { ContractTarget } from '../contract/target.ts'
import { connectTarget } from '../fixtures/connect-target.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from './lab-places.ts'

let target: ContractTarget
beforeAll(async () => {
  const connected = await connectTarget({
    kubeconfig: LAB_KUBECONFIG,
    context: 'lab-a',
    viewerKubeconfig: LAB_VIEWER_KUBECONFIG,
    cloudsYaml: LAB_CLOUDS,
    cloud: 'lab',
    userCloud: 'lab-demo',
  })
  target = {
    ...connected,
    name: 'lab',
    computeNode: 'cmp-2',
    controlNode: 'ctl-3',
    movableServer: 'vm-09',
    pausedServer: 'vm-06',
    stoppedServer: 'vm-05',
    erroredServer: 'vm-08',
  }
})
afterAll(() => target.close())

describe('the real Kubernetes keeps the contract', () => kubernetesContract(() => target))
describe('the real OpenStack keeps the contract', () => openstackContract(() => target))
