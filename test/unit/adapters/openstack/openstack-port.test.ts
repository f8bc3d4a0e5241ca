// Longer than 300 lines: one file a port, so that every call of it is found in one place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../../main/adapters/openstack/openstack-port.ts'
import type { OpenStackSession } from '../../../../main/adapters/openstack/openstack-session.ts'
import { listAll } from '../../../../main/adapters/openstack/pages.ts'
import type { OpenStackPort } from '../../../../main/ports/openstack.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { askedByTest } from '../../../fixtures/asked-by-test.ts'
import { createKeptLog, createTestClock, type FixtureCloud, openFixtureCloud } from './fixture-cloud.ts'
import { recordedAnswer } from './recorded-answers.ts'

let fixture: FixtureCloud
let session: OpenStackSession
let port: OpenStackPort

const NOVA = '/compute/v2.1'
const SERVICE = '8364139d-e7d6-4391-ae6c-9d3988e1e6c3'
const SERVICE_ROW = { id: SERVICE, binary: 'nova-compute', host: 'cmp-3', zone: 'az2', updated_at: null }

/** A server with everything that Nova always shows. */
const serverOf = (id: string, more: object = {}) => ({
  id,
  name: `vm-${id}`,
  status: 'ACTIVE',
  tenant_id: 'p',
  user_id: 'u',
  'OS-EXT-STS:vm_state': 'active',
  'OS-EXT-STS:task_state': null,
  'OS-EXT-STS:power_state': 1,
  'OS-EXT-AZ:availability_zone': 'az1',
  'OS-SRV-USG:launched_at': null,
  'os-extended-volumes:volumes_attached': [],
  tags: [],
  locked: false,
  created: '2026-11-20T16:12:21Z',
  updated: '2026-11-20T16:12:49Z',
  ...more,
})

beforeEach(async () => {
  const clock = createTestClock()
  fixture = await openFixtureCloud(clock)
  nova('GET', '/os-server-groups', { server_groups: [] })
  session = await reopen()
})

afterEach(async () => {
  session.close()
  await fixture.close()
})

async function reopen(novaSpeaks = '2.93'): Promise<OpenStackSession> {
  fixture.on('GET', `${NOVA}/`, () => ({ status: 200, body: { version: { version: novaSpeaks } } }))
  const opened = await openOpenStackSession({
    cloud: fixture.cloud,
    clock: createTestClock(),
    log: createKeptLog(),
    environment: {},
  })
  session = value(opened)
  port = createOpenStackPort({ session })
  return session
}

