// Longer than 300 lines: one file a port, so that every call of it is found in one place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOpenStackSession } from '../../../../../main/adapters/openstack/keystone-session.ts'
import type { OpenStackSession } from '../../../../../main/adapters/openstack/openstack-session.ts'
import { createWatcherPort } from '../../../../../main/adapters/openstack/watcher/watcher-port.ts'
import type { WatcherPort } from '../../../../../main/ports/watcher.ts'
import type { Failure } from '../../../../../shared/domain/failure.ts'
import type { Result } from '../../../../../shared/domain/result.ts'
import {
  createKeptLog,
  createTestClock,
  type FixtureCloud,
  openFixtureCloud,
  type TestClock,
} from '../fixture-cloud.ts'
import { recordedAnswer } from '../recorded-answers.ts'

const ROOT = '/infra-optim/v1'
const PLAN = '0b693560-b59c-4935-9ee9-506bb1a351be'
const AUDIT = 'e9629e87-5e88-4a9b-a2a3-ec082f24061b'
const REQUEST = {
  goal: 'cluster_maintaining',
  strategy: 'host_maintenance',
  parameters: { maintenance_node: 'cmp-1' },
  name: 'lockkeeper-cmp-1-abc',
} as const

let clock: TestClock
let fixture: FixtureCloud
let session: OpenStackSession
let watcher: WatcherPort

beforeEach(async () => {
  clock = createTestClock()
  fixture = await openFixtureCloud(clock)
  fixture.catalogue.push({
    type: 'infra-optim',
    endpoints: [{ interface: 'public', region: 'one', region_id: 'one', url: `${fixture.url}/infra-optim` }],
  })
  speaks('1.4')
  // A test clock does not advance alone: an audit's limit passes by the pauses between two reads.
  const passing = {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) => {
      clock.advance(ms)
      return clock.sleep(ms, signal)
    },
  }
  const opened = await openOpenStackSession({ cloud: fixture.cloud, clock, log: createKeptLog(), environment: {} })
  session = value(opened)
  watcher = createWatcherPort({ session, clock: passing })
})

afterEach(async () => {
  session.close()
  await fixture.close()
})

/** The version document of a real Watcher names no version: its headers do. */
function speaks(maximum: string): void {
  fixture.on('GET', `${ROOT}/`, () => ({
    status: 200,
    headers: { 'openstack-api-maximum-version': maximum, 'openstack-api-minimum-version': '1.0' },
    body: { id: 'v1' },
  }))
}

function route(method: string, path: string, body: unknown, status = 200): void {
  fixture.on(method, `${ROOT}${path}`, () => ({ status, body }))
}

/** A refusal as Watcher words it: JSON within JSON. */
function refuses(method: string, path: string, status: number, faultstring: string): void {
  route(method, path, { error_message: JSON.stringify({ faultcode: 'Client', faultstring, debuginfo: null }) }, status)
}

/** Answers one after the other; the last one stays. */
function inTurn(method: string, path: string, bodies: readonly unknown[]): void {
  let next = 0
  fixture.on(method, `${ROOT}${path}`, () => {
    const body = bodies[Math.min(next, bodies.length - 1)]
    next += 1
    return { status: 200, body }
  })
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.detail}`)
  return result.value
}

function failureOf<T>(result: Result<T>): Failure {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`)
  return result.failure
}

const planIn = (state: string) => ({ uuid: PLAN, audit_uuid: AUDIT, state, created_at: '2026-11-20T16:18:31+00:00' })
const auditIn = (state: string, more: object = {}) => ({
  uuid: AUDIT,
  name: REQUEST.name,
  state,
  parameters: REQUEST.parameters,
  ...more,
})
const actionOf = (uuid: string, more: object = {}) => ({
  uuid,
  action_plan_uuid: PLAN,
  state: 'PENDING',
  action_type: 'migrate',
  input_parameters: { migration_type: 'live', resource_id: `id-of-${uuid}`, resource_name: uuid },
  parents: [],
  ...more,
})
const sent = (method: string, path: string) => fixture.seenAt(`${ROOT}${path}`).filter(each => each.method === method)

/** A Watcher whose audit goes through these states and makes a plan of these actions. */
function recommends(states: readonly string[], actions: readonly unknown[] = [], plan = planIn('RECOMMENDED')): void {
  route('POST', '/audits', auditIn('PENDING'), 201)
  inTurn(
    'GET',
    `/audits/${AUDIT}`,
    states.map(state => auditIn(state)),
  )
  route('GET', '/action_plans/detail', { action_plans: [plan] })
  route('GET', '/actions/detail', { actions })
}

