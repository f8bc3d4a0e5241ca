import { expect, onTestFinished, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../../main/adapters/openstack/openstack-port.ts'
import { probeNovaPolicies } from '../../../../main/adapters/openstack/policy-probes.ts'
import type { CloudCredentials } from '../../../../main/adapters/openstack/resolved-cloud.ts'
import { probeWatcherPolicies } from '../../../../main/adapters/openstack/watcher/watcher-probes.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import type { ServerSeed } from '../../../../main/wings/simulators/openstack/seed.ts'
import { resolvedCloud } from '../../../fixtures/openstack-cloud.ts'
import { SMALL_CLOUD, smallCloud } from '../../wings/simulators/openstack/small-cloud.ts'
import { createKeptLog } from './fixture-cloud.ts'

/** Nova 34 judges moves by the role manager, a named host and other projects' migrations by separate rules, and refuses system tokens. */
const LIVE = 'os_compute_api:os-migrate-server:migrate_live'
const COLD = 'os_compute_api:os-migrate-server:migrate'
const INDEX = 'os_compute_api:os-migrations:index'
const PROJECT = { kind: 'project', project: { name: 'admin', domainName: 'Default' } } as const

async function loggedIn(
  user: string,
  options: {
    readonly scope?: Extract<CloudCredentials, { readonly kind: 'password' }>['scope']
    readonly nova?: string
    readonly servers?: readonly ServerSeed[]
  } = {},
) {
  const manager = { name: 'manager', password: 'secret-m', project: 'admin', role: 'manager' } as const
  const seed = {
    ...SMALL_CLOUD,
    watcher: {},
    users: [...SMALL_CLOUD.users, manager],
    servers: options.servers ?? SMALL_CLOUD.servers,
  }
  const { simulator } = await smallCloud({ seed, computeMaxMicroversion: options.nova ?? '2.104' })
  const opened = await openOpenStackSession({
    cloud: resolvedCloud({
      name: 'small',
      authUrl: simulator.authUrl,
      auth: {
        kind: 'password',
        user: { name: user, domainName: 'Default' },
        password: `secret-${user[0]}`,
        scope: options.scope ?? PROJECT,
      },
      regionName: 'RegionOne',
    }),
    clock: systemClock,
    log: createKeptLog(),
    environment: {},
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  const session = opened.value
  const probed = async () => {
    const answers = await probeNovaPolicies(session)
    if (!answers.ok) throw new Error(answers.failure.message)
    return new Map(answers.value.map(each => [each.rule, each]))
  }
  return { simulator, session, probed }
}

test('a manager may move what no host is named for, and nothing is moved to learn it', async () => {
  const { simulator, probed } = await loggedIn('manager')
  const answers = await probed()
  expect(answers.get(LIVE)).toMatchObject({ allowed: true })
  expect(answers.get(COLD)).toMatchObject({ allowed: true })
  expect(answers.get(`${LIVE}:host`)).toMatchObject({
    allowed: false,
    need: 'bring an instance back by a live migration that names the node',
  })
  expect(simulator.state.migrations).toEqual([])
  expect([...simulator.state.servers.values()].filter(({ taskState }) => taskState !== null)).toEqual([])
})

test.each([
  ['running', 'ACTIVE', 'unknown'],
  ['stopped', 'SHUTOFF', 'unknown'],
  ['paused', 'PAUSED', 'unknown'],
  ['suspended', 'SUSPENDED', 'unknown'],
  ['broken', 'ERROR', true],
] as const)(
  'where all instances are %s, a move without a host is tested only where no action of an owner makes it real',
  async (_state, status, allowed) => {
    const servers = [{ name: 'one', host: 'cmp-1', flavor: 'small', status }]
    const { simulator, probed } = await loggedIn('manager', { servers })
    const answers = await probed()
    expect([answers.get(LIVE)?.allowed, answers.get(COLD)?.allowed]).toEqual([allowed, allowed])
    expect(simulator.state.migrations).toEqual([])
  },
)

test.each(['2.53', '2.55'])(
  'Nova %s, which ignores the host of a cold migration, is not tested with one',
  async nova => {
    const servers = [{ name: 'one', host: 'cmp-1', flavor: 'small', status: 'ACTIVE' }] as const
    const { simulator, probed } = await loggedIn('admin', { servers, nova })
    const answers = await probed()
    expect(answers.get(COLD)).toMatchObject({ allowed: 'unknown' })
    expect(simulator.log.filter(({ path, method }) => method === 'POST' && path.endsWith('/action'))).toHaveLength(4)
    expect(simulator.state.migrations).toEqual([])
    expect([...simulator.state.servers.values()].map(({ taskState }) => taskState)).toEqual([null])
  },
)

test('an administrator is asked nothing that names no host', async () => {
  const { simulator, probed } = await loggedIn('admin')
  const answers = await probed()
  expect([LIVE, `${LIVE}:host`, COLD].map(rule => answers.get(rule)?.allowed)).toEqual([true, true, true])
  const bodies = simulator.log.filter(({ path }) => path.endsWith('/action'))
  expect(bodies).toHaveLength(5)
  expect(answers.get('os_compute_api:os-evacuate')).toMatchObject({ allowed: true })
})

test('a user refused by the narrower rule for other projects’ migrations learns that rule, and that it needs an administrator', async () => {
  const { probed } = await loggedIn('manager')
  const answer = (await probed()).get(`${INDEX}:all_projects`)
  expect(answer).toMatchObject({ allowed: false, need: 'list the migrations of every project' })
  expect(answer?.message).toMatch(/index:all_projects needs the role admin\.$/)
})

test('an older Nova refuses the same by its one rule', async () => {
  const { probed } = await loggedIn('demo', {
    nova: '2.93',
    scope: { kind: 'project', project: { name: 'demo', domainName: 'Default' } },
  })
  const answers = await probed()
  expect(answers.get(INDEX)).toMatchObject({ allowed: false })
  expect(answers.get(LIVE)).toMatchObject({ allowed: false })
})

test('an administrator of the system learns that a project is missing, not a role', async () => {
  const { session, probed } = await loggedIn('admin', { scope: { kind: 'system' } })
  expect((await probed()).get('os_compute_api:os-services:list')?.message).toMatch(
    /The rule os_compute_api:os-services:list needs the role admin in a project, but this login has no project:/,
  )
  const answer = await createOpenStackPort({ session }).computeServices()
  expect(answer.ok ? '' : answer.failure.message).toMatch(
    /It needs the role admin in a project, but this login has no project/,
  )
})

test.each([
  ['admin', true],
  ['manager', false],
] as const)('Watcher is asked whether it takes questions of %s, and keeps no record of that', async (user, allowed) => {
  const { simulator, session } = await loggedIn(user)
  const answers = await probeWatcherPolicies(session)
  expect(answers.ok && answers.value.map(each => [each.rule, each.allowed])).toEqual([
    ['strategy:get', allowed],
    ['audit:create', allowed],
    ['action_plan:get_all', allowed],
  ])
  expect(simulator.watcher?.records).toMatchObject({ audits: [], plans: [] })
})
