import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { LogFields, Logger } from '../../../main/log/logger.ts'
import { type ServedConsole, serveConsole } from '../../../main/serve/serve-console.ts'
import type { Contract, EventName } from '../../../shared/contract/index.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

const logged: { readonly message: string; readonly fields: LogFields | undefined }[] = []
const note = (message: string, fields?: LogFields) => void logged.push({ message, fields })
const log: Logger = { error: note, warn: note, info: note, debug: note, child: () => log }

const listeners = new Map<EventName, (payload: never) => void>()
/** A main that answers every request with its name, and sends what a test has it send. */
const contract: Contract = {
  ask: async name => ({ ok: true, value: name }) as never,
  listen: (name, listener) => {
    listeners.set(name, listener as (payload: never) => void)
    return () => listeners.delete(name)
  },
}
const happen = (n: number) => listeners.get('queue.changed')?.({ cluster: `c${n}`, nodes: [] } as never)

let folder: string
let served: ServedConsole
let cookie: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-serve-'))
  const page = join(folder, 'page')
  await mkdir(join(page, 'assets'), { recursive: true })
  await writeFile(join(page, 'index.html'), '<!doctype html><div id="root"></div>')
  await writeFile(join(page, 'assets', 'index-1a2b.js'), 'export {}')
  await writeFile(join(page, 'secret.txt'), 'not a file of a page')
  await writeFile(join(folder, 'outside.js'), 'never to be read')
  await symlink(join(folder, 'outside.js'), join(page, 'assets', 'way-out.js'))
  served = valueIn(await serveConsole({ contract, directory: page, port: 0, alsoCalled: ['localhost:9000'], log }))
  const entered = await get(pathOf(served.freshAddress()))
  cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
})

afterAll(async () => {
  await served.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(() => {
  logged.length = 0
})

const pathOf = (address: string) => address.replace(/^http:\/\/[^/]+/, '')
const host = () => `127.0.0.1:${served.port}`

/** One request exactly as given: nothing of the path is tidied up on its way. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: served.port, path, method, headers: { host: host(), ...headers } },
      answer => {
        let body = ''
        answer.on('data', piece => {
          body += String(piece)
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** How opening a socket ended: open, or the status it was refused with. */
function socket(headers: Readonly<Record<string, string>>, path = '/socket'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const opening = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, { headers: { host: host(), ...headers } })
    opening.once('open', () => resolve(opening))
    opening.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    opening.once('error', reject)
  })
}

/** A tab that was let in, and everything it is told. */
async function tab(seen: number | string | null = null): Promise<{
  readonly socket: WebSocket
  readonly told: Record<string, unknown>[]
  readonly closed: Promise<number>
  until(test: () => boolean): Promise<void>
}> {
  const told: Record<string, unknown>[] = []
  const path = seen === null ? '/socket' : `/socket?seen=${seen}`
  const opening = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, {
    headers: { host: host(), origin: `http://${host()}`, cookie },
  })
  opening.on('message', data => told.push(JSON.parse(String(data))))
  opening.on('error', () => {})
  const closed = new Promise<number>(resolve => opening.once('close', code => resolve(code)))
  const until = (test: () => boolean) => expect.poll(test, { timeout: 5000, interval: 10 }).toBe(true)
  await until(() => told.some(message => 'hello' in message))
  return { socket: opening, told, closed, until }
}

describe('a browser is let in', () => {
  test('by the printed address once: the second use is refused in words, and logged without the token', async () => {
    const address = served.freshAddress()
    const first = await get(pathOf(address))
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } })
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)
    const second = await get(pathOf(address))
    expect(second.status).toBe(403)
    expect(second.body).toContain('used before')
    expect(second.body).toContain('Press Enter in the terminal')
    expect(logged).toMatchObject([{ message: 'a request was refused', fields: { reason: 'wrong-token' } }])
    const token = new URL(address).searchParams.get('token') ?? ''
    expect(JSON.stringify([logged, second])).not.toContain(token)
  })

  test('only by the newest address', async () => {
    const older = served.freshAddress()
    served.freshAddress()
    expect((await get(pathOf(older))).status).toBe(403)
  })

  test.each(['/enter', '/enter?token=', '/enter?token=guessed'])('not by %s', async path => {
    const answer = await get(path)
    expect(answer.status).toBe(403)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('and nobody else: without its cookie there is neither page, nor file, nor socket', async () => {
    expect((await get('/')).status).toBe(403)
    expect((await get('/assets/index-1a2b.js', { cookie: `lockkeeper-${served.port}=guessed` })).status).toBe(403)
    expect(await socket({ origin: `http://${host()}` })).toBe(403)
  })
})

