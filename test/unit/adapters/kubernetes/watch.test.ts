import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readPod } from '../../../../main/adapters/kubernetes/read-pod.ts'
import { PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { watchResource } from '../../../../main/adapters/kubernetes/watch.ts'
import type { WatchState } from '../../../../shared/domain/kubernetes.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeStream,
  startFakeApi,
  status,
} from '../../../fixtures/kubernetes/fake-api.ts'
import { type ManualClock, manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { rawPod } from '../../../fixtures/kubernetes/small-cluster.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

let clock: ManualClock
let api: FakeApi
let listed: readonly ReturnType<typeof rawPod>[]
let listVersion: number
let onList: () => FakeAnswer | undefined
let onWatch: (version: string) => FakeAnswer | undefined
let streams: FakeStream[]
let stop: AbortController
let watching: Promise<void>

beforeEach(async () => {
  clock = manualClock()
  listed = []
  listVersion = 10
  onList = () => undefined
  onWatch = () => undefined
  streams = []
  stop = new AbortController()
  watching = Promise.resolve()
  api = await startFakeApi(({ query }) =>
    query.get('watch') === 'true'
      ? (onWatch(query.get('resourceVersion') ?? '') ?? (stream => void streams.push(stream)))
      : (onList() ?? {
          body: { kind: 'PodList', metadata: { resourceVersion: String(listVersion) }, items: listed },
        }),
  )
})

afterEach(async () => {
  stop.abort()
  await watching
  await api.close()
})

async function start(fieldSelector?: string) {
  const present = new Map<string, string>()
  const changes: string[] = []
  const states: WatchState[] = []
  watching = watchResource({
    session: await api.session(clock),
    collection: { type: PODS, namespace: null },
    parse: readPod,
    onChange: (upserts, removals) => {
      for (const { uid } of removals) present.delete(uid)
      for (const pod of upserts) present.set(pod.uid, pod.name)
      changes.push(...removals.map(({ uid }) => `-${uid}`), ...upserts.map(({ uid }) => `+${uid}`))
    },
    onState: state => states.push(state),
    clock,
    signal: stop.signal,
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  })
  const inState = (kind: WatchState['kind']) => until(() => states.at(-1)?.kind === kind, `the watch is ${kind}`)
  return { present, changes, states, inState }
}

const watches = () => api.requests.filter(({ query }) => query.get('watch') === 'true')
const lists = () => api.requests.filter(({ query }) => query.get('watch') !== 'true')
const pod = (name: string, uid = `uid-${name}`, version = '11') => rawPod({ name, uid }, version)
const bookmark = (version: string) => ({ type: 'BOOKMARK', object: { metadata: { resourceVersion: version } } })
/** Lets the watch try again, however long it wants to wait. */
async function retry(after: number) {
  await until(() => clock.asleep.includes(after), `the watch waits ${after} ms`)
  clock.advance(after)
}

test('lists, then watches from the version of the list, with bookmarks and the field selector', async () => {
  listed = [pod('a')]
  const { changes, inState, states } = await start('spec.nodeName=cmp-1')
  await inState('live')
  expect(states.map(({ kind }) => kind)).toEqual(['catching-up', 'live'])
  expect(changes).toEqual(['+uid-a'])
  expect(Object.fromEntries(watches()[0]?.query ?? [])).toEqual({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '10',
    timeoutSeconds: '60',
    fieldSelector: 'spec.nodeName=cmp-1',
  })
  expect(lists()[0]?.query.get('fieldSelector')).toBe('spec.nodeName=cmp-1')
})

test('a watch that the server ends in time continues from the last bookmark, without a list and without going offline', async () => {
  const { inState, states, present } = await start()
  await inState('live')
  streams[0]?.send({ type: 'ADDED', object: pod('a') }, bookmark('77'))
  await until(() => present.size === 1, 'the pod is seen')
  clock.advance(60_000)
  streams[0]?.end()
  await until(() => watches().length === 2, 'the watch begins again')
  expect(watches()[1]?.query.get('resourceVersion')).toBe('77')
  expect(lists()).toHaveLength(1)
  expect(states.every(({ kind }) => kind === 'catching-up' || kind === 'live')).toBe(true)
})

test('events cut in the middle of a character are put together', async () => {
  const { inState, present } = await start()
  await inState('live')
  const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: pod('ä', 'uid-ü') })}\n`)
  const middle = line.indexOf(Buffer.from('ä')) + 1
  streams[0]?.write(line.subarray(0, middle) as unknown as string)
  await new Promise(resolve => setImmediate(resolve))
  streams[0]?.write(line.subarray(middle) as unknown as string)
  await until(() => present.has('uid-ü'), 'the pod is seen')
  expect(present.get('uid-ü')).toBe('ä')
})

describe('objects differ by UID', () => {
  test('deleted and recreated under one name is a removal and an upsert, also when it comes as one change', async () => {
    const { inState, changes } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'one') })
    await until(() => changes.length === 1, 'the first is seen')
    streams[0]?.send({ type: 'MODIFIED', object: pod('a', 'two') })
    await until(() => changes.length === 3, 'the second is seen')
    expect(changes).toEqual(['+one', '-one', '+two'])
  })

  test('a pod that came and went in one piece of the stream is not there afterwards', async () => {
    const { inState, present, changes } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'one') }, { type: 'DELETED', object: pod('a', 'one') })
    await until(() => changes.length > 0, 'it is reported')
    expect(present.size).toBe(0)
  })

  test('the late deletion of an earlier namesake does not remove the present one', async () => {
    const { inState, present, changes } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'two') }, { type: 'DELETED', object: pod('a', 'one') })
    await until(() => changes.length === 2, 'both are reported')
    expect([...present.keys()]).toEqual(['two'])
  })

  test('a new list removes what it no longer has, and who took its name', async () => {
    listed = [pod('a', 'one'), pod('b'), pod('c')]
    const { inState, changes, present } = await start()
    await inState('live')
    listed = [pod('a', 'two'), pod('b')]
    changes.length = 0
    streams[0]?.send({ type: 'ERROR', object: status(410, 'Expired', 'too old resource version').body })
    await until(() => changes.length === 4, 'the new list is reported')
    expect(changes).toEqual(['-one', '-uid-c', '+two', '+uid-b'])
    expect([...present.keys()].sort()).toEqual(['two', 'uid-b'])
  })
})

describe('410', () => {
  test('as an ERROR event: lists again', async () => {
    const { inState, states } = await start()
    await inState('live')
    listVersion = 50
    streams[0]?.send({ type: 'ERROR', object: status(410, 'Expired', 'too old resource version').body })
    await until(() => watches().length === 2, 'it watches again')
    expect(lists()).toHaveLength(2)
    expect(watches()[1]?.query.get('resourceVersion')).toBe('50')
    expect(states.map(({ kind }) => kind)).toContain('catching-up')
  })

  test('as the answer: lists again', async () => {
    onWatch = version => (version === '10' ? status(410, 'Gone', 'too old') : undefined)
    const run = await start()
    listVersion = 50
    await run.inState('live')
    expect(watches().at(-1)?.query.get('resourceVersion')).toBe('50')
  })

  test('again and again: does not list in a tight loop', async () => {
    onWatch = () => status(410, 'Gone', 'too old')
    await start()
    await until(() => clock.asleep.includes(500), 'it waits before the third list')
    expect(lists()).toHaveLength(2)
  })
})

describe('connections', () => {
  test('a dead one, without any message, is noticed and started again', async () => {
    const { inState } = await start()
    await inState('live')
    await until(() => streams.length === 1 && clock.asleep.includes(70_000), 'it watches')
    clock.advance(69_999)
    expect(watches()).toHaveLength(1)
    clock.advance(1)
    await until(() => watches().length === 2, 'it watches again')
    // Nobody knows who answers now.
    expect(lists()).toHaveLength(2)
  })

  test('bookmarks keep a quiet one alive', async () => {
    const { inState, states } = await start()
    await inState('live')
    await until(() => clock.asleep.includes(70_000), 'it watches')
    const before = states.length
    clock.advance(60_000)
    streams[0]?.send(bookmark('20'))
    await until(() => states.length > before, 'the bookmark has arrived')
    clock.advance(60_000)
    await new Promise(resolve => setImmediate(resolve))
    expect(streams[0]?.closed).toBe(false)
    expect(watches()).toHaveLength(1)
  })

  test.each(['drop', 'end'] as const)(
    'one that is lost (%s) is not live until a short list was read again',
    async how => {
      const { inState, states, present } = await start()
      await inState('live')
      streams[0]?.send({ type: 'ADDED', object: pod('a', 'one', '42') })
      await until(() => present.size === 1, 'the pod is seen')
      listVersion = 50
      listed = [pod('b', 'two', '45')]
      const before = states.length
      streams[0]?.[how]()
      await until(() => watches().length === 2, 'it watches again')
      expect(states.slice(before).map(({ kind }) => kind)[0]).toBe('catching-up')
      expect([...present.keys()]).toEqual(['two'])
      expect(watches()[1]?.query.get('resourceVersion')).toBe('50')
    },
  )

  test('one that is lost continues from its version on a large list, once the server says that it is still at that version', async () => {
    const { inState, present } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'one', '42') })
    await until(() => present.size === 1, 'the pod is seen')
    onList = () => ({
      body: { kind: 'PodList', metadata: { resourceVersion: '42', continue: 'more' }, items: [pod('a', 'one', '42')] },
    })
    streams[0]?.drop()
    await until(() => watches().length === 2, 'it watches again')
    expect(watches()[1]?.query.get('resourceVersion')).toBe('42')
    expect(lists()).toHaveLength(2)
    expect([...present.keys()]).toEqual(['one'])
  })

  test('one that is lost is not live until the missed changes arrived, also on a large list', async () => {
    const { inState, present, states } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'one', '42') })
    await until(() => present.size === 1, 'the pod is seen')
    const first = { metadata: { resourceVersion: '60', continue: 'more' }, items: [pod('b', 'two', '45')] }
    const last = { metadata: { resourceVersion: '60' }, items: [pod('c', 'three', '46')] }
    const pages = [first, first, last]
    const before = states.length
    const reported: string[] = []
    onList = () => {
      reported.push(...states.slice(before).map(({ kind }) => kind))
      return { body: { kind: 'PodList', ...pages.shift() } }
    }
    streams[0]?.drop()
    await until(() => watches().length === 2, 'it watches again')
    expect([...present.keys()]).toEqual(['two', 'three'])
    expect(watches()[1]?.query.get('resourceVersion')).toBe('60')
    expect(reported).toEqual(['catching-up', 'catching-up', 'catching-up'])
  })

  test('a server whose store was put back to an older state is not watched from the future: what it has is listed', async () => {
    const { inState, present } = await start()
    await inState('live')
    streams[0]?.send({ type: 'ADDED', object: pod('a', 'one', '42') })
    await until(() => present.size === 1, 'the pod is seen')
    listVersion = 20
    const pages = [
      { metadata: { resourceVersion: '20', continue: 'more' }, items: [pod('b', 'two', '15')] },
      { metadata: { resourceVersion: '20', continue: 'more' }, items: [pod('b', 'two', '15')] },
      { metadata: { resourceVersion: '20' }, items: [pod('c', 'three', '16')] },
    ]
    onList = () => ({ body: { kind: 'PodList', ...pages.shift() } })
    streams[0]?.drop()
    await until(() => watches().length === 2, 'it watches again')
    expect([...present.keys()]).toEqual(['two', 'three'])
    expect(watches()[1]?.query.get('resourceVersion')).toBe('20')
  })

  test('a server that is behind what it listed before is reported as offline, with what to do', async () => {
    const { inState, states } = await start()
    await inState('live')
    listVersion = 5
    streams[0]?.drop()
    await retry(250)
    await inState('offline')
    expect(states.at(-1)).toMatchObject({
      why: expect.stringContaining('etcd was restored: then start Lockkeeper again'),
    })
    expect(watches()).toHaveLength(1)
  })

  test('an API server that restarts: offline since it was lost, then live again, with what happened meanwhile', async () => {
    const { inState, states, present } = await start()
    await inState('live')
    const comeBack = await api.outage()
    await retry(250)
    await inState('offline')
    expect(states.at(-1)).toMatchObject({
      since: '2026-01-02T03:04:05.250Z',
      why: expect.stringContaining('refuses connections'),
    })
    await until(() => clock.asleep.includes(500), 'the watch waits')
    await comeBack()
    await retry(500)
    await until(() => streams.length === 2 && states.at(-1)?.kind === 'live', 'the watch is live again')
    streams.at(-1)?.send({ type: 'ADDED', object: pod('a') })
    await until(() => present.size === 1, 'what happened meanwhile is reported')
    expect(watches().at(-1)?.query.get('resourceVersion')).toBe('10')
  })

  test('while the server is away it is offline, and the waits grow with jitter up to 30 s; a success resets them', async () => {
    clock = manualClock(undefined, 0.1)
    const { inState, states } = await start()
    await inState('live')
    let away = true
    onWatch = () => (away ? status(503, 'ServiceUnavailable', 'starting') : undefined)
    streams[0]?.send({ type: 'ERROR', object: status(500, 'InternalError', 'etcd is gone').body })
    await inState('offline')
    const since = states.at(-1)
    for (const wait of [300, 600, 1_200, 2_400, 4_800, 9_600, 18_000, 18_000]) await retry(wait)
    expect(states.at(-1)).toMatchObject({ kind: 'offline', since: (since as { since: string }).since })
    await until(() => clock.asleep.includes(18_000), 'the last try was answered')
    away = false
    await retry(18_000)
    await inState('live')
    streams.at(-1)?.send(bookmark('90'), { type: 'ERROR', object: status(500, 'InternalError', 'again').body })
    await inState('offline')
    await until(() => clock.asleep.includes(300), 'it starts with the shortest wait again')
  })

  test('a server that ends every watch at once is not asked in a tight loop', async () => {
    onWatch = () => stream => stream.end()
    await start()
    await until(() => clock.asleep.includes(250), 'it waits')
    expect(watches()).toHaveLength(1)
  })
})

test('not permitted is a separate state, tried again after a minute', async () => {
  let allowed = false
  onList = () => (allowed ? undefined : status(403, 'Forbidden', 'User "viewer" cannot list resource "pods"'))
  const { inState, states } = await start()
  await inState('not-permitted')
  expect(states.at(-1)).toMatchObject({ why: expect.stringContaining('may not list pods') })
  allowed = true
  await retry(54_000)
  await inState('live')
})

test('stopping ends the watch, its connection and its sleeps', async () => {
  const { inState } = await start()
  await inState('live')
  stop.abort()
  await watching
  await until(() => streams.every(stream => stream.closed), 'the connection is closed')
  expect(clock.asleep).toEqual([])
})

test('states are reported at most once a second while events pour in', async () => {
  const { inState, states, present } = await start()
  await inState('live')
  for (let index = 0; index < 50; index += 1) {
    streams[0]?.send({ type: 'ADDED', object: pod(`p${index}`) })
    await until(() => present.size === index + 1, 'the event is seen')
  }
  expect(states).toHaveLength(2)
})

describe('what cannot be read', () => {
  test.each<[string, (stream: FakeStream) => void]>([
    ['a login page', stream => stream.write('<html>\n<body>Sign in</body>\n')],
    ['a line that is not JSON', stream => stream.write('{"type":"ADDED"\n')],
    ['an event of no type', stream => stream.send({ type: 'HELLO', object: pod('a') })],
    ['an event without an object', stream => stream.send({ type: 'ADDED' })],
    ['an event of another kind', stream => stream.send({ type: 'ADDED', object: { ...pod('a'), kind: 'Node' } })],
    ['a pod that cannot be read', stream => stream.send({ type: 'ADDED', object: { ...pod('a'), status: {} } })],
    ['a bookmark without a version', stream => stream.send({ type: 'BOOKMARK', object: { metadata: {} } })],
    ['an ERROR that is not a Status', stream => stream.send({ type: 'ERROR', object: { code: 410 } })],
    [
      'a last line that ends in the middle',
      stream => {
        stream.write('{"type":"ADD')
        stream.end()
      },
    ],
  ])('%s: the feed is not live, and everything is listed again', async (_, say) => {
    const { inState, states } = await start()
    await inState('live')
    await until(() => streams.length === 1, 'it watches')
    const stream = streams[0]
    if (stream !== undefined) say(stream)
    await inState('offline')
    expect(states.at(-1)).toMatchObject({ why: expect.stringContaining('watch pods') })
    await retry(250)
    await until(() => lists().length === 2, 'it lists again')
  })

  test('an event without end is cut off', async () => {
    const { inState, states } = await start()
    await inState('live')
    await until(() => streams.length === 1, 'it watches')
    for (let index = 0; index < 9; index += 1) streams[0]?.write('x'.repeat(1024 * 1024))
    await inState('offline')
    expect(states.at(-1)).toMatchObject({ why: expect.stringContaining('8 MiB') })
  })

  test('a watch that ends without having said anything is followed by a list: nobody may have forwarded it', async () => {
    const { inState } = await start()
    await inState('live')
    await until(() => streams.length === 1, 'it watches')
    clock.advance(60_000)
    streams[0]?.end()
    await until(() => lists().length === 2, 'it lists again')
  })
})
