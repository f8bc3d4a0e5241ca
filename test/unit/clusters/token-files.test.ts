import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ResolvedCloud } from '../../../main/adapters/openstack/resolved-cloud.ts'
import { openTokenFiles } from '../../../main/clusters/token-files.ts'
import type { SecretBox } from '../../../main/platform/files/secret-box.ts'
import { resolvedCloud } from '../../fixtures/openstack-cloud.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-tokens-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const TOKEN = 'gAAAA-a-token'
const cloud: ResolvedCloud = resolvedCloud({
  name: 'lab',
  authUrl: 'https://keystone.example:5000/v3',
  auth: { kind: 'password', user: { name: 'admin' }, password: 'p', scope: { kind: 'unscoped' } },
})

/** A keychain that turns texts round, and opens only what it sealed itself. */
function keychain(name: string, works = true): SecretBox {
  const round = (text: string) => [...text].reverse().join('')
  return {
    words: name,
    seal: text => (works ? `${name}:${round(text)}` : null),
    open: sealed => (sealed.startsWith(`${name}:`) ? round(sealed.slice(name.length + 1)) : null),
  }
}

function kept(): string {
  const files = readdirSync(join(directory, 'tokens'))
  expect(files).toHaveLength(1)
  const path = join(directory, 'tokens', String(files[0]))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  return readFileSync(path, 'utf8')
}

test('a face with a keychain keeps tokens sealed, and finds them again', () => {
  openTokenFiles(directory, keychain('desktop')).of(cloud).save(TOKEN)
  expect(kept()).not.toContain(TOKEN)
  expect(openTokenFiles(directory, keychain('desktop')).of(cloud).load()).toBe(TOKEN)
})

test('a face without one keeps them in private files', () => {
  openTokenFiles(directory, null).of(cloud).save(TOKEN)
  expect(kept()).toBe(TOKEN)
  expect(openTokenFiles(directory, null).of(cloud).load()).toBe(TOKEN)
})

test('a value that another face kept is not a token, and is replaced', () => {
  const faces = [keychain('desktop'), null, keychain('other')]
  for (const one of faces) {
    for (const other of faces.filter(face => face !== one)) {
      openTokenFiles(directory, one).of(cloud).save(TOKEN)
      const tokens = openTokenFiles(directory, other).of(cloud)
      expect(tokens.load()).toBeNull()
      tokens.save('another')
      expect(tokens.load()).toBe('another')
    }
  }
})

test('a keychain that does not work now keeps nothing, in particular nothing open', () => {
  openTokenFiles(directory, keychain('desktop', false)).of(cloud).save(TOKEN)
  expect(readdirSync(directory)).toEqual([])
})