describe('what a Watcher offers', () => {
  test('its highest microversion, known by a header alone, and the parameters its strategy knows', async () => {
    route('GET', '/strategies/host_maintenance', {
      uuid: 's1',
      name: 'host_maintenance',
      goal_name: 'cluster_maintaining',
      parameters_spec: { properties: { maintenance_node: {}, backup_node: {} }, required: ['maintenance_node'] },
    })
    expect(value(await watcher.about())).toEqual({
      version: '1.4',
      maintenanceParameters: ['maintenance_node', 'backup_node'],
      canSkip: false,
    })
    expect(sent('GET', '/strategies/host_maintenance')[0]?.headers['openstack-api-version']).toBe('infra-optim 1.4')
  })

  test('never a newer microversion than we know', async () => {
    speaks('1.9')
    route('GET', '/strategies/host_maintenance', { name: 'host_maintenance', parameters_spec: {} })
    expect(value(await watcher.about())).toMatchObject({ version: '1.7', canSkip: true })
  })

  test('a cloud without one is reported as such, without a request', async () => {
    fixture.catalogue.pop()
    const without = value(
      await openOpenStackSession({ cloud: fixture.cloud, clock, log: createKeptLog(), environment: {} }),
    )
    const answer = failureOf(await createWatcherPort({ session: without, clock }).about())
    without.close()
    expect(answer).toMatchObject({ code: 'not-found', message: expect.stringContaining('infra-optim') })
    expect(fixture.seenAt(/infra-optim/)).toEqual([])
  })

  test('a user without the admin role learns which rule refuses', async () => {
    refuses('GET', '/strategies/host_maintenance', 403, "Policy doesn't allow strategy:get to be performed.")
    expect(failureOf(await watcher.about())).toMatchObject({
      code: 'not-permitted',
      message: expect.stringContaining('strategy:get'),
    })
  })
})

describe('a recommendation', () => {
  test('is requested by goal and strategy, and its actions have the real Watcher’s form', async () => {
    recommends(['PENDING', 'ONGOING', 'SUCCEEDED'])
    route('GET', '/actions/detail', recordedAnswer('Its actions'))
    const plan = value(await watcher.recommend(REQUEST))
    expect(sent('POST', '/audits').map(({ body }) => body)).toEqual([
      {
        goal: REQUEST.goal,
        strategy: REQUEST.strategy,
        audit_type: 'ONESHOT',
        name: REQUEST.name,
        parameters: { maintenance_node: 'cmp-1' },
      },
    ])
    expect(plan).toMatchObject({ uuid: PLAN, auditUuid: AUDIT, state: 'RECOMMENDED' })
    expect(plan.actions.map(({ kind, resourceName, destination }) => [kind, resourceName, destination])).toEqual([
      ['disable-service', 'cmp-1', null],
      ['cold-migrate', 'vm-05', null],
    ])
  })

  test('of nothing is an answer: Watcher makes an empty plan that is SUCCEEDED at once', async () => {
    recommends(['SUCCEEDED'], [], planIn('SUCCEEDED'))
    expect(value(await watcher.recommend(REQUEST))).toMatchObject({ uuid: PLAN, state: 'SUCCEEDED', actions: [] })
  })

  test('with a parameter that the strategy does not know is bad input, in Watcher’s words', async () => {
    recommends(['SUCCEEDED'])
    refuses('POST', '/audits', 400, 'Audit parameter nope are not allowed')
    expect(failureOf(await watcher.recommend(REQUEST))).toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('Watcher says: Audit parameter nope are not allowed'),
    })
  })

  test('whose audit fails names the host that Watcher may not know, where Watcher is silent', async () => {
    recommends(['ONGOING', 'FAILED'])
    const { code, reason, message, retryable } = failureOf(await watcher.recommend(REQUEST))
    expect({ code, retryable }).toEqual({ code: 'server-fault', retryable: false })
    expect(message).toMatch(/ended FAILED.*Does it know the host cmp-1\?/)
    expect(reason).toBe('AuditEnded')
  })

  test('whose audit fails quotes Watcher if it gives a reason', async () => {
    recommends(['PENDING'])
    route('GET', `/audits/${AUDIT}`, auditIn('FAILED', { status_message: 'The model is stale.' }))
    expect(failureOf(await watcher.recommend(REQUEST)).message).toContain('Watcher says: The model is stale.')
  })

  test('while a plan is under way is cancelled by Watcher, and that plan is named', async () => {
    recommends(['CANCELLED'])
    route('GET', '/action_plans', {
      action_plans: [planIn('SUCCEEDED'), { ...planIn('ONGOING'), uuid: 'in-the-way' }],
    })
    const refused = failureOf(await watcher.recommend(REQUEST))
    expect(refused).toMatchObject({ code: 'conflict', retryable: true })
    expect(refused.message).toContain('in-the-way')
    expect(refused.message).not.toContain(PLAN)
  })

  test('has at most 180 s in one state, and is read less and less often', async () => {
    recommends(['PENDING', 'ONGOING'])
    const began = clock.now()
    const late = failureOf(await watcher.recommend(REQUEST))
    expect(late).toMatchObject({ code: 'timed-out', message: expect.stringContaining('ONGOING') })
    const waited = clock.now() - began
    expect(waited).toBeGreaterThan(180_000)
    expect(waited).toBeLessThan(184_000)
    expect(clock.pauses[0]).toBe(500)
    expect(Math.max(...clock.pauses)).toBe(2_000)
  })

  test('ends the wait when the operator stops', async () => {
    recommends(['ONGOING'])
    const stop = new AbortController()
    fixture.on('GET', `${ROOT}/audits/${AUDIT}`, () => {
      stop.abort()
      return { status: 200, body: auditIn('ONGOING') }
    })
    expect(failureOf(await watcher.recommend(REQUEST, stop.signal)).code).toBe('aborted')
  })
})

