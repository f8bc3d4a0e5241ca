import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSocketContract, type SocketContract } from '../../../renderer/bridge/socket.ts'
import { useConnection } from '../../../renderer/stores/connection.ts'
import { requests } from '../../../shared/contract/index.ts'

/** A WebSocket whose other end is the test. */
class FakeSocket extends EventTarget {
  static readonly made: FakeSocket[] = []
  readonly sent: { readonly id: number; readonly ask: string }[] = []
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    FakeSocket.made.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  say(message: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }))
  }
  /** As to somebody who does not answer: the browser waits for the other end. */
  close(): void {}
  break(code = 1006, reason = ''): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  }
}

const EFFECTS = Object.fromEntries(Object.entries(requests).map(([name, { effect }]) => [name, effect]))
let contract: SocketContract
let visible: () => void
let shutOut: boolean
const newest = () => {
  const socket = FakeSocket.made.at(-1)
  if (socket === undefined) throw new Error('no socket was opened')
  return socket
}
const hello = (n: number, resumed = false) =>
  newest().say({ hello: { n, resumed, numberedBy: 'life-1', effects: EFFECTS } })
const status = () => useConnection.getState().connection

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.made.length = 0
  shutOut = false
  const page = new EventTarget()
  visible = () => void page.dispatchEvent(new Event('visibilitychange'))
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
  const kept = new Map([['lockkeeper-key', 'k1']])
  const sessionStorage = { getItem: (name: string) => kept.get(name) ?? null }
  const location = { pathname: '/', search: '', hash: '' }
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout, sessionStorage, location }))
  vi.stubGlobal('fetch', async () => ({ status: shutOut ? 403 : 200 }))
  useConnection.setState({ connection: { kind: 'connecting' } })
  contract = openSocketContract('ws://127.0.0.1:1/socket')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the page’s socket', () => {
  test('keeps what is asked before the console said hello, and then sends it', async () => {
    const asked = contract.ask('cluster.list', {})
    expect(newest().sent).toEqual([])
    hello(0)
    expect(newest().sent).toMatchObject([{ ask: 'cluster.list' }])
    newest().say({ id: newest().sent[0]?.id, answer: { ok: true, value: [] } })
    expect(await asked).toEqual({ ok: true, value: [] })
    expect(status()).toEqual({ kind: 'connected' })
  })

  test('asks what only reads once more when the connection is back, and says of a change that it may have been done', async () => {
    hello(0)
    const read = contract.ask('window.list', { cluster: null })
    const change = contract.ask('run.start', { planId: 'p' })
    const write = contract.ask('cluster.remove', { name: 'c' })
    newest().break()
    expect(await change).toMatchObject({
      ok: false,
      failure: { retryable: false, message: expect.stringMatching(/may have happened: look at the runs/) },
    })
    expect(await write).toMatchObject({ failure: { message: expect.stringContaining('may have happened') } })
    expect(status().kind).toBe('lost')
    await vi.advanceTimersByTimeAsync(1000)
    hello(0, true)
    expect(newest().sent).toMatchObject([{ ask: 'window.list' }])
    newest().say({ id: newest().sent[0]?.id, answer: { ok: true, value: [] } })
    expect(await read).toEqual({ ok: true, value: [] })
  })

  test('counts a silent console as lost since its last sign of life, and connects again', async () => {
    hello(0)
    await vi.advanceTimersByTimeAsync(14_000)
    newest().say({ beat: true })
    const receivedAt = new Date().toISOString()
    await vi.advanceTimersByTimeAsync(14_000)
    expect(status()).toEqual({ kind: 'connected' })
    const change = contract.ask('run.start', { planId: 'p' })
    const silent = newest()
    await vi.advanceTimersByTimeAsync(1000)
    expect(status()).toMatchObject({ kind: 'lost', since: receivedAt })
    expect(await change).toMatchObject({ failure: { message: expect.stringContaining('may have happened') } })
    await vi.advanceTimersByTimeAsync(1000)
    expect(newest()).not.toBe(silent)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(status(), 'one that is opened and never welcomed').toMatchObject({ kind: 'lost', since: receivedAt })
    silent.say({ hello: { n: 0, resumed: true, numberedBy: 'life-1' } })
    expect(status().kind, 'a late message of the old connection does not count').toBe('lost')
    hello(0, true)
    expect(status()).toEqual({ kind: 'connected' })
  })

  test('asks a question that breaks the connection no third time', async () => {
    hello(0)
    const read = contract.ask('window.list', { cluster: null })
    newest().break()
    await vi.advanceTimersByTimeAsync(1000)
    hello(0, true)
    newest().break()
    expect(await read).toMatchObject({ ok: false, failure: { retryable: true } })
  })

  test('says of what was never sent that nothing was done, and keeps nobody waiting for a console that is gone', async () => {
    const early = contract.ask('run.start', { planId: 'p' })
    for (let failed = 0; failed < 3; failed += 1) {
      newest().break()
      await vi.advanceTimersByTimeAsync(5000)
    }
    expect(await early).toMatchObject({ failure: { message: expect.stringContaining('nothing was done') } })
    newest().break(4000, 'the console was stopped')
    expect(await contract.ask('run.start', { planId: 'p' })).toMatchObject({ failure: { code: 'unreachable' } })
  })

  test('continues from the last received number, and requests nothing again when it missed nothing', async () => {
    const again = vi.fn()
    contract.onResync(again)
    hello(4)
    newest().say({ n: 5, event: 'cluster.changed', payload: {} })
    newest().break()
    await vi.advanceTimersByTimeAsync(1000)
    expect(newest().address).toBe('ws://127.0.0.1:1/socket?seen=5&by=life-1')
    hello(5, true)
    expect(again).not.toHaveBeenCalled()
  })

  test('requests everything again when it may have missed something', async () => {
    const again = vi.fn()
    contract.onResync(again)
    hello(4)
    expect(again).not.toHaveBeenCalled()
    newest().break()
    await vi.advanceTimersByTimeAsync(1000)
    hello(90, false)
    expect(again).toHaveBeenCalledTimes(1)
  })

  test('tries again ever more rarely, and at once when the page becomes visible', async () => {
    hello(0)
    for (let failed = 0; failed < 5; failed += 1) {
      newest().break()
      await vi.advanceTimersByTimeAsync(15_000)
    }
    const tried = FakeSocket.made.length
    newest().break()
    await vi.advanceTimersByTimeAsync(100)
    expect(FakeSocket.made).toHaveLength(tried)
    visible()
    await vi.advanceTimersByTimeAsync(0)
    expect(FakeSocket.made).toHaveLength(tried + 1)
  })

  test('says that a stopped console is gone, in the console’s own words', () => {
    hello(0)
    newest().break(4000, 'the console was stopped')
    expect(status()).toMatchObject({ kind: 'ended', why: 'the console was stopped' })
  })

  test('says what to do when the console does not know this tab, and tries again when the page becomes visible', async () => {
    hello(0)
    shutOut = true
    newest().break()
    await vi.advanceTimersByTimeAsync(1000)
    newest().break()
    await vi.advanceTimersByTimeAsync(5000)
    expect(status()).toMatchObject({ kind: 'not-let-in', why: expect.stringContaining('open the new address') })
    const answer = await contract.ask('cluster.list', {})
    expect(answer).toMatchObject({ ok: false, failure: { message: expect.stringContaining('no access') } })
    expect(JSON.stringify(answer), 'the console answers').not.toContain('no connection')
    const tried = FakeSocket.made.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.made).toHaveLength(tried)
    shutOut = false
    visible()
    await vi.advanceTimersByTimeAsync(0)
    expect(FakeSocket.made).toHaveLength(tried + 1)
  })
})
