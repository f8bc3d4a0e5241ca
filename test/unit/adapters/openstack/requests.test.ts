// Longer than 300 lines: every way a request may end, held to the same check that no secret gets out.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ProxyEnvironment } from '../../../../main/adapters/http/proxies.ts'
import { askService } from '../../../../main/adapters/openstack/ask-service.ts'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import type { OpenStackSession } from '../../../../main/adapters/openstack/openstack-session.ts'
import type { ResolvedCloud } from '../../../../main/adapters/openstack/resolved-cloud.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { askedByTest } from '../../../fixtures/asked-by-test.ts'
import {
  createKeptLog,
  createTestClock,
  type FixtureCloud,
  type KeptLog,
  openFixtureCloud,
  PASSWORD,
  portOf,
  type TestClock,
} from './fixture-cloud.ts'
import { recordedAnswer } from './recorded-answers.ts'

const CERT = fileURLToPath(new URL('../../../fixtures/tls/loopback.cert.pem', import.meta.url))
const KEY = fileURLToPath(new URL('../../../fixtures/tls/loopback.key.pem', import.meta.url))

let clock: TestClock
let fixture: FixtureCloud
let log: KeptLog
const failures: Failure[] = []
const closing: (() => unknown)[] = []

beforeEach(async () => {
  clock = createTestClock()
  log = createKeptLog()
  fixture = await openFixtureCloud(clock)
})

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await fixture.close()
  // Whatever happened in a test: what an operator or a log reader gets to see never holds a secret.
  const seen = inspect([failures.splice(0), log.entries], { depth: null, maxStringLength: null, maxArrayLength: null })
  for (const secret of [PASSWORD, ...fixture.tokens, 'proxy-pass-of-the-test']) expect(seen).not.toContain(secret)
})

async function login(changes: Partial<ResolvedCloud> = {}, environment: ProxyEnvironment = {}) {
  const session = await openOpenStackSession({ cloud: { ...fixture.cloud, ...changes }, clock, log, environment })
  if (session.ok) closing.push(session.value.close)
  return kept(session)
}

