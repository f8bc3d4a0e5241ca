import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import type { Logger } from '../../../main/platform/log/logger.ts'
import type { Contract } from '../../../shared/contract/index.ts'

const SECRET = 'outside-the-folder'
const contract: Contract = {
  ask: async () => ({ ok: false, failure: { code: 'internal', message: 'not asked here', retryable: false } }),
  listen: () => () => {},
}

let folder: string
let served: ServedConsole
let logged: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-door-'))
  await mkdir(join(folder, 'page/assets'), { recursive: true })
  await writeFile(join(folder, 'page/index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'page/assets/app-1a2b.js'), 'export {}')
  await writeFile(join(folder, 'secret.js'), SECRET)
  await symlink(join(folder, 'secret.js'), join(folder, 'page/assets/link.js'))
  logged = []
  served = await open()
})

afterEach(async () => {
  await served.stop()
  await rm(folder, { recursive: true })
})

async function open(port = 0, alsoCalled: readonly string[] = []): Promise<ServedConsole> {
  const write = (message: string, fields?: unknown) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log } as Logger
  const result = await serveConsole({ contract, directory: join(folder, 'page'), port, alsoCalled, log })
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** One request with exactly these headers and this path; a browser would correct them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET', port = served.port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, answer => {
      let body = ''
      answer.setEncoding('utf8').on('data', part => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

const tokenPath = () => {
  const { pathname, search } = new URL(served.freshAddress())
  return pathname + search
}

const own = () => ({ host: `127.0.0.1:${served.port}`, origin: `http://127.0.0.1:${served.port}` })

/** Brings a token as the page does. */
function bring(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return get('/enter', { ...own(), authorization: `Bearer ${token}`, ...headers }, 'POST')
}

const tokenOf = (address: string) => new URL(address).searchParams.get('token') ?? ''
const enter = async (): Promise<string> => JSON.parse((await bring(tokenOf(served.freshAddress()))).body).key
const protocol = (key: string) => ({ 'sec-websocket-protocol': `lockkeeper.v1, key.${key}` })
const session = (key: string) => get('/session', { authorization: `Bearer ${key}` })

/** The status line with which an upgrade is answered. */
function upgrade(headers: Readonly<Record<string, string>>, path = '/socket'): Promise<string> {
  const lines = Object.entries({
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = connect(served.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    )
    socket.on('error', reject)
    socket.once('data', data => {
      resolve(String(data).split('\r\n')[0] ?? '')
      socket.destroy()
    })
  })
}

test('a printed address lets one tab in, once, for a key that no header of the answer carries', async () => {
  const token = tokenOf(served.freshAddress())
  const first = await bring(token)
  expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(first.headers).not.toHaveProperty('set-cookie')
  expect((await session(JSON.parse(first.body).key)).status).toBe(200)
  const second = await bring(token)
  expect(second.status).toBe(403)
  expect(second.body).toContain('Press Enter where <code>lockkeeper serve</code> runs')
})

test('opening the address alone uses nothing up: who looks ahead at a link does not let itself in', async () => {
  const path = tokenPath()
  const page = await get(path)
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<title>page</title>') })
  expect(page.headers).not.toHaveProperty('set-cookie')
  expect((await bring(new URL(`http://x${path}`).searchParams.get('token') ?? '')).status).toBe(200)
})

test('a missing, wrong or replaced token is refused, and no token is logged', async () => {
  const replaced = tokenOf(served.freshAddress())
  served.freshAddress()
  for (const token of ['', 'guessed', replaced]) expect((await bring(token)).status, token).toBe(403)
  expect(logged.join('\n')).toContain('wrong-token')
  expect(logged.join('\n')).not.toContain(replaced)
  expect(logged.join('\n')).not.toContain('guessed')
})

test('a token is brought by our own page alone', async () => {
  const token = tokenOf(served.freshAddress())
  expect((await bring(token, { origin: 'http://127.0.0.1:1' })).status).toBe(403)
  expect((await get('/enter', { host: own().host, authorization: `Bearer ${token}` }, 'POST')).status).toBe(403)
  expect((await bring(token)).status).toBe(200)
})

test('a cookie lets nobody in, whatever it holds', async () => {
  const key = await enter()
  const cookie = `lockkeeper-${served.port}=${key}; key=${key}`
  expect((await get('/session', { cookie })).status).toBe(403)
  expect(await upgrade({ ...own(), cookie })).toBe('HTTP/1.1 403 Forbidden')
})

test.each([
  ['a name that was rebound to us', { host: 'evil.example' }, 'foreign-host'],
  ['another page', { origin: 'http://evil.example' }, 'foreign-origin'],
  ['a link of another site', { 'sec-fetch-site': 'cross-site' }, 'other-site'],
])('%s is refused on HTTP and on the WebSocket, and logged, even with the key', async (_, headers, reason) => {
  const key = await enter()
  expect((await get('/', { ...own(), ...headers })).status).toBe(403)
  expect(await upgrade({ ...own(), ...protocol(key), ...headers })).toBe('HTTP/1.1 403 Forbidden')
  expect(logged.join('\n')).toContain(reason)
})

test('the WebSocket needs the key, our own origin and its own path, and does not send the key back', async () => {
  const { host, origin } = own()
  const key = protocol(await enter())
  expect(await upgrade({ host, origin, ...key })).toBe('HTTP/1.1 101 Switching Protocols')
  expect(await upgrade({ host, origin })).toBe('HTTP/1.1 403 Forbidden')
  expect(await upgrade({ host, origin, ...protocol('guessed') })).toBe('HTTP/1.1 403 Forbidden')
  expect(await upgrade({ host, ...key })).toBe('HTTP/1.1 403 Forbidden')
  expect(await upgrade({ host, origin, ...key }, '/other')).toBe('HTTP/1.1 404 Not Found')
})

test('only reading is answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect(await get('/', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  }
})

test.each([
  ['a path upwards, though it stays within the page', '/assets/../index.html'],
  ['a link out of the folder', '/assets/link.js'],
])('the path is read as it was sent: %s leads to nothing', async (_, path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(answer.body).not.toContain(SECRET)
})

test('every answer carries the policy; the page is never kept, its hashed files for ever', async () => {
  const page = await get('/')
  const asset = await get('/assets/app-1a2b.js')
  const answers = [page, asset, await session('x'), await get('/none.js'), await get('/', {}, 'POST')]
  for (const { headers } of answers) {
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(asset.headers['cache-control']).toContain('immutable')
})

test('the message names a taken port, and what to do', async () => {
  await expect(open(served.port)).rejects.toThrow(`Port ${served.port} is in use. Choose another with --port`)
})

test('--host-name lets in exactly that name', async () => {
  const other = await open(0, ['localhost:9000'])
  const status = async (host: string) => (await get('/', { host }, 'GET', other.port)).body
  expect(await status('localhost:9000')).toContain('<title>page</title>')
  expect(await status('localhost:9001')).toContain('answers only to the address it printed')
  await other.stop()
})
