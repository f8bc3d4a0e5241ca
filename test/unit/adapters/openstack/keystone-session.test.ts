// Longer than 300 lines: login, token, catalogue and microversion are one conversation with one fixture.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import type { OpenStackSession } from '../../../../main/adapters/openstack/openstack-session.ts'
import type { ResolvedCloud } from '../../../../main/adapters/openstack/resolved-cloud.ts'
import { sentWhile } from '../../../../main/platform/clock/sent-while.ts'
import { askedByTest } from '../../../fixtures/asked-by-test.ts'
import {
  createKeptLog,
  createTestClock,
  type FixtureCloud,
  openFixtureCloud,
  PASSWORD,
  type TestClock,
} from './fixture-cloud.ts'

let clock: TestClock
let fixture: FixtureCloud
const open: OpenStackSession[] = []

beforeEach(async () => {
  clock = createTestClock()
  fixture = await openFixtureCloud(clock)
  fixture.on('GET', '/compute/v2.1/os-services', () => ({ status: 200, body: { services: [] } }))
})

afterEach(async () => {
  for (const session of open.splice(0)) session.close()
  await fixture.close()
})

async function login(changes: Partial<ResolvedCloud> = {}) {
  const session = await openOpenStackSession({
    cloud: { ...fixture.cloud, ...changes },
    clock,
    log: createKeptLog(),
    environment: {},
  })
  if (session.ok) open.push(session.value)
  return session
}