async function session(): Promise<OpenStackSession> {
  const opened = await login()
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

function kept<T>(result: Result<T>): Result<T> {
  if (!result.ok) failures.push(result.failure)
  return result
}

const read = async (on: OpenStackSession, signal?: AbortSignal) =>
  kept(
    await on.request('compute', {
      method: 'GET',
      path: '/thing',
      call: askedByTest('read the thing'),
      target: 'thing/1',
      signal,
    }),
  )

const change = async (on: OpenStackSession, signal?: AbortSignal) =>
  kept(
    await on.request('compute', {
      method: 'POST',
      path: '/thing',
      body: { do: 'it' },
      call: askedByTest('change the thing'),
      target: 'thing/1',
      signal,
    }),
  )

const THING = '/compute/v2.1/thing'

describe('retries', () => {
  test.each([429, 413, 500, 502, 503, 504])('a read answered with %i is repeated', async status => {
    let times = 0
    fixture.on('GET', THING, () => {
      times += 1
      return times < 3 ? { status } : { status: 200, body: {} }
    })
    expect((await read(await session())).ok).toBe(true)
    expect(clock.pauses).toEqual([250, 500])
  })

  test('a read whose connection is dropped is repeated, and given up after four attempts', async () => {
    fixture.on('GET', THING, () => 'drop')
    const on = await session()
    expect(await read(on)).toMatchObject({
      ok: false,
      failure: { code: 'unreachable', retryable: true, target: 'thing/1' },
    })
    expect(fixture.seenAt(THING)).toHaveLength(4)
    expect(on.requestCount()).toMatchObject({ compute: 5 })
  })

  test('Retry-After is obeyed, in seconds', async () => {
    let times = 0
    fixture.on('GET', THING, () => {
      times += 1
      return times === 1 ? { status: 429, headers: { 'retry-after': '7' } } : { status: 200, body: {} }
    })
    expect((await read(await session())).ok).toBe(true)
    expect(clock.pauses).toEqual([7000])
  })

  test('Retry-After may be a date', async () => {
    let times = 0
    const [date, later] = ['Fri, 20 Nov 2026 12:00:00 GMT', 'Fri, 20 Nov 2026 12:00:09 GMT']
    fixture.on('GET', THING, () => {
      times += 1
      return times === 1 ? { status: 429, headers: { date, 'retry-after': later } } : { status: 200, body: {} }
    })
    expect((await read(await session())).ok).toBe(true)
    expect(clock.pauses).toEqual([9000])
  })

  test('a server that asks for minutes gets an operator, not us, to wait', async () => {
    fixture.on('GET', THING, () => ({ status: 429, headers: { 'retry-after': '600' } }))
    expect(await read(await session())).toMatchObject({
      ok: false,
      failure: { code: 'throttled', retryable: true, retryAfterMs: 600_000 },
    })
    expect(fixture.seenAt(THING)).toHaveLength(1)
  })

  test.each([429, 500, 503])('a change answered with %i is sent once', async status => {
    fixture.on('POST', THING, () => ({ status }))
    expect((await change(await session())).ok).toBe(false)
    expect(fixture.seenAt(THING)).toHaveLength(1)
  })

  test('a change whose connection is dropped is sent once, and the operator learns that it may have arrived', async () => {
    fixture.on('POST', THING, () => 'drop')
    const answer = await change(await session())
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(answer.ok ? '' : answer.failure.message).toContain('It may have been received:')
    expect(fixture.seenAt(THING)).toHaveLength(1)
  })

  test('a change is repeated while nothing could be sent', async () => {
    const on = await session()
    await on.microversion('compute')
    await fixture.close()
    const answer = await change(on)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(answer.ok ? '' : answer.failure.message).not.toContain('unknown whether')
    expect(on.requestCount().compute).toBe(5)
    // afterEach closes it once more.
    fixture = await openFixtureCloud(clock)
  })

  test('connections are kept and used again, also after an answer that was a failure', async () => {
    let connections = 0
    const server = createServer((_request, response) => response.writeHead(404).end('{}'))
    server.on('connection', () => {
      connections += 1
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    fixture.catalogue = [
      { type: 'image', endpoints: [{ interface: 'public', url: `http://127.0.0.1:${portOf(server)}` }] },
    ]
    const on = await session()
    const askService = () => on.request('image', { method: 'GET', path: '/x', call: askedByTest('read x') })
    for (let count = 0; count < 5; count += 1) kept(await askService())
    expect(connections).toBe(1)
    await Promise.all(Array.from({ length: 40 }, askService))
    expect(connections).toBeLessThanOrEqual(8)
  })
})

describe('limits', () => {
  test('a request that is not answered in time says so; a read is not repeated', async () => {
    fixture.on('GET', THING, () => 'never')
    const on = await session()
    const answer = read(on)
    await expect.poll(() => fixture.seenAt(THING).length).toBe(1)
    clock.passLimits()
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'timed-out', retryable: true } })
    expect(fixture.seenAt(THING)).toHaveLength(1)
  })

  test('a request is stopped at once when its signal aborts, and leaves no limit behind', async () => {
    fixture.on('POST', THING, () => 'never')
    const on = await session()
    const stop = new AbortController()
    const answer = change(on, stop.signal)
    await expect.poll(() => fixture.seenAt(THING).length).toBe(1)
    stop.abort()
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    await expect.poll(() => clock.limits()).toBe(0)
  })

  test('a request whose signal is already aborted is not sent', async () => {
    const on = await session()
    await on.microversion('compute')
    expect(await read(on, AbortSignal.abort())).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(fixture.seenAt(THING)).toHaveLength(0)
  })
})

