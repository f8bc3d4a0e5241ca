import { describe, expect, it } from 'vitest'
import { smallCloud, until } from './small-cloud.ts'

describe('the Neutron of an embedded cloud', () => {
  const agents = async (cloud: Awaited<ReturnType<typeof smallCloud>>, query: string, token = cloud.adminToken) =>
    (await cloud.send('GET', `/network/v2.0/agents${query}`, { headers: { 'x-auth-token': token } })).json.agents

  it('lists agents, filters them by any field and shows the fields asked for', async () => {
    const cloud = await smallCloud()
    expect(await agents(cloud, '')).toHaveLength(8)
    expect(await agents(cloud, '?host=cmp-2')).toHaveLength(1)
    expect(await agents(cloud, '?binary=neutron-l3-agent&fields=host&fields=alive')).toEqual([
      { host: 'ctl-1', alive: true },
    ])
    expect(await agents(cloud, '?agent_type=DHCP%20agent')).toHaveLength(1)
  })

  it('shows the agents of a host as dead while they do not report', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.setAgentsAlive('cmp-2', false)
    expect(await agents(cloud, '?alive=False&fields=host')).toEqual([{ host: 'cmp-2' }])
    cloud.simulator.faults.setAgentsAlive('cmp-2', true)
    expect(await agents(cloud, '?alive=false')).toEqual([])
  })

  it('forgets an agent; one that runs is there again with its next report, a silent one once it reports', async () => {
    const cloud = await smallCloud()
    const forget = (id: string, token = cloud.adminToken) =>
      cloud.send('DELETE', `/network/v2.0/agents/${id}`, { headers: { 'x-auth-token': token } })
    const [running] = await agents(cloud, '?host=cmp-2')
    expect((await forget(running.id, await cloud.login('demo', 'secret-d', 'demo'))).status).toBe(404)
    expect((await forget(running.id)).status).toBe(204)
    const [again] = await until(
      () => agents(cloud, '?host=cmp-2'),
      found => found.length === 1,
    )
    expect(again.id).not.toBe(running.id)
    expect((await forget(running.id)).status).toBe(404)
    cloud.simulator.faults.setAgentsAlive('cmp-3', false)
    const [silent] = await agents(cloud, '?host=cmp-3')
    expect((await forget(silent.id)).status).toBe(204)
    expect(await agents(cloud, '?host=cmp-3')).toEqual([])
    cloud.simulator.faults.setAgentsAlive('cmp-3', true)
    expect(await agents(cloud, '?host=cmp-3')).toHaveLength(1)
  })

  it('answers a plain user an empty list instead of a 403', async () => {
    const cloud = await smallCloud()
    expect(await agents(cloud, '', await cloud.login('demo', 'secret-d', 'demo'))).toEqual([])
  })
})

describe('the Placement of an embedded cloud', () => {
  const getFromPlacement = (cloud: Awaited<ReturnType<typeof smallCloud>>, path: string, version = '1.39') =>
    cloud.send('GET', `/placement${path}`, {
      headers: { 'x-auth-token': cloud.adminToken, 'openstack-api-version': `placement ${version}` },
    })

  it('tells what each hypervisor has and what is used of it', async () => {
    const cloud = await smallCloud()
    const [provider] = (await getFromPlacement(cloud, '/resource_providers?name=cmp-2')).json.resource_providers
    const { inventories } = (await getFromPlacement(cloud, `/resource_providers/${provider.uuid}/inventories`)).json
    expect(inventories.MEMORY_MB).toMatchObject({ total: 32_768, reserved: 512, allocation_ratio: 1.5 })
    const { usages } = (await getFromPlacement(cloud, `/resource_providers/${provider.uuid}/usages`)).json
    expect(usages).toEqual({ VCPU: 2, MEMORY_MB: 4096, DISK_GB: 40 })
    expect((await getFromPlacement(cloud, '/resource_providers?bogus=1')).status).toBe(400)
    expect((await getFromPlacement(cloud, '/resource_providers', '1.99')).status).toBe(406)
  })

  it('counts a server on both hosts while it moves, and no root disk of one booted from a volume', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    await cloud.migrateLive('active', 'cmp-4')
    await until(
      () => cloud.migration('active'),
      record => record?.status === 'running',
    )
    const held = (await getFromPlacement(cloud, `/allocations/${cloud.idOf('active')}`)).json.allocations
    expect(Object.keys(held)).toEqual([cloud.simulator.state.hosts.get('cmp-4')?.id])
    const source = cloud.simulator.state.hosts.get('cmp-1')?.id
    const atSource = (await getFromPlacement(cloud, `/resource_providers/${source}/allocations`)).json.allocations
    expect(Object.keys(atSource)).toContain(cloud.simulator.state.migrations[0]?.uuid)
    const far = (await getFromPlacement(cloud, `/allocations/${cloud.idOf('far')}`)).json.allocations
    expect(Object.values(far)).toEqual([{ resources: { VCPU: 1, MEMORY_MB: 2048 }, generation: 1 }])
  })
})

describe('faults of an embedded cloud', () => {
  it('answers an injected status as often as the fault says, for the requests it is meant for', async () => {
    const { nova, simulator } = await smallCloud()
    simulator.faults.onRequests({
      service: 'compute',
      method: 'GET',
      path: /\/servers\/detail/,
      times: 2,
      effect: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    })
    const limited = await nova('GET', '/servers/detail')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await nova('GET', '/servers')).status).toBe(200)
    expect((await nova('GET', '/servers/detail')).status).toBe(429)
    expect((await nova('GET', '/servers/detail')).status).toBe(200)
  })

  it('breaks the connection before anything is done, or after it is done and before it is answered', async () => {
    const { nova, simulator, idOf, server, migrateLive } = await smallCloud()
    const remove = simulator.faults.onRequests({ method: 'POST', effect: { kind: 'drop', when: 'before' } })
    await expect(migrateLive('active')).rejects.toThrow()
    expect((await server('active')).status).toBe('ACTIVE')
    remove()
    simulator.faults.onRequests({ method: 'POST', times: 1, effect: { kind: 'drop', when: 'after' } })
    await expect(migrateLive('active')).rejects.toThrow()
    expect(['MIGRATING', 'ACTIVE']).toContain((await server('active')).status)
    const actions = (await nova('GET', `/servers/${idOf('active')}/os-instance-actions`)).json.instanceActions
    expect(actions.map((entry: { action: string }) => entry.action)).toEqual(['live-migration', 'create'])
  })

  it('waits on the injected clock for latency', async () => {
    const slept: number[] = []
    const { nova, simulator } = await smallCloud({
      clock: { now: () => Date.now(), monotonicMs: () => 0, sleep: async ms => void slept.push(ms), random: () => 0 },
    })
    simulator.faults.onRequests({ path: /limits/, effect: { kind: 'latency', ms: 7777 } })
    expect((await nova('GET', '/limits')).status).toBe(200)
    expect(slept).toContain(7777)
  })

  it('logs every request with its answer and the action asked for, and no secret', async () => {
    const { simulator, migrateLive, idOf, adminToken } = await smallCloud()
    await migrateLive('broken')
    expect(simulator.log.at(-1)).toMatchObject({
      method: 'POST',
      path: `/compute/v2.1/servers/${idOf('broken')}/action`,
      status: 409,
      action: 'os-migrateLive',
    })
    const text = JSON.stringify(simulator.log)
    expect(text).not.toContain('secret-a')
    expect(text).not.toContain(adminToken)
  })
})
