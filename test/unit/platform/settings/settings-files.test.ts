import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Logger, silentLogger } from '../../../../main/platform/log/logger.ts'
import { openMaintenanceQueues } from '../../../../main/platform/settings/maintenance-queues.ts'
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
const queues = () => openMaintenanceQueues({ directory, log })

describe('preferences', () => {
  test('are the defaults where nothing was chosen', () => {
    expect(preferences().show()).toEqual(DEFAULT_PREFERENCES)
  })

  test('are kept by what was chosen alone, for the next start and other processes', () => {
    const first = preferences()
    valueIn(first.change({ theme: 'dark' }))
    valueIn(preferences().change({ density: 'dense', theme: undefined }))
    expect(first.show()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark', density: 'dense' })
    expect(readFileSync(join(directory, 'preferences.json'), 'utf8')).not.toContain('notifications')
    expect(statSync(join(directory, 'preferences.json')).mode & 0o777).toBe(0o600)
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

describe('the queue of nodes', () => {
  test('is empty where nothing was set aside', () => {
    expect(queues().show('lab')).toEqual({ cluster: 'lab', nodes: [] })
  })

  test('takes nodes at its end, keeps the place of those that wait already, then lets go', () => {
    valueIn(queues().change('lab', { add: ['a', 'b', 'c'], remove: [] }))
    expect(valueIn(queues().change('lab', { add: ['d', 'a', 'b'], remove: ['c'] })).nodes).toEqual(['a', 'b', 'd'])
    expect(queues().show('lab').nodes).toEqual(['a', 'b', 'd'])
  })

  test('is one a cluster, and forgotten with it', () => {
    valueIn(queues().change('lab', { add: ['a'], remove: [] }))
    valueIn(queues().change('other', { add: ['b'], remove: [] }))
    valueIn(queues().forget('lab'))
    expect(queues().show('lab').nodes).toEqual([])
    expect(queues().show('other').nodes).toEqual(['b'])
  })

  test('in a damaged file is empty, said in the log, and the file stays as it is', () => {
    writeFileSync(join(directory, 'queues.json'), 'not JSON')
    expect(queues().show('lab').nodes).toEqual([])
    expect(warned).toHaveLength(1)
    expect(failureIn(queues().change('lab', { add: ['a'], remove: [] })).code).toBe('damaged')
    expect(readFileSync(join(directory, 'queues.json'), 'utf8')).toBe('not JSON')
  })
})
