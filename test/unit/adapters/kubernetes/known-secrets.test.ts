import { describe, expect, test } from 'vitest'
import type { Proof } from '../../../../main/adapters/kubernetes/credentials.ts'
import { createKnownSecrets } from '../../../../main/adapters/kubernetes/known-secrets.ts'

const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n'

function known(proof: Partial<Proof>) {
  const registered: string[] = []
  const secrets = createKnownSecrets(secret => registered.push(secret))
  secrets.remember({ headers: {}, certificate: null, ...proof })
  return { secrets, registered }
}

describe('what a session sent is taken out of what it is told', () => {
  test('a bearer token, wherever and however it is repeated', () => {
    const token = 'opaque/token+of=nobody'
    const { secrets, registered } = known({ headers: { Authorization: `Bearer ${token}` } })
    const repeated = `${token} ${encodeURIComponent(token)} ${Buffer.from(token).toString('base64')}`
    expect(secrets.removeFrom(repeated)).toBe('[removed] [removed] [removed]')
    expect(registered).toEqual([token])
  })

  test('a password of basic authentication, with and without the user', () => {
    const pair = Buffer.from('eva:pass:word').toString('base64')
    const { secrets } = known({ headers: { Authorization: `Basic ${pair}` } })
    expect(secrets.removeFrom(`${pair} pass:word`)).toBe('[removed] [removed]')
  })

  test('a client key, also as JSON spells it; JSON stays JSON', () => {
    const { secrets } = known({ certificate: { cert: 'public', key: KEY } })
    const answer = JSON.stringify({ message: `refused: ${KEY}` })
    expect(JSON.parse(secrets.removeFrom(answer))).toEqual({ message: 'refused: [removed]' })
  })

  test('an earlier token too, after it was renewed', () => {
    const { secrets } = known({ headers: { Authorization: 'Bearer first-token' } })
    secrets.remember({ headers: { Authorization: 'Bearer second-token' }, certificate: null })
    expect(secrets.removeFrom('first-token, second-token')).toBe('[removed], [removed]')
  })

  test('nothing, when nothing was sent', () => {
    expect(known({}).secrets.removeFrom('{"message":"as it was"}')).toBe('{"message":"as it was"}')
  })
})