describe('a plan', () => {
  test('has the actions of every page, those that others wait for first', async () => {
    route('GET', `/action_plans/${PLAN}`, planIn('RECOMMENDED'))
    fixture.on('GET', `${ROOT}/actions/detail`, ({ query }) => ({
      status: 200,
      body:
        query.get('marker') === 'b'
          ? { actions: [actionOf('c')] }
          : {
              actions: [actionOf('a', { parents: ['b'] }), actionOf('b', { parents: ['c'] })],
              next: 'http://elsewhere.example/v1/actions/detail?limit=2&marker=b',
            },
    }))
    expect(value(await watcher.plan(PLAN)).actions.map(({ uuid }) => uuid)).toEqual(['c', 'b', 'a'])
    expect(sent('GET', '/actions/detail').map(({ query }) => query.get('action_plan_uuid'))).toEqual([PLAN, PLAN])
  })

  test.each([
    ['change_nova_service_state', { state: 'disabled' }, 'disable-service'],
    ['change_nova_service_state', { state: 'enabled' }, 'enable-service'],
    ['migrate', { migration_type: 'live' }, 'live-migrate'],
    ['migrate', { migration_type: 'cold' }, 'cold-migrate'],
    ['migrate', { migration_type: 'by-post' }, 'other'],
    ['stop', {}, 'stop'],
    ['resize', { flavor: 'm1.tiny' }, 'other'],
  ])('reads %s %j as %s', async (type, input, kind) => {
    route('GET', `/action_plans/${PLAN}`, planIn('ONGOING'))
    route('GET', '/actions/detail', {
      actions: [actionOf('a', { action_type: type, input_parameters: { resource_id: 'i', ...input } })],
    })
    expect(value(await watcher.plan(PLAN)).actions).toMatchObject([{ kind, type }])
  })

  test('in an unknown state is reported as such, as are its actions', async () => {
    route('GET', `/action_plans/${PLAN}`, planIn('DREAMING'))
    route('GET', '/actions/detail', { actions: [actionOf('a', { state: 'SLEEPING' })] })
    expect(value(await watcher.plan(PLAN))).toMatchObject({ state: 'UNKNOWN', actions: [{ state: 'UNKNOWN' }] })
  })

  test('says where an instance goes and why an action was skipped, where Watcher tells', async () => {
    const input = { migration_type: 'live', resource_id: 'i', resource_name: 'vm', destination_node: 'cmp-2' }
    route('GET', `/action_plans/${PLAN}`, planIn('ONGOING'))
    route('GET', '/actions/detail', {
      actions: [actionOf('a', { input_parameters: input, state: 'SKIPPED', status_message: 'gone' })],
    })
    expect(value(await watcher.plan(PLAN)).actions).toMatchObject([
      { resourceId: 'i', resourceName: 'vm', destination: 'cmp-2', state: 'SKIPPED', statusMessage: 'gone' },
    ])
  })

  test('names the host an instance goes to, where Watcher tells it by the UUID of its hypervisor and Placement knows it', async () => {
    const [knownHost, strange] = ['60d3b54d-b211-442c-9219-cb63e6cdf95b', '11111111-b211-442c-9219-cb63e6cdf95b']
    const to = (uuid: string, host: string) =>
      actionOf(uuid, {
        input_parameters: { migration_type: 'live', resource_id: uuid, resource_name: uuid, destination_node: host },
      })
    route('GET', `/action_plans/${PLAN}`, planIn('ONGOING'))
    route('GET', '/actions/detail', { actions: [to('a', knownHost), to('b', strange)] })
    fixture.on('GET', '/placement/resource_providers', () => ({
      status: 200,
      body: { resource_providers: [{ uuid: knownHost, name: 'cmp-2' }] },
    }))
    expect(value(await watcher.plan(PLAN)).actions.map(({ destination }) => destination)).toEqual(['cmp-2', strange])
  })

  test.each([
    ['the actions of another plan', 'RECOMMENDED', [actionOf('a', { action_plan_uuid: 'another' })]],
    ['no actions, although there is something to do', 'ONGOING', []],
    ['an action on nothing', 'ONGOING', [actionOf('a', { input_parameters: {} })]],
    ['an action without a state', 'ONGOING', [actionOf('a', { state: '' })]],
  ])('that comes with %s cannot be read', async (_lie, state, actions) => {
    route('GET', `/action_plans/${PLAN}`, planIn(state))
    route('GET', '/actions/detail', { actions })
    expect(failureOf(await watcher.plan(PLAN)).code).toBe('unreadable')
  })

  test('of another uuid than asked for cannot be read', async () => {
    route('GET', `/action_plans/${PLAN}`, { ...planIn('SUCCEEDED'), uuid: 'another' })
    route('GET', '/actions/detail', { actions: [] })
    expect(failureOf(await watcher.plan(PLAN)).code).toBe('unreadable')
  })

  test('that does not exist is not found', async () => {
    route('GET', `/action_plans/${PLAN}`, recordedAnswer('A plan that does not exist'), 404)
    expect(failureOf(await watcher.plan(PLAN)).code).toBe('not-found')
  })
})

