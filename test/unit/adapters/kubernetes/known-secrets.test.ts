import { describe, expect, test } from 'vitest'
import type { Proof } from '../../../../main/adapters/kubernetes/credentials.ts'
import { sessionOver } from '../../../../main/adapters/kubernetes/session.ts'
import { silentLogger } from '../../../../main/log/logger.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'

const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n'

/** What a session tells of a refusal that repeats `said`, after it proved itself with each of the proofs. */
async function heard(said: string, ...proofs: readonly Partial<Proof>[]) {
  const registered: string[] = []
  const left = [...proofs]
  const answer = { kind: 'answer', status: 403, headers: {}, body: said } as const
  const session = sessionOver({
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
  let body: unknown = null
  for (const _ of proofs) {
    const exchanged = await session.exchange({ method: 'GET', path: '/x' })
    body = exchanged.ok ? exchanged.value.body : exchanged.failure
  }
  return { body, registered }
}

describe('what a session sent is taken out of what it is told', () => {
  test('a bearer token, wherever and however it is repeated', async () => {
    const token = 'opaque/token+of=nobody'
    const repeated = `${token} ${encodeURIComponent(token)} ${Buffer.from(token).toString('base64')}`
    const { body, registered } = await heard(repeated, { headers: { Authorization: `Bearer ${token}` } })
    expect(body).toBe('[redacted] [redacted] [redacted]')
    expect(registered).toContain(token)
  })

  test('a password of basic authentication, with and without the user', async () => {
    const pair = Buffer.from('eva:pass:word').toString('base64')
    const { body } = await heard(`${pair} pass:word`, { headers: { Authorization: `Basic ${pair}` } })
    expect(body).toBe('[redacted] [redacted]')
  })

  test('a client key, also as JSON spells it; JSON stays JSON', async () => {
    const { body } = await heard(JSON.stringify({ message: `refused: ${KEY}` }), {
      certificate: { cert: 'public', key: KEY },
    })
    expect(body).toEqual({ message: 'refused: [redacted]' })
  })

  test('an earlier token too, after it was renewed', async () => {
    const { body } = await heard(
      'first-token, second-token',
      { headers: { Authorization: 'Bearer first-token' } },
      { headers: { Authorization: 'Bearer second-token' } },
    )
    expect(body).toBe('[redacted], [redacted]')
  })

  test('nothing, when nothing was sent', async () => {
    expect((await heard('{"message":"as it was"}', {})).body).toEqual({ message: 'as it was' })
  })
})
