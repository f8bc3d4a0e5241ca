import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoTarget } from '../fixtures/demo-target.ts'
import { apiServerContract } from './api-server-contract.ts'
import { kubernetesContract } from './kubernetes-contract.ts'
import { maintenanceContract } from './maintenance-contract.ts'
import { openstackContract } from './openstack-contract.ts'
import { serverAbilities } from './server-abilities.ts'
import type { ContractTarget } from './target.ts'

describe('the embedded clouds', () => {
  let target: ContractTarget
  beforeAll(async () => {
    target = await demoTarget(4)
  })
  afterAll(() => target.close())

  it('behave like Kubernetes 1.36', async () => {
    const { policy, ...abilities } = await serverAbilities(target.session)
    expect(policy).toBe('policy/v1')
    expect(new Set(Object.values(abilities))).toEqual(new Set([true]))
  })
  describe('the embedded Kubernetes keeps the contract', () => kubernetesContract(() => target))
  describe('its API server keeps the contract', () => apiServerContract(() => target))
  describe('the node maintenance API on the embedded Kubernetes keeps the contract', () =>
    maintenanceContract(() => target))
  describe('the embedded OpenStack keeps the contract', () => openstackContract(() => target))
})

describe('the embedded clouds with a Kubernetes of 1.20', () => {
  let target: ContractTarget
  beforeAll(async () => {
    target = await demoTarget(4, '1.20')
  })
  afterAll(() => target.close())

  it('do nothing that came after 1.20', async () => {
    const { policy, ...abilities } = await serverAbilities(target.session)
    expect(policy).toBe('policy/v1beta1')
    expect(new Set(Object.values(abilities))).toEqual(new Set([false]))
  })
  describe('the embedded Kubernetes keeps the contract', () => kubernetesContract(() => target))
  describe('its API server keeps the contract', () => apiServerContract(() => target))
})
