import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { LOOPBACK_CERTIFICATE } from '../../../fixtures/kubernetes/fake-api.ts'
import { writeKubeconfig } from '../../../fixtures/kubernetes/kubeconfig-files.ts'
import { api, closeAll, closeLater, getNodes, session } from '../../../fixtures/kubernetes/opened-sessions.ts'

afterEach(closeAll)

const KEY = fileURLToPath(new URL('../../../fixtures/tls/loopback.key.pem', import.meta.url))
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A login provider whose refresh tokens count once. */
async function provider() {
  const given: string[] = []
  let issuer = ''
  const server = createServer(
    { cert: readFileSync(LOOPBACK_CERTIFICATE), key: readFileSync(KEY) },
    (incoming, outgoing) => {
      let body = ''
      incoming.on('data', data => {
        body += String(data)
      })
      incoming.on('end', () => {
        outgoing.setHeader('Content-Type', 'application/json')
        if (incoming.method === 'GET') {
          outgoing.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }))
          return
        }
        if (new URLSearchParams(body).get('refresh_token') !== `refresh-${given.length}`) {
          outgoing.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }))
          return
        }
        const iat = Math.floor(Date.now() / 1000)
        const claims = { iss: issuer, aud: 'console', sub: 'ada', iat, exp: iat + 3600, n: given.length }
        const token = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
        given.push(token)
        const more = { access_token: 'a', token_type: 'Bearer', expires_in: 3600 }
        outgoing.end(JSON.stringify({ ...more, id_token: token, refresh_token: `refresh-${given.length}` }))
      })
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closeLater(() => server.close())
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, given }
}

test('an expired OpenID Connect token is renewed once, for requests beside each other and for those after', async () => {
  const trusted = tls.getCACertificates('default')
  closeLater(() => tls.setDefaultCACertificates(trusted))
  tls.setDefaultCACertificates([...trusted, readFileSync(LOOPBACK_CERTIFICATE, 'utf8')])
  const { issuer, given } = await provider()
  const server = await api(() => ({}), { isTls: true })
  const config = {
    'client-id': 'console',
    'idp-issuer-url': issuer,
    'id-token': `${part({ alg: 'RS256' })}.${part({ exp: 1 })}.c2ln`,
    'refresh-token': 'refresh-0',
  }
  const cluster = { 'certificate-authority': LOOPBACK_CERTIFICATE }
  const user = { 'auth-provider': { name: 'oidc', config } }
  const used = await session(await writeKubeconfig({ server: server.url, cluster, user }))
  const answers = await Promise.all([used.request(getNodes), used.request(getNodes)])
  expect([...answers, await used.request(getNodes)].map(({ ok }) => ok)).toEqual([true, true, true])
  expect(given).toHaveLength(1)
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array.from({ length: 3 }, () => `Bearer ${given[0]}`),
  )
})
