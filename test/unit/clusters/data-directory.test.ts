import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDataDirectory } from '../../../main/clusters/data-directory.ts'
import { dataDirectoryPath } from '../../../main/clusters/data-directory-path.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lockkeeper-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const around = (environment: Record<string, string> = {}) => ({ environment, home, currentDirectory: '/work/here' })

describe('the data directory is', () => {
  test.each<[string, string | null, Record<string, string>, string]>([
    ['what --data-dir says', '/given', { LOCKKEEPER_DATA_DIR: '/a', XDG_DATA_HOME: '/b' }, '/given'],
    ['what --data-dir says, from the current directory', 'given', {}, '/work/here/given'],
    ['else LOCKKEEPER_DATA_DIR', null, { LOCKKEEPER_DATA_DIR: '/a', XDG_DATA_HOME: '/b' }, '/a'],
    ['else lockkeeper in XDG_DATA_HOME', null, { LOCKKEEPER_DATA_DIR: '', XDG_DATA_HOME: '/b' }, '/b/lockkeeper'],
    ['else in ~/.local/share', null, {}, '~/.local/share/lockkeeper'],
    ['in ~/.local/share when XDG_DATA_HOME is relative', null, { XDG_DATA_HOME: 'b' }, '~/.local/share/lockkeeper'],
  ])('%s', (_rule, given, environment, expected) => {
    expect(dataDirectoryPath(given, around(environment))).toBe(expected.replace('~', home))
  })

  test('made for this user only', () => {
    const opened = openDataDirectory(null, around())
    expect(opened).toEqual({ ok: true, value: join(home, '.local/share/lockkeeper') })
    expect(statSync(join(home, '.local/share/lockkeeper')).mode & 0o777).toBe(0o700)
  })

  test('left in its mode when it was there', () => {
    mkdirSync(join(home, 'shared'), { mode: 0o755 })
    expect(openDataDirectory(join(home, 'shared'), around()).ok).toBe(true)
    expect(statSync(join(home, 'shared')).mode & 0o777).toBe(0o755)
  })

  test('refused in plain words when a file is in its place', () => {
    writeFileSync(join(home, 'file'), '')
    for (const path of [join(home, 'file'), join(home, 'file', 'deeper')]) {
      const opened = openDataDirectory(path, around())
      expect(opened).toMatchObject({ ok: false, failure: { code: 'bad-input', target: path } })
      expect(opened).toMatchObject({ failure: { message: expect.stringMatching(/is a file.*--data-dir/) } })
    }
  })
})

test.runIf(existsSync('/proc/self'))('a directory that can never be made is a failure, not a wait without end', () => {
  expect(openDataDirectory('/proc/lockkeeper/data', around())).toMatchObject({
    ok: false,
    failure: { code: 'bad-input' },
  })
})
