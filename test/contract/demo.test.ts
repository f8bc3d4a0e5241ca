import { afterAll, beforeAll, describe } from 'vitest'
import { demoTarget } from '../fixtures/demo-target.ts'
import { kubernetesContract } from './kubernetes-contract.ts'
import { maintenanceContract } from './maintenance-contract.ts'
import { openstackContract } from './openstack-contract.ts'
import type { ContractTarget } from './target.ts'

let target: ContractTarget
beforeAll(async () => {
  target = await demoTarget(4)
})
afterAll(() => target.close())

describe('the embedded Kubernetes keeps the contract', () => kubernetesContract(() => target))
describe('the node maintenance API on the embedded Kubernetes keeps the contract', () =>
  maintenanceContract(() => target))
describe('the embedded OpenStack keeps the contract', () => openstackContract(() => target))
