import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { Contract } from '../../../shared/contract/index.ts'

type Frame = Readonly<Record<string, unknown>>

let served: ServedConsole
let key: string
let emit: (payload: unknown) => void
/** Resolves the asks that wait, for a test that lets them wait. */
let waiting: (() => void)[]
let hold: boolean

beforeEach(async () => {
  const listeners = new Set<(payload: never) => void>()
  emit = payload => {
    for (const listener of listeners) listener(payload as never)
  }
  waiting = []
  hold = false
  const answer = {
    ok: false,
    failure: { code: 'bad-input', message: 'refused by the router', retryable: false },
  } as const
  const contract: Contract = {
    ask: () => (hold ? new Promise(resolve => waiting.push(() => resolve(answer))) : Promise.resolve(answer)),
    listen: (name, listener) => {
      if (name === 'preferences.changed') listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const result = await serveConsole({ contract, directory: tmpdir(), port: 0, alsoCalled: [], log: silentLogger })
  if (!result.ok) throw new Error(result.failure.message)
  served = result.value
  const token = new URL(served.freshAddress()).searchParams.get('token') ?? ''
  const origin = `http://127.0.0.1:${served.port}`
  const entered = await fetch(`${origin}/enter`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${token}` },
  })
  key = ((await entered.json()) as { readonly key: string }).key
})

afterEach(() => served.stop())

interface Tab {
  readonly socket: WebSocket
  /** The next received frame, in order; signs of life are skipped. */
  next(): Promise<Frame>
  /** The first time that the console said that it lives. */
  readonly beat: Promise<Frame>
  readonly closed: Promise<number>
}

function openTab(query = ''): Tab {
  const host = `127.0.0.1:${served.port}`
  const socket = new WebSocket(`ws://${host}/socket${query}`, ['lockkeeper.v1', `key.${key}`], {
    origin: `http://${host}`,
  })
  const frames: Frame[] = []
  const takers: ((frame: Frame) => void)[] = []
  const { promise: beat, resolve: beats } = Promise.withResolvers<Frame>()
  socket.on('message', data => {
    const frame: Frame = JSON.parse(String(data))
    if ('beat' in frame) return beats(frame)
    const taker = takers.shift()
    if (taker === undefined) frames.push(frame)
    else taker(frame)
  })
  return {
    socket,
    next: async () => frames.shift() ?? new Promise(resolve => takers.push(resolve)),
    beat,
    closed: new Promise(resolve => socket.on('close', code => resolve(code))),
  }
}

async function hello(
  tab: Tab,
): Promise<{ readonly n: number; readonly resumed: boolean; readonly numberedBy: string }> {
  return (await tab.next()).hello as never
}

test.each([
  ['an oversized message', 'x'.repeat(64 * 1024 * 1024 + 1), 1009],
  ['what is not JSON', '{', 4002],
  ['another shape', '{"id":"1","ask":"run.list"}', 4002],
  ['a binary frame', Buffer.from('{"id":1,"ask":"run.list"}'), 4002],
])('%s closes its own connection only', async (_, message, code) => {
  const bystander = openTab()
  await hello(bystander)
  const tab = openTab()
  await hello(tab)
  tab.socket.send(message)
  expect(await tab.closed).toBe(code)
  bystander.socket.send(JSON.stringify({ id: 1, ask: 'run.list', input: {} }))
  expect(await bystander.next()).toMatchObject({ id: 1 })
})

test('an unknown request is refused by name, also one that every object has', async () => {
  const tab = openTab()
  await hello(tab)
  for (const ask of ['run.launch', 'constructor', '__proto__']) {
    tab.socket.send(JSON.stringify({ id: 7, ask, input: {} }))
    expect(await tab.next()).toMatchObject({
      id: 7,
      answer: { ok: false, failure: { code: 'bad-input', message: `There is no request named ${ask}.` } },
    })
  }
})

test('more than 256 requests at once are throttled, and room comes again with the answers', async () => {
  hold = true
  const tab = openTab()
  await hello(tab)
  for (let id = 1; id <= 257; id += 1) tab.socket.send(JSON.stringify({ id, ask: 'run.list', input: {} }))
  expect(await tab.next()).toMatchObject({ id: 257, answer: { failure: { code: 'throttled' } } })
  for (const answer of waiting.splice(0)) answer()
  for (let id = 1; id <= 256; id += 1) expect(await tab.next()).toMatchObject({ id })
  hold = false
  tab.socket.send(JSON.stringify({ id: 258, ask: 'run.list', input: {} }))
  expect(await tab.next()).toMatchObject({ id: 258, answer: { failure: { code: 'bad-input' } } })
})

test('two tabs hear the same events, and one that comes back gets exactly those it missed, in order', async () => {
  const stays = openTab()
  const leaves = openTab()
  await hello(stays)
  const { numberedBy } = await hello(leaves)
  emit('first')
  expect(await leaves.next()).toEqual(await stays.next())
  leaves.socket.close()
  await leaves.closed
  emit('second')
  emit('third')
  const back = openTab(`?seen=1&by=${numberedBy}`)
  expect(await hello(back)).toMatchObject({ n: 1, resumed: true })
  emit('fourth')
  const received = [await back.next(), await back.next(), await back.next()]
  expect(received.map(({ n, payload }) => [n, payload])).toEqual([
    [2, 'second'],
    [3, 'third'],
    [4, 'fourth'],
  ])
})

test('numbers of a console that ran here before are not taken for ours', async () => {
  emit('first')
  expect(await hello(openTab('?seen=1&by=another'))).toMatchObject({ n: 1, resumed: false })
  expect(await hello(openTab('?seen=1'))).toMatchObject({ n: 1, resumed: false })
})

test('a stopped console tells every tab, and no connection stays open', async () => {
  const tab = openTab()
  await hello(tab)
  await served.stop()
  expect(await tab.closed).toBe(4000)
  await expect(fetch(`http://127.0.0.1:${served.port}/`)).rejects.toThrow()
})

test('an idle tab gets a sign of life every few seconds', async () => {
  const tab = openTab()
  expect(await tab.next()).toHaveProperty('hello')
  expect(await tab.beat).toEqual({ beat: true })
})
