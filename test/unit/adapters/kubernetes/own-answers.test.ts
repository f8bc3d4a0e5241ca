import { afterEach, describe, expect, test } from 'vitest'
import { listAll } from '../../../../main/adapters/kubernetes/list.ts'
import { NODES, PODS, type ResourceType } from '../../../../main/adapters/kubernetes/resource-types.ts'
import type { Clock } from '../../../../main/platform/clock/clock.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { FakeRequest } from '../../../fixtures/kubernetes/fake-api.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { api, closeAll, getNodes } from '../../../fixtures/kubernetes/opened-sessions.ts'

afterEach(closeAll)

const NOON = Date.parse('2026-11-20T12:00:00Z')
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const date = (seconds: number) => ({ Date: new Date(NOON + seconds * 1_000).toUTCString() })

/** A clock on which each wait before another try is over at once; the limits of requests are not reached. */
function hastyClock() {
  const clock = manualClock(NOON)
  const sleep: Clock['sleep'] = async (ms, signal) => (ms < 10_000 ? clock.advance(ms) : clock.sleep(ms, signal))
  return { ...clock, sleep }
}

/** A server that tells what it was asked with, as API servers do. */
const echo = ({ headers }: FakeRequest) => ({
  body: {},
  headers: { 'Audit-Id': String(headers['audit-id']), ...date(0) },
})

const says = (outcome: Result<unknown>) =>
  outcome.ok ? 'believed' : `${outcome.failure.code}: ${outcome.failure.detail}`

/** What becomes of one request after another, each answered with these headers. */
async function received(answers: readonly Readonly<Record<string, string>>[], status = 200, method = 'GET') {
  let nth = -1
  const server = await api(() => ({ status, body: {}, headers: { ...date(0), ...answers[nth] } }))
  const session = await server.session(manualClock(NOON))
  const outcomes: string[] = []
  for (nth = 0; nth < answers.length; nth += 1) {
    outcomes.push(says(await session.exchange({ ...getNodes, method: method as 'GET', retry: false })))
  }
  return { outcomes, requests: server.requests }
}

