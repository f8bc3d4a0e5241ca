import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { importForeign, readApart } from '../../../main/journal/read-apart.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { failed } from '../../../shared/domain/result.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { journalAt } from '../../fixtures/journals/journal-at.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const by = { operator: 'eva', machine: 'laptop-1' }
const READER = [process.execPath, resolve('main/compose/terminal/index.ts'), '__read-journal']
const file = () => join(here.directory, 'other.db')

function open(at = here.path) {
  const made = journalAt(at)
  here.open(made.journal)
  return made
}

const left = () => readdirSync(tmpdir()).filter(name => name.startsWith('lockkeeper-import-'))

describe('a foreign journal that a separate process reads', () => {
  test('is taken over as one that is read here, and nothing is left of the copy', async () => {
    const before = left()
    const there = open(file())
    there.run('run-1', '2026-01-01', '2026-01-02')
    const { journal } = open()
    const taken = valueIn(await importForeign(journal.care, READER, systemClock, { file: file(), by }))
    expect(taken).toMatchObject({ runs: 1, words: expect.stringContaining(`The chain of ${file()} is valid`) })
    expect(valueIn(journal.events('run-1')).map(({ body }) => body)).toEqual(
      valueIn(there.journal.events('run-1')).map(({ body }) => body),
    )
    expect(journal.care.isImported('run-1')).toBe(true)
    expect(valueIn(journal.care.check()).ok).toBe(true)
    expect(left()).toEqual(before)
  })

  test('of an older program has an unknown chain', async () => {
    placeOldJournal('schema-3', file())
    const { journal } = open()
    const taken = valueIn(await importForeign(journal.care, READER, systemClock, { file: file(), by }))
    expect(taken).toMatchObject({ runs: 2, words: expect.stringContaining('is older than the chain of journals') })
  })

  test('is refused for the same reasons, in the same words', async () => {
    open(file()).run('run-1', '2026-01-01', '2026-01-02')
    here.close()
    const hand = new DatabaseSync(file())
    hand.exec('CREATE VIEW more AS SELECT 1')
    hand.close()
    const { journal } = open()
    const apart = failureIn(await importForeign(journal.care, READER, systemClock, { file: file(), by }))
    expect(apart).toEqual(failureIn(journal.care.importFrom({ file: file(), by })))
    const none = join(here.directory, 'none.db')
    expect(failureIn(await importForeign(journal.care, READER, systemClock, { file: none, by })).code).toBe('not-found')
  })

  test('that keeps its reader busy without an end is given up in time, and its reader is ended', async () => {
    const pid = join(here.directory, 'pid')
    const endless = join(here.directory, 'endless.cjs')
    // What SQLite does in the middle of a question: nothing but a kill ends it.
    writeFileSync(endless, `require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); for (;;);`)
    const said = await readApart([process.execPath, endless], file(), systemClock, () => failed(failureOf()), 1_500)
    expect(failureIn(said)).toMatchObject({
      code: 'timed-out',
      message: expect.stringContaining('Nothing was imported'),
    })
    expect(existsSync(pid)).toBe(true)
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
  })

  test('whose reader ends without an answer is not taken over', async () => {
    const said = await readApart(['/bin/false'], file(), systemClock, () => failed(failureOf()))
    expect(failureIn(said).code).toBe('timed-out')
  })
})

function failureOf() {
  return { code: 'conflict', message: 'it was taken all the same', retryable: false } as const
}
