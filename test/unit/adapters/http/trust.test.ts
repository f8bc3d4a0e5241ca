import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, openConnections } from '../../../../main/adapters/http/exchange.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../fixtures/tls/chain-${name}.pem`, import.meta.url))
const pem = (name: string) => readFileSync(pathOf(name), 'utf8')
const EXCHANGE = fileURLToPath(new URL('../../../../main/adapters/http/exchange.ts', import.meta.url))
const CLOCK = fileURLToPath(new URL('../../../../main/platform/clock/clock.ts', import.meta.url))

/** It shows its own certificate and the intermediate that signed it, and not the root. */
const server = createServer(
  { cert: `${pem('leaf.cert')}${pem('intermediate.cert')}`, key: pem('leaf.key') },
  (_, response) => response.end('well'),
)
const url = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}/`

beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

test.each<[what: string, trusted: string, outcome: object]>([
  ['its root', 'root.cert', { kind: 'answer' }],
  ['the intermediate alone, as in Go', 'intermediate.cert', { kind: 'answer' }],
  ["the server's own certificate alone, as in Go", 'leaf.cert', { kind: 'answer' }],
])('a server is trusted where a kubeconfig names %s', async (_, trusted, outcome) => {
  const agent = openConnections('https:', { idleMs: null, ca: pem(trusted) })
  const request = { method: 'GET', url: new URL(url()), headers: {}, body: null, timeoutMs: 10_000 }
  expect(await exchange(agent, request, systemClock)).toMatchObject(outcome)
})

test('an authority whose file is empty is nobody, not all that this machine trusts', async () => {
  const kept = getCACertificates('default')
  // The first connection without an authority adds this machine's: it comes first, so that the root here stays.
  openConnections('https:', { idleMs: null })
  setDefaultCACertificates([...kept, pem('root.cert')])
  try {
    const get = { method: 'GET', url: new URL(url()), headers: {}, body: null, timeoutMs: 10_000 }
    const trusting = openConnections('https:', { idleMs: null })
    expect(await exchange(trusting, get, systemClock)).toMatchObject({ kind: 'answer' })
    const empty = openConnections('https:', { idleMs: null, ca: '' })
    expect(await exchange(empty, get, systemClock)).toMatchObject({ kind: 'broken' })
  } finally {
    setDefaultCACertificates(kept)
  }
})

test('another authority than the one that is named is refused', async () => {
  const other = readFileSync(fileURLToPath(new URL('../../../fixtures/tls/loopback.cert.pem', import.meta.url)), 'utf8')
  const agent = openConnections('https:', { idleMs: null, ca: other })
  const request = { method: 'GET', url: new URL(url()), headers: {}, body: null, timeoutMs: 10_000 }
  expect(await exchange(agent, request, systemClock)).toMatchObject({ kind: 'broken' })
})

test.each<[what: string, file: string, outcome: string]>([
  ["this machine's authorities count", pathOf('root.cert'), 'answer'],
  ['others do not', fileURLToPath(new URL('../../../fixtures/tls/loopback.cert.pem', import.meta.url)), 'broken'],
])('where no authority is named, %s', async (_, file, outcome) => {
  const script = `
    const { exchange, openConnections } = await import(${JSON.stringify(EXCHANGE)})
    const { systemClock } = await import(${JSON.stringify(CLOCK)})
    const request = { method: 'GET', url: new URL(${JSON.stringify(url())}), headers: {}, body: null, timeoutMs: 10000 }
    const { kind } = await exchange(openConnections('https:', { idleMs: null }), request, systemClock)
    console.log(kind)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, SSL_CERT_FILE: file, SSL_CERT_DIR: '/nowhere', NODE_EXTRA_CA_CERTS: '' },
  })
  expect(stdout.trim()).toBe(outcome)
})
