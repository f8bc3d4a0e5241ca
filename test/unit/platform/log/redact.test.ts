import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createRedactor, redactText } from '../../../../main/platform/log/redact.ts'
import { leakyObjects } from './corpus/objects.ts'
import { leaksIn, PRIVATE_KEY } from './corpus/secrets.ts'
import { HARMLESS_TEXTS, LEAKY_TEXTS } from './corpus/texts.ts'

describe('text', () => {
  test.each(LEAKY_TEXTS)('loses the secret of %s', (_from, text) => {
    expect(leaksIn(redactText(text))).toEqual([])
    expect(redactText(text)).toContain('[redacted')
  })

  test('every text of the corpus holds a secret before', () => {
    const clean = LEAKY_TEXTS.filter(([, text]) => leaksIn(text).length === 0).map(([from]) => from)
    // These two hold it in a form that no needle has: base64 with the user's name, bytes as numbers.
    expect(clean).toEqual(['basic authentication', 'bytes as JSON writes them'])
  })

  test('loses base64 credentials and bytes as numbers', () => {
    const byName = new Map(LEAKY_TEXTS)
    expect(redactText(byName.get('basic authentication') ?? '')).not.toMatch(/YWRtaW4/)
    expect(redactText(byName.get('bytes as JSON writes them') ?? '')).not.toMatch(/45,45,45/)
  })

  test.each(HARMLESS_TEXTS)('keeps word for word: %s', text => {
    expect(redactText(text)).toBe(text)
  })

  test('stays the same when it is redacted twice', () => {
    for (const [, text] of LEAKY_TEXTS) expect(redactText(redactText(text))).toBe(redactText(text))
  })

  test('is cut when it is long, and a secret halved by the cut goes too', () => {
    const redactor = createRedactor({ literals: ['averysecretpassphrase'] })
    const out = redactor.text(`${'x '.repeat(7_992)}averysecretpassphrase`)
    expect(out).not.toContain('avery')
    expect(out).toMatch(/more characters\]$/)
    expect(out.length).toBeLessThan(16_100)
  })

  test('of hostile length takes no hostile time', () => {
    for (const piece of [
      'a',
      'password',
      'a-',
      '"',
      '\\',
      'eyJ',
      '://',
      'LS0tLS1 ',
      '-',
      ' ',
      '\n',
      'name:',
      '-----BEGIN A-----',
    ]) {
      const text = piece.repeat(Math.ceil(16_000 / piece.length))
      expect(typeof redactText(text)).toBe('string')
    }
  }, 10_000)
})

describe('registered secrets', () => {
  test.each([
    ['as they are', (secret: string) => `it said ${secret}!`],
    ['in JSON', (secret: string) => JSON.stringify({ said: secret })],
    ['in a URL', (secret: string) => `https://host/${encodeURIComponent(secret)}`],
    ['in base64', (secret: string) => `x ${Buffer.from(secret).toString('base64')}`],
  ])('are removed %s', (_how, spell) => {
    const redactor = createRedactor({ literals: ['tr0ub4dor & "3"'] })
    const out = redactor.text(spell('tr0ub4dor & "3"'))
    expect(out).toContain('[redacted]')
    expect(out).not.toContain('ub4dor')
    expect(out).not.toContain(Buffer.from('tr0ub4dor').toString('base64').slice(0, 10))
  })

  test('are removed from keys and values of objects', () => {
    const redactor = createRedactor()
    redactor.registerSecret('hunter2hunter2')
    expect(JSON.stringify(redactor.value({ hunter2hunter2: ['hunter2hunter2'] }))).not.toContain('hunter2')
  })

  test('of four to seven letters are removed only as whole words', () => {
    const redactor = createRedactor({ literals: ['oslab'] })
    expect(redactor.text('logged in with oslab')).toBe('logged in with [redacted]')
    expect(redactor.text('/var/lib/oslab/run and oslab-net')).toBe('/var/lib/oslab/run and oslab-net')
  })

  test('shorter than four letters are not remembered', () => {
    expect(createRedactor({ literals: ['abc', ''] }).text('abc is no secret')).toBe('abc is no secret')
  })

  test('of several lines are removed line by line too', () => {
    const line = PRIVATE_KEY.split('\n')[5] ?? ''
    expect(createRedactor({ literals: [PRIVATE_KEY] }).text(`broken near ${line}`)).toBe('broken near [redacted]')
  })

  test('that contain another are removed whole', () => {
    const redactor = createRedactor({ literals: ['password-one', 'password-one-two'] })
    expect(redactor.text('said password-one-two')).toBe('said [redacted]')
  })
})

describe('values', async () => {
  const objects = await leakyObjects()

  test.each(objects)('lose the secrets of %s', (_from, object) => {
    expect(leaksIn(JSON.stringify(createRedactor().value(object)))).toEqual([])
    expect(leaksIn(JSON.stringify(createRedactor().value({ error: object, list: [object] })))).toEqual([])
  })

  test('the failed exec really holds credentials', () => {
    const [, failedExec] = objects[0] ?? []
    expect(leaksIn(inspect(failedExec, { depth: 12, showHidden: true, maxStringLength: null }))).not.toEqual([])
  })

  test('errors keep name, message, stack and cause, and nothing else', () => {
    const error = Object.assign(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), {
      code: 'X',
      more: 1,
    })
    expect(createRedactor().value(error)).toEqual({
      name: 'TypeError',
      message: 'fetch failed',
      stack: expect.stringContaining('redact.test'),
      cause: { name: 'Error', message: 'ECONNREFUSED', stack: expect.any(String) },
    })
  })

  test('plain values stay what they are', () => {
    const plain = { a: 1, b: 'two', c: [true, null], d: { e: 0.5 } }
    expect(createRedactor().value(plain)).toEqual(plain)
  })

  test('what JSON cannot express is written in words', () => {
    expect(
      createRedactor().value([1n, Number.NaN, undefined, () => 1, Symbol('s'), new Date(0), new Date(Number.NaN)]),
    ).toEqual(['1', 'NaN', null, '[function]', '[symbol]', '1970-01-01T00:00:00.000Z', 'Invalid Date'])
    expect(createRedactor().value({ there: 1, absent: undefined })).toEqual({ there: 1 })
  })

  test('cycles, depth and length are bounded', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(createRedactor().value(loop)).toEqual(['[circular]'])
    let deep: unknown = 'bottom'
    for (let level = 0; level < 50; level += 1) deep = { deep }
    expect(JSON.stringify(createRedactor().value(deep))).toContain('[deeper]')
    const long = createRedactor().value(Array.from({ length: 5_000 }, (_, index) => index))
    expect(long).toHaveLength(101)
    expect(long).toHaveProperty('100', '[4900 more]')
  })

  test('the same object twice side by side is not a cycle', () => {
    const one = { a: 1 }
    expect(createRedactor().value([one, one])).toEqual([{ a: 1 }, { a: 1 }])
  })

  test('objects that throw at a touch are unreadable, not fatal', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
        getPrototypeOf: () => {
          throw new Error('no')
        },
      },
    )
    expect(createRedactor().value({ hostile })).toEqual({ hostile: '[unreadable]' })
    const error = new Error('x')
    Object.defineProperty(error, 'message', {
      get: () => {
        throw new Error('no')
      },
    })
    expect(createRedactor().value(error)).toBe('[unreadable]')
  })
})
