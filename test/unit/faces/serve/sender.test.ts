import { describe, expect, test } from 'vitest'
import { addressOf, refusalOf } from '../../../../main/faces/serve/sender.ts'

const HOSTS = new Set(['127.0.0.1:8123', 'localhost:8123'])
const OURS = { host: 'localhost:8123', origin: 'http://localhost:8123', 'sec-fetch-site': 'same-origin' }

describe('who sends a request', () => {
  test.each([
    ['our own page', OURS, null],
    ['our own page, by its name in capitals', { ...OURS, host: 'LOCALHOST:8123' }, null],
    ['nobody who tells a name', { ...OURS, host: undefined }, 'foreign-host'],
    ['a name that was rebound to us', { ...OURS, host: 'evil.example:8123' }, 'foreign-host'],
    ['a name that begins as ours', { ...OURS, host: 'localhost:8123.evil.example' }, 'foreign-host'],
    ['another port of this machine', { ...OURS, host: 'localhost:9000' }, 'foreign-host'],
    ['a page that tells no origin', { ...OURS, origin: undefined }, 'foreign-origin'],
    ['a page of another port', { ...OURS, origin: 'http://localhost:9000' }, 'foreign-origin'],
    ['a page whose origin begins as ours', { ...OURS, origin: 'http://localhost:8123.evil.example' }, 'foreign-origin'],
    ['a page whose origin ends as ours', { ...OURS, origin: 'http://evil-localhost:8123' }, 'foreign-origin'],
    ['a page by our other name', { ...OURS, origin: 'http://127.0.0.1:8123' }, 'foreign-origin'],
    ['a page without its own origin', { ...OURS, origin: 'null' }, 'foreign-origin'],
    ['another site', { ...OURS, 'sec-fetch-site': 'cross-site' }, 'other-site'],
    ['another port of our site', { ...OURS, 'sec-fetch-site': 'same-site' }, 'other-site'],
  ] as const)('%s', (_who, headers, refusal) => {
    expect(refusalOf({ headers }, HOSTS, true)).toBe(refusal)
  })

  test('a page that is opened tells no origin; a foreign one is refused all the same', () => {
    expect(refusalOf({ headers: { host: 'localhost:8123' } }, HOSTS, false)).toBeNull()
    const foreign = { host: 'localhost:8123', origin: 'http://evil.example' }
    expect(refusalOf({ headers: foreign }, HOSTS, false)).toBe('foreign-origin')
  })
})

test.each([
  ['*', null],
  ['http://evil.example/socket', null],
  ['/socket?seen=3', '/socket'],
  ['//evil.example/socket', '/evil.example/socket'],
])('the target %s asks for the path %s', (url, path) => {
  expect(addressOf({ url })?.pathname ?? null).toBe(path)
})
