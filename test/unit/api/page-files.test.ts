import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../../../main/api/page-files.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-page-'))
  mkdirSync(join(folder, 'page/assets'), { recursive: true })
  mkdirSync(join(folder, 'page-of-another'))
  writeFileSync(join(folder, 'page/index.html'), 'page')
  writeFileSync(join(folder, 'page/assets/app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, 'page/notes.txt'), 'secret')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  writeFileSync(join(folder, 'page-of-another/secret.js'), 'secret')
  symlinkSync(join(folder, 'secret.js'), join(folder, 'page/assets/link.js'))
  symlinkSync(join(folder, 'page-of-another/secret.js'), join(folder, 'page/assets/beside.js'))
})

afterAll(() => rmSync(folder, { recursive: true }))

test('a file of the page is read; only one whose name changes with its content is kept', async () => {
  expect(await readPageFile(join(folder, 'page'), '/index.html')).toMatchObject({ hashed: false })
  expect(await readPageFile(join(folder, 'page'), '/assets/app-1a2b.js')).toMatchObject({ hashed: true })
})

test.each([
  ['a path upwards that stays within the page', '/assets/../index.html'],
  ['the same, spelled with escapes', '/assets/%2e%2e/index.html'],
  ['a path out of the page', '/../secret.js'],
  ['a path with a backslash', '/..\\secret.js'],
  ['a path that does not begin at the root', 'index.html'],
  ['an escape that cannot be read', '/%zz.js'],
  ['an escaped escape', '/%252e%252e/secret.js'],
  ['a name with a NUL', '/assets/app-1a2b.js%00.js'],
  ['a link out of the page', '/assets/link.js'],
  ['a link into a folder whose name begins as the page’s', '/assets/beside.js'],
  ['a file of another kind', '/notes.txt'],
  ['a folder', '/assets'],
])('%s leads to nothing', async (_what, path) => {
  expect(await readPageFile(join(folder, 'page'), path)).toBeNull()
})

test('the page runs its own scripts alone, speaks to its own server alone and is in no frame', () => {
  const policy = new Map(CONTENT_SECURITY_POLICY.split('; ').map(each => [each.split(' ')[0], each]))
  expect(policy.get('default-src')).toBe("default-src 'none'")
  expect(policy.get('script-src')).toBe("script-src 'self'")
  expect(policy.get('connect-src')).toBe("connect-src 'self'")
  expect(policy.get('base-uri')).toBe("base-uri 'none'")
  expect(policy.get('form-action')).toBe("form-action 'none'")
  expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'")
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:/)
})
