import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../main/clock/clock.ts'
import type { ExecPluginDescription } from '../../../main/kubernetes/exec-plugin.ts'
import { type KubernetesSession, openKubernetesSession } from '../../../main/kubernetes/session.ts'
import { silentLogger } from '../../../main/log/logger.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  startFakeApi,
  status,
} from '../../fixtures/kubernetes/fake-api.ts'
import { newFolder, writeKubeconfig } from '../../fixtures/kubernetes/kubeconfig-files.ts'
import { manualClock } from '../../fixtures/kubernetes/manual-clock.ts'
import { until } from '../../fixtures/kubernetes/until.ts'

const TLS = resolve(import.meta.dirname, '../../fixtures/tls')
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function api(answer: (request: FakeRequest) => FakeAnswer): Promise<FakeApi> {
  const started = await startFakeApi(answer)
  closers.push(started.close)
  return started
}

async function open(
  path: string,
  more: { readonly consent?: (plugin: ExecPluginDescription) => boolean; readonly clock?: Clock } = {},
) {
  const opened = await openKubernetesSession({
    source: { paths: [path], context: 'test' },
    consent: more.consent ?? (() => false),
    clock: more.clock ?? systemClock,
    log: silentLogger,
  })
  if (opened.ok) closers.push(opened.value.close)
  return opened
}

async function session(...args: Parameters<typeof open>): Promise<KubernetesSession> {
  const opened = await open(...args)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

const get = (path = '/api/v1/nodes') => ({ method: 'GET', path }) as const

describe('credentials', () => {
  test('a token', async () => {
    const server = await api(() => ({}))
    const used = await session(await writeKubeconfig({ server: server.url, user: { token: 'abc' } }))
    expect((await used.ask(get())).ok).toBe(true)
    expect(server.requests[0]?.headers.authorization).toBe('Bearer abc')
  })

  test('user and password', async () => {
    const server = await api(() => ({}))
    const used = await session(await writeKubeconfig({ server: server.url, user: { username: 'ada', password: 'p' } }))
    await used.ask(get())
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p').toString('base64')}`)
  })

  test('a token file beside the kubeconfig, read anew once when the server refuses the token', async () => {
    const server = await api(({ headers }) =>
      headers.authorization === 'Bearer new' ? {} : status(401, 'Unauthorized', 'Unauthorized'),
    )
    const path = await writeKubeconfig({ server: server.url, user: { tokenFile: 'token' } })
    await writeFile(join(dirname(path), 'token'), 'old\n')
    const used = await session(path)
    expect(await used.ask(get())).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(server.requests).toHaveLength(2)
    await writeFile(join(dirname(path), 'token'), 'new\n')
    expect((await used.ask(get())).ok).toBe(true)
  })

  test('who the kubeconfig says to act as goes along: leaving it out would mean more rights', async () => {
    const server = await api(() => ({}))
    const user = { token: 't', as: 'viewer', 'as-groups': ['a', 'b'], 'as-uid': 'u' }
    await (await session(await writeKubeconfig({ server: server.url, user }))).ask(get())
    expect(server.requests[0]?.headers).toMatchObject({
      'impersonate-user': 'viewer',
      'impersonate-group': 'a, b',
      'impersonate-uid': 'u',
    })
  })

  test('an auth-provider that kubectl dropped is refused and not run', async () => {
    const provider = { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/false' } } }
    expect(await open(await writeKubeconfig({ server: 'https://127.0.0.1:1', user: provider }))).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', message: expect.stringContaining('exec plugin') },
    })
  })

  test('oidc: the id token is sent while it is fresh', async () => {
    const server = await api(() => ({}))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'none' })}.${part({ exp: 4_000_000_000 })}.x`
    const provider = { 'auth-provider': { name: 'oidc', config: { 'id-token': token, 'client-id': 'c' } } }
    const used = await session(await writeKubeconfig({ server: server.url, user: provider }))
    expect((await used.ask(get())).ok).toBe(true)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })

  test('oidc: a token that is over and cannot be renewed says to sign in again, and nothing secret', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'none' })}.${part({ exp: 1 })}.sig`
    const config = {
      'id-token': token,
      'client-id': 'c',
      'refresh-token': 'refr3sh',
      'idp-issuer-url': 'http://127.0.0.1:9',
    }
    const used = await session(
      await writeKubeconfig({ server: 'http://127.0.0.1:9', user: { 'auth-provider': { name: 'oidc', config } } }),
    )
    const answer = await used.ask(get())
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(JSON.stringify(answer)).not.toContain('refr3sh')
    expect(JSON.stringify(answer)).not.toContain(token)
  })
})

