import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Logger, silentLogger } from '../../../../main/platform/log/logger.ts'
import { openPreferences } from '../../../../main/platform/settings/preferences.ts'
import { DEFAULT_PREFERENCES } from '../../../../shared/contract/console.ts'
import { failureIn, valueIn } from '../../../fixtures/clusters/results.ts'

let directory: string
let warned: string[]
let log: Logger

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-settings-'))
  warned = []
  log = { ...silentLogger, warn: message => warned.push(message) }
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const preferences = () => openPreferences({ directory, log })

describe('preferences', () => {
  test('are the defaults where nothing was chosen', () => {
    expect(preferences().show()).toEqual(DEFAULT_PREFERENCES)
  })

  test('are kept by what was chosen alone, for the next start and other processes', () => {
    const first = preferences()
    valueIn(first.change({ theme: 'dark' }))
    valueIn(preferences().change({ clock: 'utc', theme: undefined }))
    expect(first.show()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark', clock: 'utc' })
    expect(readFileSync(join(directory, 'preferences.json'), 'utf8')).not.toContain('notifications')
    expect(statSync(join(directory, 'preferences.json')).mode & 0o777).toBe(0o600)
  })

  test('of an earlier version are read without what this one does not have', () => {
    const path = join(directory, 'preferences.json')
    writeFileSync(path, '{"format": 1, "preferences": [{"theme": "dark", "density": "dense"}]}')
    expect(preferences().show()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' })
    expect(valueIn(preferences().change({ clock: 'utc' })).theme).toBe('dark')
    expect(warned).toEqual([])
  })

  test('in a damaged file are the defaults, said in the log, and the file stays as it is', () => {
    const path = join(directory, 'preferences.json')
    writeFileSync(path, '{"format": 1, "preferences": [{"theme": "pink"}]}')
    expect(preferences().show()).toEqual(DEFAULT_PREFERENCES)
    expect(warned).toHaveLength(1)
    expect(failureIn(preferences().change({ theme: 'dark' })).code).toBe('damaged')
    expect(readFileSync(path, 'utf8')).toContain('pink')
  })
})