async function session(changes: Partial<ResolvedCloud> = {}): Promise<OpenStackSession> {
  const opened = await login(changes)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

const SERVICES = { method: 'GET', path: '/os-services', call: askedByTest('list the compute services') } as const
const TOKENS = '/identity/v3/auth/tokens'

const LIFE = { issued_at: '2026-11-20T11:00:00.000000Z', expires_at: '2026-11-20T12:00:00.000000Z' }
const tokenFor = (catalog: unknown) => ({
  ...LIFE,
  user: { id: 'u', name: 'operator' },
  project: { id: 'p', name: 'admin' },
  roles: [{ name: 'admin' }],
  catalog,
})

describe('the clocks of Keystone and Nova', () => {
  const at = (aheadMs: number) => ({ date: new Date(clock.now() + aheadMs).toUTCString() })

  test('are measured by whatever they answer, each its own', async () => {
    fixture.on('GET', '/compute/v2.1/os-services', () => ({
      status: 200,
      body: { services: [] },
      headers: at(-40_000),
    }))
    fixture.on('GET', '/compute/v2.1/', () => ({
      status: 200,
      body: { version: { version: '2.93' } },
      headers: at(-40_000),
    }))
    const used = await session()
    await used.request('compute', SERVICES)
    const before = fixture.seen.length
    const [keystone, nova] = await used.clocks()
    expect(fixture.seen).toHaveLength(before)
    expect(keystone?.server).toBe('Keystone')
    expect(Math.abs(keystone?.aheadMs ?? Number.NaN)).toBeLessThanOrEqual(1_000)
    expect(nova?.server).toBe('Nova')
    expect(Math.abs((nova?.aheadMs ?? Number.NaN) + 40_000)).toBeLessThanOrEqual(1_000)
  })

  test('are requested after a minute without an answer, and stay as they were while nobody answers', async () => {
    const used = await session()
    fixture.on('GET', '/compute/v2.1/', () => ({ status: 500, headers: at(9_000) }))
    expect(await used.clocks()).toMatchObject([{ server: 'Keystone' }, { server: 'Nova', aheadMs: 9_500 }])
    clock.advance(61_000)
    fixture.on('GET', '/identity/v3/', () => ({ status: 404, headers: at(60_000) }))
    fixture.on('GET', '/compute/v2.1/', () => 'drop')
    expect(await used.clocks()).toMatchObject([
      { server: 'Keystone', aheadMs: 60_500 },
      { server: 'Nova', aheadMs: 9_500 },
    ])
  })
})

describe('logging in', () => {
  test.each(['', '/', '/v3', '/v3/', '/v2.0'])('the auth_url may end in "%s"', async ending => {
    expect((await login({ authUrl: `${fixture.url}/identity${ending}` })).ok).toBe(true)
    expect(fixture.seenAt(TOKENS)).toHaveLength(1)
  })

  test('a password is sent as Keystone v3 wants it', async () => {
    await session()
    expect(fixture.seenAt(TOKENS)[0]?.body).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'operator', domain: { name: 'Default' }, password: PASSWORD } },
        },
        scope: { project: { name: 'admin', domain: { name: 'Default' } } },
      },
    })
  })

  test('an application credential is sent without a scope: it has its own', async () => {
    await session({ auth: { kind: 'application-credential', id: 'ac-1', secret: 'sesame-of-the-test' } })
    await session({
      auth: {
        kind: 'application-credential',
        name: 'console',
        user: { name: 'operator', domainId: 'd1' },
        secret: 'sesame-of-the-test',
      },
    })
    expect(fixture.seenAt(TOKENS).map(each => each.body)).toEqual([
      {
        auth: {
          identity: {
            methods: ['application_credential'],
            application_credential: { id: 'ac-1', secret: 'sesame-of-the-test' },
          },
        },
      },
      {
        auth: {
          identity: {
            methods: ['application_credential'],
            application_credential: {
              name: 'console',
              user: { name: 'operator', domain: { id: 'd1' } },
              secret: 'sesame-of-the-test',
            },
          },
        },
      },
    ])
  })

  test('system and domain scope are requested as such', async () => {
    const auth = { kind: 'password', user: { id: 'u1' }, password: PASSWORD } as const
    await session({ auth: { ...auth, scope: { kind: 'system' } } })
    await session({ auth: { ...auth, scope: { kind: 'domain', domain: { name: 'Default' } } } })
    expect(fixture.seenAt(TOKENS).map(each => each.body)).toMatchObject([
      { auth: { scope: { system: { all: true } } } },
      { auth: { scope: { domain: { name: 'Default' } } } },
    ])
  })

  test('a bare token is used as it is and only asked about itself', async () => {
    fixture.tokens.push('token-given-to-the-test')
    fixture.on('GET', TOKENS, ({ headers }) => ({
      status: headers['x-subject-token'] === 'token-given-to-the-test' ? 200 : 404,
      body: { token: { ...LIFE, user: { id: 'u', name: 'operator' }, catalog: fixture.catalogue } },
    }))
    const opened = await session({
      auth: { kind: 'token', token: 'token-given-to-the-test', scope: { kind: 'unscoped' } },
    })
    expect((await opened.request('compute', SERVICES)).ok).toBe(true)
    expect(fixture.seenAt('/compute/v2.1/os-services')[0]?.headers['x-auth-token']).toBe('token-given-to-the-test')
  })

  test('refused credentials name the user, the project and the cloud, and what to check', async () => {
    fixture.on('POST', TOKENS, () => ({
      status: 401,
      body: { error: { message: 'The request you have made requires authentication.' } },
    }))
    const opened = await login()
    expect(opened).toMatchObject({ ok: false, failure: { code: 'unauthenticated', retryable: false } })
    const message = opened.ok ? '' : opened.failure.message
    for (const word of ['operator', 'project admin', 'cloud fixture', 'password', 'domains'])
      expect(message).toContain(word)
  })

  test('an address without Keystone differs from refused credentials', async () => {
    // Never "not found": the failure of a renewal reaches the caller that requested an object, and the object is not gone.
    for (const answer of [
      { status: 404 },
      { status: 401, body: '<html>Sign in</html>' },
      { status: 200, body: { hello: 'world' } },
      { status: 201, body: { hello: 'world' }, headers: { 'x-subject-token': 'odd' } },
    ]) {
      fixture.on('POST', TOKENS, () => answer)
      expect(await login()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    }
    expect(await login({ authUrl: 'keystone.example' })).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(await login({ authUrl: 'ftp://keystone.example' })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input' },
    })
  })

  test.each([
    ['ends before it began', { expires_at: '2026-11-20T10:00:00Z' }],
    ['says no end', { expires_at: undefined }],
    ['has an end that is not a time', { expires_at: 'soon' }],
    ['is of no project', { project: undefined }],
    ['is of another project', { project: { id: 'x', name: 'somebody-else' } }],
    ['has no catalogue', { catalog: undefined }],
    ['has an invalid catalogue', { catalog: { compute: 'here' } }],
    ['has no roles', { roles: undefined }],
    ['has no user', { user: undefined }],
  ])('a token that %s is not the requested one', async (_lie, change) => {
    fixture.on('POST', TOKENS, () => ({
      status: 201,
      headers: { 'x-subject-token': 'token-that-is-none' },
      body: { token: { ...tokenFor(fixture.catalogue), ...change } },
    }))
    expect(await login()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('a token without its own value is invalid', async () => {
    fixture.on('POST', TOKENS, () => ({ status: 201, body: { token: tokenFor(fixture.catalogue) } }))
    expect(await login()).toMatchObject({ ok: false, failure: { code: 'unreadable', detail: 'no X-Subject-Token' } })
  })

  test('a file of certificates that cannot be read is named', async () => {
    expect(await login({ caCertPath: '/nowhere/ca.pem' })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', target: '/nowhere/ca.pem' },
    })
  })
})

