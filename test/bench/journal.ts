import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { DRIVER } from '../fixtures/driver.ts'
import { switchStep, toyPlan } from '../fixtures/engine/toy-cloud.ts'
import { placeOldJournal } from '../fixtures/journals/old-journals.ts'
import { median } from './median.ts'

/** What the hash chain costs: an append with and without it, opening a journal of 200,000 events, bringing up one without a chain, a check. */
const EVENTS = 200_000
const APPENDS = 500
const body = {
  kind: 'fact',
  stepId: 'os.evacuate',
  fact: 'migration-requested',
  subject: 'x'.repeat(36),
  announces: true,
  values: { host: 'cmp-2' },
} as const
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-journal-'))
const path = join(folder, 'journal.db')
const old = join(folder, 'old.db')

function open(file = path) {
  const journal = openJournal({ path: file, clock: systemClock })
  if (!journal.ok) throw new Error(journal.failure.message)
  return journal.value
}

function raw(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

function timed(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function appends(): number {
  const journal = open()
  const times = Array.from({ length: APPENDS }, () => timed(() => journal.append('run', body, DRIVER)))
  journal.close()
  return median(times)
}

const rule = (): string => {
  const database = new DatabaseSync(path, { readOnly: true })
  const found = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'events_are_chained'").get()
  database.close()
  return String(found?.sql)
}

try {
  const journal = open()
  journal.createRun('run', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
  journal.close()
  // In turn, so that a busy machine slows down both.
  const chained: number[] = []
  const bare: number[] = []
  const chain = rule()
  for (let round = 0; round < 3; round += 1) {
    chained.push(appends())
    raw(path, 'DROP TRIGGER events_are_chained')
    bare.push(appends())
    raw(path, chain)
  }
  process.stdout.write(
    `append, median of ${APPENDS}, three rounds: with the chain ${chained.map(ms => ms.toFixed(3)).join(', ')} ms; without ${bare.map(ms => ms.toFixed(3)).join(', ')} ms\n`,
  )

  // As written by a program of schema 3: no chain, no windows.
  placeOldJournal('schema-3', old)
  raw(
    old,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
    INSERT INTO events (run_id, at, body) SELECT (SELECT id FROM runs LIMIT 1), '2026-01-01T00:00:00.000Z', '${JSON.stringify(body)}' FROM n`,
  )
  const migrated = timed(() => open(old).close())
  const opened = median(Array.from({ length: 5 }, () => timed(() => open(old).close())))
  const care = open(old)
  care.createRun('run', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
  const checked = timed(() => care.care.check())
  const append = median(Array.from({ length: APPENDS }, () => timed(() => care.append('run', body, DRIVER))))
  const copied = timed(() => care.care.copyTo(join(folder, 'copy.db')))
  care.close()
  process.stdout.write(
    `${EVENTS} events, ${(statSync(old).size / 1024 ** 2).toFixed(0)} MiB: brought up from schema 3 in ${migrated.toFixed(0)} ms, opened in ${opened.toFixed(1)} ms, append ${append.toFixed(3)} ms, check ${checked.toFixed(0)} ms, copy ${copied.toFixed(0)} ms\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