test('every request asks caches for no kept answer, and gives an id that no other one had', async () => {
  const { requests } = await received([{}, {}])
  for (const { headers } of requests) {
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', pragma: 'no-cache' })
    expect(headers['audit-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  }
  expect(new Set(requests.map(({ headers }) => headers['audit-id'])).size).toBe(2)
})

describe('an answer is outdated', () => {
  test.each([
    [
      'its Audit-Id came with another request',
      [{ 'Audit-Id': id(1) }, { 'Audit-Id': id(2) }, { 'Audit-Id': id(1) }],
      id(1),
    ],
    ['it has an Age', [{ Age: '600' }], '600 s old'],
    ['its Date goes back', [date(60), date(3)], 'its Date is'],
  ])('when %s', async (_, answers, why) => {
    for (const status of [200, 404]) {
      const { outcomes } = await received(answers, status)
      expect(outcomes.at(-1)).toMatch(/^unreadable: HTTP/)
      expect(outcomes.at(-1)).toContain(why)
    }
  })

  test('and of a change nobody knows then whether it was done', async () => {
    const server = await api(() => ({ headers: { Age: '600' } }))
    const session = await server.session()
    const outcome = await session.exchange({ method: 'POST', path: '/api/v1/namespaces', body: {} })
    expect(outcome.ok || outcome.failure.message).toContain('it is 600 s old by its Age')
    expect(server.requests).toHaveLength(1)
  })

  test('and its Date tells nothing of how far the clocks are apart', async () => {
    let more: Readonly<Record<string, string>> = date(0)
    const server = await api(() => ({ body: {}, headers: more }))
    const session = await server.session(manualClock(NOON))
    await session.exchange(getNodes)
    const before = await session.clocks()
    expect(before).toHaveLength(1)
    more = { ...date(-3_600), Age: '3600' }
    await session.exchange({ ...getNodes, retry: false })
    expect(await session.clocks()).toEqual(before)
  })
})

test.each([
  ['an Age of 0', [{ Age: '0' }]],
  ['no header at all', [{}, {}]],
  ['an id of another form than an API server’s', [{ 'Audit-Id': 'proxy' }, { 'Audit-Id': 'proxy' }]],
  ['the Date of another API server, seconds behind', [date(5), date(1)]],
])('%s proves nothing', async (_, answers) => {
  expect(new Set((await received(answers)).outcomes)).toEqual(new Set(['believed']))
})

describe('the very first list of a session', () => {
  const kept = { body: { items: [{ metadata: { name: 'gone' } }] }, headers: { 'Audit-Id': id(7), ...date(-86_400) } }

  test('is not believed when a cache tells it, whatever else the cache knows', async () => {
    const keptOf = (path: string) => ({
      ...kept,
      headers: { ...kept.headers, 'Audit-Id': path.endsWith('pods') ? id(7) : id(8) },
    })
    const server = await api(({ path }) => keptOf(path))
    const session = await server.session(hastyClock())
    const types: readonly ResourceType[] = [PODS, NODES, PODS]
    for (const type of types) {
      expect(says(await listAll(session, { type, namespace: null }))).toMatch(/^unreadable: HTTP 200, /)
    }
  })

  test('is not believed after an answer of the API server itself, nor a second time', async () => {
    const server = await api(request => (request.path === '/version' ? echo(request) : kept))
    const session = await server.session(hastyClock())
    await session.exchange({ method: 'GET', path: '/version' })
    expect(says(await listAll(session, { type: PODS, namespace: null }))).toContain(id(7))
  })

  test('is believed once it comes from the API server: a read is sent again', async () => {
    let nth = 0
    const server = await api(request => {
      nth += 1
      return nth === 1 ? kept : { ...echo(request), body: { items: [] } }
    })
    expect(says(await listAll(await server.session(hastyClock()), { type: PODS, namespace: null }))).toBe('believed')
  })
})

test('where a proxy removes our id, the ids that the API server creates are believed once two arrived', async () => {
  let nth = 0
  const server = await api(() => {
    nth += 1
    return { body: { items: [] }, headers: { 'Audit-Id': id(nth), ...date(0) } }
  })
  const session = await server.session(hastyClock())
  const types: readonly ResourceType[] = [PODS, NODES]
  for (const type of types) expect(says(await listAll(session, { type, namespace: null }))).toBe('believed')
  expect(server.requests).toHaveLength(3)
})

test('a change is not doubted for an id that something on the way exchanged', async () => {
  const { outcomes } = await received([{ 'Audit-Id': id(1) }], 200, 'POST')
  expect(outcomes).toEqual(['believed'])
})

test('an id that is sent twice, by the API server and by the one behind it, is ours', async () => {
  const server = await api(({ headers }) => ({
    headers: { 'Audit-Id': `${headers['audit-id']}, ${headers['audit-id']}` },
  }))
  const session = await server.session()
  for (let time = 0; time < 3; time += 1) expect(says(await session.exchange(getNodes))).toBe('believed')
})

test('a watch that is a kept one is not listened to', async () => {
  const server = await api(request =>
    request.query.has('watch') ? { body: '', headers: { 'Audit-Id': id(7) } } : echo(request),
  )
  const session = await server.session(hastyClock())
  await session.exchange(getNodes)
  const watch = await session.stream({ ...getNodes, query: { watch: true }, retry: false })
  expect(says(watch)).toMatch(/^unreadable: HTTP 200, it answers another request/)
})

test('a clock of the API server that was set back is believed again once it advances', async () => {
  const clock = manualClock(NOON)
  let setBack = 0
  const server = await api(() => ({ headers: { Date: new Date(clock.now() - setBack).toUTCString() } }))
  const session = await server.session(clock)
  const outcomes: string[] = []
  for (let second = 0; second < 8; second += 1) {
    outcomes.push(says(await session.exchange({ ...getNodes, retry: false })))
    setBack = 300_000
    clock.advance(1_000)
  }
  expect(outcomes.map(each => each === 'believed')).toEqual([true, ...Array(5).fill(false), true, true])
})
