import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { Exec, KubeConfig } from '@kubernetes/client-node'
import { APP_SECRET, CERTIFICATE, FERNET, JWT, OPAQUE_TOKEN, PASSWORD, PLAIN_PASSWORD, PRIVATE_KEY } from './secrets.ts'

/** Error objects as libraries throw them, with secrets in their own properties, by where they come from. */
export async function leakyObjects(): Promise<readonly (readonly [string, unknown])[]> {
  const refused = await refusedPort()
  return [
    ['a failed exec of the Kubernetes client', await failedExec()],
    ['an https request with a client key that was refused', await failedRequest(refused)],
    ['an error of a REST client', restError()],
    ['an error whose cause and parts have properties', nestedError()],
    ['an event that is not an Error', new ErrorEvent()],
    ['a plain object named like its secrets', plainSecrets()],
    ['a Map of headers', new Map([['X-Auth-Token', OPAQUE_TOKEN]])],
    ['headers of fetch', { headers: new Headers({ authorization: `Bearer ${OPAQUE_TOKEN}` }) }],
    ['a URL with user and password', { url: new URL(`https://admin:${PLAIN_PASSWORD}@127.0.0.1/`) }],
    ['bytes', { key: Buffer.from(PRIVATE_KEY), pfx: new Uint8Array(Buffer.from(PRIVATE_KEY)) }],
    ['bytes as JSON reads them back', JSON.parse(JSON.stringify({ key: Buffer.from(PRIVATE_KEY) }))],
    ['an error with a secret in its name and stack', namedError()],
    [
      'an object with a computed property',
      {
        get password2() {
          return PASSWORD
        },
      },
    ],
    ['an object with toJSON', { toJSON: () => ({ shown: PASSWORD }) }],
    ['an object inside itself', circular()],
    ['a Kubernetes Secret', { kind: 'Secret', data: { any: PLAIN_PASSWORD }, stringData: { other: APP_SECRET } }],
  ]
}

/** A port on which nothing listens any more. */
async function refusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** The real thing: its rejection is an event that carries the request, its agent, and with them its credentials. */
async function failedExec(): Promise<unknown> {
  const server = createServer((_request, response) => response.writeHead(403).end())
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [
      { name: 'c', server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, skipTLSVerify: true },
    ],
    users: [{ name: 'u', keyData: Buffer.from(PRIVATE_KEY).toString('base64'), token: JWT }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  })
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    await new Exec(config).exec('ns', 'pod', 'container', ['true'], nowhere, nowhere, null, false)
  } catch (error) {
    return error
  } finally {
    await new Promise(resolve => server.close(resolve))
  }
  throw new Error('the exec was expected to be refused')
}

function failedRequest(port: number): Promise<unknown> {
  return new Promise(resolve => {
    const agent = new Agent({ key: PRIVATE_KEY })
    const outgoing = request({ host: '127.0.0.1', port, agent, headers: { 'X-Auth-Token': FERNET } })
    outgoing.on('error', error => resolve(Object.assign(error, { request: outgoing, config: { key: PRIVATE_KEY } })))
    outgoing.end()
  })
}

function restError(): Error {
  return Object.assign(new Error(`HTTP-Code: 403 Headers: {"set-cookie":"s=${OPAQUE_TOKEN}"}`), {
    code: 403,
    response: { headers: { 'x-subject-token': FERNET } },
    options: { key: PRIVATE_KEY, cert: CERTIFICATE, auth: `admin:${PASSWORD}` },
  })
}

function nestedError(): Error {
  const inner = Object.assign(new Error('socket hang up'), { agent: { options: { key: PRIVATE_KEY } } })
  const parts = new AggregateError([Object.assign(new Error('ECONNREFUSED'), { key: PRIVATE_KEY })], 'all failed')
  return Object.assign(new Error('fetch failed', { cause: inner }), { parts })
}

function namedError(): Error {
  const error = new Error(`token=${OPAQUE_TOKEN}`)
  error.name = `Bearer ${JWT}`
  error.stack = `Error\n    at https://u:${PLAIN_PASSWORD}@host/x.js:1:1`
  return error
}

class ErrorEvent {
  readonly type = 'error'
  readonly message = `connect ECONNREFUSED https://u:${PLAIN_PASSWORD}@127.0.0.1`
  readonly target = { options: { key: PRIVATE_KEY, headers: { Authorization: `Bearer ${OPAQUE_TOKEN}` } } }
}

function plainSecrets(): unknown {
  return {
    token: OPAQUE_TOKEN,
    adminPass: PLAIN_PASSWORD,
    OS_PASSWORD: PASSWORD,
    nested: { 'client-key-data': APP_SECRET, list: [{ name: 'API_TOKEN', value: OPAQUE_TOKEN }] },
    rawHeaders: ['Accept', '*/*', 'X-Auth-Token', OPAQUE_TOKEN],
    numbers: { password: 12_345_678 },
  }
}

function circular(): unknown {
  const self: Record<string, unknown> = { password: PASSWORD }
  self.self = self
  return self
}
