import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { CoreV1Api, Exec, KubeConfig, Watch } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenOutcome } from '../../../../main/adapters/http/exchange.ts'
import { failureOfAnswer, transportFailure } from '../../../../main/adapters/kubernetes/errors.ts'
import { requestWords } from '../../../../main/adapters/kubernetes/request-words.ts'

/** A corpus of real errors: each is thrown by the real library against a real server, with real material in its configuration. */
const TLS = resolve(import.meta.dirname, '../../../fixtures/tls')
const TOKEN = 'tok3n-of-the-corpus-0123456789'
const PASSWORD = 'pa55word-of-the-corpus'
const WORDS = requestWords('POST', '/api/v1/namespaces/ns/pods/p/exec')

let cert: string
let key: string
let refusing: Server
let secure: Server

beforeAll(async () => {
  cert = await readFile(join(TLS, 'loopback.cert.pem'), 'utf8')
  key = await readFile(join(TLS, 'loopback.key.pem'), 'utf8')
  const refuse: Parameters<typeof createServer>[1] = (request, response) => {
    response.writeHead(403, { 'Content-Type': 'application/json', 'X-Echo': request.headers.authorization ?? '' })
    response.end(
      JSON.stringify({
        kind: 'Status',
        status: 'Failure',
        code: 403,
        reason: 'Forbidden',
        message: `refused; you sent Authorization: ${request.headers.authorization}`,
      }),
    )
  }
  refusing = createServer(refuse)
  secure = createSecureServer({ cert, key }, refuse)
  for (const server of [refusing, secure]) await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
})

afterAll(async () => {
  for (const server of [refusing, secure]) {
    server.closeAllConnections()
    await new Promise<void>(done => server.close(() => done()))
  }
})

const portOf = (server: Server) => (server.address() as AddressInfo).port

function config(server: string, verify = false): KubeConfig {
  const made = new KubeConfig()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  made.loadFromClusterAndUser(
    { name: 'c', server, skipTLSVerify: !verify },
    { name: 'u', certData: base64(cert), keyData: base64(key), token: TOKEN, password: PASSWORD },
  )
  return made
}

async function thrown(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('The library was expected to fail')
}

function exec(made: KubeConfig) {
  const out = new PassThrough()
  return thrown(() => new Exec(made).exec('ns', 'p', 'c', ['true'], out, out, null, false))
}

const CORPUS: readonly (readonly [name: string, make: () => Promise<unknown>])[] = [
  ['a failed exec against a server that refuses', () => exec(config(`https://127.0.0.1:${portOf(secure)}`))],
  ['a failed exec against nobody', () => exec(config('https://127.0.0.1:9'))],
  [
    'a failed exec against a server that is not verified',
    () => exec(config(`https://127.0.0.1:${portOf(secure)}`, true)),
  ],
  [
    'an ApiException',
    () =>
      thrown(() =>
        config(`https://127.0.0.1:${portOf(secure)}`)
          .makeApiClient(CoreV1Api)
          .listNode(),
      ),
  ],
  ['a fetch error', () => thrown(() => config('https://127.0.0.1:9').makeApiClient(CoreV1Api).listNode())],
  [
    'a watch that fails',
    () =>
      new Promise<unknown>(done => {
        void new Watch(config(`https://127.0.0.1:${portOf(secure)}`)).watch('/api/v1/nodes', {}, () => {}, done)
      }),
  ],
  [
    'an error that carries everything in its own fields',
    async () =>
      Object.assign(new Error(`failed with Bearer ${TOKEN}`), {
        code: key,
        response: { request: { headers: { authorization: `Bearer ${TOKEN}` }, password: PASSWORD } },
        cause: { key, cert, token: TOKEN },
      }),
  ],
  [
    'an HTTP error whose Status echoes the token',
    async () => ({
      code: 403,
      headers: { authorization: TOKEN },
      body: JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        code: 403,
        message: `Bearer ${TOKEN} and password=${PASSWORD}\n${key}`,
      }),
    }),
  ],
]

/** How the key may look in an object: as text, escaped, in base64, or as a Buffer. */
function formsOfKey(): readonly string[] {
  const body = key.split('\n').slice(1, -2)
  return [...body.filter(line => line.length > 20), Buffer.from(key).toString('base64').slice(40, 100)]
}

describe('our failures never contain what a raw error of the client contains', () => {
  test.each(CORPUS)('%s', async (_, make) => {
    const raw = await make()
    const body = typeof raw === 'object' && raw !== null && 'body' in raw ? raw.body : raw
    for (const failure of [
      transportFailure(WORDS, 'api.example:6443', brokenOutcome(raw)),
      failureOfAnswer(WORDS, 403, body),
    ]) {
      const everything =
        inspect(failure, { depth: null, showHidden: true, maxStringLength: null }) + JSON.stringify(failure)
      for (const secret of [TOKEN, PASSWORD, ...formsOfKey(), 'PRIVATE KEY']) expect(everything).not.toContain(secret)
      expect(failure.message.length).toBeGreaterThan(10)
    }
  })

  test('the corpus is worth something: printing a failed exec does leak the key', async () => {
    const raw = await exec(config(`https://127.0.0.1:${portOf(secure)}`))
    const printed = inspect(raw, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null })
    const leaks = formsOfKey().some(form => printed.includes(form)) || printed.includes('PRIVATE KEY')
    const asBytes = Buffer.from(key)
      .subarray(0, 40)
      .toString('hex')
      .replace(/(..)(?=.)/g, '$1 ')
    expect(leaks || printed.includes(asBytes)).toBe(true)
  })
})