describe('exec plugins', () => {
  async function plugin(
    script: string,
    more: object = {},
  ): Promise<{ readonly exec: object; readonly folder: string }> {
    const folder = await newFolder()
    const path = join(folder, 'login')
    await writeFile(path, `#!${process.execPath}\n${script}\n`)
    await chmod(path, 0o755)
    return { folder, exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './login', ...more } }
  }
  const answering = (apiVersion: string) => `
    require('fs').appendFileSync(__dirname + '/runs', JSON.stringify({
      info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), extra: process.env.EXTRA, args: process.argv.slice(2) }) + '\\n')
    const count = require('fs').readFileSync(__dirname + '/runs', 'utf8').split('\\n').length - 1
    process.stdout.write(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}', status: { token: 'run-' + count } }))`
  const runs = async (folder: string) =>
    (await readFile(join(folder, 'runs'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as unknown)

  test('a command from a file is not run before it was agreed to, and the refusal names it', async () => {
    const { exec, folder } = await plugin(answering('client.authentication.k8s.io/v1'), { args: ['--cluster', 'x'] })
    const path = await writeKubeconfig({ server: 'http://127.0.0.1:9', user: { exec }, folder })
    const seen: ExecPluginDescription[] = []
    const opened = await open(path, {
      consent: described => {
        seen.push(described)
        return false
      },
    })
    expect(opened).toMatchObject({
      ok: false,
      failure: { code: 'not-consented', message: expect.stringContaining(`${folder}/login --cluster x`) },
    })
    expect(seen).toMatchObject([{ command: join(folder, 'login'), args: ['--cluster', 'x'], file: path }])
    expect(await runs(folder)).toEqual([])
  })

  test.each(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])(
    'with consent it is run once, with its environment and what it is told about the cluster: %s',
    async apiVersion => {
      const server = await api(() => ({}))
      const more = {
        apiVersion,
        args: ['a b'],
        env: [{ name: 'EXTRA', value: 'yes' }],
        interactiveMode: 'IfAvailable',
        provideClusterInfo: true,
      }
      const { exec, folder } = await plugin(answering(apiVersion), more)
      const used = await session(await writeKubeconfig({ server: server.url, user: { exec }, folder }), {
        consent: () => true,
      })
      await Promise.all([used.ask(get()), used.ask(get())])
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer run-1', 'Bearer run-1'])
      expect(await runs(folder)).toEqual([
        {
          args: ['a b'],
          extra: 'yes',
          info: {
            kind: 'ExecCredential',
            apiVersion,
            spec: { interactive: false, cluster: { server: `${server.url}/` } },
          },
        },
      ])
    },
  )

  test('it is run again when the server refuses its token, once', async () => {
    const server = await api(({ headers }) =>
      headers.authorization === 'Bearer run-2' ? {} : status(401, 'Unauthorized', 'Unauthorized'),
    )
    const { exec, folder } = await plugin(answering('client.authentication.k8s.io/v1'))
    const used = await session(await writeKubeconfig({ server: server.url, user: { exec }, folder }), {
      consent: () => true,
    })
    expect((await used.ask(get())).ok).toBe(true)
    expect(await runs(folder)).toHaveLength(2)
  })

  test.each([
    ['ends with an exit code', 'console.error("token=s3cr3t"); process.exit(3)', {}, 'unauthenticated', 'exit code 3'],
    ['answers something else', 'console.log("s3cr3t")', {}, 'unauthenticated', 'not JSON'],
    [
      'is not there',
      '',
      { command: '/nowhere/login', installHint: 'Get it at example.' },
      'bad-input',
      'Get it at example.',
    ],
    [
      'speaks a version of the past',
      '',
      { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      'bad-input',
      'v1alpha1',
    ],
    ['insists on a terminal', '', { interactiveMode: 'Always' }, 'bad-input', 'terminal'],
  ])('a plugin that %s is said in words, without its output', async (_, script, more, code, text) => {
    const { exec, folder } = await plugin(script, more)
    const used = await session(await writeKubeconfig({ server: 'http://127.0.0.1:9', user: { exec }, folder }), {
      consent: () => true,
    })
    const answer = await used.ask(get())
    expect(answer).toMatchObject({ ok: false, failure: { code, message: expect.stringContaining(text) } })
    expect(inspect(answer, { depth: null })).not.toContain('s3cr3t')
  })
})

describe('TLS', () => {
  async function secureServer(): Promise<{ readonly port: number; readonly peers: (string | undefined)[] }> {
    const cert = await readFile(join(TLS, 'loopback.cert.pem'))
    const key = await readFile(join(TLS, 'loopback.key.pem'))
    const peers: (string | undefined)[] = []
    const options = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: false }
    const server = createSecureServer(options, (request, response) => {
      peers.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256)
      response.end('{}')
    })
    await listening(server)
    return { port: (server.address() as AddressInfo).port, peers }
  }

  const certificate = join(TLS, 'loopback.cert.pem')
  const key = join(TLS, 'loopback.key.pem')
  const base64 = async (path: string) => (await readFile(path)).toString('base64')

  test('a client certificate from files, the server checked against the authority in a file', async () => {
    const { port, peers } = await secureServer()
    const used = await session(
      await writeKubeconfig({
        server: `https://127.0.0.1:${port}`,
        cluster: { 'certificate-authority': certificate },
        user: { 'client-certificate': certificate, 'client-key': key },
      }),
    )
    expect((await used.ask(get())).ok).toBe(true)
    expect(peers[0]).toMatch(/^[0-9A-F:]+$/)
    expect(used.warnings).toEqual([])
  })

  test('the same from data', async () => {
    const { port, peers } = await secureServer()
    const used = await session(
      await writeKubeconfig({
        server: `https://127.0.0.1:${port}`,
        cluster: { 'certificate-authority-data': await base64(certificate) },
        user: { 'client-certificate-data': await base64(certificate), 'client-key-data': await base64(key) },
      }),
    )
    expect((await used.ask(get())).ok).toBe(true)
    expect(peers[0]).toMatch(/^[0-9A-F:]+$/)
  })

  test('a server whose certificate nobody vouches for is refused, with what to check', async () => {
    const { port, peers } = await secureServer()
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}` }))
    expect(await used.ask(get())).toMatchObject({
      ok: false,
      failure: { code: 'unauthenticated', message: expect.stringContaining('certificate-authority') },
    })
    expect(peers).toEqual([])
  })

  test('tls-server-name is the name that is checked', async () => {
    const { port } = await secureServer()
    const cluster = { 'certificate-authority': certificate, 'tls-server-name': 'elsewhere.example' }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect(await used.ask(get())).toMatchObject({
      failure: { code: 'unauthenticated', message: expect.stringContaining('tls-server-name') },
    })
    const right = { ...cluster, 'tls-server-name': 'localhost' }
    const other = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster: right }))
    expect((await other.ask(get())).ok).toBe(true)
  })

  test('insecure-skip-tls-verify works, and warns', async () => {
    const { port } = await secureServer()
    const cluster = { 'insecure-skip-tls-verify': true }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect((await used.ask(get())).ok).toBe(true)
    expect(used.warnings).toMatchObject([{ code: 'tls-not-verified' }])
  })

  test('plain http works, and warns', async () => {
    const server = await api(() => ({}))
    const used = await session(await writeKubeconfig({ server: server.url }))
    expect((await used.ask(get())).ok).toBe(true)
    expect(used.warnings).toMatchObject([{ code: 'plain-http' }])
  })

  test('a client key that is none is said without showing it', async () => {
    const { port } = await secureServer()
    const broken = Buffer.from('-----BEGIN PRIVATE KEY-----\ns3cr3tkeymaterial\n-----END PRIVATE KEY-----\n').toString(
      'base64',
    )
    const user = { 'client-certificate-data': await base64(certificate), 'client-key-data': broken }
    const cluster = { 'insecure-skip-tls-verify': true }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster, user }))
    const answer = await used.ask(get())
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(inspect(answer, { depth: null })).not.toContain('s3cr3t')
  })

  async function tunnel(): Promise<{ readonly url: string; readonly asked: string[] }> {
    const asked: string[] = []
    const sockets = new Set<Socket>()
    const server = createPlainServer()
    server.on('connect', (request, client: Socket) => {
      asked.push(request.url ?? '')
      const [, port] = (request.url ?? '').split(':')
      const upstream = connect(Number(port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.on('error', () => {})
      }
    })
    await listening(server)
    closers.push(() => {
      for (const socket of sockets) socket.destroy()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  test('proxy-url in the kubeconfig is used, for loopback too', async () => {
    const { port } = await secureServer()
    const proxy = await tunnel()
    const cluster = { 'insecure-skip-tls-verify': true, 'proxy-url': proxy.url }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect((await used.ask(get())).ok).toBe(true)
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
  })

  test('a proxy that does not answer is said so', async () => {
    const cluster = { 'proxy-url': 'http://127.0.0.1:9' }
    const used = await session(await writeKubeconfig({ server: 'https://api.example:6443', cluster }))
    expect(await used.ask(get())).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  })
})

async function listening(server: Server): Promise<void> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  closers.push(
    () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
}

describe('requests', () => {
  test('connections are kept and used again', async () => {
    const server = await api(() => ({}))
    const used = await server.session()
    for (let index = 0; index < 5; index += 1) await used.ask(get())
    expect(server.requests).toHaveLength(5)
    expect(server.connections).toBe(1)
  })

  test("the version, and how far the server's clock is from ours", async () => {
    const clock = manualClock(Date.parse('2026-01-02T03:04:05.500Z'))
    const server = await api(() => ({
      body: { gitVersion: 'v1.20.2' },
      headers: { Date: 'Fri, 02 Jan 2026 03:05:05 GMT' },
    }))
    const used = await server.session(clock)
    expect(await used.version()).toEqual({
      ok: true,
      value: { gitVersion: 'v1.20.2', serverTime: '2026-01-02T03:05:05.000Z', clockSkewMs: 60_000 },
    })
    expect(used.serverTime).toBe('2026-01-02T03:05:05.000Z')
  })

  test.each<[string, FakeAnswer]>([
    ['a connection that breaks', 'drop'],
    ['429', status(429, 'TooManyRequests', 'slow down')],
    ['503', status(503, 'ServiceUnavailable', 'starting')],
  ])('a read is repeated after %s', async (_, trouble) => {
    let nth = 0
    const server = await api(() => {
      nth += 1
      return nth < 3 ? trouble : { body: { fine: true } }
    })
    const clock = manualClock()
    const used = await server.session(clock)
    const answer = used.ask(get())
    for (const wait of [100, 200]) {
      await until(() => clock.asleep.includes(wait), `the session waits ${wait} ms`)
      clock.advance(wait)
    }
    expect(await answer).toEqual({ ok: true, value: { fine: true } })
  })

  test('Retry-After is honoured', async () => {
    let nth = 0
    const server = await api(() => {
      nth += 1
      return nth === 1 ? { ...(status(429, 'TooManyRequests', 'x') as object), headers: { 'Retry-After': '7' } } : {}
    })
    const clock = manualClock()
    const answer = (await server.session(clock)).ask(get())
    await until(() => clock.asleep.includes(7_000), 'the session waits 7 s')
    clock.advance(7_000)
    expect((await answer).ok).toBe(true)
  })

  test('a read that goes on failing is given up after four tries', async () => {
    const server = await api(() => status(503, 'ServiceUnavailable', 'starting'))
    const clock = manualClock()
    const answer = (await server.session(clock)).ask(get())
    for (const wait of [100, 200, 400]) {
      await until(() => clock.asleep.includes(wait), `the session waits ${wait} ms`)
      clock.advance(wait)
    }
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'server-fault', retryable: true } })
    expect(server.requests).toHaveLength(4)
  })

  test.each<[string, FakeAnswer]>([
    ['a connection that breaks', 'drop'],
    ['503', status(503, 'ServiceUnavailable', 'starting')],
    ['429 without Retry-After', status(429, 'TooManyRequests', 'slow down')],
  ])('a write is never repeated after %s', async (_, trouble) => {
    const server = await api(() => trouble)
    const answer = await (await server.session(manualClock())).ask({
      method: 'PATCH',
      path: '/api/v1/nodes/n',
      body: {},
    })
    expect(answer.ok).toBe(false)
    expect(server.requests).toHaveLength(1)
  })

  test('a server that says nothing is given up after the limit', async () => {
    const server = await api(() => 'hang')
    const clock = manualClock()
    const answer = (await server.session(clock)).ask(get())
    await until(() => server.requests.length === 1, 'the request arrived')
    clock.advance(14_999)
    expect(clock.asleep).toEqual([15_000])
    clock.advance(1)
    expect(await answer).toMatchObject({
      ok: false,
      failure: { code: 'timed-out', message: expect.stringContaining(server.host) },
    })
  })

  test('a body that never ends is given up after the limit', async () => {
    const server = await api(() => stream => stream.write('{"items":['))
    const clock = manualClock()
    const answer = (await server.session(clock)).ask(get())
    // The first sleep is the limit of the headers, the second that of the body.
    await until(() => clock.begun === 2, 'the body is read')
    clock.advance(15_000)
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'timed-out' } })
  })

  test('a request that is stopped ends at once and is no fault', async () => {
    const server = await api(() => 'hang')
    const stop = new AbortController()
    const answer = (await server.session()).ask({ ...get(), signal: stop.signal })
    await until(() => server.requests.length === 1, 'the request arrived')
    stop.abort()
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'aborted', retryable: false } })
  })

  test('an answer that is not JSON is not taken for one of the API', async () => {
    const server = await api(() => ({ body: '<html>Sign in</html>' }))
    expect(await (await server.session()).ask(get())).toMatchObject({
      ok: false,
      failure: { code: 'server-fault', message: expect.stringContaining('Is it an API server?') },
    })
  })

  test('a closed session answers without a connection', async () => {
    const server = await api(() => ({}))
    const used = await server.session()
    used.close()
    expect(await used.ask(get())).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  })
})
