import { describe, expect, it, vi } from 'vitest'
import { SMALL_CLOUD, smallCloud } from './small-cloud.ts'

async function candidatesOf(hosts: number) {
  const { send, adminToken, simulator } = await smallCloud({
    seed: {
      ...SMALL_CLOUD,
      hosts: [
        ...SMALL_CLOUD.hosts,
        ...Array.from({ length: hosts }, (_, index) => ({ name: `more-${index}`, zone: 'az1' })),
      ],
    },
  })
  const lists = vi.spyOn(simulator.state.servers, 'values')
  const reply = await send('GET', '/placement/allocation_candidates?resources=VCPU:1', {
    headers: { 'x-auth-token': adminToken, 'openstack-api-version': 'placement 1.29' },
  })
  return { reply, lists: lists.mock.calls.length, simulator }
}

describe('the Placement of an embedded cloud', () => {
  it('lists all servers once for its candidates, whatever the number of hosts', async () => {
    const [few, many] = [await candidatesOf(1), await candidatesOf(30)]
    expect(Object.keys(many.reply.json.provider_summaries)).toHaveLength(34)
    expect([few.lists, many.lists]).toEqual([1, 1])
  })

  it('counts for each candidate what its own servers use', async () => {
    const { reply, simulator } = await candidatesOf(1)
    const usedOn = (host: string) =>
      reply.json.provider_summaries[simulator.state.hosts.get(host)?.id ?? ''].resources.MEMORY_MB.used
    expect(usedOn('cmp-1')).toBe(9 * 2048 + 90_000)
    expect(usedOn('cmp-2')).toBe(2 * 2048)
    expect(usedOn('more-0')).toBe(0)
  })
})