function nova(method: string, path: string, body: unknown, status = 200): void {
  fixture.on(method, `${NOVA}${path}`, () => ({ status, body }))
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.detail}`)
  return result.value
}

const queryOf = (path: string) => Object.fromEntries(fixture.seenAt(path).at(-1)?.query ?? [])

describe('compute services', () => {
  test('are read as the real Nova shows them', async () => {
    nova('GET', '/os-services', recordedAnswer('Compute services, microversion 2.53+ (UUID ids)'))
    expect(value(await port.computeServices())[0]).toEqual({
      id: '8364139d-e7d6-4391-ae6c-9d3988e1e6c3',
      binary: 'nova-compute',
      host: 'cmp-3',
      zone: 'az2',
      status: 'enabled',
      state: 'up',
      disabledReason: null,
      forcedDown: false,
      updatedAt: '2026-11-20T16:13:07.000Z',
    })
    expect(queryOf(`${NOVA}/os-services`)).toEqual({ binary: 'nova-compute' })
  })

  test('of one host are listed for that host alone', async () => {
    nova('GET', '/os-services', recordedAnswer('Compute services, microversion 2.53+ (UUID ids)'))
    // Nova shows those of the host alone; a list with others was not made for it, so nobody knows whether the host is in it.
    expect(await port.computeService('cmp')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    nova('GET', '/os-services', { services: [] })
    expect(value(await port.computeService('cmp'))).toBeNull()
  })

  test('of a cell that does not answer (2.69) count as down and not to be used', async () => {
    nova('GET', '/os-services', { services: [{ binary: 'nova-compute', host: 'cmp-9', status: 'UNKNOWN' }] })
    expect(value(await port.computeServices())).toMatchObject([
      { host: 'cmp-9', state: 'down', status: 'disabled', id: '' },
    ])
    expect(await port.disableComputeService('', 'why')).toMatchObject({ ok: false, failure: { code: 'conflict' } })
  })

  test('are disabled with a reason and enabled without one', async () => {
    nova('PUT', `/os-services/${SERVICE}`, recordedAnswer('Disable with a reason'))
    expect(value(await port.disableComputeService(SERVICE, 'maintenance: CHG-1001'))).toMatchObject({
      status: 'disabled',
      disabledReason: 'maintenance: CHG-1001',
    })
    expect(fixture.seen.at(-1)?.body).toEqual({ status: 'disabled', disabled_reason: 'maintenance: CHG-1001' })
    nova('PUT', `/os-services/${SERVICE}`, recordedAnswer('Enable again (clears the reason)'))
    expect(value(await port.enableComputeService(SERVICE))).toMatchObject({
      status: 'enabled',
      disabledReason: null,
    })
    expect(fixture.seen.at(-1)?.body).toEqual({ status: 'enabled' })
  })

  test('are forced down and disabled by one request, and forced down no longer', async () => {
    const forced = { status: 'disabled', disabled_reason: 'off', forced_down: true, state: 'down' }
    nova('PUT', `/os-services/${SERVICE}`, { service: { ...SERVICE_ROW, ...forced } })
    expect(value(await port.forceComputeServiceDown(SERVICE, 'off'))).toMatchObject({ forcedDown: true, state: 'down' })
    expect(fixture.seen.at(-1)?.body).toEqual({ status: 'disabled', disabled_reason: 'off', forced_down: true })
    expect(value(await port.forceComputeServiceDown(SERVICE, null))).toMatchObject({ forcedDown: true })
    expect(fixture.seen.at(-1)?.body).toEqual({ forced_down: true })
    expect(await port.forceComputeServiceUp(SERVICE)).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(fixture.seen.at(-1)?.body).toEqual({ forced_down: false })
  })

  test.each(['', '  ', 'x'.repeat(256)])('are not disabled with a reason that Nova would refuse', async reason => {
    expect(await port.disableComputeService('8364139d', reason)).toMatchObject({ failure: { code: 'bad-input' } })
    expect(fixture.seenAt(/os-services/)).toHaveLength(0)
  })
})

describe('instances', () => {
  const OF_HOST = 'Servers of a host, every project'

  test('are read as the real Nova shows them', async () => {
    nova('GET', '/servers/detail', recordedAnswer(OF_HOST))
    const listing = value(await port.instancesOnHost('cmp-1'))
    expect(listing.unreachable).toEqual([])
    expect(listing.items).toEqual([
      {
        id: '9e624df5-755f-4ce0-a3aa-6fead0338605',
        name: 'vm-05',
        projectId: '247535e3a0504bc1a61f921dbfa30883',
        userId: '1404391fb25a47838150d64ae75fa4c6',
        host: 'cmp-1',
        status: 'SHUTOFF',
        vmState: 'stopped',
        taskState: null,
        powerState: 4,
        tags: [],
        flavor: { name: 'm1.small', vcpus: 1, ramMib: 2048, diskGib: 20, ephemeralGib: 0, swapMib: 0, extraSpecs: {} },
        hasConfigDrive: false,
        volumeIds: [],
        bootsFromVolume: false,
        availabilityZone: 'az1',
        pinnedZone: undefined,
        serverGroupIds: [],
        locked: false,
        createdAt: '2026-11-20T16:12:21.000Z',
        launchedAt: '2026-11-20T16:12:41.000Z',
        updatedAt: '2026-11-20T16:12:49.000Z',
        partial: false,
      },
    ])
    expect(queryOf(`${NOVA}/servers/detail`)).toEqual({ all_tenants: '1', host: 'cmp-1', limit: '500' })
  })

  test('of another host in the list of one host make it no list of that host', async () => {
    nova('GET', '/servers/detail', {
      servers: [
        serverOf('a', { 'OS-EXT-SRV-ATTR:host': 'cmp-1' }),
        serverOf('b', { 'OS-EXT-SRV-ATTR:host': 'cmp-10' }),
      ],
    })
    expect(await port.instancesOnHost('cmp-1')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test.each(['OS-EXT-STS:vm_state', 'OS-EXT-STS:task_state', 'tags', 'locked', 'updated'])(
    'without %s are not servers as Nova tells them',
    async field => {
      const server: Record<string, unknown> = serverOf('a')
      delete server[field]
      nova('GET', '/servers/a', { server })
      expect(await port.getInstance('a')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    },
  )

  test('whose hosts Nova hides are a failure, never an empty host', async () => {
    nova('GET', '/servers/detail', { servers: [serverOf('a')] })
    const answer = await port.instancesOnHost('cmp-1')
    expect(answer).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
    expect(answer.ok ? '' : answer.failure.message).toContain('os-extended-server-attributes')
  })

  test('of a cell that does not answer (2.69) are reported as unreachable', async () => {
    nova('GET', '/servers/detail', {
      servers: [
        serverOf('a', { 'OS-EXT-SRV-ATTR:host': 'cmp-1' }),
        { id: 'b', status: 'UNKNOWN', tenant_id: 'p', created: '2026-11-20T16:12:21Z', links: [] },
      ],
    })
    const onHost = value(await port.instancesOnHost('cmp-1'))
    expect(onHost.items.map(each => each.id)).toEqual(['a'])
    expect(onHost.unreachable.join()).toContain('b')
    const all = value(await port.listInstances())
    expect(all.items).toMatchObject([
      { id: 'a', partial: false },
      { id: 'b', name: 'b', partial: true, vmState: null, status: 'UNKNOWN', host: null, projectId: 'p' },
    ])
    expect(all.unreachable).toHaveLength(1)
  })

  test('one of a cell that does not answer is known by what Nova has at hand', async () => {
    nova('GET', '/servers/b', {
      server: {
        id: 'b',
        status: 'UNKNOWN',
        tenant_id: 'p',
        created: '2026-11-20T16:12:21Z',
        user_id: 'UNKNOWN',
        'OS-EXT-AZ:availability_zone': 'UNKNOWN',
        'OS-EXT-STS:power_state': 0,
        server_groups: [],
        flavor: { original_name: 'm', vcpus: 1, ram: 1, disk: 1, ephemeral: 0, swap: 0 },
      },
    })
    expect(value(await port.getInstance('b'))).toMatchObject({
      partial: true,
      userId: null,
      availabilityZone: null,
      vmState: null,
    })
  })

  test('carry the server groups they are members of, which lists of servers do not show', async () => {
    nova('GET', '/servers/detail', recordedAnswer(OF_HOST))
    nova('GET', '/os-server-groups', {
      server_groups: [
        {
          id: 'g1',
          name: 'web',
          policy: 'anti-affinity',
          rules: { max_server_per_host: 2 },
          members: ['9e624df5-755f-4ce0-a3aa-6fead0338605'],
        },
        { id: 'g2', name: 'old', policies: ['affinity'], members: ['other'] },
      ],
    })
    expect(value(await port.instancesOnHost('cmp-1')).items[0]?.serverGroupIds).toEqual(['g1'])
    expect(value(await port.serverGroups())).toEqual([
      {
        id: 'g1',
        name: 'web',
        policy: 'anti-affinity',
        maxPerHost: 2,
        memberIds: ['9e624df5-755f-4ce0-a3aa-6fead0338605'],
      },
      { id: 'g2', name: 'old', policy: 'affinity', memberIds: ['other'] },
    ])
    expect(queryOf(`${NOVA}/os-server-groups`)).toEqual({ all_projects: 'true' })
  })

  test('carry their server groups also from a Nova before 2.71', async () => {
    await reopen('2.60')
    nova('GET', '/servers/s1', { server: serverOf('s1') })
    nova('GET', '/os-server-groups', { server_groups: [{ id: 'g1', name: 'web', policies: ['x'], members: ['s1'] }] })
    expect(value(await port.getInstance('s1')).serverGroupIds).toEqual(['g1'])
  })

  test('tell the zone their owner asked for from 2.96 on', async () => {
    const server = serverOf('s', { server_groups: ['g'] })
    nova('GET', '/servers/s', { server: { ...server, pinned_availability_zone: null } })
    expect(value(await port.getInstance('s'))).toMatchObject({ pinnedZone: null, serverGroupIds: ['g'] })
    nova('GET', '/servers/s', { server: { ...server, pinned_availability_zone: 'az1' } })
    expect(value(await port.getInstance('s')).pinnedZone).toBe('az1')
  })

  test('tell what their owner asked of the scheduler from 2.100 on; one of which Nova has no request asked nothing', async () => {
    const hints = (reported?: unknown) => ({
      server: serverOf('s', reported === undefined ? {} : { scheduler_hints: reported }),
    })
    nova('GET', '/servers/s', hints())
    expect(value(await port.getInstance('s')).schedulerHints).toBeUndefined()
    nova('GET', '/servers/s', hints({ same_host: ['a', 'b'] }))
    expect(value(await port.getInstance('s')).schedulerHints).toEqual({ same_host: ['a', 'b'] })
    nova('GET', '/servers/s', hints(null))
    expect(value(await port.getInstance('s')).schedulerHints).toEqual({})
    // An owner wrote them: whatever they are, the instance is read.
    nova('GET', '/servers/s', hints({ same_host: 7, different_host: ['a', null], query: ['x'] }))
    expect(value(await port.getInstance('s')).schedulerHints).toMatchObject({ query: ['x'] })
    nova('GET', '/servers/s', hints('none'))
    expect(value(await port.getInstance('s')).schedulerHints).toBeUndefined()
  })

  test.each([
    ['One server', { status: 'ACTIVE', vmState: 'active', powerState: 1 }],
    ['One server that is in ERROR', { status: 'ERROR', vmState: 'error', powerState: 1 }],
    ['The server meanwhile', { status: 'MIGRATING', taskState: 'migrating', host: 'cmp-4' }],
    ['The server waits for confirmation', { status: 'VERIFY_RESIZE', vmState: 'resized', powerState: 4 }],
  ])('are read in every state: %s', async (heading, expected) => {
    const { server } = z.object({ server: z.looseObject({ id: z.string() }) }).parse(recordedAnswer(heading))
    nova('GET', `/servers/${server.id}`, { server })
    expect(value(await port.getInstance(server.id))).toMatchObject({ ...expected, partial: false })
  })

  test('have an action log, newest first', async () => {
    const id = '5bb04252-fd8b-46d4-89ff-ad2b39ad285c'
    nova('GET', `/servers/${id}/os-instance-actions`, recordedAnswer('What happened to it: instance actions'))
    expect(value(await port.instanceActions(id))).toEqual([
      {
        action: 'live-migration',
        requestId: 'req-df91270f-d4d5-4bf7-965d-bd789bcbfff2',
        startedAt: '2026-11-20T16:14:32.000Z',
        message: null,
      },
      {
        action: 'live-migration',
        requestId: 'req-93bb20d7-cf68-4cdf-8ce4-135aa00b4f7a',
        startedAt: '2026-11-20T16:12:52.000Z',
        message: null,
      },
    ])
  })

  test('whose id is odd cannot reach another address', async () => {
    await port.getInstance('../os-services')
    expect(fixture.seen.at(-1)?.path).toBe(`${NOVA}/servers/..%2Fos-services`)
  })
})

describe('moving', () => {
  test('evacuate speaks as the last Nova that keeps what ran running', async () => {
    nova('POST', '/servers/s/action', undefined, 200)
    expect(await port.evacuateInstance('s')).toEqual({ ok: true, value: undefined })
    expect(fixture.seen.at(-1)?.body).toEqual({ evacuate: {} })
  })

  test.each([
    ['live', () => port.liveMigrate('s', null), { 'os-migrateLive': { host: null, block_migration: 'auto' } }],
    [
      'live to a host',
      () => port.liveMigrate('s', 'cmp-2'),
      { 'os-migrateLive': { host: 'cmp-2', block_migration: 'auto' } },
    ],
    ['cold', () => port.coldMigrate('s', null), { migrate: null }],
    ['cold to a host', () => port.coldMigrate('s', 'cmp-2'), { migrate: { host: 'cmp-2' } }],
    ['confirm', () => port.confirmResize('s'), { confirmResize: null }],
    ['stop', () => port.stopInstance('s'), { 'os-stop': null }],
    ['reset', () => port.resetInstanceState('s'), { 'os-resetState': { state: 'active' } }],
  ])('%s asks Nova as its API wants it', async (_name, act, body) => {
    nova('POST', '/servers/s/action', undefined, 'confirmResize' in body ? 204 : 202)
    expect(await act()).toEqual({ ok: true, value: undefined })
    expect(fixture.seen.at(-1)?.body).toEqual(body)
  })

  test('abort and force name the migration', async () => {
    nova('DELETE', '/servers/s/migrations/9', undefined, 202)
    nova('POST', '/servers/s/migrations/9/action', undefined, 202)
    expect((await port.abortMigration('s', 9)).ok).toBe(true)
    expect((await port.forceCompleteMigration('s', 9)).ok).toBe(true)
    expect(fixture.seen.at(-1)?.body).toEqual({ force_complete: null })
  })

  test('a refusal quotes Nova, about the instance', async () => {
    nova('POST', '/servers/s/action', recordedAnswer('A stopped server'), 409)
    expect(await port.liveMigrate('s', null)).toMatchObject({
      ok: false,
      failure: {
        code: 'conflict',
        target: 'server/s',
        message: expect.stringContaining('while it is in vm_state stopped'),
      },
    })
  })
})

describe('what Nova refuses about an instance', () => {
  test.each<[call: string, ask: (id: string) => Promise<Result<unknown>>]>([
    ['read', id => port.getInstance(id)],
    ['its action log', id => port.instanceActions(id)],
    ['its migrations', id => port.migrations({ instanceId: id })],
    ['its running migration', id => port.runningMigration(id)],
    ['live-migrate', id => port.liveMigrate(id, null)],
    ['cold-migrate', id => port.coldMigrate(id, null)],
    ['confirm', id => port.confirmResize(id)],
    ['stop', id => port.stopInstance(id)],
    ['start', id => port.startInstance(id)],
    ['reset', id => port.resetInstanceState(id)],
    ['evacuate', id => port.evacuateInstance(id)],
    ['abort', id => port.abortMigration(id, 7)],
    ['force', id => port.forceCompleteMigration(id, 7)],
    ['tag', id => port.addInstanceTag(id, 't')],
    ['untag', id => port.removeInstanceTag(id, 't')],
  ])('names it by its last name and its id, because two may share a name: %s', async (_call, ask) => {
    const said = async (id: string) => {
      const answer = await ask(id)
      return answer.ok ? 'nothing' : answer.failure.message
    }
    expect(await said('s1')).toContain('instance s1')
    const [one, other] = ['s1', 's2'].map(id => serverOf(id, { name: 'web', 'OS-EXT-SRV-ATTR:host': 'cmp-1' }))
    nova('GET', '/servers/detail', { servers: [one, other] })
    value(await port.instancesOnHost('cmp-1'))
    expect(await said('s1')).toContain('instance web (s1)')
    expect(await said('s2')).toContain('instance web (s2)')
  })
})

describe('migrations', () => {
  test('are read as the real Nova shows them, newest first', async () => {
    const recorded = z
      .object({ migrations: z.array(z.record(z.string(), z.unknown())) })
      .parse(recordedAnswer('Every migration of a server, newest first'))
    const older = { ...recorded.migrations[0], id: 6, uuid: 'older', created_at: '2026-11-20T16:13:30.000000' }
    const unknownType = { ...older, id: 5, uuid: 'odd', migration_type: null }
    nova('GET', '/os-migrations', { migrations: [unknownType, older, recorded.migrations[0]] })
    const instanceId = '140ccbd2-5ddf-4005-af1a-a2e7eff2793f'
    const migrations = value(await port.migrations({ instanceId, host: 'cmp-2', since: '2026-11-20T16:00:00Z' }))
    expect(migrations.map(each => each.id)).toEqual([7, 6, 5])
    expect(migrations[0]).toEqual({
      id: 7,
      uuid: '4d9e2836-44c7-4c99-b71a-f901bbd2301c',
      instanceId: '140ccbd2-5ddf-4005-af1a-a2e7eff2793f',
      type: 'live-migration',
      status: 'completed',
      sourceHost: 'cmp-2',
      destHost: 'cmp-4',
      createdAt: '2026-11-20T16:13:37.000Z',
      updatedAt: '2026-11-20T16:13:42.000Z',
      progress: null,
    })
    expect(migrations[2]?.type).toBe('migration')
    expect(queryOf(`${NOVA}/os-migrations`)).toEqual({
      instance_uuid: instanceId,
      host: 'cmp-2',
      'changes-since': '2026-11-20T16:00:00Z',
    })
  })

  test('since a time are cut here where Nova cannot (below 2.59)', async () => {
    await reopen('2.53')
    const record = {
      instance_uuid: 's',
      status: 'done',
      migration_type: 'resize',
      source_compute: 'cmp-1',
      dest_compute: null,
    }
    nova('GET', '/os-migrations', {
      migrations: [
        { ...record, id: 1, created_at: '2026-11-20T10:00:00', updated_at: '2026-11-20T11:00:00' },
        { ...record, id: 2, created_at: '2026-11-20T12:30:00', updated_at: null },
        { ...record, id: 3, created_at: '2026-11-20T10:00:00', updated_at: '2026-11-20T12:30:00' },
      ],
    })
    const migrations = value(await port.migrations({ since: '2026-11-20T12:00:00.000Z' }))
    expect(migrations.map(each => each.id)).toEqual([2, 3])
    expect(queryOf(`${NOVA}/os-migrations`)).toEqual({})
  })

  test('that run show what they have moved', async () => {
    const recorded = recordedAnswer('Migrations in progress of a server (empty when none runs)')
    const [{ server_uuid: id }] = z
      .object({ migrations: z.tuple([z.object({ server_uuid: z.string() })]) })
      .parse(recorded).migrations
    nova('GET', `/servers/${id}/migrations`, recorded)
    expect(value(await port.runningMigration(id))).toMatchObject({
      id: 8,
      type: 'live-migration',
      status: 'running',
      sourceHost: 'cmp-4',
      destHost: 'cmp-2',
      progress: {
        memoryTotal: 2147483648,
        memoryProcessed: 729316010,
        memoryRemaining: 1418167638,
        diskTotal: 0,
        diskProcessed: 0,
        diskRemaining: 0,
      },
    })
    nova('GET', '/servers/s/migrations', { migrations: [] })
    expect(value(await port.runningMigration('s'))).toBeNull()
  })
})

describe('hypervisors', () => {
  const ID = '463a1e61-4a56-41c0-9c3d-75e47b884ee2'
  test('are read as the real Nova shows them before 2.88, page by page, and no nova-compute has to report its uptime', async () => {
    const page = recordedAnswer('Hypervisors 2.53')
    let pages = 0
    fixture.on('GET', `${NOVA}/os-hypervisors/detail`, () => {
      pages += 1
      return { status: 200, body: pages === 1 ? page : { hypervisors: [] } }
    })
    expect(value(await port.hypervisors())).toEqual([
      { id: ID, name: 'cmp-3', host: 'cmp-3', serviceId: SERVICE, type: 'fake', state: 'up', instances: 1 },
    ])
    const asked = fixture.seenAt(`${NOVA}/os-hypervisors/detail`)
    expect(asked.map(({ headers }) => headers['openstack-api-version'])).toEqual(['compute 2.87', 'compute 2.87'])
  })

  test('list the instances on their host; before 2.75 a hypervisor without instances has no list', async () => {
    const answer = (servers?: readonly object[]) =>
      nova('GET', `/os-hypervisors/${ID}`, { hypervisor: { id: ID, servers } })
    answer([{ name: 'instance-00000001', uuid: 'a' }])
    expect(value(await port.hypervisorInstances(ID))).toEqual(['a'])
    expect(queryOf(`${NOVA}/os-hypervisors/${ID}`)).toEqual({ with_servers: 'true' })
    answer()
    expect(await port.hypervisorInstances(ID)).toMatchObject({
      ok: false,
      failure: { code: 'unreadable', values: { why: { code: 'HypervisorWithoutServers' } } },
    })
    session.close()
    session = await reopen('2.74')
    port = createOpenStackPort({ session })
    expect(value(await port.hypervisorInstances(ID))).toEqual([])
  })
})

describe('zones, agents, providers', () => {
  test('zones have their compute hosts; the zone of control services is left out', async () => {
    nova('GET', '/os-availability-zone/detail', recordedAnswer('Availability zones'))
    expect(value(await port.availabilityZones())).toEqual([
      { name: 'az1', available: true, hosts: ['cmp-1', 'cmp-2'] },
      { name: 'az2', available: true, hosts: ['cmp-3', 'cmp-4'] },
    ])
  })

  test('agents are read as the real Neutron shows them', async () => {
    fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: recordedAnswer('Agents') }))
    expect(value(await port.networkAgents('gtw-1'))).toEqual([
      {
        id: '253a95b7-7695-47db-8149-74c44443c162',
        type: 'DHCP agent',
        binary: 'neutron-dhcp-agent',
        host: 'gtw-1',
        alive: true,
        adminStateUp: true,
        heartbeatAt: '2026-11-20T16:15:10.000Z',
      },
    ])
    expect(queryOf('/network/v2.0/agents')).toEqual({ host: 'gtw-1' })
    expect(await port.networkAgents('gtw-2')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: { agents: [] } }))
    expect(value(await port.networkAgents('gtw-2'))).toEqual([])
  })

  const ROOMY = { capacity: 60, used: 3 }

  const noCandidates = () =>
    fixture.on('GET', '/placement/allocation_candidates', () => ({
      status: 200,
      body: { allocation_requests: [], provider_summaries: {} },
    }))

  test('candidates come with their summaries, and each other provider is requested alone', async () => {
    const root = '/placement/resource_providers'
    const providers = ['roomy', 'full'].map(name => ({ uuid: `rp-${name}`, name }))
    fixture.on('GET', root, () => ({ status: 200, body: { resource_providers: providers } }))
    fixture.on('GET', '/placement/allocation_candidates', () => ({
      status: 200,
      body: {
        allocation_requests: [{ allocations: { 'rp-roomy': { resources: { VCPU: 1 } } } }],
        provider_summaries: {
          'rp-roomy': { resources: { VCPU: { capacity: 60, used: 3 }, MEMORY_MB: { capacity: 512, used: 512 } } },
          'rp-gone': { resources: { VCPU: { capacity: 8, used: 0 } } },
        },
      },
    }))
    fixture.on('GET', `${root}/rp-full/inventories`, () => ({
      status: 200,
      body: { inventories: { VCPU: { total: 3, reserved: 0, allocation_ratio: 1.5 } } },
    }))
    fixture.on('GET', `${root}/rp-full/usages`, () => ({ status: 200, body: { usages: { VCPU: 4 } } }))
    expect(value(await port.resourceProviders())).toEqual([
      { id: 'rp-roomy', name: 'roomy', capacities: { VCPU: 60, MEMORY_MB: 512 }, usages: { VCPU: 3, MEMORY_MB: 512 } },
      { id: 'rp-full', name: 'full', capacities: { VCPU: 4 }, usages: { VCPU: 4 } },
    ])
    expect(fixture.seenAt(`${root}/rp-roomy/usages`)).toEqual([])
  })

  test.each<[string, number, object, string]>([
    ['that are refused', 403, { errors: [{ status: 403, title: 'Forbidden', detail: 'no' }] }, '1.39'],
    ['that a limit reduced to nothing', 200, { allocation_requests: [], provider_summaries: {} }, '1.39'],
    ['with a part of what a host has', 200, { provider_summaries: { rp1: { resources: { VCPU: ROOMY } } } }, '1.39'],
    ['of a host that nobody lists', 200, { provider_summaries: { rp9: { resources: { VCPU: ROOMY } } } }, '1.39'],
    ['of a Placement that sends only the requested classes', 200, { provider_summaries: 'never asked' }, '1.26'],
  ])('candidates %s leave one request per host', async (_what, status, body, newest) => {
    const root = '/placement/resource_providers'
    fixture.on('GET', '/placement/', () => ({
      status: 200,
      body: { versions: [{ id: 'v1.0', max_version: newest, min_version: '1.0' }] },
    }))
    fixture.on('GET', root, () => ({ status: 200, body: { resource_providers: [{ uuid: 'rp1', name: 'cmp-1' }] } }))
    fixture.on('GET', '/placement/allocation_candidates', () => ({ status, body }))
    fixture.on('GET', `${root}/rp1/inventories`, () => ({
      status: 200,
      body: { inventories: { VCPU: { total: 4, reserved: 0, allocation_ratio: 1 } } },
    }))
    fixture.on('GET', `${root}/rp1/usages`, () => ({ status: 200, body: { usages: { VCPU: 4 } } }))
    expect(value(await port.resourceProviders())).toEqual([
      { id: 'rp1', name: 'cmp-1', capacities: { VCPU: 4 }, usages: { VCPU: 4 } },
    ])
  })

  test('candidates that cannot be read are not none', async () => {
    const root = '/placement/resource_providers'
    fixture.on('GET', root, () => ({ status: 200, body: { resource_providers: [{ uuid: 'rp1', name: 'cmp-1' }] } }))
    fixture.on('GET', '/placement/allocation_candidates', () => ({ status: 200, body: { provider_summaries: [] } }))
    expect(await port.resourceProviders()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('providers have inventories and usages; one deleted meanwhile is left out', async () => {
    const root = '/placement/resource_providers'
    noCandidates()
    fixture.on('GET', root, () => ({
      status: 200,
      body: {
        resource_providers: [
          { uuid: 'gone', name: 'gone' },
          { uuid: 'rp1', name: 'cmp-1' },
        ],
      },
    }))
    fixture.on('GET', `${root}/rp1/inventories`, () => ({
      status: 200,
      body: {
        inventories: { VCPU: { total: 16, reserved: 1, allocation_ratio: 4, step_size: 1 } },
        resource_provider_generation: 3,
      },
    }))
    fixture.on('GET', `${root}/rp1/usages`, () => ({ status: 200, body: { usages: { VCPU: 3 } } }))
    for (const part of ['inventories', 'usages']) {
      const errors = [
        { status: 404, title: 'Not Found', detail: 'No resource provider with uuid gone found', request_id: 'r' },
      ]
      fixture.on('GET', `${root}/gone/${part}`, () => ({ status: 404, body: { errors } }))
    }
    expect(value(await port.resourceProviders())).toEqual([
      {
        id: 'rp1',
        name: 'cmp-1',
        capacities: { VCPU: 60 },
        usages: { VCPU: 3 },
      },
    ])
    expect(fixture.seenAt(root)[0]?.headers['openstack-api-version']).toBe('placement 1.39')
  })

  test('who holds room on a host is read of every provider that fits its name, never by a prefix', async () => {
    const root = '/placement/resource_providers'
    const named = (...names: readonly string[]) =>
      fixture.on('GET', root, () => ({
        status: 200,
        body: { resource_providers: names.map(name => ({ uuid: `rp-${name}`, name })) },
      }))
    const holds = (name: string, ...ids: readonly string[]) =>
      fixture.on('GET', `${root}/rp-${name}/allocations`, () => ({
        status: 200,
        body: {
          allocations: Object.fromEntries(ids.map(id => [id, { resources: { VCPU: 1 } }])),
          resource_provider_generation: 1,
        },
      }))
    named('cmp-10', 'cmp-1.east', 'cmp-1')
    holds('cmp-1', 'a', 'b')
    holds('cmp-1.east', 'b', 'c')
    holds('cmp-10', 'd')
    expect(value(await port.consumersOn(['cmp-1'])), 'a rename leaves a provider').toEqual(['a', 'b', 'c'])
    expect(value(await port.consumersOn(['cmp-1.east', 'cmp-1']))).toEqual(['a', 'b', 'c'])
    named('cmp-10', 'cmp-2.east')
    holds('cmp-2.east')
    expect(value(await port.consumersOn(['cmp-2']))).toEqual([])
    named('cmp-10')
    expect(value(await port.consumersOn(['cmp-1']))).toBeNull()
  })
})

describe('projects', () => {
  const path = '/identity/v3/projects'

  test('are read with their names where we logged in, whatever address the catalogue has, page after page', async () => {
    fixture.on('GET', path, ({ query }) => ({
      status: 200,
      body:
        query.get('marker') === null
          ? {
              projects: [{ id: 'p1', name: 'shop', domain_id: 'default', enabled: true }],
              links: { self: 'x', previous: null, next: 'http://elsewhere.invalid/v3/projects?marker=p1' },
            }
          : { projects: [{ id: 'p2', name: 'batch' }], links: { self: 'x', previous: null, next: null } },
    }))
    expect(value(await port.projects())).toEqual([
      { id: 'p1', name: 'shop' },
      { id: 'p2', name: 'batch' },
    ])
  })

  test('without permission are reported with Keystone’s rule', async () => {
    const message = 'You are not authorized to perform the requested action: identity:list_projects.'
    fixture.on('GET', path, () => ({ status: 403, body: { error: { code: 403, message, title: 'Forbidden' } } }))
    const read = await port.projects()
    expect(read).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
    expect(read.ok ? '' : read.failure.message).toContain('the rule identity:list_projects of Keystone')
  })
})

describe('lists in pages', () => {
  const pages: string[] = []
  const list = () =>
    listAll(session, 'compute', {
      collection: 'things',
      item: z.object({ id: z.string() }),
      idOf: thing => thing.id,
      onPage: page => pages.push(page.map(({ id }) => id).join()),
      request: { path: '/things', query: { limit: '2' }, call: askedByTest('list the things') },
    })
  const link = (marker: string) => [{ rel: 'next', href: `http://elsewhere.invalid/things?limit=2&marker=${marker}` }]

  test('are read to the end, by the marker alone: the address in a link is not trusted', async () => {
    fixture.on('GET', `${NOVA}/things`, ({ query }) => {
      const marker = query.get('marker')
      // The marker need not be what we take for the id (Nova's migrations: a uuid beside the number).
      if (marker === null)
        return { status: 200, body: { things: [{ id: 'a' }, { id: 'b' }], things_links: link('b-uuid') } }
      if (marker === 'c') return { status: 200, body: { things: [] } }
      if (marker !== 'b-uuid') return { status: 404 }
      // An object that moved between pages is seen twice.
      return { status: 200, body: { things: [{ id: 'b' }, { id: 'c' }] } }
    })
    pages.length = 0
    expect(value(await list())).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(fixture.seenAt(`${NOVA}/things`).map(each => each.query.get('limit'))).toEqual(['2', '2', '2'])
    expect(pages).toEqual(['a,b', 'b,c', ''])
  })

  test('start again when the object at a page’s end is gone', async () => {
    let first = 0
    fixture.on('GET', `${NOVA}/things`, ({ query }) => {
      if (query.get('marker') === 'b') return { status: 400, body: { badRequest: { message: 'marker [b] not found' } } }
      if (query.get('marker') === 'a') return { status: 200, body: { things: [{ id: 'c' }] } }
      first += 1
      const marker = first === 1 ? 'b' : 'a'
      return { status: 200, body: { things: [{ id: marker }], things_links: link(marker) } }
    })
    expect(value(await list())).toEqual([{ id: 'a' }, { id: 'c' }])
  })

  test('that end with a full page without a link are read further', async () => {
    fixture.on('GET', `${NOVA}/things`, ({ query }) => ({
      status: 200,
      body: { things: query.get('marker') === null ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'c' }] },
    }))
    expect(value(await list())).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(queryOf(`${NOVA}/things`).marker).toBe('b')
  })

  test.each<[string, object]>([
    ['is refused', { status: 403, body: { forbidden: { message: 'no' } } }],
    ['is a login page', { status: 200, body: '<html>Sign in</html>' }],
    ['is of something else', { status: 200, body: { others: [] } }],
    ['has half an item', { status: 200, body: { things: [{}] } }],
  ])('whose second page %s are refused, with their first page', async (_what, second) => {
    fixture.on('GET', `${NOVA}/things`, ({ query }) =>
      query.get('marker') === null
        ? { status: 200, body: { things: [{ id: 'a' }, { id: 'b' }], things_links: link('b') } }
        : { status: 200, ...second },
    )
    expect(await list()).toMatchObject({ ok: false })
  })

  test('that never end are a failure', async () => {
    fixture.on('GET', `${NOVA}/things`, () => ({
      status: 200,
      body: { things: [{ id: 'a' }], things_links: link('a') },
    }))
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test.each([
    [
      'the same items under ever new markers',
      () => ({ things: [{ id: 'a' }], things_links: link(crypto.randomUUID()) }),
    ],
    ['new items for ever', () => ({ things: [{ id: crypto.randomUUID() }], things_links: link(crypto.randomUUID()) })],
    [
      'a next page that begins nowhere',
      () => ({ things: [], things_links: [{ rel: 'next', href: 'http://x.invalid/' }] }),
    ],
  ])('that tell %s are a failure', async (_lie, body) => {
    fixture.on('GET', `${NOVA}/things`, () => ({ status: 200, body: body() }))
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(fixture.seenAt(`${NOVA}/things`).length).toBeLessThan(250)
  })

  test('may be empty before the last one, for Neutron hides items after it has cut the page', async () => {
    fixture.on('GET', `${NOVA}/things`, ({ query }) => ({
      status: 200,
      body: query.get('marker') === null ? { things: [], things_links: link('b') } : { things: [{ id: 'c' }] },
    }))
    expect(value(await list())).toEqual([{ id: 'c' }])
  })

  test('of groups that ignore the offset are a failure', async () => {
    const server_groups = Array.from({ length: 120 }, (_, at) => ({
      id: `g${at}`,
      name: 'g',
      policy: 'affinity',
      members: [],
    }))
    nova('GET', '/os-server-groups', { server_groups })
    expect(await port.serverGroups()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('of the wrong shape are a failure that tells where, not what', async () => {
    fixture.on('GET', `${NOVA}/things`, () => ({ status: 200, body: { things: [{ id: 7 }] } }))
    expect(await list()).toMatchObject({
      ok: false,
      failure: { code: 'unreadable', detail: 'items.0.id: invalid_type' },
    })
    fixture.on('GET', `${NOVA}/things`, () => ({ status: 200, body: {} }))
    expect((await list()).ok).toBe(false)
  })

  test('server groups come in pages by offset', async () => {
    const groups = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `g${from + at}`, name: 'g', policy: 'affinity', members: [] }))
    fixture.on('GET', `${NOVA}/os-server-groups`, ({ query }) => {
      const offset = Number(query.get('offset') ?? '0')
      return { status: 200, body: { server_groups: groups(offset, offset === 0 ? 250 : 3) } }
    })
    expect(value(await port.serverGroups())).toHaveLength(253)
  })
})
