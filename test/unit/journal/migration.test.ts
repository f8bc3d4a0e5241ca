import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { SCHEMA_VERSION } from '../../../main/journal/schema.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { OLD_JOURNALS, placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

let directory: string
let path: string
const opened: Journal[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-migration-'))
  path = join(directory, 'journal.db')
})
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close()
  rmSync(directory, { recursive: true, force: true })
})

function open(): Journal {
  const journal = valueIn(openJournal({ path, clock: createVirtualClock() }))
  opened.push(journal)
  return journal
}

/** Every row of every table that an old journal has, by its own columns. */
function rowsOf(columns: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, unknown> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return new Map(
      [...columns].map(([table, names]) => [
        table,
        database.prepare(`SELECT ${names.join(', ')} FROM ${table} ORDER BY rowid`).all(),
      ]),
    )
  } finally {
    database.close()
  }
}

function columnsOf(): ReadonlyMap<string, readonly string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return new Map(
      tables.all().map(({ name }) => {
        const columns = database.prepare(`PRAGMA table_info(${String(name)})`).all()
        return [String(name), columns.map(column => String(column.name))]
      }),
    )
  } finally {
    database.close()
  }
}

function rules(): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
  } finally {
    database.close()
  }
}

describe.each(OLD_JOURNALS)('the journal %s, written by a program of its time', name => {
  beforeEach(() => placeOldJournal(name, path))

  test('keeps every row as it was', () => {
    const columns = columnsOf()
    expect(columns.size).toBeGreaterThan(2)
    const before = rowsOf(columns)
    open().close()
    opened.length = 0
    expect(rowsOf(columns)).toEqual(before)
  })

  test('has all its entries in a chain that holds, and goes on with it', () => {
    const journal = open()
    const entries = [...rowsOf(columnsOf())]
      .filter(([table]) => ['events', 'edits', 'observations'].includes(table))
      .reduce((sum, [, rows]) => sum + (Array.isArray(rows) ? rows.length : 0), 0)
    expect(entries).toBeGreaterThan(90)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: entries })
    valueIn(journal.observations.record('east', 'u', { kind: 'begun', since: '2026-01-01T00:00:00.000Z', nodes: [] }))
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: entries + 1 })
  })

  test('is read: two runs are over, one was left and can be driven on', () => {
    const journal = open()
    const rows = valueIn(journal.rows({ cluster: null }))
    expect(rows.map(({ kind, finished }) => `${kind} ${finished ? 'over' : 'left'}`)).toEqual([
      'enter left',
      'leave over',
      'enter over',
    ])
    for (const { id } of rows) expect(foldRun(valueIn(journal.events(id))).plan.cluster).toBe('demo-plain')
    const [left] = rows
    if (left === undefined) throw new Error('there are three')
    const driver = {
      operator: 'eva',
      machine: 'laptop-1',
      pid: 7,
      version: '0.0.0',
      id: 'driver-1',
      bootId: 'boot-1',
      epoch: 1,
    }
    expect(journal.claim(left.id, driver, left)).toBe(1)
    expect(journal.append(left.id, { kind: 'run-driven', driver, resumed: true }, driver).seq).toBeGreaterThan(98)
    expect(valueIn(journal.report.extract({ runIds: [left.id], windowIds: [], around: [] })).damage).toEqual([])
  })

  test('has what a new journal has, rule by rule', () => {
    open()
    const migrated = rules()
    path = join(directory, 'new.db')
    open()
    expect(migrated).toEqual(rules())
  })

  test('is brought up by the first of two programs that open it', () => {
    const one = open()
    const other = open()
    expect(valueIn(other.rows({ cluster: null }))).toEqual(valueIn(one.rows({ cluster: null })))
    const database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    database.close()
  })
})
