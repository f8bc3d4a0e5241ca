import { readFile } from 'node:fs/promises'
import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { writeKubeconfig } from '../../../fixtures/kubernetes/kubeconfig-files.ts'
import { api, closeAll, closeLater, getNodes, open, session } from '../../../fixtures/kubernetes/opened-sessions.ts'

const TLS = resolve(import.meta.dirname, '../../../fixtures/tls')

afterEach(closeAll)

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
    expect((await used.request(getNodes)).ok).toBe(true)
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
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(peers[0]).toMatch(/^[0-9A-F:]+$/)
  })

  test('a server whose certificate nobody vouches for is refused, with what to check', async () => {
    const { port, peers } = await secureServer()
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}` }))
    expect(await used.request(getNodes)).toMatchObject({
      ok: false,
      failure: { code: 'unauthenticated', message: expect.stringContaining('certificate-authority') },
    })
    expect(peers).toEqual([])
  })

  test('tls-server-name is the name that is checked', async () => {
    const { port } = await secureServer()
    const cluster = { 'certificate-authority': certificate, 'tls-server-name': 'elsewhere.example' }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect(await used.request(getNodes)).toMatchObject({
      failure: { code: 'unauthenticated', message: expect.stringContaining('tls-server-name') },
    })
    const right = { ...cluster, 'tls-server-name': 'localhost' }
    const other = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster: right }))
    expect((await other.request(getNodes)).ok).toBe(true)
  })

  test('insecure-skip-tls-verify works, and warns', async () => {
    const { port } = await secureServer()
    const cluster = { 'insecure-skip-tls-verify': true }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(used.warnings).toMatchObject([{ code: 'tls-not-verified' }])
  })

  test('plain http works, and warns', async () => {
    const server = await api(() => ({}))
    const used = await session(await writeKubeconfig({ server: server.url }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(used.warnings).toMatchObject([{ code: 'plain-http' }])
  })

  test.each([
    ['is not a key', 'PRIVATE KEY', 'unreadable'],
    ['is under a password', 'ENCRYPTED PRIVATE KEY', 'encrypted'],
  ])('a client key that %s is reported before any request, without showing it', async (_, kind, fault) => {
    const broken = `-----BEGIN ${kind}-----\ns3cr3tkeymaterial\n-----END ${kind}-----\n`
    const user = {
      'client-certificate-data': await base64(certificate),
      'client-key-data': Buffer.from(broken).toString('base64'),
    }
    const opened = await open(await writeKubeconfig({ server: 'https://127.0.0.1:9', user }))
    const failure = { code: 'bad-input', reason: 'ClientKeyUnusable', values: { user: 'user', fault } }
    expect(opened).toMatchObject({ ok: false, failure })
    expect(inspect(opened, { depth: null })).not.toContain('s3cr3t')
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
    closeLater(() => {
      for (const socket of sockets) socket.destroy()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  test('proxy-url in the kubeconfig is used, for loopback too', async () => {
    const { port } = await secureServer()
    const proxy = await tunnel()
    const cluster = { 'insecure-skip-tls-verify': true, 'proxy-url': proxy.url }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
  })

  test('a SOCKS proxy is used', async () => {
    const { port } = await secureServer()
    const asked: number[] = []
    const sockets = new Set<Socket>()
    const server = createTcpServer(client => {
      sockets.add(client)
      client.on('error', () => {})
      // SOCKS 5: greeting, then a request whose last two bytes are the port (RFC 1928).
      client.once('data', () => {
        client.write(Buffer.from([5, 0]))
        client.once('data', request => {
          asked.push(request.readUInt16BE(request.length - 2))
          const upstream = connect(port, '127.0.0.1', () => {
            client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
            upstream.pipe(client).pipe(upstream)
          })
          sockets.add(upstream)
          upstream.on('error', () => {})
        })
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    closeLater(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const cluster = {
      'certificate-authority': certificate,
      'proxy-url': `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    }
    const user = { 'client-certificate': certificate, 'client-key': key }
    const used = await session(await writeKubeconfig({ server: `https://127.0.0.1:${port}`, cluster, user }))
    expect(await used.request(getNodes)).toEqual({ ok: true, value: {} })
    expect(asked).toEqual([port])
  })

  test('a proxy that does not answer is reported', async () => {
    const cluster = { 'proxy-url': 'http://127.0.0.1:9' }
    const used = await session(await writeKubeconfig({ server: 'https://api.example:6443', cluster }))
    expect(await used.request(getNodes)).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  })
})

async function listening(server: Server): Promise<void> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  closeLater(
    () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
}