describe('the token', () => {
  test('is renewed before it ends, whatever the cloud believes the time to be', async () => {
    const opened = await session()
    await opened.request('compute', SERVICES)
    clock.advance(3_400_000)
    await opened.request('compute', SERVICES)
    expect(fixture.tokens).toHaveLength(1)
    clock.advance(100_000)
    await opened.request('compute', SERVICES)
    expect(fixture.tokens).toHaveLength(2)
    expect(fixture.seenAt('/compute/v2.1/os-services').at(-1)?.headers['x-auth-token']).toBe(fixture.tokens[1])
  })

  test('of a short life is not renewed for every request', async () => {
    fixture.tokenLifeSeconds = 60
    const opened = await session()
    for (let count = 0; count < 5; count += 1) await opened.request('compute', SERVICES)
    expect(fixture.tokens).toHaveLength(1)
  })

  test('that a service refuses is renewed once for all who wait, and each request is sent again', async () => {
    const opened = await session()
    await opened.request('compute', SERVICES)
    fixture.revoke(fixture.tokens[0] ?? '')
    const answers = await Promise.all(Array.from({ length: 6 }, () => opened.request('compute', SERVICES)))
    expect(answers.every(answer => answer.ok)).toBe(true)
    expect(fixture.tokens).toHaveLength(2)
  })

  test('renewed while the Lease of a run ran out: the change is kept back, the token is not', async () => {
    const opened = await session()
    let isHeld = true
    fixture.on('POST', '/compute/v2.1/servers/s1/action', () => {
      isHeld = false
      return { status: 401 }
    })
    const change = { method: 'POST', path: '/servers/s1/action', body: {}, call: askedByTest('stop s1') } as const
    const made = await sentWhile(
      () => isHeld,
      () => opened.request('compute', change),
    )
    expect(made).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(fixture.seenAt('/compute/v2.1/servers/s1/action')).toHaveLength(1)
    expect(fixture.tokens).toHaveLength(2)
  })

  test('refused again after it was renewed is a failure, not a loop; a change was not made', async () => {
    const opened = await session()
    fixture.on('POST', '/compute/v2.1/servers/s1/action', () => ({ status: 401 }))
    const answer = await opened.request('compute', {
      method: 'POST',
      path: '/servers/s1/action',
      body: {},
      call: askedByTest('move it'),
    })
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(fixture.seenAt('/compute/v2.1/servers/s1/action')).toHaveLength(2)
    expect(fixture.tokens).toHaveLength(2)
  })

  test('that is still good keeps the work going while Keystone is away', async () => {
    const opened = await session()
    fixture.on('POST', TOKENS, () => ({ status: 503 }))
    clock.advance(3_500_000)
    expect((await opened.request('compute', SERVICES)).ok).toBe(true)
    clock.advance(200_000)
    expect(await opened.request('compute', SERVICES)).toMatchObject({ ok: false, failure: { code: 'server-fault' } })
  })

  test('renewal is not given up because one of those who wait gives up', async () => {
    const opened = await session()
    let release: () => void = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    fixture.revoke(fixture.tokens[0] ?? '')
    fixture.on('POST', TOKENS, async () => {
      await held
      fixture.tokens.push('token-after-the-hold')
      return {
        status: 201,
        headers: { 'x-subject-token': 'token-after-the-hold' },
        body: { token: tokenFor(fixture.catalogue) },
      }
    })
    const giving = new AbortController()
    const impatient = opened.request('compute', { ...SERVICES, signal: giving.signal })
    const patient = opened.request('compute', SERVICES)
    await expect.poll(() => fixture.seenAt(TOKENS).length).toBe(2)
    giving.abort()
    expect(await impatient).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    release()
    expect((await patient).ok).toBe(true)
  })

  test('does not delay a caller who has given up already', async () => {
    const opened = await session()
    await opened.microversion('compute')
    fixture.on('POST', TOKENS, () => 'never')
    clock.advance(4_000_000)
    expect(await opened.request('compute', { ...SERVICES, signal: AbortSignal.abort() })).toMatchObject({
      failure: { code: 'aborted' },
    })
  })
})

