import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createFailingDisk,
  type DiskFault,
  failingDiskHere,
  failingDiskLibrary,
  startOverFailingDisk,
} from '../../fixtures/failing-disk.ts'

const library = failingDiskLibrary()
const missing = 'missing' in library ? library.missing : ''

describe.skipIf(missing !== '')(`a disk that fails on ${missing}`, () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-fails-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** What a process says that makes a file, writes `one`, `two`, `three` into it, over the first of them `ONE`, and syncs it. */
  async function writing(fault: DiskFault | null) {
    const disk = createFailingDisk()
    try {
      disk.watch(folder)
      if (fault !== null) disk.arm(fault)
      const program = fileURLToPath(new URL('writing-file.ts', import.meta.url))
      const child = startOverFailingDisk(disk, [program, join(folder, 'file')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const said = child.stdout === null ? '' : text(child.stdout)
      const [, signal] = await once(child, 'close')
      return { said: (await said).trim().split('\n'), signal, seen: disk.seen(), failed: disk.failed() }
    } finally {
      disk.close()
    }
  }
  const file = () => readFileSync(join(folder, 'file'), 'utf8')

  test('counts what is written below a folder, and nothing else', async () => {
    const { said, seen, failed } = await writing(null)
    expect(said).toEqual(['made', 'one', 'two', 'three', 'ONE', 'synced', 'gone'])
    const kinds = ['making', 'write', 'write', 'write', 'write', 'sync', 'deletion']
    expect(seen).toEqual(kinds.map(kind => `${kind} of another file`))
    expect(failed).toBe(0)
  })

  test.each<[string, DiskFault, readonly string[], string | null]>([
    ['fails once', { kind: 'once', at: 3, error: 'EIO' }, ['made', 'one', 'EIO', 'three', 'ONE', 'synced'], null],
    [
      'fails from then on',
      { kind: 'from', at: 3, error: 'ENOSPC' },
      ['made', 'one', ...Array(4).fill('ENOSPC')],
      'one',
    ],
    [
      'is full: what is there can be written over',
      { kind: 'full', at: 3 },
      ['made', 'one', 'ENOSPC', 'ENOSPC', 'ONE', 'synced'],
      null,
    ],
    [
      'writes half, and the rest when it is asked again',
      { kind: 'short', at: 4 },
      ['made', 'one', 'two', 'three', 'ONE', 'synced'],
      null,
    ],
    ['is frozen', { kind: 'freeze', at: 3 }, ['made', 'one', ...Array(4).fill('EIO')], 'one'],
  ])('%s', async (_, fault, said, left) => {
    const answer = await writing({ ...fault })
    expect(answer.said.slice(0, 6)).toEqual(said)
    expect(answer.failed).toBeGreaterThan(0)
    if (left !== null) expect(file()).toBe(left)
  })

  test.each<[DiskFault, string]>([
    [{ kind: 'kill', at: 4 }, 'onetwo'],
    [{ kind: 'kill-half', at: 4 }, 'onetwoth'],
  ])('%o kills there', async (fault, left) => {
    expect((await writing(fault)).signal).toBe('SIGKILL')
    expect(file()).toBe(left)
  })

  test('is not under a process that was started without it', () => {
    expect(failingDiskHere()).toBeNull()
  })
})
