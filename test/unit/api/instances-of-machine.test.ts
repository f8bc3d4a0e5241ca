import { describe, expect, it } from 'vitest'
import { nodeHandlers } from '../../../main/api/nodes.ts'
import type { ApiServices } from '../../../main/api/services.ts'
import { ok } from '../../../shared/domain/result.ts'
import { fakeContext, fakeInstance, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

describe('the instances of one node', () => {
  const cloud = fakeWorld({
    nodes: [fakeNode('cmp-1')],
    services: [fakeService('cmp-1'), fakeService('sun-4.maas')],
    instances: [fakeInstance('a', 'cmp-1'), fakeInstance('b', 'sun-4.maas'), fakeInstance('c', 'sun-4.maas')],
  })
  const { world } = fakeContext(cloud)
  const handlers = nodeHandlers({
    clock: createVirtualClock(),
    worlds: { open: async () => ok({ world, openstackFailure: null }) },
  } as unknown as ApiServices)
  const listed = async (node: string) => {
    const answer = await handlers['instance.list']({ cluster: 'test', node })
    return answer.ok ? answer.value.instances.map(({ id }) => id) : answer.failure.message
  }

  it('are those of a machine outside of Kubernetes too, by Nova’s host, as `nodes` names it', async () => {
    expect(await listed('cmp-1')).toEqual(['a'])
    expect(await listed('sun-4.maas')).toEqual(['b', 'c'])
    expect(await listed('sun-4')).toEqual(['b', 'c'])
  })

  it('of a name that neither Kubernetes nor Nova has are refused, with the names that there are', async () => {
    expect(await listed('sun-5')).toMatch(/no node named sun-5.*Its nodes are: cmp-1, sun-4\.maas\.$/)
  })
})
