import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJournal } from '../../../main/journal/journal.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { journalAt } from '../../fixtures/journals/journal-at.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

let directory: string
let path: string
let whole: Buffer
let written: string
const clock = createVirtualClock()

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-flipped-'))
  path = join(directory, 'journal.db')
  // Runs of a real console, and everything else that a journal holds.
  placeOldJournal('schema-3', path)
  const made = journalAt(path)
  made.window('w1', '2026-01-01', '2026-01-03')
  made.run('in-window', '2026-01-01', '2026-01-02', { window: 'w1' })
  made.journal.close()
  whole = readFileSync(path)
  written = whatIsRead().words
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What a reader gets, and whether the journal reports that something is wrong. */
function whatIsRead(): { readonly words: string; readonly reports: boolean } {
  const opened = openJournal({ path, clock })
  if (!opened.ok) return { words: '', reports: true }
  const journal = opened.value
  try {
    const check = journal.care.check()
    const rows = journal.rows({ cluster: null })
    if (!check.ok || !rows.ok) return { words: '', reports: true }
    const words = JSON.stringify([
      rows.value.map(({ id, cluster, node, kind }) => [id, cluster, node, kind]),
      rows.value.map(({ id }) => journal.events(id)),
      journal.windows.list(null),
      journal.edits.list({ cluster: 'demo-plain', node: null, limit: 99 }),
      journal.observations.of('demo-mosk', 'u-1'),
    ])
    return { words, reports: journal.readOnly !== null || !check.value.ok }
  } finally {
    journal.close()
  }
}

test('one flipped bit anywhere in a closed journal: everything still reads unchanged, or the journal says so', () => {
  let reported = 0
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(7), (position, bit) => {
      const flipped = Buffer.from(whole)
      flipped[position] = (flipped[position] ?? 0) ^ (1 << bit)
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      writeFileSync(path, flipped)
      const { words, reports } = whatIsRead()
      if (reports) reported += 1
      return reports || words === written
    }),
    { numRuns: 250 },
  )
  expect(reported, 'most of the file matters').toBeGreaterThan(80)
})

test('a flipped bit in the time or the first letters of any event is reported', () => {
  writeFileSync(path, whole)
  const journal = valueIn(openJournal({ path, clock }))
  // As SQLite stores a row: the time, and right after it the body.
  const starts = valueIn(journal.rows({ cluster: null })).flatMap(({ id }) =>
    valueIn(journal.events(id)).map(({ at, body }) => `${at}{"kind":"${body.kind}`),
  )
  journal.close()
  fc.assert(
    fc.property(fc.constantFrom(...new Set(starts)), fc.nat(30), fc.nat(7), (start, letter, bit) => {
      const flipped = Buffer.from(whole)
      // Room that is not used may hold the same words once more: each of them is changed, and the event with them.
      for (let at = whole.indexOf(start); at >= 0; at = whole.indexOf(start, at + 1)) {
        flipped[at + letter] = (flipped[at + letter] ?? 0) ^ (1 << bit)
      }
      expect(flipped.equals(whole)).toBe(false)
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      writeFileSync(path, flipped)
      return whatIsRead().reports
    }),
    { numRuns: 40 },
  )
})

test('a journal that was not touched says nothing', () => {
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  writeFileSync(path, whole)
  expect(whatIsRead()).toEqual({ words: written, reports: false })
})
