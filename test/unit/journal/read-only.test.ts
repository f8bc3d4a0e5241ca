import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { SCHEMA_VERSION } from '../../../main/journal/schema.ts'
import { JournalRefused } from '../../../main/ports/journal.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal('data/journal.db')
const { clock, open, close } = here
beforeEach(() => mkdirSync(join(here.directory, 'data')))

function createRun(journal: Journal, runId: string): void {
  journal.createRun(runId, { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
}

/** A journal with three runs, closed. */
function written(): Buffer {
  const journal = open()
  for (const id of ['run-1', 'run-2', 'run-3']) {
    createRun(journal, id)
    for (let at = 0; at < 20; at += 1) journal.append(id, { kind: 'paused' }, DRIVER)
  }
  close()
  return readFileSync(here.path)
}

/** Nothing can be written, in whichever way it is tried, and each says why. */
function refusesToWrite(journal: Journal): void {
  const why = journal.readOnly
  if (why === null) throw new Error('it is open for reading only')
  expect(why.message).toContain(here.path)
  expect(why.message).toContain('Until then the journal is read-only')
  expect(why.retryable).toBe(false)
  expect(() => createRun(journal, 'new')).toThrow(JournalRefused)
  expect(() => createRun(journal, 'new')).toThrow(why.message)
  const edit = { operator: 'eva', machine: 'm', kind: 'host-mode', target: 'n', before: '', after: '' } as const
  expect(failureIn(journal.edits.record({ cluster: 'east', node: null, refused: null, ...edit })).message).toContain(
    here.path,
  )
  expect(() => journal.append('run-1', { kind: 'paused' }, DRIVER)).toThrow(why.message)
  expect(() => journal.requestControl('run-1', { kind: 'pause', by: 'eva' })).toThrow(why.message)
  const by = { operator: 'eva', machine: 'm' }
  expect(failureIn(journal.care.prune({ before: '2020-01-01', dryRun: false, by })), 'pruned').toEqual(why)
  expect(failureIn(journal.care.importFrom({ file: join(here.directory, 'other.db'), by })), 'imported').toEqual(why)
}

describe('a journal of a newer Lockkeeper', () => {
  test('is open for reading only, says both versions, and stays as it is byte for byte', () => {
    written()
    const newer = new DatabaseSync(here.path)
    newer.exec(`CREATE TABLE novelties (body TEXT); PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    const before = readFileSync(here.path)
    const journal = open()
    expect(journal.readOnly?.message).toContain(`schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION}`)
    expect(valueIn(journal.rows({ cluster: null }))).toHaveLength(3)
    expect(valueIn(journal.events('run-2'))).toHaveLength(21)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: 63 })
    refusesToWrite(journal)
    close()
    expect(readFileSync(here.path).equals(before)).toBe(true)
  })

  test('that this one cannot read at all is refused by name', () => {
    written()
    const newer = new DatabaseSync(here.path)
    newer.exec(`ALTER TABLE events RENAME COLUMN body TO content; PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    expect(failureIn(openJournal({ path: here.path, clock })).message).toContain(here.path)
  })
})

describe('a journal that is cut off', () => {
  test.each([0.3, 0.6, 0.9])(
    'at %d of its length is open for reading only, says how much is there, and stays as it is',
    part => {
      const whole = written()
      truncateSync(here.path, Math.floor(whole.length * part))
      const before = readFileSync(here.path)
      const answer = openJournal({ path: here.path, clock })
      const message = answer.ok ? answer.value.readOnly?.message : answer.failure.message
      expect(message).toContain(`${before.length} of ${whole.length} bytes`)
      if (answer.ok) {
        open(answer.value)
        refusesToWrite(answer.value)
        close()
      }
      expect(readFileSync(here.path).equals(before)).toBe(true)
    },
  )

  test('behind one run shows the others', () => {
    written()
    const journal = open()
    for (let at = 0; at < 400; at += 1) journal.append('run-3', { kind: 'paused' }, DRIVER)
    close()
    truncateSync(here.path, readFileSync(here.path).length - 4_096)
    const cut = open()
    expect(cut.readOnly?.code).toBe('damaged')
    expect(valueIn(cut.rows({ cluster: null })).map(({ id }) => id)).toEqual(['run-3', 'run-2', 'run-1'])
    expect(valueIn(cut.events('run-1'))).toHaveLength(21)
  })
})

describe('a journal whose log is torn', () => {
  test.each([1, 700, 5_000])(
    '%d bytes before its end keeps what was whole, and its chain stays valid and continues',
    bytes => {
      const journal = open()
      createRun(journal, 'run-1')
      for (let at = 0; at < 20; at += 1) journal.append('run-1', { kind: 'paused' }, DRIVER)
      const torn = join(here.directory, 'torn.db')
      for (const end of ['', '-wal']) copyFileSync(`${here.path}${end}`, `${torn}${end}`)
      truncateSync(`${torn}-wal`, readFileSync(`${torn}-wal`).length - bytes)
      here.path = torn
      const again = open()
      expect(again.readOnly).toBeNull()
      const kept = valueIn(again.events('run-1')).length
      expect(kept).toBeGreaterThan(15)
      expect(kept).toBeLessThan(21)
      expect(valueIn(again.care.check()).chain).toMatchObject({ kind: 'holds', links: kept })
      again.append('run-1', { kind: 'paused' }, DRIVER)
      expect(valueIn(again.care.check()).chain).toMatchObject({ kind: 'holds', links: kept + 1 })
    },
  )
})

/** Lockkeeper as a user who owns nothing here. */
async function asNobody(): Promise<Record<string, unknown>> {
  const program = fileURLToPath(new URL('opening-process.ts', import.meta.url))
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, here.path], {
    ...nobody,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output)
}

describe.runIf(process.platform !== 'win32')('a journal that this user may not write', () => {
  beforeEach(() => chmodSync(here.directory, 0o755))
  afterEach(() => chmodSync(join(here.directory, 'data'), 0o755))

  test.each([
    ['its file', 0o444, 0o777],
    ['its folder', 0o666, 0o555],
    ['neither', 0o444, 0o555],
  ])('because of %s is open for reading, with the reason, and nothing is left beside it', async (_, file, folder) => {
    const before = written()
    chmodSync(here.path, file)
    chmodSync(join(here.directory, 'data'), folder)
    const answer = await asNobody()
    expect(answer).toMatchObject({
      readOnly: { message: expect.stringContaining(here.path) },
      runs: 3,
      events: [true, true, true],
      kept: expect.stringContaining(here.path),
    })
    expect(readFileSync(here.path).equals(before)).toBe(true)
    expect(readdirSync(join(here.directory, 'data'))).toEqual(['journal.db'])
  })

  test('shows what is in its log too', async () => {
    const journal = open()
    for (const id of ['run-1', 'run-2']) createRun(journal, id)
    const left = join(here.directory, 'left')
    mkdirSync(left)
    for (const end of ['', '-wal']) {
      copyFileSync(`${here.path}${end}`, join(left, `journal.db${end}`))
      chmodSync(join(left, `journal.db${end}`), 0o444)
    }
    close()
    here.path = join(left, 'journal.db')
    chmodSync(left, 0o555)
    expect(await asNobody()).toMatchObject({ readOnly: { retryable: false }, runs: 2, events: [true, true] })
    chmodSync(left, 0o755)
  })

  test('and that an older Lockkeeper wrote is shown as if it had been brought up, and stays as it is', async () => {
    placeOldJournal('schema-2', here.path)
    const before = readFileSync(here.path)
    chmodSync(here.path, 0o444)
    chmodSync(join(here.directory, 'data'), 0o555)
    expect(await asNobody()).toMatchObject({ readOnly: { retryable: false }, runs: 3, events: [true, true, true] })
    expect(readFileSync(here.path).equals(before)).toBe(true)
  })

  test('and may not read either is refused by name', async () => {
    written()
    chmodSync(here.path, 0o000)
    expect(await asNobody()).toMatchObject({ refused: { message: expect.stringContaining(here.path) } })
  })
})

describe('a journal that another process holds', () => {
  async function whileHeld(work: () => void): Promise<void> {
    const program = fileURLToPath(new URL('holding-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, here.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    try {
      work()
    } finally {
      child.stdin.end()
      await once(child, 'exit')
    }
  }

  test('opens and is read; a write fails with advice to try again, and later works', async () => {
    written()
    let journal: Journal | null = null
    await whileHeld(() => {
      journal = open()
      expect(journal.readOnly).toBeNull()
      expect(valueIn(journal.rows({ cluster: null }))).toHaveLength(3)
      expect(() =>
        open().createRun('run-4', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER }),
      ).toThrow(/locked by another process/)
    })
    createRun(open(), 'run-4')
  }, 30_000)

  test('and that an older Lockkeeper wrote stays as it is: it says who to wait for', async () => {
    placeOldJournal('schema-3', here.path)
    const before = readFileSync(here.path)
    await whileHeld(() => {
      expect(failureIn(openJournal({ path: here.path, clock }))).toMatchObject({ code: 'held', retryable: true })
    })
    expect(readFileSync(here.path).equals(before)).toBe(true)
    expect(open().readOnly).toBeNull()
  }, 30_000)
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a full disk', () => {
  let folder: string
  let mounted = false
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-small-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder], { stdio: 'ignore' })
      mounted = true
    } catch {
      // A container may not mount.
    }
  })
  afterAll(() => {
    if (mounted) execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  beforeEach(({ skip }) => {
    if (!mounted) skip('this machine lets nobody mount a small disk')
    here.path = join(folder, 'journal.db')
  })
  afterEach(() => {
    close()
    for (const file of readdirSync(folder)) rmSync(join(folder, file))
  })

  /** Fills the disk with something else. */
  function fill(): void {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (;;) writeFileSync(join(folder, 'filler'), Buffer.alloc(size), { flag: 'a' })
      } catch {
        // Less of it.
      }
    }
  }

  test('during a run: a write fails with a message, what was reported as written is there, and it continues when there is room', () => {
    const journal = open()
    createRun(journal, 'run-1')
    fill()
    let said = 1
    const writeAll = () => {
      for (;;) {
        journal.append('run-1', { kind: 'paused' }, DRIVER)
        said += 1
      }
    }
    expect(writeAll).toThrow(/disk of the journal .* is full/)
    expect(() => createRun(journal, 'run-2')).toThrow(/disk of the journal .* is full/)
    expect(valueIn(journal.events('run-1'))).toHaveLength(said)
    rmSync(join(folder, 'filler'))
    createRun(journal, 'run-2')
    expect(valueIn(journal.events('run-1'))).toHaveLength(said)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: said + 1 })
  })

  test('before it is opened: it is open for reading, nothing is lost, and there is no half of a new schema', () => {
    placeOldJournal('schema-1', here.path)
    const before = readFileSync(here.path)
    fill()
    const journal = open()
    expect(journal.readOnly?.message).toMatch(/full|room/)
    expect(valueIn(journal.rows({ cluster: null }))).toHaveLength(3)
    refusesToWrite(journal)
    close()
    expect(readFileSync(here.path).equals(before)).toBe(true)
    rmSync(join(folder, 'filler'))
    expect(open().readOnly).toBeNull()
  })
})
