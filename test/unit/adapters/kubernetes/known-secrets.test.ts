import { describe, expect, test } from 'vitest'
import type { Proof } from '../../../../main/adapters/kubernetes/client-node.ts'
import { getObject } from '../../../../main/adapters/kubernetes/objects.ts'
import { readNode } from '../../../../main/adapters/kubernetes/read-node.ts'
import { NODES } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { createKubernetesSession } from '../../../../main/adapters/kubernetes/session.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'

const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n'

const TOKEN = 'opaque-token.of+nobody'
const NODE = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }

/** What a session reports about a refusal that repeats `said`, after it used each of the proofs. */
async function received(said: string, ...proofs: readonly Partial<Proof>[]) {
  const registered: string[] = []
  const session = sessionOf({ status: 403, body: said }, proofs, registered)
  let body: unknown = null
  for (const _ of proofs) {
    const exchanged = await session.exchange({ method: 'GET', path: '/x' })
    body = exchanged.ok ? exchanged.value.body : exchanged.failure
  }
  return { body, registered }
}

function sessionOf(
  said: { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> },
  proofs: readonly Partial<Proof>[],
  registered: string[] = [],
) {
  const left = [...proofs]
  const answer = { kind: 'answer', headers: {}, ...said } as const
  return createKubernetesSession({
    connection: {
      server: new URL('https://api.example:6443'),
      ca: null,
      serverName: null,
      verify: true,
      proxy: null,
      warnings: [],
    },
    credentials: { proof: async () => ok({ headers: {}, certificate: null, ...left.shift() }), renew: () => false },
    transport: {
      send: async () => answer,
      open: async () => answer as never,
      converse: async () => answer,
      dial: async () => answer,
      close: () => {},
    },
    registerSecret: secret => registered.push(secret),
    clock: manualClock(),
    log: silentLogger,
  })
}

describe('a session removes its own secrets from answers', () => {
  test('a bearer token, wherever and however it is repeated', async () => {
    const token = 'opaque/token+of=nobody'
    const repeated = `${token} ${encodeURIComponent(token)} ${Buffer.from(token).toString('base64')}`
    const { body, registered } = await received(repeated, { headers: { Authorization: `Bearer ${token}` } })
    expect(body).toBe('[redacted] [redacted] [redacted]')
    expect(registered).toContain(token)
  })

  test('a password of basic authentication, with and without the user', async () => {
    const pair = Buffer.from('eva:pass:word').toString('base64')
    const { body } = await received(`${pair} pass:word`, { headers: { Authorization: `Basic ${pair}` } })
    expect(body).toBe('[redacted] [redacted]')
  })

  test('a client key, also as JSON spells it; JSON stays JSON', async () => {
    const { body } = await received(JSON.stringify({ message: `refused: ${KEY}` }), {
      certificate: { cert: 'public', key: KEY },
    })
    expect(body).toEqual({ message: 'refused: [redacted]' })
  })

  test('a token that JSON spells as Go, PHP or anybody spells it', async () => {
    const token = 'a/b&c<d>nobody'
    const spelled = JSON.stringify({ message: token, [token]: 1 })
      .replaceAll('&', String.raw`\u0026`)
      .replaceAll('<', String.raw`\u003c`)
      .replaceAll('/', String.raw`\/`)
    const { body } = await received(spelled, { headers: { Authorization: `Bearer ${token}` } })
    expect(body).toEqual({ message: '[redacted]', '[redacted]': 1 })
  })

  test.each([
    ['as a kind', 200, { kind: TOKEN, apiVersion: 'v1' }, {}],
    ['as a name', 200, { ...NODE, metadata: { ...NODE.metadata, name: TOKEN } }, {}],
    ['as the name of a field', 200, { ...NODE, metadata: { ...NODE.metadata, labels: { [TOKEN]: 1 } } }, {}],
    ['as the type of an answer', 200, '<html>', { 'content-type': TOKEN }],
    ['as the type of a refusal', 404, '<html>', { 'content-type': TOKEN }],
  ])('an invalid answer that repeats a token %s: neither text nor values have it', async (_, status, body, headers) => {
    const said = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
    const proof = { headers: { Authorization: `Bearer ${TOKEN}` } }
    const got = await getObject(
      sessionOf(said, Array(5).fill(proof)),
      { type: NODES, namespace: null, name: 'a' },
      readNode,
    )
    expect(got).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(JSON.stringify(got)).not.toContain(TOKEN)
  })

  test('an earlier token too, after it was renewed', async () => {
    const { body } = await received(
      'first-token, second-token',
      { headers: { Authorization: 'Bearer first-token' } },
      { headers: { Authorization: 'Bearer second-token' } },
    )
    expect(body).toBe('[redacted], [redacted]')
  })

  test('nothing, when nothing was sent', async () => {
    expect((await received('{"message":"as it was"}', {})).body).toEqual({ message: 'as it was' })
  })
})
