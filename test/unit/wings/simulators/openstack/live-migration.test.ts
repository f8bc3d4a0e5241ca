import { describe, expect, it } from 'vitest'
import { smallCloud, until } from './small-cloud.ts'

type Cloud = Awaited<ReturnType<typeof smallCloud>>

const ENDED = ['completed', 'failed', 'error', 'cancelled']

/** The newest record of a server, once it has ended. */
function ended(cloud: Cloud, name: string) {
  return until(
    () => cloud.migration(name),
    record => record !== null && ENDED.includes(record.status),
  )
}

/** The newest record of a server, once it has this status. */
function reaches(cloud: Cloud, name: string, status: string) {
  return until(
    () => cloud.migration(name),
    record => record?.status === status,
  )
}

describe('live migration of an embedded Nova', () => {
  it('a server is on its new host before its record says completed', async () => {
    const cloud = await smallCloud({ timings: { speed: 40, settleMinMs: 1e9, settleMaxMs: 1e9 } })
    await cloud.migrateLive('active')
    const moved = await until(
      () => cloud.server('active'),
      each => each.status === 'ACTIVE',
    )
    expect(moved['OS-EXT-SRV-ATTR:host']).not.toBe('cmp-1')
    expect((await cloud.migration('active')).status).toBe('running')
  })

  it.each(['stopped', 'suspended', 'broken'])('is refused outright for one that is %s', async name => {
    const cloud = await smallCloud()
    const reply = await cloud.migrateLive(name)
    expect(reply.status).toBe(409)
    expect(reply.json.conflictingRequest.message).toMatch(
      /^Cannot 'os-migrateLive' instance .* while it is in vm_state /,
    )
    expect(await cloud.migration(name)).toBeNull()
  })

  it('a second request meanwhile is refused and leaves one record', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    await cloud.migrateLive('active')
    const again = await cloud.migrateLive('active')
    expect(again.status).toBe(409)
    expect(again.json.conflictingRequest.message).toContain('while it is in task_state migrating')
    await reaches(cloud, 'active', 'running')
    const { migrations } = (await cloud.nova('GET', `/os-migrations?instance_uuid=${cloud.idOf('active')}`)).json
    expect(migrations).toHaveLength(1)
  })

  it('a plain user gets the name of the rule, and a host that does not exist is a 400', async () => {
    const cloud = await smallCloud()
    const body = { 'os-migrateLive': { host: null, block_migration: 'auto' } }
    const refused = await cloud.novaAsDemo('POST', `/servers/${cloud.idOf('theirs')}/action`, body)
    expect(refused.json.forbidden.message).toBe(
      "Policy doesn't allow os_compute_api:os-migrate-server:migrate_live to be performed.",
    )
    expect((await cloud.migrateLive('active', 'nowhere')).json.badRequest.message).toBe(
      'Compute host nowhere could not be found.',
    )
  })

  it.each([
    ['the host it is on', 'active', 'cmp-1'],
    ['a disabled host', 'active', 'cmp-2'],
    ['a host that is down', 'active', 'cmp-4'],
    ['no host at all, for want of room', 'huge', null],
    ['a host with a member of its anti-affinity group', 'apart-1', 'cmp-2'],
  ])('to %s: accepted, then an error record, and the server is ACTIVE where it was', async (_what, name, host) => {
    const cloud = await smallCloud()
    await cloud.nova('PUT', `/os-services/${cloud.serviceId('cmp-2')}`, { status: 'disabled' })
    cloud.simulator.faults.setComputeUp('cmp-4', false)
    expect((await cloud.migrateLive(name, host)).status).toBe(202)
    expect((await ended(cloud, name)).status).toBe('error')
    expect(await cloud.server(name)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'cmp-1' })
    expect(await cloud.server(name)).not.toHaveProperty('fault')
  })

  it('off a host that is down: accepted, then an error record', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.setComputeUp('cmp-1', false)
    expect((await cloud.migrateLive('active')).status).toBe(202)
    expect((await ended(cloud, 'active')).status).toBe('error')
  })

  it('stays in its zone when pinned to it and apart from its group, even when the room is elsewhere', async () => {
    const cloud = await smallCloud()
    await cloud.migrateLive('apart-1')
    expect(await ended(cloud, 'apart-1')).toMatchObject({ status: 'completed', dest_compute: 'cmp-4' })
  })

  it.each([
    ['live', 'failed', 'ACTIVE'],
    ['pre', 'failed', 'ACTIVE'],
    ['check', 'error', 'ACTIVE'],
    ['live-error', 'error', 'ERROR'],
  ] as const)(
    'failing at stage %s ends in %s with the server %s on its old host',
    async (stage, status, serverStatus) => {
      const cloud = await smallCloud()
      cloud.simulator.faults.servers['*'] = { fail: true, stage }
      expect((await cloud.migrateLive('active')).status).toBe(202)
      expect((await ended(cloud, 'active')).status).toBe(status)
      const after = await cloud.server('active')
      expect(after).toMatchObject({
        status: serverStatus,
        'OS-EXT-SRV-ATTR:host': 'cmp-1',
        'OS-EXT-STS:task_state': null,
      })
      expect(after).not.toHaveProperty('fault')
    },
  )

  it('a target that refuses its pre-check is passed over, unless it was named', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers.active = { fail: true, stage: 'check', dest: ['cmp-2'] }
    await cloud.migrateLive('active')
    expect(await ended(cloud, 'active')).toMatchObject({ status: 'completed', dest_compute: 'cmp-4' })
    cloud.simulator.faults.servers['active-2'] = { fail: true, stage: 'check', dest: ['cmp-2'] }
    await cloud.migrateLive('active-2', 'cmp-2')
    expect((await ended(cloud, 'active-2')).status).toBe('error')
  })

  it('fails only as often as the fault says', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers[cloud.idOf('active')] = { fail: true, times: 1 }
    await cloud.migrateLive('active')
    expect((await ended(cloud, 'active')).status).toBe('failed')
    await cloud.migrateLive('active')
    await reaches(cloud, 'active', 'completed')
    expect(cloud.simulator.state.migrations.map(each => each.status)).toEqual(['failed', 'completed'])
  })

  it('goes one at a time per source host: the others are queued', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers['*'] = { hang: true }
    for (const name of ['active', 'active-2', 'active-3']) await cloud.migrateLive(name)
    await until(
      () => cloud.simulator.state.migrations.map(each => each.status).sort(),
      statuses => statuses.join() === 'queued,queued,running',
    )
    delete cloud.simulator.faults.servers['*']
    await until(
      () => cloud.simulator.state.migrations.map(each => each.status),
      statuses => statuses.every(status => status === 'completed'),
    )
  })

  it('goes as many at a time as max_concurrent_live_migrations says', async () => {
    const cloud = await smallCloud()
    cloud.simulator.state.maxConcurrentLiveMigrations = 2
    cloud.simulator.faults.servers['*'] = { hang: true }
    for (const name of ['active', 'active-2', 'active-3']) await cloud.migrateLive(name)
    await until(
      () => cloud.simulator.state.migrations.map(each => each.status).sort(),
      statuses => statuses.join() === 'queued,running,running',
    )
  })

  it('tells progress while it runs, and nothing in progress afterwards', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers.active = { hang: true, delay: 0.2 }
    await cloud.migrateLive('active')
    await reaches(cloud, 'active', 'running')
    const at = `/servers/${cloud.idOf('active')}/migrations`
    const running = await until(
      async () => (await cloud.nova('GET', at)).json.migrations[0],
      each => each.memory_processed_bytes > 0,
    )
    expect(running.memory_total_bytes).toBe(2048 * 1024 * 1024)
    expect(running.memory_processed_bytes + running.memory_remaining_bytes).toBe(running.memory_total_bytes)
    expect(running.disk_total_bytes).toBe(0)
    expect((await cloud.nova('GET', `${at}/${running.id}`)).json.migration.status).toBe('running')
    delete cloud.simulator.faults.servers.active
    await reaches(cloud, 'active', 'completed')
    expect((await cloud.nova('GET', at)).json.migrations).toEqual([])
    expect((await cloud.nova('GET', `${at}/${running.id}`)).status).toBe(404)
  })

  it('aborts: cancelled, and the server is ACTIVE where it was', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    await cloud.migrateLive('active')
    const { id } = await reaches(cloud, 'active', 'running')
    const at = `/servers/${cloud.idOf('active')}/migrations/${id}`
    expect((await cloud.nova('DELETE', at)).status).toBe(202)
    await reaches(cloud, 'active', 'cancelled')
    expect(await cloud.server('active')).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'cmp-1' })
    const again = await cloud.nova('DELETE', at)
    expect(again.json.conflictingRequest.message).toBe(
      `Instance ${cloud.idOf('active')} is in an invalid state for 'abort live migration'`,
    )
  })

  it('aborts a queued one from 2.65 on, and refuses it before', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers['*'] = { hang: true }
    await cloud.migrateLive('active')
    await reaches(cloud, 'active', 'running')
    await cloud.migrateLive('active-2')
    const { id } = await reaches(cloud, 'active-2', 'queued')
    const at = `/servers/${cloud.idOf('active-2')}/migrations/${id}`
    const refused = await cloud.nova('DELETE', at, undefined, '2.64')
    expect(refused.status).toBe(400)
    expect(refused.json.badRequest.message).toContain('is queued. Cannot abort live migration')
    expect((await cloud.nova('DELETE', at)).status).toBe(202)
    await reaches(cloud, 'active-2', 'cancelled')
    expect((await cloud.migration('active')).status).toBe('running')
  })

  it('force-completes a running one, but never that of a paused server', async () => {
    const cloud = await smallCloud()
    cloud.simulator.state.maxConcurrentLiveMigrations = 2
    cloud.simulator.faults.servers['*'] = { hang: true }
    const force = async (name: string) => {
      await cloud.migrateLive(name)
      const { id } = await reaches(cloud, name, 'running')
      return cloud.nova('POST', `/servers/${cloud.idOf(name)}/migrations/${id}/action`, { force_complete: null })
    }
    expect((await force('active')).status).toBe(202)
    await reaches(cloud, 'active', 'completed')
    const refused = await force('paused')
    expect(refused.status).toBe(409)
    expect(refused.json.conflictingRequest.message).toContain("Cannot 'force_complete' instance")
  })

  it('writes one action per accepted request, newest first, and none for a refused one', async () => {
    const cloud = await smallCloud()
    await cloud.migrateLive('active')
    await ended(cloud, 'active')
    await cloud.migrateLive('broken')
    const actions = async (name: string) =>
      (await cloud.nova('GET', `/servers/${cloud.idOf(name)}/os-instance-actions`)).json.instanceActions.map(
        (entry: { action: string }) => entry.action,
      )
    expect(await actions('active')).toEqual(['live-migration', 'create'])
    expect(await actions('broken')).toEqual(['create'])
  })

  it('finds records by host, either end of the way, and by time, pages them, and refuses unknown filters', async () => {
    const cloud = await smallCloud()
    for (const name of ['active', 'active-2']) {
      await cloud.migrateLive(name)
      await ended(cloud, name)
    }
    const list = async (query: string) => (await cloud.nova('GET', `/os-migrations?${query}`)).json
    expect((await list('host=cmp-1')).migrations).toHaveLength(2)
    expect((await list('host=cmp-3')).migrations).toHaveLength(0)
    expect((await list('status=failed')).migrations).toHaveLength(0)
    expect((await list('changes-since=2100-01-01T00:00:00Z')).migrations).toHaveLength(0)
    const first = await list('limit=1')
    expect(first.migrations[0].instance_uuid).toBe(cloud.idOf('active-2'))
    const second = await list(new URL(first.migrations_links[0].href).search.slice(1))
    expect(second.migrations[0].instance_uuid).toBe(cloud.idOf('active'))
    expect((await cloud.nova('GET', '/os-migrations?bogus=1')).status).toBe(400)
    expect((await cloud.nova('GET', '/os-migrations?bogus=1', undefined, '2.58')).status).toBe(200)
  })

  it('nothing changes any more once the cloud is stopped', async () => {
    const cloud = await smallCloud()
    cloud.simulator.faults.servers['*'] = { hang: true }
    await cloud.migrateLive('active')
    await reaches(cloud, 'active', 'running')
    await cloud.simulator.stop()
    expect(cloud.simulator.state.servers.get(cloud.idOf('active'))?.taskState).toBe('migrating')
    await expect(fetch(cloud.simulator.authUrl)).rejects.toThrow()
  })
})
