import { expect, onTestFinished, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import { probeMasakariPolicies } from '../../../../main/adapters/openstack/masakari-probes.ts'
import { createOpenStackPort } from '../../../../main/adapters/openstack/openstack-port.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { startOpenStackSimulator } from '../../../../main/wings/simulators/openstack/openstack-simulator.ts'
import { must } from '../../../../shared/domain/must.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { resolvedCloud } from '../../../fixtures/openstack-cloud.ts'
import { SMALL_CLOUD } from '../../wings/simulators/openstack/small-cloud.ts'

const MANY = Array.from({ length: 205 }, (_, at) => `host-${at}`)
const SEGMENTS = [
  { name: 'rack-1', hosts: ['cmp-1', 'cmp-2'] },
  { name: 'rack-2', hosts: ['cmp-3'] },
  { name: 'rack-3', hosts: [] },
]

async function cloudWith(masakari: typeof SEGMENTS, user = 0) {
  const simulator = await startOpenStackSimulator({ clock: systemClock, seed: { ...SMALL_CLOUD, masakari } })
  onTestFinished(() => simulator.stop())
  const { name, password, project } = must(SMALL_CLOUD.users[user], 'the cloud has this user')
  const session = valueIn(
    await openOpenStackSession({
      cloud: resolvedCloud({
        name: 'small',
        authUrl: simulator.authUrl,
        auth: {
          kind: 'password',
          user: { name, domainName: 'Default' },
          password,
          scope: { kind: 'project', project: { name: project, domainName: 'Default' } },
        },
      }),
      clock: systemClock,
      log: silentLogger,
      environment: {},
    }),
  )
  onTestFinished(() => session.close())
  return { simulator, session, port: createOpenStackPort({ session }) }
}

test.each([
  ['no segment: the catalogue has no Masakari, and nothing is asked', [], []],
  ['the hosts of every segment', SEGMENTS, ['rack-1/cmp-1', 'rack-1/cmp-2', 'rack-2/cmp-3']],
  ['a segment of many pages', [{ name: 'large', hosts: MANY }], MANY.map(host => `large/${host}`)],
])('%s', async (_, segments, expected) => {
  const { port, simulator } = await cloudWith([...segments])
  const hosts = valueIn(await port.failoverHosts())
  expect(hosts.map(({ segmentName, host }) => `${segmentName}/${host}`)).toEqual(expected)
  expect(hosts.some(({ onMaintenance }) => onMaintenance)).toBe(false)
  expect(simulator.log.some(({ path }) => path.includes('instance-ha'))).toBe(expected.length > 0)
})

test('on_maintenance is set on one host and cleared again', async () => {
  const { port } = await cloudWith(SEGMENTS)
  const onMaintenance = async () =>
    valueIn(await port.failoverHosts()).flatMap(each => (each.onMaintenance ? [each.host] : []))
  const host = must(valueIn(await port.failoverHosts())[1], 'cmp-2 is in a segment')
  expect(await port.setOnMaintenance(host, true)).toMatchObject({ ok: true })
  expect(await onMaintenance()).toEqual(['cmp-2'])
  expect(await port.setOnMaintenance(host, false)).toMatchObject({ ok: true })
  expect(await onMaintenance()).toEqual([])
})

test('while Masakari handles a failure in the segment, its hosts are not changed, and the failure is known by its host', async () => {
  const { port, simulator } = await cloudWith(SEGMENTS)
  const [first, second, elsewhere] = valueIn(await port.failoverHosts())
  const [one, two, three] = [first, second, elsewhere].map(each => must(each, 'it is in a segment'))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three hosts are in segments')
  const notification = {
    id: '11111111-2222-4333-8444-555555555555',
    hostId: one.id,
    type: 'COMPUTE_HOST' as const,
    generatedAt: Date.parse('2026-01-01T00:00:00Z'),
  }
  const segment = must(simulator.state.segments[0], 'the cloud has it')
  for (const status of ['new', 'running', 'error'] as const) {
    segment.notifications.splice(0, 1, { ...notification, status })
    expect(await port.setOnMaintenance(two, true)).toMatchObject({ ok: false, failure: { code: 'conflict' } })
    expect(await port.setOnMaintenance(three, true)).toMatchObject({ ok: true })
    expect(await port.recoveries(one)).toEqual({
      ok: true,
      value: [{ id: notification.id, of: 'host', status, since: '2026-01-01T00:00:00.000Z' }],
    })
    expect(await port.recoveries(two)).toEqual({ ok: true, value: [] })
  }
  for (const status of ['finished', 'ignored', 'failed'] as const) {
    segment.notifications.splice(0, 1, { ...notification, status })
    expect(await port.recoveries(one)).toEqual({ ok: true, value: [] })
    expect(await port.setOnMaintenance(two, true)).toMatchObject({ ok: true })
  }
})

test('a user whom the policy forbids it hears which rule does', async () => {
  const { port } = await cloudWith(SEGMENTS, 1)
  expect(await port.failoverHosts()).toMatchObject({
    ok: false,
    failure: { code: 'not-permitted', message: expect.stringContaining('os_masakari_api:segments:index') },
  })
})

test.each([
  ['admin', 0, true],
  ['demo', 1, false],
] as const)(
  'Masakari is asked whether it takes a maintenance from %s, and nothing is changed',
  async (_, user, allowed) => {
    const { session, simulator } = await cloudWith(SEGMENTS, user)
    const answers = valueIn(await probeMasakariPolicies(session))
    expect(answers.map(({ rule, allowed: is }) => [rule, is])).toEqual([
      ['os_masakari_api:segments:index', allowed],
      ['os_masakari_api:os-hosts:update', allowed],
    ])
    expect(simulator.state.segments.flatMap(({ hosts }) => hosts).some(host => host.onMaintenance)).toBe(false)
  },
)
