import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { openInstallation } from '../../../main/platform/settings/head-anchor.ts'
import { JournalRefused } from '../../../main/ports/journal.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const { clock } = here
const driver = { operator: 'eva', machine: 'laptop-1', pid: 7, version: '0.0.0', id: 'd', bootId: 'b', epoch: 1 }
const by = { operator: 'eva', machine: 'laptop-1' }

const open = () => valueIn(openJournal({ path: here.path, clock, anchor: openInstallation(here.directory).anchor }))
function run(journal: Journal, id: string, events = 4): void {
  journal.createRun(id, { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver })
  for (let at = 1; at < events; at += 1) journal.append(id, { kind: 'paused' }, driver)
}
/** A journal with runs, closed; `copy.db` is how it was after the first. */
function used(): void {
  const journal = open()
  run(journal, 'run-1')
  valueIn(journal.care.copyTo(join(here.directory, 'copy.db')))
  run(journal, 'run-2')
  journal.close()
}
function clear(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${here.path}${end}`, { force: true })
}
/** Another hand takes the newest entries out, with their links and every trace that they were there. */
function cutTail(links: number): void {
  const other = new DatabaseSync(here.path)
  const rules = other.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of rules) other.exec(`DROP TRIGGER ${String(name)}`)
  other.exec(`PRAGMA foreign_keys = OFF;
    DELETE FROM events WHERE seq > ${links}; DELETE FROM chain WHERE seq > ${links};
    DELETE FROM runs WHERE id NOT IN (SELECT run_id FROM events);
    UPDATE sqlite_sequence SET seq = ${links} WHERE name IN ('events', 'chain')`)
  for (const rule of rules) other.exec(String(rule.sql))
  other.close()
}

test('a folder in which nothing is yet is a new console, and one that was used opens again', () => {
  for (const _ of [1, 2]) {
    const journal = open()
    expect(journal.readOnly).toBeNull()
    journal.close()
  }
  used()
  const again = open()
  expect(again.readOnly).toBeNull()
  run(again, 'run-3')
  again.close()
})

describe('a journal that is not what it was', () => {
  test.each<[string, () => void, string]>([
    [
      'emptied',
      () => {
        clear()
        writeFileSync(here.path, '')
      },
      'it was emptied or removed',
    ],
    ['taken away', () => clear(), 'emptied or removed'],
    [
      'exchanged',
      () => {
        clear()
        const other = valueIn(openJournal({ path: here.path, clock }))
        run(other, 'other', 40)
        other.close()
      },
      'another journal',
    ],
    ['cut at its end, rules and numbers in their place', () => cutTail(6), 'its end was cut off'],
    [
      'put back from an older copy',
      () => {
        clear()
        copyFileSync(join(here.directory, 'copy.db'), here.path)
      },
      'older copy',
    ],
    [
      'put back from an older copy, and continued elsewhere',
      () => {
        clear()
        copyFileSync(join(here.directory, 'copy.db'), here.path)
        const elsewhere = valueIn(openJournal({ path: here.path, clock }))
        run(elsewhere, 'elsewhere', 40)
        elsewhere.close()
      },
      'another entry has the number 8',
    ],
    [
      'alone: its records outside are gone with it',
      () => {
        clear()
        rmSync(join(here.directory, 'journal-head.json'))
      },
      'no longer exists',
    ],
    [
      'known by words that another hand wrote',
      () => {
        const file = join(here.directory, 'journal-head.json')
        writeFileSync(file, readFileSync(file, 'utf8').replace('"seq": 8', '"seq": 4'))
      },
      'has a wrong signature:',
    ],
    ['known by half a file', () => truncateSync(join(here.directory, 'journal-head.json'), 20), 'cannot be read'],
  ])('because it was %s opens for reading only, says so, and a check does not hold', (_, spoil, words) => {
    used()
    spoil()
    const journal = open()
    expect(journal.readOnly?.message).toContain(words)
    expect(journal.readOnly?.message).toContain('journal accept --reason')
    expect(() => run(journal, 'new')).toThrow(JournalRefused)
    expect(valueIn(journal.care.check())).toMatchObject({ ok: false, words: expect.stringContaining(words) })
    journal.close()
    const again = open()
    expect(again.readOnly?.message, 'also the next time').toContain(words)
    again.close()
  })

  test.each<[string, { readonly before?: () => void; readonly whileOpen?: () => void }, string]>([
    ['taken away', { before: clear }, 'No file exists at '],
    ['taken away while it is open', { whileOpen: clear }, 'No file exists at '],
    ['emptied', { before: () => truncateSync(here.path) }, 'is empty.'],
  ])('is not called whole when it was %s', (_, { before, whileOpen }, words) => {
    used()
    before?.()
    const journal = open()
    whileOpen?.()
    const checked = valueIn(journal.care.check())
    expect(checked).toMatchObject({ ok: false, database: [expect.stringContaining(words)] })
    expect(checked.words).toContain(words)
    expect(checked.words).not.toContain('whole')
    journal.close()
  })

  test('makes nothing in the place of a file that is gone', () => {
    used()
    clear()
    open().close()
    expect(existsSync(here.path)).toBe(false)
  })

  test.each<[string, () => void, number]>([
    ['one that is gone', () => clear(), 0],
    ['one that was cut at its end', () => cutTail(4), 1],
  ])('continues from %s when somebody accepts that, and always mentions it afterwards', (_, spoil, runs) => {
    used()
    spoil()
    const journal = open()
    expect(failureIn(journal.care.accept({ reason: ' ', by })).message).toContain('Give a reason')
    valueIn(journal.care.accept({ reason: 'the disk died', by }))
    journal.close()
    const after = open()
    expect(after.readOnly).toBeNull()
    expect(valueIn(after.rows({ cluster: null }))).toHaveLength(runs)
    run(after, 'new')
    const checked = valueIn(after.care.check())
    expect(checked.ok).toBe(true)
    expect(checked.words).toMatch(/Accepted by eva .* the disk died/)
    after.close()
  })
})

test('one that cannot be written for another reason is also checked against its records outside, and is not continued', () => {
  used()
  cutTail(6)
  const newer = new DatabaseSync(here.path)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  const head = readFileSync(join(here.directory, 'journal-head.json'), 'utf8')
  const journal = open()
  expect(journal.readOnly?.message).toContain('999')
  expect(valueIn(journal.care.check())).toMatchObject({
    ok: false,
    words: expect.stringContaining('its end was cut off'),
  })
  expect(failureIn(journal.care.accept({ reason: 'why not', by })).message).toContain('999')
  journal.close()
  expect(readFileSync(join(here.directory, 'journal-head.json'), 'utf8')).toBe(head)
})

test('where nothing is missing there is nothing to accept', () => {
  used()
  const journal = open()
  expect(failureIn(journal.care.accept({ reason: 'why not', by })).code).toBe('conflict')
  journal.close()
})

test('the last writing of a killed process is recorded outside once its run has ended', () => {
  const journal = open()
  run(journal, 'run-1')
  journal.append('run-1', { kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] }, driver)
  const { seq } = JSON.parse(readFileSync(join(here.directory, 'journal-head.json'), 'utf8'))
  expect(seq).toBe(5)
  expect(statSync(join(here.directory, 'journal-head.json')).mode & 0o777).toBe(0o600)
  journal.close()
})

test('a head that was written down is found where it is, with what follows it, and not in another journal', () => {
  const journal = open()
  run(journal, 'run-1')
  const head = valueIn(journal.care.status()).head
  if (head === null) throw new Error('it has a head')
  run(journal, 'run-2', 3)
  for (const asked of [head.hash, `${head.seq}:${head.hash}`, head.hash.toUpperCase()]) {
    const checked = valueIn(journal.care.check({ head: asked }))
    expect(checked).toMatchObject({ ok: true, head: { kind: 'contained', seq: 4, after: 3 } })
  }
  for (const asked of ['ab'.repeat(32), `3:${head.hash}`]) {
    expect(valueIn(journal.care.check({ head: asked }))).toMatchObject({ ok: false, head: { kind: 'missing' } })
  }
  expect(failureIn(journal.care.check({ head: 'ab12' })).code).toBe('bad-input')
  journal.close()
})

describe('a folder that is removed and made again while a process has the journal open', () => {
  const removed = () => {
    rmSync(here.directory, { recursive: true })
    mkdirSync(here.directory)
  }

  test('that process writes nothing more, and says what became of its journal and what to do', () => {
    const old = here.open(open())
    run(old, 'run-1')
    rmSync(here.directory, { recursive: true })
    const refused = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return error instanceof JournalRefused ? error.failure : null
      }
      return null
    }
    const lost = { code: 'damaged', message: expect.stringContaining('no longer exists') }
    expect(refused(() => old.append('run-1', { kind: 'paused' }, driver))).toMatchObject(lost)
    mkdirSync(here.directory)
    const fresh = here.open(open())
    run(fresh, 'run-9')
    const other = { code: 'damaged', message: expect.stringContaining('Restore the earlier file with its -wal file') }
    expect(refused(() => run(old, 'run-2'))).toMatchObject(other)
    const edit = {
      cluster: 'lab',
      node: null,
      refused: null,
      operator: 'eva',
      machine: 'm',
      kind: 'host-mode',
    } as const
    expect(failureIn(old.edits.record({ ...edit, target: 't', before: 'a', after: 'b' }))).toMatchObject(other)
  })

  test('the new journal keeps its own head: nothing of the old one is written beside it', () => {
    const old = here.open(open())
    run(old, 'run-1', 30)
    removed()
    const fresh = open()
    run(fresh, 'run-9', 2)
    fresh.close()
    // The process of the removed one ends last.
    here.close()
    const again = here.open(open())
    expect(again.readOnly).toBeNull()
    expect(valueIn(again.care.check()).ok).toBe(true)
  })
})
