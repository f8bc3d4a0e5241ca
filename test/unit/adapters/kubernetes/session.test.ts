import { afterEach, describe, expect, test } from 'vitest'
import { listRead } from '../../../../main/adapters/kubernetes/list.ts'
import { NODES } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { type FakeAnswer, status } from '../../../fixtures/kubernetes/fake-api.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { api, closeAll, getNodes } from '../../../fixtures/kubernetes/opened-sessions.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

afterEach(closeAll)

describe('requests', () => {
  test('connections are kept and used again', async () => {
    const server = await api(() => ({}))
    const used = await server.session()
    for (let index = 0; index < 5; index += 1) await used.request(getNodes)
    expect(server.requests).toHaveLength(5)
    expect(server.connections).toBe(1)
  })

  test("the version, and how far the server's clock is from ours", async () => {
    const clock = manualClock(Date.parse('2026-01-02T03:04:05.500Z'))
    const server = await api(() => ({
      body: { gitVersion: 'v1.20.2' },
      headers: { Date: 'Fri, 02 Jan 2026 03:05:05 GMT' },
    }))
    const used = await server.session(clock)
    expect(await used.version()).toEqual({ ok: true, value: { gitVersion: 'v1.20.2' } })
    expect(await used.clocks()).toEqual([{ server: 'the API server', aheadMs: 60_000 }])
    expect(server.requests).toHaveLength(1)
  })

  test('what a test of the cluster says of the clocks is what a run is refused by: one measure of all answers', async () => {
    const clock = manualClock(Date.parse('2026-01-02T03:04:05.500Z'))
    const server = await api(() => ({
      body: { gitVersion: 'v1.20.2' },
      headers: { Date: 'Fri, 02 Jan 2026 03:05:05 GMT' },
    }))
    const used = await server.session(clock)
    await used.request(getNodes)
    clock.advance(300)
    await used.version()
    expect(await used.clocks()).toEqual([{ server: 'the API server', aheadMs: 59_850 }])
  })

  test.each<[string, FakeAnswer]>([
    ['a connection that breaks', 'drop'],
    ['429', status(429, 'TooManyRequests', 'slow down')],
    ['503', status(503, 'ServiceUnavailable', 'starting')],
  ])('a read is repeated after %s', async (_, trouble) => {
    let nth = 0
    const server = await api(() => {
      nth += 1
      return nth < 3 ? trouble : { body: { fine: true } }
    })
    const clock = manualClock()
    const used = await server.session(clock)
    const answer = used.request(getNodes)
    for (const wait of [250, 500]) {
      await until(() => clock.asleep.includes(wait), `the session waits ${wait} ms`)
      clock.advance(wait)
    }
    expect(await answer).toMatchObject({ ok: true, value: { fine: true } })
  })

  test('Retry-After is honoured', async () => {
    let nth = 0
    const server = await api(() => {
      nth += 1
      return nth === 1 ? { ...(status(429, 'TooManyRequests', 'x') as object), headers: { 'Retry-After': '7' } } : {}
    })
    const clock = manualClock()
    const answer = (await server.session(clock)).request(getNodes)
    await until(() => clock.asleep.includes(7_000), 'the session waits 7 s')
    clock.advance(7_000)
    expect((await answer).ok).toBe(true)
  })

  test('a read that always fails ends after four tries', async () => {
    const server = await api(() => status(503, 'ServiceUnavailable', 'starting'))
    const clock = manualClock()
    const answer = (await server.session(clock)).request(getNodes)
    for (const wait of [250, 500, 1_000]) {
      await until(() => clock.asleep.includes(wait), `the session waits ${wait} ms`)
      clock.advance(wait)
    }
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'server-fault', retryable: true } })
    expect(server.requests).toHaveLength(4)
  })

  test.each<[string, FakeAnswer]>([
    ['a connection that breaks', 'drop'],
    ['503', status(503, 'ServiceUnavailable', 'starting')],
    ['429 without Retry-After', status(429, 'TooManyRequests', 'slow down')],
  ])('a write is never repeated after %s', async (_, trouble) => {
    const server = await api(() => trouble)
    const answer = await (await server.session(manualClock())).request({
      method: 'PATCH',
      path: '/api/v1/nodes/n',
      body: {},
    })
    expect(answer.ok).toBe(false)
    expect(server.requests).toHaveLength(1)
  })

  test('a server that says nothing is given up after the limit', async () => {
    const server = await api(() => 'hang')
    const clock = manualClock()
    const answer = (await server.session(clock)).request(getNodes)
    await until(() => server.requests.length === 1, 'the request arrived')
    clock.advance(14_999)
    expect(clock.asleep).toEqual([15_000])
    clock.advance(1)
    expect(await answer).toMatchObject({
      ok: false,
      failure: { code: 'timed-out', message: expect.stringContaining(server.host) },
    })
  })

  test('a body that never ends is given up after the limit', async () => {
    const server = await api(() => stream => stream.write('{"items":['))
    const clock = manualClock()
    const answer = (await server.session(clock)).request(getNodes)
    await until(() => server.requests.length === 1, 'the request arrived')
    clock.advance(15_000)
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'timed-out' } })
  })

  test('a request that is stopped ends at once and is not a fault', async () => {
    const server = await api(() => 'hang')
    const stop = new AbortController()
    const answer = (await server.session()).request({ ...getNodes, signal: stop.signal })
    await until(() => server.requests.length === 1, 'the request arrived')
    stop.abort()
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'aborted', retryable: false } })
  })

  test('an answer that is not JSON is not taken for one of the API', async () => {
    const server = await api(() => ({ body: '<html>Sign in</html>' }))
    expect(await (await server.session()).request(getNodes)).toMatchObject({
      ok: false,
      failure: { code: 'server-fault', message: expect.stringContaining('Is it an API server?') },
    })
  })

  test('a closed session answers without a connection', async () => {
    const server = await api(() => ({}))
    const used = await server.session()
    used.close()
    expect(await used.request(getNodes)).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  })
})

test.each<[string, FakeAnswer]>([
  ['a page', { body: 'You sent fake-token, please log in', headers: { 'Content-Type': 'text/html' } }],
  ['JSON', { body: { kind: 'Echo', you: { sent: 'fake-token' } } }],
])('a strange answer is quoted without the credentials that %s repeats', async (_, answer) => {
  const server = await api(() => answer)
  const listed = await listRead(await server.session(), NODES, node => node)
  expect(listed).toMatchObject({ ok: false, failure: { message: expect.stringContaining('[redacted]') } })
  expect(JSON.stringify(listed)).not.toContain('fake-token')
})
