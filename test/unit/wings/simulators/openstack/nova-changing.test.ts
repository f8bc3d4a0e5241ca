import { describe, expect, it } from 'vitest'
import { smallCloud, until } from './small-cloud.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'

describe('os-services of an embedded Nova', () => {
  it('is down when it was declared down, and when it no longer reports', async () => {
    const { nova, serviceId, simulator } = await smallCloud()
    const declared = await nova('PUT', `/os-services/${serviceId('cmp-2')}`, { forced_down: true })
    expect(declared.json.service).toMatchObject({ state: 'down', forced_down: true, status: 'enabled' })
    simulator.faults.setComputeUp('cmp-3', false)
    const [silent] = (await nova('GET', '/os-services?binary=nova-compute&host=cmp-3')).json.services
    expect(silent).toMatchObject({ state: 'down', forced_down: false })
  })

  it.each([
    ['an unknown uuid', MISSING, { status: 'enabled' }, 404, `Service ${MISSING} could not be found.`],
    ['a number for an id', '8', { status: 'enabled' }, 400, 'Invalid uuid 8'],
    ['the old verb', 'disable-log-reason', { host: 'a', binary: 'b' }, 400, 'Additional properties are not allowed'],
    ['an unknown status', MISSING, { status: 'off' }, 400, "'off' is not one of ['enabled', 'disabled']"],
  ])('refuses %s', async (_what, id, body, status, message) => {
    const { nova } = await smallCloud()
    const reply = await nova('PUT', `/os-services/${id}`, body)
    expect(reply.status).toBe(status)
    expect(JSON.stringify(reply.json)).toContain(message)
  })

  it('deletes a nova-compute without instances, with its hypervisor, until it starts again', async () => {
    const { nova, serviceId, simulator } = await smallCloud()
    const id = serviceId('cmp-4')
    expect((await nova('DELETE', `/os-services/${id}`)).status).toBe(204)
    expect((await nova('GET', '/os-services?host=cmp-4')).json.services).toEqual([])
    const names = (await nova('GET', '/os-hypervisors')).json.hypervisors.map(
      (each: { hypervisor_hostname: string }) => each.hypervisor_hostname,
    )
    expect(names).toEqual(['cmp-1', 'cmp-2', 'cmp-3'])
    expect((await nova('DELETE', `/os-services/${id}`)).status).toBe(404)
    simulator.faults.setComputeUp('cmp-4', true)
    const [again] = (await nova('GET', '/os-services?host=cmp-4')).json.services
    expect(again).toMatchObject({ state: 'up', status: 'enabled' })
    expect(again.id).not.toBe(id)
  })

  it('does not delete one with instances or a running migration', async () => {
    const { nova, serviceId, simulator, migrateLive, migration } = await smallCloud()
    const refused = await nova('DELETE', `/os-services/${serviceId('cmp-2')}`)
    expect(refused.status).toBe(409)
    expect(refused.json.conflictingRequest.message).toContain('that is hosting instances')
    simulator.faults.servers.active = { hang: true }
    await migrateLive('active', 'cmp-4')
    await until(
      () => migration('active'),
      record => record?.status === 'running',
    )
    const busy = await nova('DELETE', `/os-services/${serviceId('cmp-4')}`)
    expect(busy.status).toBe(409)
    expect(busy.json.conflictingRequest.message).toContain('that has in-progress migrations')
    expect((await nova('DELETE', '/os-services/8')).status).toBe(400)
  })

  it('has integer ids and the older verbs before 2.53', async () => {
    const { nova } = await smallCloud()
    const body = { host: 'cmp-2', binary: 'nova-compute', disabled_reason: 'old' }
    const reply = await nova('PUT', '/os-services/disable-log-reason', body, '2.1')
    expect(reply.json.service).toMatchObject({ status: 'disabled', disabled_reason: 'old' })
    const [service] = (await nova('GET', '/os-services?binary=nova-compute&host=cmp-2', undefined, '2.1')).json.services
    expect(Number.isInteger(service.id)).toBe(true)
  })
})