describe('plans that wait', () => {
  test('are only those RECOMMENDED, each with the name and parameters of its audit', async () => {
    route('GET', '/action_plans', {
      action_plans: [planIn('RECOMMENDED'), { ...planIn('CANCELLED'), uuid: 'p2' }],
    })
    route('GET', '/audits/detail', { audits: [auditIn('SUCCEEDED', { parameters: { maintenance_node: 'cmp-1' } })] })
    expect(value(await watcher.recommended())).toEqual([
      { planUuid: PLAN, auditUuid: AUDIT, auditName: REQUEST.name, parameters: { maintenance_node: 'cmp-1' } },
    ])
  })
})

describe('starting a plan', () => {
  beforeEach(() => route('GET', '/actions/detail', { actions: [actionOf('a')] }))

  test('sends one request and tells how the plan is then', async () => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn('RECOMMENDED'), planIn('PENDING')])
    route('POST', `/action_plans/${PLAN}/start`, planIn('PENDING'))
    expect(value(await watcher.start(PLAN)).state).toBe('PENDING')
    expect(sent('POST', `/action_plans/${PLAN}/start`)).toHaveLength(1)
  })

  test.each([404, 405])('of an old Watcher, which answers %i, goes by its state', async status => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn('RECOMMENDED'), planIn('PENDING')])
    // Its router's own words, wrapped as Watcher wraps every refusal.
    const body = { error_message: `The request you made has no such address: ${status}` }
    fixture.on('POST', `${ROOT}/action_plans/${PLAN}/start`, () => ({ status, body }))
    route('PATCH', `/action_plans/${PLAN}`, planIn('PENDING'))
    expect(value(await watcher.start(PLAN)).state).toBe('PENDING')
    expect(sent('PATCH', `/action_plans/${PLAN}`)[0]?.body).toEqual([
      { op: 'replace', path: '/state', value: 'PENDING' },
    ])
  })

  test('that is not RECOMMENDED is a conflict, and nothing is sent', async () => {
    route('GET', `/action_plans/${PLAN}`, planIn('SUPERSEDED'))
    expect(failureOf(await watcher.start(PLAN))).toMatchObject({
      code: 'conflict',
      reason: 'PlanNotToBeStarted',
      values: { state: 'SUPERSEDED' },
    })
    expect(sent('POST', `/action_plans/${PLAN}/start`)).toEqual([])
  })

  test('that somebody else started first is a conflict too, though Watcher calls it a bad request', async () => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn('RECOMMENDED'), planIn('ONGOING')])
    refuses('POST', `/action_plans/${PLAN}/start`, 400, "Couldn't start when state is 'ONGOING'.")
    expect(failureOf(await watcher.start(PLAN))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ONGOING'),
    })
  })

  test('whose actions are gone afterwards is not believed to have ended', async () => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn('RECOMMENDED'), planIn('SUCCEEDED')])
    inTurn('GET', '/actions/detail', [{ actions: [actionOf('a')] }, { actions: [] }])
    route('POST', `/action_plans/${PLAN}/start`, planIn('PENDING'))
    expect(failureOf(await watcher.start(PLAN))).toMatchObject({
      code: 'unreadable',
      reason: 'ActionsOfPlanMissing',
      values: { missing: 1, total: 1 },
    })
  })

  test('whose answer is lost is not sent again', async () => {
    route('GET', `/action_plans/${PLAN}`, planIn('RECOMMENDED'))
    fixture.on('POST', `${ROOT}/action_plans/${PLAN}/start`, () => 'drop')
    const lost = failureOf(await watcher.start(PLAN))
    expect(lost).toMatchObject({ code: 'unreachable', message: expect.stringContaining('may have been received') })
    expect(sent('POST', `/action_plans/${PLAN}/start`)).toHaveLength(1)
  })
})

