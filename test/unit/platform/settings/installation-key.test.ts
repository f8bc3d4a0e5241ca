import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInstallationKey } from '../../../../main/platform/settings/installation-key.ts'
import { signatureHolds } from '../../../../main/platform/settings/signature.ts'
import { failureIn, valueIn } from '../../../fixtures/clusters/results.ts'

let directory: string
const file = () => join(directory, 'installation-key.pem')
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-key-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('is made at first use, for this user only, and is the same ever after', () => {
  const made = valueIn(openInstallationKey(directory))
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  const again = valueIn(openInstallationKey(directory))
  expect(again.fingerprint).toBe(made.fingerprint)
  expect(made.fingerprint).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/)
  expect(signatureHolds(again.publicKey, 'a head', made.sign('a head'))).toBe(true)
  expect(signatureHolds(again.publicKey, 'another', made.sign('a head'))).toBe(false)
})

test('is never written over a damaged one, and the message contains no part of it', () => {
  openInstallationKey(directory)
  truncateSync(file(), 60)
  const left = readFileSync(file(), 'utf8')
  const { message } = failureIn(openInstallationKey(directory))
  expect(message).toContain(file())
  for (const line of left.split('\n').filter(each => each.length > 8 && !each.includes('-----'))) {
    expect(message).not.toContain(line)
  }
  expect(readFileSync(file(), 'utf8')).toBe(left)
})

test.skipIf(process.platform === 'win32')('that others can read signs nothing', () => {
  openInstallationKey(directory)
  chmodSync(file(), 0o640)
  expect(failureIn(openInstallationKey(directory)).message).toContain('chmod 600')
})