describe('failures', () => {
  test('403 names the rule and the role it needs', async () => {
    fixture.on('GET', THING, () => ({ status: 403, body: recordedAnswer('Not allowed for this user') }))
    const answer = await read(await session())
    expect(answer).toMatchObject({
      ok: false,
      failure: {
        code: 'not-permitted',
        retryable: false,
        reason: 'PolicyForbids',
        values: {
          call: { message: 'read the thing' },
          service: 'Nova',
          rule: 'os_compute_api:os-services:update',
          who: { kind: 'user', user: 'operator' },
          role: { kind: 'admin', needsProject: false },
        },
      },
    })
    const message = answer.ok ? '' : answer.failure.message
    for (const word of ['read the thing', 'os_compute_api:os-services:update', 'user operator', 'role admin']) {
      expect(message).toContain(word)
    }
  })

  test('403 of Neutron and Placement name their rules too', async () => {
    const on = await session()
    fixture.on('GET', THING, () => ({
      status: 403,
      body: {
        NeutronError: {
          type: 'PolicyNotAuthorized',
          message: '(rule:update_agent) is disallowed by policy',
          detail: '',
        },
      },
    }))
    const neutron = await read(on)
    expect(neutron).toMatchObject({ failure: { reason: 'PolicyForbids', values: { rule: 'update_agent' } } })
    fixture.on('GET', THING, () => ({
      status: 403,
      body: {
        errors: [
          {
            status: 403,
            title: 'Forbidden',
            detail:
              'Access was denied to this resource.\n\n Policy does not allow placement:usages:list to be performed.  ',
          },
        ],
      },
    }))
    const placement = await read(on)
    expect(placement).toMatchObject({ failure: { values: { rule: 'placement:usages:list' } } })
  })

  test('403 without a rule says what the server said', async () => {
    fixture.on('GET', THING, () => ({ status: 403, body: { forbidden: { message: 'Quota exceeded for instances' } } }))
    const answer = await read(await session())
    expect(answer).toMatchObject({
      failure: { reason: 'ServiceForbids', values: { output: 'Quota exceeded for instances' } },
    })
  })

  test.each([
    ['A second request while it runs', 409, 'conflict', 'while it is in task_state migrating'],
    ['A server that does not exist', 404, 'not-found', 'could not be found'],
    ['A host that does not exist', 400, 'bad-input', 'Compute host nowhere could not be found'],
    ['A microversion the cloud does not have', 406, 'server-fault', 'Version 2.99 is not supported'],
    // Neutron's word, quoted by Nova: no proof that the thing does not exist.
    ['An agent that does not exist', 404, 'server-fault', 'could not be found'],
  ])("%s: the service's own words are quoted", async (heading, status, code, words) => {
    fixture.on('POST', THING, () => ({ status, body: recordedAnswer(heading) }))
    const answer = await change(await session())
    expect(answer).toMatchObject({ ok: false, failure: { code, target: 'thing/1' } })
    expect(answer.ok ? '' : answer.failure.message).toContain(words)
  })

  test("Watcher's JSON within JSON is unpacked", async () => {
    fixture.on('POST', THING, () => ({
      status: 400,
      body: { error_message: JSON.stringify({ debuginfo: null, faultcode: 'Client', faultstring: 'Expected a uuid' }) },
    }))
    const answer = await change(await session())
    expect(answer.ok ? '' : answer.failure.message).toContain('says: Expected a uuid')
  })

  test('the request id is in the detail, for readers of the service’s logs', async () => {
    fixture.on('POST', THING, () => ({ status: 500 }))
    expect(await change(await session())).toMatchObject({ failure: { detail: 'HTTP 500, req-of-the-fixture' } })
  })

  test.each([
    ['a proxy', 'compute', 404, '<html>404 Not Found</html>'],
    ['a proxy', 'compute', 409, '<html>Conflict</html>'],
    ['a proxy', 'compute', 403, '<html>Forbidden</html>'],
    ['a proxy', 'compute', 400, ''],
    ['another service', 'compute', 404, { error: { code: 404, message: 'Not here.' } }],
    [
      'a router',
      'network',
      404,
      { message: 'The resource could not be found.', code: '404 Not Found', title: 'Not Found' },
    ],
    ['a router', 'placement', 404, { error: { code: 404, message: 'Not here.' } }],
  ] as const)(
    'what %s in front of %s says with %s says nothing about the object',
    async (_who, service, status, body) => {
      fixture.on('GET', /thing/, () => ({ status, body }))
      const answer = await (await session()).request(service, {
        method: 'GET',
        path: '/thing',
        call: askedByTest('look at the thing'),
      })
      const code = answer.ok ? 'ok' : answer.failure.code
      expect(['unreadable', 'server-fault']).toContain(code)
    },
  )

  test('a strange answer is quoted: status, type and first words, without secrets, escapes and right-to-left marks', async () => {
    fixture.on('GET', THING, ({ headers }) => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: `<html>\u001b[31m\u202eSign in,\n ${headers['x-auth-token']} ${'x'.repeat(500)}`,
    }))
    const answer = await askService(
      await session(),
      'compute',
      { method: 'GET', path: '/thing', call: askedByTest('read the thing') },
      z.object({}),
    )
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unreadable', retryable: true } })
    const message = answer.ok ? '' : answer.failure.message
    expect(message).toContain('HTTP 200, text/html, beginning with “<html>[31mSign in, [redacted] xxx')
    expect(message).toMatch(/^[\x20-\x7e“”…]+$/)
    expect(message.length).toBeLessThan(400)
  })

  test('unexpected fields are named by their paths, without a secret in a path', async () => {
    fixture.on('GET', THING, ({ headers }) => ({
      status: 200,
      body: { things: { [String(headers['x-auth-token'])]: 'many' } },
    }))
    const answer = await askService(
      await session(),
      'compute',
      { method: 'GET', path: '/thing', call: askedByTest('read the thing') },
      z.object({ things: z.record(z.string(), z.number()) }),
    )
    const fields = [{ path: 'things.[redacted]', issue: 'invalid_type' }]
    expect(kept(answer)).toMatchObject({
      failure: {
        reason: 'NotAServiceAnswer',
        values: { changes: false, why: { code: 'FieldsNotKnown', values: { fields } } },
        detail: 'things.[redacted]: invalid_type',
      },
    })
  })

  test.each([
    ['of another microversion', { 'openstack-api-version': 'compute 2.1' }],
    ['of another service', { 'openstack-api-version': 'placement 2.93' }],
    ['that says none', { 'openstack-api-version': '' }],
  ])('an answer %s cannot be read', async (_lie, headers) => {
    fixture.on('GET', THING, () => ({ status: 200, headers, body: {} }))
    expect(await read(await session())).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test("Nova's own old header says the microversion too", async () => {
    const headers = { 'openstack-api-version': '', 'x-openstack-nova-api-version': '2.93' }
    fixture.on('GET', THING, () => ({ status: 200, headers, body: {} }))
    expect((await read(await session())).ok).toBe(true)
  })

  test('a redirect is not followed: the token would go wherever it says', async () => {
    let elsewhere = 0
    fixture.on('GET', '/elsewhere', () => {
      elsewhere += 1
      return { status: 200 }
    })
    fixture.on('GET', THING, () => ({ status: 302, headers: { location: `${fixture.url}/elsewhere` } }))
    expect(await read(await session())).toMatchObject({
      ok: false,
      failure: { code: 'unreadable' },
    })
    expect(elsewhere).toBe(0)
  })

  test('a server that repeats the token and the password in its words does not get them into a failure', async () => {
    fixture.on('GET', THING, ({ headers }) => ({
      status: 409,
      body: { conflictingRequest: { message: `token ${headers['x-auth-token']} of ${PASSWORD} is odd` } },
    }))
    const answer = await read(await session())
    expect(answer.ok ? '' : answer.failure.message).toContain('token [redacted] of [redacted] is odd')
  })

  test('a token that looks like one is hidden even if it is not ours', async () => {
    fixture.on('GET', THING, () => ({
      status: 409,
      body: { conflictingRequest: { message: 'see gAAAAABrAHGRAybOabcdefghij_-xyz==.' } },
    }))
    const answer = await read(await session())
    expect(answer.ok ? '' : answer.failure.message).toContain('see [redacted]')
  })

  test('a session printed shows no secret', async () => {
    const printed = inspect(await session(), { depth: null, showHidden: true })
    expect(printed).not.toContain(PASSWORD)
    expect(printed).not.toContain(fixture.tokens[0] ?? 'no token')
  })

  test('an unknown address differs from one that refuses', async () => {
    const refused = await login({ authUrl: 'http://127.0.0.1:1' })
    expect(refused.ok ? '' : refused.failure.message).toContain('refuses connections')
    const nobody = await login({ authUrl: 'http://lockkeeper-test.invalid:5000' })
    expect(nobody).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  })
})

