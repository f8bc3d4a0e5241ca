import { describe, expect, it } from 'vitest'
import { smallCloud } from './small-cloud.ts'

const names = (reply: { json: { servers: { name: string }[] } }) => reply.json.servers.map(server => server.name).sort()

describe('what the Nova of an embedded cloud tells', () => {
  it('negotiates microversions: echoes the asked one, 406 beyond its newest, 400 for nonsense, `latest` is its newest', async () => {
    const { nova, send, adminToken } = await smallCloud()
    const asked = await nova('GET', '/servers', undefined, '2.53')
    expect(asked.headers.get('openstack-api-version')).toBe('compute 2.53')
    expect(asked.headers.get('x-openstack-nova-api-version')).toBe('2.53')
    const tooNew = await nova('GET', '/servers', undefined, '2.99')
    expect(tooNew.status).toBe(406)
    expect(tooNew.json.computeFault.message).toBe(
      'Version 2.99 is not supported by the API. Minimum is 2.1 and maximum is 2.93.',
    )
    expect((await nova('GET', '/servers', undefined, 'bogus')).status).toBe(400)
    expect((await nova('GET', '/servers', undefined, 'latest')).headers.get('openstack-api-version')).toBe(
      'compute 2.93',
    )
    const without = await send('GET', '/compute/v2.1/servers', { headers: { 'x-auth-token': adminToken } })
    expect(without.headers.get('openstack-api-version')).toBe('compute 2.1')
  })

  it('tells its versions without a token and nothing else', async () => {
    const { send } = await smallCloud({ computeMaxMicroversion: '2.100' })
    expect((await send('GET', '/compute/v2.1')).json.version).toMatchObject({ version: '2.100', min_version: '2.1' })
    expect((await send('GET', '/compute/v2.1/servers')).status).toBe(401)
  })

  it.each([
    ['host=cmp-2', ['apart-2', 'theirs']],
    ['all_tenants=1&host=cmp-2', ['apart-2', 'theirs']],
    ['all_tenants=1&node=cmp-3', ['far']],
    ['all_tenants=1&host=cmp', []],
    ['all_tenants=1&name=^apart', ['apart-1', 'apart-2']],
    ['all_tenants=1&status=ERROR', ['broken']],
    ['all_tenants=1&status=error&status=PAUSED', ['broken', 'paused']],
    ['all_tenants=1&tags=team%3Dweb', ['active']],
  ])('filters servers by %s', async (query, expected) => {
    const { nova } = await smallCloud()
    const reply = await nova('GET', `/servers?all_tenants=1&${query}`.replace('all_tenants=1&all', 'all'))
    expect(names(reply)).toEqual(expected)
  })

  it('refuses an unknown filter from 2.75 on and ignores it before: then every server comes back', async () => {
    const { nova, simulator } = await smallCloud()
    const refused = await nova('GET', '/servers?all_tenants=1&compute_host=cmp-2')
    expect(refused.status).toBe(400)
    expect(refused.json.badRequest.message).toBe("'compute_host' does not match any of the regexes: '^_'")
    const ignored = await nova('GET', '/servers?all_tenants=1&compute_host=cmp-2', undefined, '2.74')
    expect(ignored.json.servers).toHaveLength(simulator.state.servers.size)
  })

  it('shows a plain user only his own servers, whatever host he names, and refuses him all tenants', async () => {
    const { novaAsDemo, idOf } = await smallCloud()
    expect(names(await novaAsDemo('GET', '/servers?host=cmp-3'))).toEqual(['locked', 'theirs'])
    const refused = await novaAsDemo('GET', '/servers?all_tenants=1')
    expect(refused.status).toBe(403)
    expect(refused.json.forbidden.message).toBe(
      "Policy doesn't allow os_compute_api:servers:index:get_all_tenants to be performed.",
    )
    expect((await novaAsDemo('GET', `/servers/${idOf('active')}`)).status).toBe(404)
    const own = await novaAsDemo('GET', `/servers/${idOf('theirs')}`)
    expect(own.json.server).not.toHaveProperty('OS-EXT-SRV-ATTR:host')
  })

  it('pages: newest first, a link while a page is full, every server exactly once', async () => {
    const { nova, simulator } = await smallCloud()
    const seen: string[] = []
    let path: string | null = '/servers?all_tenants=1&limit=5'
    while (path !== null) {
      const reply = await nova('GET', path)
      seen.push(...reply.json.servers.map((server: { id: string }) => server.id))
      const next = reply.json.servers_links?.[0]?.href as string | undefined
      path = next === undefined ? null : next.slice(next.indexOf('/servers'))
    }
    expect([...seen].sort()).toEqual([...simulator.state.servers.keys()].sort())
    expect(seen).toHaveLength(simulator.state.servers.size)
    expect((await nova('GET', '/servers?limit=1&marker=nope')).status).toBe(400)
    expect((await nova('GET', '/servers?all_tenants=1&limit=0')).json).toEqual({ servers: [] })
  })

  it('shows what each microversion knows: tags 2.26, embedded flavor 2.47, server groups 2.71, pinned zone 2.96', async () => {
    const { nova, idOf } = await smallCloud({ computeMaxMicroversion: '2.100' })
    const at = async (version: string) =>
      (await nova('GET', `/servers/${idOf('apart-1')}`, undefined, version)).json.server
    expect(await at('2.1')).not.toHaveProperty('tags')
    expect((await at('2.46')).flavor).toHaveProperty('id')
    expect((await at('2.47')).flavor).toMatchObject({ original_name: 'small', ephemeral: 0, ram: 2048 })
    expect(await at('2.70')).not.toHaveProperty('server_groups')
    expect((await at('2.71')).server_groups).toHaveLength(1)
    expect(await at('2.95')).not.toHaveProperty('pinned_availability_zone')
    expect((await at('2.96')).pinned_availability_zone).toBe('az1')
  })

  it.each([
    ['active', 'ACTIVE', 'active', 1],
    ['paused', 'PAUSED', 'paused', 3],
    ['stopped', 'SHUTOFF', 'stopped', 4],
    ['suspended', 'SUSPENDED', 'suspended', 7],
    ['broken', 'ERROR', 'error', 1],
    ['shelved', 'SHELVED_OFFLOADED', 'shelved_offloaded', 4],
  ])('shows %s as Nova shows it', async (name, status, vmState, powerState) => {
    const { server } = await smallCloud()
    expect(await server(name)).toMatchObject({
      status,
      'OS-EXT-STS:vm_state': vmState,
      'OS-EXT-STS:power_state': powerState,
    })
  })

  it('tells the fault of a server in ERROR where there is one, and an empty image for one booted from a volume', async () => {
    const { server } = await smallCloud()
    expect((await server('broken')).fault.message).toBe('it fell over')
    const far = await server('far')
    expect(far.image).toBe('')
    expect(far['os-extended-volumes:volumes_attached']).toHaveLength(1)
  })

  it('gives partial results while a cell is down from 2.69 on: UNKNOWN in a plain list, left out of a filtered one', async () => {
    const { nova, simulator, idOf } = await smallCloud()
    simulator.faults.setCellUp('cell2', false)
    const plain = (await nova('GET', '/servers/detail?all_tenants=1')).json.servers
    const far = plain.find((server: { id: string }) => server.id === idOf('far'))
    expect(Object.keys(far).sort()).toEqual(['created', 'id', 'links', 'status', 'tenant_id'])
    expect(far.status).toBe('UNKNOWN')
    expect((await nova('GET', '/servers/detail?all_tenants=1&host=cmp-3')).json.servers).toEqual([])
    expect((await nova('GET', `/servers/${idOf('far')}`)).json.server.status).toBe('UNKNOWN')
    const services = (await nova('GET', '/os-services?binary=nova-compute')).json.services
    expect(services).toContainEqual({ binary: 'nova-compute', host: 'cmp-3', status: 'UNKNOWN' })
    const before = (await nova('GET', '/os-services?binary=nova-compute', undefined, '2.68')).json.services
    expect(before).toHaveLength(3)
  })

  it('lists hypervisors with their sizes up to 2.87 and with an uptime from 2.88 on', async () => {
    const { nova, simulator } = await smallCloud()
    const [old] = (await nova('GET', '/os-hypervisors/detail?hypervisor_hostname_pattern=cmp-2', undefined, '2.53'))
      .json.hypervisors
    expect(old).toMatchObject({ hypervisor_hostname: 'cmp-2', memory_mb: 32_768, vcpus_used: 2, running_vms: 2 })
    simulator.faults.setComputeUp('cmp-2', false)
    const [now] = (await nova('GET', '/os-hypervisors/detail?with_servers=true&hypervisor_hostname_pattern=cmp-2')).json
      .hypervisors
    expect(now).not.toHaveProperty('memory_mb')
    expect(now).toMatchObject({ state: 'down', uptime: null })
    expect(now.servers).toHaveLength(2)
  })

  it('tells zones with their hosts and whether each is up and enabled, to administrators alone', async () => {
    const { nova, novaAsDemo, simulator } = await smallCloud()
    simulator.faults.setComputeUp('cmp-3', false)
    const zones = (await nova('GET', '/os-availability-zone/detail')).json.availabilityZoneInfo
    expect(zones.map((zone: { zoneName: string }) => zone.zoneName)).toEqual(['az1', 'az2', 'internal'])
    expect(zones[1].hosts['cmp-3']['nova-compute']).toMatchObject({ available: false, active: true })
    expect((await novaAsDemo('GET', '/os-availability-zone/detail')).status).toBe(403)
  })

  it('lists server groups with members, only of the own project unless the request is for all', async () => {
    const { nova, novaAsDemo, idOf } = await smallCloud()
    const [group] = (await nova('GET', '/os-server-groups')).json.server_groups
    expect(group).toMatchObject({ name: 'apart', policy: 'anti-affinity' })
    expect([...group.members].sort()).toEqual([idOf('apart-1'), idOf('apart-2')].sort())
    expect((await novaAsDemo('GET', '/os-server-groups?all_projects=true')).json.server_groups).toEqual([])
    expect((await nova('GET', '/os-server-groups', undefined, '2.1')).json.server_groups[0].policies).toEqual([
      'anti-affinity',
    ])
  })
})
