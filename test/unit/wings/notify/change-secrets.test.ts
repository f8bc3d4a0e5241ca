import { expect, test } from 'vitest'
import { changeSecrets } from '../../../../main/wings/notify/signal-settings.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'

const FULL = failure('bad-input', 'The disk is full.')

/** Secrets of one cluster; those of `broken` parts cannot be kept. */
function vault(kept: Record<string, string>, broken: readonly string[] = []) {
  const parts = new Map(Object.entries(kept))
  const secrets = {
    keep: (_: string, part: string, secret: string): Result<void> => {
      if (broken.includes(part)) return failed(FULL)
      parts.set(part, secret)
      return ok(undefined)
    },
    read: (_: string, part: string): Result<string> => {
      const secret = parts.get(part)
      return secret === undefined ? failed(failure('not-found', 'None.')) : ok(secret)
    },
    forget: (_: string, part: string) => {
      parts.delete(part)
    },
  }
  return { secrets, now: () => Object.fromEntries(parts) }
}

test('secrets are kept and forgotten with the settings that name where they go', () => {
  const { secrets, now } = vault({ url: 'old', key: 'old' })
  const changes = new Map([
    ['url', 'new'],
    ['key', null],
  ])
  expect(changeSecrets(secrets, 'lab', changes, () => ok('kept'))).toEqual(ok('kept'))
  expect(now()).toEqual({ url: 'new' })
})

test('where the settings cannot be kept, or one of the secrets, all are as they were', () => {
  const first = vault({ url: 'old', token: 'old' })
  const changes = new Map([
    ['url', 'new'],
    ['key', 'new'],
    ['token', null],
  ])
  expect(changeSecrets(first.secrets, 'lab', changes, () => failed(FULL))).toEqual(failed(FULL))
  expect(first.now()).toEqual({ url: 'old', token: 'old' })
  const second = vault({ url: 'old' }, ['key'])
  expect(changeSecrets(second.secrets, 'lab', changes, () => ok('kept'))).toEqual(failed(FULL))
  expect(second.now()).toEqual({ url: 'old' })
})