describe('power and locks of an embedded Nova', () => {
  it.each([
    ['active', 'os-stop', 'SHUTOFF', 4],
    ['stopped', 'os-start', 'ACTIVE', 1],
    ['active', 'pause', 'PAUSED', 3],
    ['paused', 'unpause', 'ACTIVE', 1],
    ['active', 'suspend', 'SUSPENDED', 7],
    ['suspended', 'resume', 'ACTIVE', 1],
  ])('%s: %s is accepted at once and ends in %s', async (name, action, status, powerState) => {
    const { act, server } = await smallCloud()
    expect((await act(name, action)).status).toBe(202)
    const done = await until(
      () => server(name),
      each => each['OS-EXT-STS:task_state'] === null,
    )
    expect(done).toMatchObject({ status, 'OS-EXT-STS:power_state': powerState })
  })

  it.each([
    ['stopped', 'os-stop', 'stop', 'stopped'],
    ['active', 'os-start', 'start', 'active'],
    ['paused', 'migrate', 'migrate', 'paused'],
    ['active', 'confirmResize', 'confirmResize', 'active'],
  ])('refuses on %s: %s', async (name, action, word, vmState) => {
    const { act, idOf } = await smallCloud()
    const reply = await act(name, action)
    expect(reply.status).toBe(409)
    expect(reply.json.conflictingRequest.message).toBe(
      `Cannot '${word}' instance ${idOf(name)} while it is in vm_state ${vmState}`,
    )
  })

  it('keeps a server powering off while its host is down, and finishes when it is back', async () => {
    const { act, server, simulator } = await smallCloud()
    simulator.faults.setComputeUp('cmp-1', false)
    expect((await act('active', 'os-stop')).status).toBe(202)
    expect(await server('active')).toMatchObject({ status: 'ACTIVE', 'OS-EXT-STS:task_state': 'powering-off' })
    simulator.faults.setComputeUp('cmp-1', true)
    await until(
      () => server('active'),
      each => each.status === 'SHUTOFF',
    )
  })

  it('a locked server refuses its owner but not an administrator', async () => {
    const { novaAsDemo, act, idOf, server } = await smallCloud()
    const refused = await novaAsDemo('POST', `/servers/${idOf('locked')}/action`, { 'os-stop': null })
    expect(refused.json.conflictingRequest.message).toBe(`Instance ${idOf('locked')} is locked`)
    expect((await act('locked', 'os-stop')).status).toBe(202)
    expect((await act('locked', 'unlock')).status).toBe(202)
    expect((await server('locked')).locked).toBe(false)
  })

  it('resets a state, names unknown values, and loses a deleted server', async () => {
    const { act, server, nova, idOf, simulator } = await smallCloud()
    expect((await act('broken', 'os-resetState', { state: 'active' })).status).toBe(202)
    expect((await server('broken')).status).toBe('ACTIVE')
    expect((await act('active', 'nothing')).json.badRequest.message).toBe('There is no such action: nothing')
    const id = idOf('stopped')
    expect((await nova('DELETE', `/servers/${id}`)).status).toBe(204)
    await until(
      async () => (await nova('GET', `/servers/${id}`)).status,
      status => status === 404,
    )
    const changed = await nova('GET', '/servers/detail?all_tenants=1&changes-since=2020-01-01T00:00:00Z')
    expect(changed.json.servers.find((each: { id: string }) => each.id === id).status).toBe('DELETED')
    expect(simulator.state.servers.has(id)).toBe(false)
  })
})

describe('cold migration of an embedded Nova', () => {
  it('ends in VERIFY_RESIZE on another host and stays there once confirmed', async () => {
    const { act, server, migration } = await smallCloud()
    expect((await act('stopped', 'migrate')).status).toBe(202)
    const moved = await until(
      () => server('stopped'),
      each => each.status === 'VERIFY_RESIZE',
    )
    expect(moved['OS-EXT-SRV-ATTR:host']).not.toBe('cmp-1')
    expect(await migration('stopped')).toMatchObject({ status: 'finished', migration_type: 'migration' })
    expect((await act('stopped', 'confirmResize')).status).toBe(204)
    await until(
      () => server('stopped'),
      each => each.status === 'SHUTOFF',
    )
    expect((await migration('stopped')).status).toBe('confirmed')
  })

  it('goes back when reverted', async () => {
    const { act, server, migration } = await smallCloud()
    expect((await act('active', 'migrate', { host: 'cmp-4' })).status).toBe(202)
    await until(
      () => server('active'),
      each => each.status === 'VERIFY_RESIZE',
    )
    expect((await act('active', 'revertResize')).status).toBe(202)
    const back = await until(
      () => server('active'),
      each => each.status === 'ACTIVE',
    )
    expect(back['OS-EXT-SRV-ATTR:host']).toBe('cmp-1')
    expect((await migration('active')).status).toBe('reverted')
  })

  it.each([
    [{ host: 'nowhere' }, 'Compute host nowhere could not be found.'],
    [{ host: 'cmp-1' }, 'Cannot migrate to the host where the server exists.'],
  ])('refuses the target %o', async (argument, message) => {
    const { act } = await smallCloud()
    expect((await act('active', 'migrate', argument)).json.badRequest.message).toBe(message)
  })

  it('leaves the server in ERROR with a fault when it fails on the way', async () => {
    const { act, server, migration, simulator } = await smallCloud()
    simulator.faults.servers.active = { cold_fail: true }
    await act('active', 'migrate')
    const failed = await until(
      () => server('active'),
      each => each.status === 'ERROR',
    )
    expect(failed.fault.message).toContain('Resize error')
    expect((await migration('active')).status).toBe('error')
  })
})
