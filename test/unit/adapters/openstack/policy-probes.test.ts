import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import type { OpenStackSession } from '../../../../main/adapters/openstack/openstack-session.ts'
import { probeNovaPolicies } from '../../../../main/adapters/openstack/policy-probes.ts'
import { createKeptLog, createTestClock, type FixtureCloud, openFixtureCloud } from './fixture-cloud.ts'

let fixture: FixtureCloud
let session: OpenStackSession

const NOVA = '/compute/v2.1'
const SERVER = { id: 's1', name: 'vm-1', status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'cmp-1' }
const LIVE = 'os_compute_api:os-migrate-server:migrate_live'
const ABORT = 'os_compute_api:servers:migrations:delete'

const refuses = (rule: string) => ({
  status: 403,
  body: { forbidden: { code: 403, message: `Policy doesn't allow ${rule} to be performed.` } },
})
const NAMES: Readonly<Record<number, string>> = { 400: 'badRequest', 404: 'itemNotFound', 409: 'conflictingRequest' }
const says = (status: number, message: string) => ({
  status,
  body: { [NAMES[status] ?? 'computeFault']: { code: status, message } },
})

beforeEach(async () => {
  const clock = createTestClock()
  fixture = await openFixtureCloud(clock)
  servers([SERVER])
  fixture.on('GET', `${NOVA}/os-services`, () => ({ status: 200, body: { services: [] } }))
  fixture.on('PUT', /\/os-services\//, () => says(404, 'Service could not be found.'))
  fixture.on('POST', /\/servers\/[^/]+\/action$/, () => says(400, 'Compute host could not be found.'))
  fixture.on('DELETE', /\/migrations\/0$/, () => says(404, 'Migration 0 could not be found.'))
  fixture.on('POST', /\/migrations\/0\/action$/, () => says(409, 'in an invalid state'))
  fixture.on('PUT', /\/tags\//, () => says(400, 'Tag is invalid.'))
  const opened = await openOpenStackSession({ cloud: fixture.cloud, clock, log: createKeptLog(), environment: {} })
  if (!opened.ok) throw new Error(opened.failure.message)
  session = opened.value
})

afterEach(async () => {
  session.close()
  await fixture.close()
})

function servers(list: readonly unknown[]): void {
  fixture.on('GET', `${NOVA}/servers/detail`, () => ({ status: 200, body: { servers: list } }))
}

async function probe(rule: string) {
  const probes = await probeNovaPolicies(session)
  if (!probes.ok) throw new Error(probes.failure.message)
  return probes.value.find(each => each.rule === rule)
}

test('a request that passed the policy and then came to nothing means allowed', async () => {
  expect(await probe(LIVE)).toMatchObject({ allowed: true })
  expect(await probe(ABORT)).toMatchObject({ allowed: true })
  expect(await probe('os_compute_api:os-services:update')).toMatchObject({ allowed: true })
  expect(await probe('os_compute_api:os-server-tags:update')).toMatchObject({ allowed: true })
  expect(await probe('os_compute_api:os-extended-server-attributes')).toMatchObject({ allowed: true })
})

test('a 403 that names the rule means not allowed, and says which role the rule needs', async () => {
  fixture.on('PUT', /\/os-services\//, () => refuses('os_compute_api:os-services:update'))
  expect(await probe('os_compute_api:os-services:update')).toMatchObject({
    need: 'disable and enable a compute service',
    rule: 'os_compute_api:os-services:update',
    allowed: false,
    code: 'PolicyDenies',
    values: { rule: 'os_compute_api:os-services:update', role: { kind: 'admin', needsProject: false } },
    message:
      'Not allowed to user operator in project admin: disable and enable a compute service. The rule os_compute_api:os-services:update needs the role admin.',
  })
})

test('a 403 by the rule for named hosts of recent Novas tells nothing about moving without one', async () => {
  fixture.on('POST', /\/servers\/[^/]+\/action$/, () => refuses(`${LIVE}:host`))
  expect(await probe(LIVE)).toMatchObject({ allowed: 'unknown' })
})

test('a server that is gone by the time it is asked about tells nothing', async () => {
  fixture.on('POST', /\/servers\/[^/]+\/action$/, () => says(404, 'Instance s1 could not be found.'))
  fixture.on('DELETE', /\/migrations\/0$/, () => says(404, 'Instance s1 could not be found.'))
  expect(await probe(LIVE)).toMatchObject({ allowed: 'unknown' })
  expect(await probe(ABORT)).toMatchObject({ allowed: 'unknown' })
})

test('without any server to ask about, the permissions for actions on servers are unknown', async () => {
  servers([])
  expect(await probe(LIVE)).toMatchObject({ allowed: 'unknown', values: { why: { code: 'NoInstanceToAskAbout' } } })
  expect(fixture.seenAt(/\/action$/)).toHaveLength(0)
})

test('a server that does not run is asked about rather than one that does', async () => {
  servers([SERVER, { ...SERVER, id: 's2', status: 'MIGRATING' }, { ...SERVER, id: 's3', status: 'SUSPENDED' }])
  await probe(LIVE)
  expect(fixture.seenAt(/\/action$/).map(each => each.path.split('/')[4])).toEqual(Array(5).fill('s3'))
})

test('nothing that is asked could be done: a host, a service, a migration that nobody has, a tag too long', async () => {
  await probe(LIVE)
  const moveLive = { 'os-migrateLive': { host: 'lockkeeper-policy-probe.invalid', block_migration: 'auto' } }
  const changes = fixture.seen.filter(each => each.method !== 'GET' && each.path.startsWith(NOVA))
  expect(changes.map(each => [each.method, each.path.replace(/x{60}/, '…'), each.body])).toEqual([
    ['PUT', `${NOVA}/os-services/00000000-0000-4000-8000-000000000000`, { status: 'enabled' }],
    ['POST', `${NOVA}/servers/s1/action`, moveLive],
    // Once more for the rule of moves to a named host.
    ['POST', `${NOVA}/servers/s1/action`, moveLive],
    ['POST', `${NOVA}/servers/s1/action`, { migrate: { host: 'lockkeeper-policy-probe.invalid' } }],
    ['POST', `${NOVA}/servers/s1/action`, { evacuate: { host: 'lockkeeper-policy-probe.invalid' } }],
    ['DELETE', `${NOVA}/servers/s1/migrations/0`, undefined],
    ['POST', `${NOVA}/servers/s1/migrations/0/action`, { force_complete: null }],
    ['PUT', `${NOVA}/servers/s1/tags/lockkeeper-policy-probe-…`, undefined],
  ])
})

test('a service that is not there leaves its answers unknown and the others as they are', async () => {
  fixture.on('GET', '/network/v2.0/agents', () => 'drop')
  expect(await probe('get_agent')).toMatchObject({
    allowed: 'unknown',
    values: { why: { values: { cause: { code: 'ServiceUnreachable', values: { service: 'Neutron' } } } } },
  })
})

test('an empty list of agents does not pass for permission', async () => {
  fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: { agents: [] } }))
  expect(await probe('get_agent')).toMatchObject({ allowed: 'unknown' })
  fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: { agents: [{ id: 'a' }] } }))
  expect(await probe('get_agent')).toMatchObject({ allowed: true })
})

test('an aborted probe is a failure, not a list of unknowns', async () => {
  expect(await probeNovaPolicies(session, AbortSignal.abort())).toMatchObject({
    ok: false,
    failure: { code: 'aborted' },
  })
})

test('a login page allows nothing', async () => {
  const page = () => ({ status: 200, body: '<html>Sign in</html>' })
  fixture.on('GET', `${NOVA}/os-services`, page)
  fixture.on('GET', '/placement/resource_providers', page)
  expect(await probe('os_compute_api:os-services:list')).toMatchObject({ allowed: 'unknown' })
  expect(await probe('placement:resource_providers:list')).toMatchObject({ allowed: 'unknown' })
  fixture.on('GET', `${NOVA}/servers/detail`, page)
  expect(await probeNovaPolicies(session)).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
})
