import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { Contract } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

let served: ServedConsole
let key: string
const faults: unknown[] = []
const note = (fault: unknown) => faults.push(fault)
const kept: unknown[] = []

/** A main whose `cluster.list` answers after a while, and whose `run.list` answers what no JSON can say. */
const contract: Contract = {
  ask: async (name, input) => {
    if (name === 'file.keep') kept.push(input)
    if (name === 'cluster.list') await new Promise(resolve => setTimeout(resolve, 20))
    return { ok: true, value: name === 'run.list' ? 1n : [] } as never
  },
  listen: () => () => {},
}

beforeAll(async () => {
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  const options = { contract, directory: tmpdir(), port: 0, alsoCalled: [], log: silentLogger }
  served = valueIn(await serveConsole(options))
  const token = new URL(served.freshAddress()).searchParams.get('token') ?? ''
  const origin = `http://127.0.0.1:${served.port}`
  const entered = await fetch(`${origin}/enter`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${token}` },
  })
  key = ((await entered.json()) as { readonly key: string }).key
})

afterAll(async () => {
  process.off('uncaughtException', note)
  process.off('unhandledRejection', note)
  await served.stop()
})

const host = () => `127.0.0.1:${served.port}`
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const entered = () =>
  `Host: ${host()}\r\nOrigin: http://${host()}\r\nSec-WebSocket-Protocol: lockkeeper.v1, key.${key}\r\n`

/** Sends bytes as they are; answers the first line of what came until the other end hung up, or for half a second. */
async function raw(bytes: string | Buffer, after?: (socket: Socket) => void): Promise<string> {
  return sent(bytes, () => new Promise(resolve => setTimeout(resolve, 500)), after)
}

/** The same for bytes that need an answer: waits for the answer, however busy this machine is. */
async function answered(bytes: string | Buffer): Promise<string> {
  return sent(bytes, came => vi.waitFor(() => expect(came()).toContain('\r\n'), { timeout: 20_000, interval: 5 }))
}

/** The request that ends what a tab sends. */
const LAST_ID = 987_654
/** It is answered, or the console closes the connection (a close frame): all before it was dealt with. */
const DEALT_WITH = new RegExp(`"id":${LAST_ID}|\\x88`)

/** Opens a tab and sends bytes in it, together with what opens it or as soon as that is answered; until they were dealt with. */
async function inTab(bytes: Buffer, whenOpen: boolean): Promise<void> {
  const opening = `GET /socket HTTP/1.1\r\n${entered()}${HANDSHAKE}\r\n`
  const last = frame(1, JSON.stringify({ id: LAST_ID, ask: 'journal.status', input: {} }))
  const all = Buffer.concat([bytes, last])
  await sent(
    whenOpen ? opening : Buffer.concat([Buffer.from(opening), all]),
    came => vi.waitFor(() => expect(came()).toMatch(DEALT_WITH), { timeout: 20_000, interval: 5 }),
    socket => {
      if (whenOpen) socket.once('data', () => socket.write(all))
    },
  )
}

async function sent(
  bytes: string | Buffer,
  wait: (came: () => string) => Promise<unknown>,
  after?: (socket: Socket) => void,
): Promise<string> {
  const socket = connect(served.port, '127.0.0.1')
  let came = ''
  socket.on('data', data => {
    came += data.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  after?.(socket)
  const closed = new Promise(resolve => socket.once('close', resolve))
  await Promise.race([closed, wait(() => came)])
  socket.destroy()
  return came.split('\r\n')[0] ?? ''
}

/** A client frame, masked with zeroes. */
function frame(opcode: number, payload: Buffer | string = '', fin = true): Buffer {
  const data = Buffer.from(payload)
  const length =
    data.length < 126
      ? Buffer.from([0x80 | data.length])
      : Buffer.from([0x80 | 126, data.length >> 8, data.length & 255])
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode]), length, Buffer.alloc(4), data])
}

/** Still serves: a page's request gets a refusal in words, an admitted tab gets an answer, and no error reached the top. */
async function lives(): Promise<void> {
  expect((await fetch(`http://${host()}/session`)).status).toBe(403)
  const tab = await openTab()
  await tab.answerTo(1, 'cluster.list', {})
  await tab.close()
  expect(faults).toEqual([])
}

/** An admitted tab. It receives more than answers: a greeting, and signs of life of the console. */
async function openTab() {
  const socket = new WebSocket(`ws://${host()}/socket`, ['lockkeeper.v1', `key.${key}`], { origin: `http://${host()}` })
  onTestFinished(() => socket.terminate())
  const received: { readonly id?: number }[] = []
  socket.on('message', data => received.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return {
    answerTo: (id: number, ask: string, input: unknown) => {
      socket.send(JSON.stringify({ id, ask, input }))
      const answer = () => must(received.find(each => each.id === id) ?? null, `${ask} is answered`)
      return vi.waitFor(answer, { timeout: 20_000, interval: 5 })
    },
    close: async () => {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

const target = (words: string, path: string) => [words, `GET ${path} HTTP/1.1\r\n`] as const

describe('one packet of an outsider does not end the console:', () => {
  test.each([
    target('a target that is not a path', '*:99999'),
    target('asterisk-form', '*'),
    target('a whole address', 'http://evil.example:99999/'),
    target('a whole address of the console', 'http://127.0.0.1/socket'),
    target('an authority', 'evil.example:443'),
    target('a port that is not a number', ':99999'),
    target('an opening bracket', '['),
    target('a path with a broken escape', '/%'),
    target('a path of slashes', '//[::'),
    target('a path of backslashes', '/\\\\[:99999'),
  ])('%s, as a request and as an upgrade', async (_words, line) => {
    const status = /^HTTP\/1\.1 (400|403|404) /
    expect(await answered(`${line}\r\n`)).toMatch(status)
    expect(await answered(`${line}${HANDSHAKE}\r\n`)).toMatch(status)
    expect(await answered(`${line}Host: ${host()}\r\n\r\n`)).toMatch(status)
    expect(await answered(`${line}${entered()}${HANDSHAKE}\r\n`)).toMatch(status)
    await lives()
  })

  test('the target that once did is answered with 400', async () => {
    expect(await answered(`GET *:99999 HTTP/1.1\r\n${HANDSHAKE}\r\n`)).toBe('HTTP/1.1 400 Bad Request')
  })

  test.each<readonly [string, string | Buffer, RegExp]>([
    ['no HTTP', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), /400/],
    ['an empty line', '\r\n\r\n', /^$|400/],
    ['no version', 'GET /\r\n\r\n', /40[03]/],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /400/],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', /400|403/],
    ['a host with a bad port', `GET / HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n`, /403/],
    ['a host of odd bytes', Buffer.from('GET / HTTP/1.1\r\nHost: \xff\xfe[::\r\n\r\n', 'latin1'), /40[03]/],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n', /400/],
    ['headers without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(64 * 1024)}`, /431/],
    ['ten thousand headers', `GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(10_000)}\r\n`, /431/],
    [
      'smuggling',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /400/,
    ],
    ['a broken chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', /40[03]/],
    ['an expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: the-impossible\r\n\r\n', /417/],
    ['CONNECT', 'CONNECT *:99999 HTTP/1.1\r\nHost: a\r\n\r\n', /^$|40[03]/],
    ['OPTIONS of all', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', /40[03]/],
    ['another upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', /40[03]/],
    [
      'a handshake without a key',
      'GET /socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      /40[03]/,
    ],
  ])('%s', async (_words, bytes, answer) => {
    expect(await (answer.test('') ? raw : answered)(bytes)).toMatch(answer)
    await lives()
  })

  test.each<readonly [string, (socket: Socket) => void]>([
    ['is cut', socket => socket.destroy()],
    ['is reset', socket => socket.resetAndDestroy()],
    ['is half closed', socket => socket.end()],
  ])('a request and a refused handshake whose connection %s', async (_words, end) => {
    await raw('GET / HT', end)
    await raw(`GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`, end)
    await raw(`GET /socket HTTP/1.1\r\n${HANDSHAKE}\r\n`, end)
    await raw(`GET /socket HTTP/1.1\r\n${entered()}${HANDSHAKE}\r\n`, end)
    await lives()
  })

  test('a thousand connections that say nothing, or one letter', async () => {
    const silent = Array.from({ length: 1000 }, (_, n) => {
      const socket = connect(served.port, '127.0.0.1', () => n % 2 === 0 && socket.write('G'))
      return socket.on('error', () => {})
    })
    await Promise.all(silent.map(socket => socket.connecting && once(socket, 'connect').catch(() => {})))
    await lives()
    for (const socket of silent) socket.destroy()
  })
})

describe('one tab does not end the console:', () => {
  const message = (value: unknown) => frame(1, JSON.stringify(value))
  test.each<readonly [string, Buffer]>([
    ['text that is not UTF-8', frame(1, Buffer.from([0xc3, 0x28, 0xff]))],
    ['a binary frame', frame(2, '{"id":1,"ask":"cluster.list"}')],
    ['a frame without a mask', Buffer.from([0x81, 1, 0x31])],
    ['an unknown opcode', frame(3, 'x')],
    ['reserved bits', Buffer.concat([Buffer.from([0xf1]), frame(1, 'x').subarray(1)])],
    ['a continuation of nothing', frame(0, 'x')],
    ['a fragmented ping', frame(9, 'x', false)],
    ['a ping that is too long', frame(9, 'x'.repeat(126))],
    ['an invalid close code', frame(8, Buffer.from([0, 1]))],
    ['a close of one byte', frame(8, 'x')],
    ['a length of 2^63', Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    [
      'a million empty fragments',
      Buffer.concat(Array.from({ length: 100_000 }, (_, n) => frame(n === 0 ? 1 : 0, '', false))),
    ],
    ['a flood of pings', Buffer.concat(Array.from({ length: 50_000 }, () => frame(9, 'x')))],
    ['a flood of pongs', Buffer.concat(Array.from({ length: 50_000 }, () => frame(10)))],
    [
      'a flood of requests',
      Buffer.concat(Array.from({ length: 20_000 }, (_, id) => message({ id, ask: 'cluster.list', input: {} }))),
    ],
    ['deep JSON', frame(1, '['.repeat(60_000))],
    ['a prototype for a message', frame(1, '{"__proto__":{"id":1,"ask":"cluster.list"}}')],
    ['a prototype for an input', frame(1, '{"id":1,"ask":"cluster.list","input":{"__proto__":{"x":1}}}')],
    ['a name that every object has', message({ id: 1, ask: '__proto__', input: {} })],
    ['a number that is infinite', frame(1, '{"id":1e999,"ask":"cluster.list"}')],
    ['an answer that no JSON can say', message({ id: 1, ask: 'run.list', input: {} })],
  ])('%s', async (_words, bytes) => {
    await inTab(bytes, true)
    await inTab(bytes, false)
    await lives()
  })

  test.each<readonly [string, (socket: Socket) => void]>([
    ['is cut', socket => socket.destroy()],
    ['is reset', socket => socket.resetAndDestroy()],
    ['is half closed', socket => socket.end()],
  ])('a tab whose connection %s while its answers are made', async (_words, end) => {
    await raw(`GET /socket HTTP/1.1\r\n${entered()}${HANDSHAKE}\r\n`, socket =>
      socket.once('data', () => {
        for (let id = 0; id < 100; id += 1) socket.write(message({ id, ask: 'cluster.list', input: {} }))
        setTimeout(() => end(socket), 10)
      }),
    )
    await lives()
  })

  test('more tabs than an operator has are refused, and open ones keep working', async () => {
    const open = () => {
      const socket = new WebSocket(`ws://${host()}/socket`, ['lockkeeper.v1', `key.${key}`], {
        origin: `http://${host()}`,
      })
      socket.on('error', () => {})
      return new Promise<WebSocket>(resolve =>
        socket.on('open', () => resolve(socket)).on('close', () => resolve(socket)),
      )
    }
    const tabs: WebSocket[] = []
    // A tab of the test before may just be closing.
    await vi.waitFor(
      async () => {
        while (tabs.length < 64) {
          const socket = await open()
          expect(socket.readyState).toBe(WebSocket.OPEN)
          tabs.push(socket)
        }
      },
      { timeout: 20_000, interval: 5 },
    )
    const more = await Promise.all(Array.from({ length: 16 }, open))
    expect(more.filter(socket => socket.readyState === WebSocket.OPEN)).toEqual([])
    const one = must(tabs[0], 'one of 64')
    one.send(JSON.stringify({ id: 1, ask: 'cluster.list', input: {} }))
    await once(one, 'message')
    for (const socket of tabs) socket.close()
    await Promise.all(tabs.map(socket => socket.readyState !== WebSocket.CLOSED && once(socket, 'close')))
    await lives()
  })

  test('that sends a message of more than 1 MB learns the limit, unless it is a report to verify', async () => {
    const tab = await openTab()
    const content = 'x'.repeat(2_000_000)
    expect(await tab.answerTo(1, 'cluster.list', { content })).toMatchObject({
      answer: { ok: false, failure: { code: 'bad-input' } },
    })
    expect(await tab.answerTo(2, 'report.verify', { content })).toMatchObject({ answer: { ok: true } })
    await tab.close()
  })
})

describe('a file that is dropped on the page', () => {
  const drop = async (body: string, headers: Record<string, string>) => {
    const answer = await fetch(`http://${host()}/dropped?name=config`, { method: 'POST', body, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const ours = () => ({ origin: `http://${host()}`, authorization: `Bearer ${key}` })

  test.each([
    ['without the key of a tab', () => ({ origin: `http://${host()}` })],
    ['with a wrong key', () => ({ ...ours(), authorization: 'Bearer abc' })],
    ['from another page', () => ({ ...ours(), origin: 'http://evil.example' })],
    ['from no page', () => ({ authorization: `Bearer ${key}` })],
  ])('is refused %s', async (_, headers) => {
    const asked = kept.length
    expect((await drop('token: x', headers())).status).toBe(403)
    expect(kept).toHaveLength(asked)
  })

  test('is handed to main as it is', async () => {
    expect((await drop('token: ü', ours())).status).toBe(200)
    expect(kept.at(-1)).toEqual({ name: 'config', content: 'token: ü' })
  })

  test('is not taken when it is larger than any kubeconfig', async () => {
    const asked = kept.length
    const { text } = await drop('x'.repeat(1_000_001), ours())
    expect(JSON.parse(text)).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(kept).toHaveLength(asked)
  })
})

test('a promise that nobody caught and an error thrown later end their own connection; without one they end the process', async () => {
  const program = new URL('confined-process.ts', import.meta.url).pathname
  const of = async (word: string) => {
    const child = spawn(process.execPath, [program, word], { stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', data => {
      said += data
    })
    const [code] = await once(child, 'close')
    return `${said.trim()} ${code}`
  }
  expect(await of('confined')).toBe('ended: thrown later, ended: nobody caught it, alive 0')
  expect(await of('outside')).toMatch(/ 1$/)
})