const TOKEN = {
  issued_at: '2026-11-20T11:00:00.000000Z',
  expires_at: '2026-11-20T12:00:00.000000Z',
  user: { id: 'u', name: 'operator' },
  project: { id: 'p', name: 'admin' },
  roles: [],
  catalog: [],
}

describe('TLS', () => {
  const openTls = async () => {
    const server = createTlsServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, (_request, response) => {
      response.writeHead(201, { 'x-subject-token': 'token-over-tls' })
      response.end(JSON.stringify({ token: TOKEN }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return `https://127.0.0.1:${portOf(server)}`
  }

  test('an unknown authority is refused, once, with what to set', async () => {
    const answer = await login({ authUrl: await openTls() })
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unreachable', retryable: false } })
    expect(answer.ok ? '' : answer.failure.message).toContain('cacert')
    expect(log.entries.filter(entry => entry.level === 'debug')).toHaveLength(1)
  })

  test('the authority that clouds.yaml names is trusted, without a warning', async () => {
    const answer = await login({ authUrl: await openTls(), caCertPath: CERT })
    expect(answer.ok && answer.value.warnings).toEqual([])
  })

  test('insecure works, with a warning', async () => {
    const answer = await login({ authUrl: await openTls(), insecure: true })
    expect(answer.ok && answer.value.warnings.map(warning => warning.code)).toEqual(['tls-not-verified'])
  })

  test('a certificate for another name is reported as such', async () => {
    const url = (await openTls()).replace('127.0.0.1', '127.0.0.2')
    const server = createTlsServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, (_request, response) =>
      response.end(),
    )
    await new Promise<void>(resolve => server.listen(Number(new URL(url).port), '127.0.0.2', resolve))
    closing.push(() => server.close())
    const answer = await login({ authUrl: url, caCertPath: CERT })
    expect(answer.ok ? '' : answer.failure.message).toContain('certificate for another name')
  })

  test('http on an https port and the other way round are recognized', async () => {
    const tls = await login({ authUrl: fixture.url.replace('http:', 'https:') })
    expect(tls.ok ? '' : tls.failure.message).toContain('or does it need another client certificate?')
    const plain = await login({ authUrl: (await openTls()).replace('https:', 'http:') })
    expect(plain.ok).toBe(false)
  })
})

describe('proxies', () => {
  const openProxy = async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(201, { 'x-subject-token': 'token-through-a-proxy' })
      response.end(JSON.stringify({ token: TOKEN }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return { url: `http://operator:proxy-pass-of-the-test@127.0.0.1:${portOf(server)}`, asked }
  }

  test('of the environment are used, in either spelling', async () => {
    for (const name of ['http_proxy', 'HTTP_PROXY']) {
      const proxy = await openProxy()
      expect((await login({ authUrl: 'http://keystone.invalid:5000' }, { [name]: proxy.url })).ok).toBe(true)
      expect(proxy.asked).toEqual(['http://keystone.invalid:5000/v3/auth/tokens'])
    }
  })

  test('are left aside for the hosts of no_proxy, by the rule of all connections, and for loopback', async () => {
    const proxy = await openProxy()
    const named = { http_proxy: proxy.url, no_proxy: 'x, .invalid' }
    expect(await login({ authUrl: 'http://keystone.invalid:5000' }, named)).toMatchObject({ ok: false })
    expect((await login({}, { http_proxy: proxy.url })).ok).toBe(true)
    expect(proxy.asked).toEqual([])
    expect(fixture.tokens).toHaveLength(1)
  })

  test('that are not there are named without their password', async () => {
    const answer = await login(
      { authUrl: 'http://keystone.invalid:5000' },
      { http_proxy: 'http://operator:proxy-pass-of-the-test@127.0.0.1:1' },
    )
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'unreachable', message: expect.stringContaining('the proxy 127.0.0.1:1 refuses connections') },
    })
  })
})