describe('a request is refused that', () => {
  const strangers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['names another host, as a DNS-rebinding page does', { host: 'evil.example' }],
    ['names our host with another port', { host: '127.0.0.1:1' }],
    ['names a host that only begins like ours', { host: '127.0.0.1.evil.example' }],
    ['comes from another page', { origin: 'http://evil.example' }],
    ['comes from a page without an origin', { origin: 'null' }],
    ['comes from our address by another scheme', { origin: `https://127.0.0.1` }],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['comes from another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ]

  test.each(strangers)('%s', async (_words, headers) => {
    expect((await get('/', { cookie, ...headers })).status).toBe(403)
    expect(await socket({ cookie, origin: `http://${host()}`, ...headers })).toBe(403)
  })

  test('opens a socket without saying which page it comes from', async () => {
    expect(await socket({ cookie })).toBe(403)
  })

  test('wants to change something', async () => {
    expect(await get('/', { cookie }, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })

  test('is knocked again and again: one line a second says so', async () => {
    for (let knock = 0; knock < 20; knock += 1) await get('/', { host: 'evil.example' })
    expect(logged.length).toBeLessThanOrEqual(2)
  })

  test('but not one by the other name it was told', async () => {
    expect((await get('/', { cookie, host: 'localhost:9000' })).status).toBe(200)
  })
})

describe('a file', () => {
  test.each([
    '/../outside.js',
    '/assets/../../outside.js',
    '/%2e%2e/outside.js',
    '/assets/%2e%2e%2f%2e%2e%2foutside.js',
    '/assets/..%5c..%5coutside.js',
    '/assets/%252e%252e/outside.js',
    '/assets/way-out.js',
    '/secret.txt',
    '/assets/index-1a2b.js%00.html',
    '/assets',
    '//etc/passwd',
    '/%E0%A4%A',
  ])('is not given for %s', async path => {
    const answer = await get(path, { cookie })
    expect(answer.status).toBe(404)
    expect(answer.body).not.toContain('never to be read')
  })

  test('of the page is kept for ever when its name tells its content; the page itself never', async () => {
    expect((await get('/assets/index-1a2b.js', { cookie })).headers['cache-control']).toContain('immutable')
    expect((await get('/', { cookie })).headers['cache-control']).toBe('no-store')
  })

  test('and every refusal carries the strict content policy', async () => {
    for (const answer of [await get('/', { cookie }), await get('/'), await get('/none.js', { cookie })]) {
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toContain('unsafe')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

describe('a tab', () => {
  test('that sends too much, or what is none of the contract, is closed; the console lives on', async () => {
    const large = await tab()
    large.socket.send('x'.repeat(65 * 1024 * 1024))
    expect(await large.closed).toBe(1009)
    for (const bad of ['{', '[]', '{"id":"1","ask":"cluster.list"}', '{"id":1.5,"ask":"cluster.list"}', 'null']) {
      const odd = await tab()
      odd.socket.send(bad)
      expect(await odd.closed, bad).toBe(4002)
    }
    const binary = await tab()
    binary.socket.send(Buffer.from('{"id":1,"ask":"cluster.list","input":{}}'))
    expect(await binary.closed).toBe(4002)
    const good = await tab()
    good.socket.send(JSON.stringify({ id: 7, ask: 'cluster.list', input: {} }))
    await good.until(() => good.told.some(message => message.id === 7))
    good.socket.close()
  })

  test.each(['no.such', 'toString', '__proto__'])(
    'that asks for %s is told that there is no such request',
    async ask => {
      const asking = await tab()
      asking.socket.send(JSON.stringify({ id: 1, ask, input: {} }))
      await asking.until(() => asking.told.some(message => message.id === 1))
      expect(asking.told.find(message => message.id === 1)).toMatchObject({
        answer: { ok: false, failure: { code: 'bad-input' } },
      })
      asking.socket.close()
    },
  )

  test('hears what every other tab hears, and after a break exactly what it missed', async () => {
    const [one, two] = [await tab(), await tab()]
    happen(1)
    await one.until(() => one.told.length === 2)
    await two.until(() => two.told.length === 2)
    expect(one.told[1]).toEqual(two.told[1])
    const seen = Number(one.told[1]?.n)
    one.socket.close()
    await one.closed
    for (const n of [2, 3, 4]) happen(n)
    const { hello } = two.told[0] as { readonly hello: { readonly numberedBy: string } }
    const back = await tab(`${seen}&by=${hello.numberedBy}`)
    await back.until(() => back.told.length === 4)
    expect(back.told[0]).toMatchObject({ hello: { resumed: true } })
    expect(back.told.slice(1).map(message => message.payload)).toMatchObject([
      { cluster: 'c2' },
      { cluster: 'c3' },
      { cluster: 'c4' },
    ])
    back.socket.close()
    two.socket.close()
  })

  test('that comes from another life of the console is told to begin anew', async () => {
    const lost = await tab(999_999)
    expect(lost.told[0]).toMatchObject({ hello: { resumed: false } })
    lost.socket.close()
  })
})

test('a port that is taken is named, with what to do', async () => {
  const taken = await serveConsole({ contract, directory: folder, port: served.port, alsoCalled: [], log })
  expect(failureIn(taken).message).toBe(
    `Port ${served.port} of this machine is taken. Choose another with --port, or leave --port out for a free one.`,
  )
})