describe('the catalogue', () => {
  const two = (type: string, one: string, other: string) => [
    {
      type,
      endpoints: [
        { interface: 'public', region_id: 'one', url: one },
        { interface: 'public', region_id: 'two', url: other },
        { interface: 'internal', region_id: 'two', url: `${other}-internal` },
      ],
    },
  ]

  test('region and interface choose the address', async () => {
    fixture.catalogue = two('compute', `${fixture.url}/one/v2.1`, `${fixture.url}/two/v2.1`)
    fixture.on('GET', '/two/v2.1/', () => ({ status: 200, body: { version: { version: '2.93' } } }))
    const opened = await session({ regionName: 'two' })
    expect(await opened.microversion('compute')).toMatchObject({ ok: true })
    expect(await login({ regionName: 'three' })).toMatchObject({ ok: true })
    const lost = await session({ regionName: 'three' })
    expect(await lost.request('compute', SERVICES)).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  })

  test('several regions and none named is a question to the operator, not a guess', async () => {
    fixture.catalogue = two('compute', `${fixture.url}/one/v2.1`, `${fixture.url}/two/v2.1`)
    const answer = await (await session()).request('compute', SERVICES)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(answer.ok ? '' : answer.failure.message).toContain('one, two')
  })

  test.each([
    ['/compute/v2.1', '/compute/v2.1/'],
    ['/compute/v2.1/0123456789abcdef', '/compute/v2.1/'],
    ['/compute/v2/0123456789abcdef', '/compute/v2.1/'],
    ['/compute', '/compute/v2.1/'],
    ['/compute/', '/compute/v2.1/'],
  ])('Nova listed at %s is called at %s', async (listed, asked) => {
    fixture.catalogue = [{ type: 'compute', endpoints: [{ interface: 'public', url: `${fixture.url}${listed}` }] }]
    expect((await (await session()).microversion('compute')).ok).toBe(true)
    expect(fixture.seen.at(-1)?.path).toBe(asked)
  })

  test('an override of clouds.yaml wins, and makes a service known that the catalogue does not list', async () => {
    fixture.catalogue = []
    fixture.on('GET', '/mine/v2.1/', () => ({ status: 200, body: { version: { version: '2.93' } } }))
    const opened = await session({ endpointOverrides: { compute: `${fixture.url}/mine` } })
    expect(opened.has('compute')).toBe(true)
    expect(opened.has('placement')).toBe(false)
    expect((await opened.microversion('compute')).ok).toBe(true)
  })

  test('block storage is found under the names it has had', async () => {
    fixture.catalogue = [
      { type: 'volumev3', endpoints: [{ interface: 'publicURL', url: `${fixture.url}/volume/v3/p1` }] },
    ]
    fixture.on('GET', '/volume/v3/p1/os-services', () => ({ status: 200, body: {} }))
    expect((await (await session()).request('block-storage', SERVICES)).ok).toBe(true)
  })
})

describe('the microversion', () => {
  const novaSpeaks = (version: string) =>
    fixture.on('GET', '/compute/v2.1/', () => ({ status: 200, body: { version: { version, min_version: '2.1' } } }))

  test.each([
    ['2.93', undefined, '2.93'],
    ['2.110', undefined, '2.104'],
    ['2.100', undefined, '2.100'],
    ['2.93', '2.90', '2.90'],
    ['2.60', '2.90', '2.60'],
  ])('Nova speaks up to %s and clouds.yaml allows %s: %s is spoken', async (offered, cap, spoken) => {
    novaSpeaks(offered)
    const opened = await session(cap === undefined ? {} : { computeMaxMicroversion: cap })
    await opened.request('compute', SERVICES)
    expect(fixture.seenAt('/compute/v2.1/os-services')[0]?.headers).toMatchObject({
      'openstack-api-version': `compute ${spoken}`,
      'x-openstack-nova-api-version': spoken,
    })
  })

  test('a Nova older than 2.53 is refused with a reason', async () => {
    novaSpeaks('2.38')
    const answer = await (await session()).request('compute', SERVICES)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(answer.ok ? '' : answer.failure.message).toContain('2.53')
  })

  test('is requested once for concurrent callers', async () => {
    const opened = await session()
    await Promise.all(Array.from({ length: 5 }, () => opened.request('compute', SERVICES)))
    expect(fixture.seenAt('/compute/v2.1/')).toHaveLength(1)
    expect(opened.requestCount()).toEqual({ identity: 1, compute: 6 })
  })

  test('that the cloud no longer has is requested again', async () => {
    const opened = await session()
    await opened.request('compute', SERVICES)
    fixture.on('GET', '/compute/v2.1/os-services', () => ({ status: 406 }))
    expect(await opened.request('compute', SERVICES)).toMatchObject({ ok: false, failure: { retryable: true } })
    novaSpeaks('2.90')
    fixture.on('GET', '/compute/v2.1/os-services', () => ({ status: 200, body: { services: [] } }))
    await opened.request('compute', SERVICES)
    expect(fixture.seenAt('/compute/v2.1/os-services').at(-1)?.headers['x-openstack-nova-api-version']).toBe('2.90')
  })

  test('services without microversions get no such header', async () => {
    fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: { agents: [] } }))
    await (await session()).request('network', { ...SERVICES, path: '/agents' })
    expect(fixture.seenAt('/network/v2.0/agents')[0]?.headers).not.toHaveProperty('openstack-api-version')
  })
})

describe('warnings', () => {
  test('loopback without TLS gives no warning', async () => {
    expect((await session()).warnings).toEqual([])
  })

  test('certificates that are not verified are warned of', async () => {
    expect((await session({ insecure: true })).warnings.map(warning => warning.code)).toEqual(['tls-not-verified'])
  })
})
