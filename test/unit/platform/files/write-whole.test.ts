import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile, writeFresh } from '../../../../main/platform/files/write-whole.ts'

let folder: string
const at = (name: string) => join(folder, name)
const NEW = Buffer.from('new')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-whole-'))
  writeFileSync(at('victim'), 'precious', { mode: 0o644 })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a new file is for this user only, and neither a file nor a link in its place is touched', async () => {
  await writeFresh(at('report'), NEW)
  expect(readFileSync(at('report'), 'utf8')).toBe('new')
  expect(statSync(at('report')).mode & 0o777).toBe(0o600)
  symlinkSync(at('victim'), at('link'))
  symlinkSync(at('none'), at('dangling'))
  for (const name of ['victim', 'link', 'dangling']) {
    await expect(writeFresh(at(name), NEW)).rejects.toMatchObject({ code: 'EEXIST' })
  }
  expect(readFileSync(at('victim'), 'utf8')).toBe('precious')
  expect(readdirSync(folder)).not.toContain('none')
})

test('a file that is replaced takes the place of a link, not of what the link leads to', async () => {
  symlinkSync(at('victim'), at('link'))
  symlinkSync(at('none'), at('dangling'))
  for (const name of ['link', 'dangling', 'fresh']) {
    await replaceFile(at(name), NEW)
    expect(lstatSync(at(name)).isFile(), name).toBe(true)
    expect(readFileSync(at(name), 'utf8')).toBe('new')
    expect(statSync(at(name)).mode & 0o777).toBe(0o600)
  }
  expect(readFileSync(at('victim'), 'utf8')).toBe('precious')
  expect(statSync(at('victim')).mode & 0o777).toBe(0o644)
  expect(readdirSync(folder).sort()).toEqual(['dangling', 'fresh', 'link', 'victim'])
})

test('a folder, a pipe and a device are not replaced, and nothing is left beside them', async () => {
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  await expect(replaceFile(at('folder'), NEW)).rejects.toMatchObject({ code: 'EISDIR' })
  await expect(replaceFile(at('pipe'), NEW)).rejects.toMatchObject({ code: 'EFTYPE' })
  await expect(replaceFile(at('none/report'), NEW)).rejects.toMatchObject({ code: 'ENOENT' })
  chmodSync(at('folder'), 0o700)
  expect(readdirSync(folder).sort()).toEqual(['folder', 'pipe', 'victim'])
})