describe('cancelling a plan', () => {
  beforeEach(() => {
    route('GET', '/actions/detail', { actions: [actionOf('a')] })
    route('PATCH', `/action_plans/${PLAN}`, planIn('CANCELLED'))
  })

  test.each([
    ['RECOMMENDED', 'CANCELLED'],
    ['PENDING', 'CANCELLED'],
    ['ONGOING', 'CANCELLING'],
  ])('that is %s asks for %s', async (state, asked) => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn(state), planIn(asked)])
    expect(value(await watcher.cancel(PLAN)).state).toBe(asked)
    expect(sent('PATCH', `/action_plans/${PLAN}`).map(({ body }) => body)).toEqual([
      [{ op: 'replace', path: '/state', value: asked }],
    ])
  })

  test.each(['CANCELLING', 'CANCELLED'])('that is %s already asks for nothing', async state => {
    route('GET', `/action_plans/${PLAN}`, planIn(state))
    expect(value(await watcher.cancel(PLAN)).state).toBe(state)
    expect(sent('PATCH', `/action_plans/${PLAN}`)).toEqual([])
  })

  test.each(['SUCCEEDED', 'FAILED', 'SUPERSEDED'])('that is %s is a conflict', async state => {
    route('GET', `/action_plans/${PLAN}`, planIn(state))
    expect(failureOf(await watcher.cancel(PLAN)).code).toBe('conflict')
  })

  test('that starts just then is cancelled the other way', async () => {
    inTurn('GET', `/action_plans/${PLAN}`, [planIn('PENDING'), planIn('ONGOING'), planIn('CANCELLING')])
    fixture.on('PATCH', `${ROOT}/action_plans/${PLAN}`, ({ body }) =>
      JSON.stringify(body).includes('CANCELLING')
        ? { status: 200, body: planIn('CANCELLING') }
        : { status: 400, body: { error_message: 'State transition not allowed: (ONGOING -> CANCELLED)' } },
    )
    expect(value(await watcher.cancel(PLAN)).state).toBe('CANCELLING')
  })
})

describe('skipping an action', () => {
  test('says why, by microversion 1.5', async () => {
    speaks('1.5')
    route('PATCH', '/actions/a', actionOf('a', { state: 'SKIPPED' }))
    value(await watcher.skip('a', 'its owner asked'))
    const [request] = sent('PATCH', '/actions/a')
    expect(request?.headers['openstack-api-version']).toBe('infra-optim 1.5')
    expect(request?.body).toEqual([
      { op: 'replace', path: '/state', value: 'SKIPPED' },
      { op: 'replace', path: '/status_message', value: 'its owner asked' },
    ])
  })

  test('is bad input where Watcher cannot, and nothing is sent', async () => {
    expect(failureOf(await watcher.skip('a', 'why'))).toMatchObject({
      code: 'bad-input',
      reason: 'WatcherCannotSkip',
      values: { needed: '1.5' },
    })
    expect(sent('PATCH', '/actions/a')).toEqual([])
  })
})

test('a token that Watcher refuses is renewed once, and the request is sent again', async () => {
  route('GET', `/action_plans/${PLAN}`, planIn('ONGOING'))
  route('GET', '/actions/detail', { actions: [actionOf('a')] })
  value(await watcher.plan(PLAN))
  fixture.revoke(fixture.tokens.at(-1) ?? '')
  value(await watcher.plan(PLAN))
  expect(fixture.tokens).toHaveLength(2)
})
