import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../main/journal/schema.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { OLD_JOURNALS, placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const open = () => here.open()

/** Every row of every table that an old journal has, by its own columns. */
function rowsOf(columns: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, unknown> {
  const database = new DatabaseSync(here.path, { readOnly: true })
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
  const database = new DatabaseSync(here.path, { readOnly: true })
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
  const database = new DatabaseSync(here.path, { readOnly: true })
  try {
    return database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
  } finally {
    database.close()
  }
}

describe.each(OLD_JOURNALS)('the journal %s, written by a program of its time', name => {
  beforeEach(() => placeOldJournal(name, here.path))

  test('keeps every row as it was', () => {
    const columns = columnsOf()
    expect(columns.size).toBeGreaterThan(2)
    const before = rowsOf(columns)
    open()
    here.close()
    expect(rowsOf(columns)).toEqual(before)
  })

  test('has all its entries in a valid chain, and continues it', () => {
    const journal = open()
    const entries = [...rowsOf(columnsOf())]
      .filter(([table]) => ['events', 'edits', 'observations'].includes(table))
      .reduce((sum, [, rows]) => sum + (Array.isArray(rows) ? rows.length : 0), 0)
    expect(entries).toBeGreaterThan(90)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: entries })
    valueIn(journal.observations.record('east', 'u', { kind: 'begun', since: '2026-01-01T00:00:00.000Z', nodes: [] }))
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: entries + 1 })
  })

  test('is read: two runs have ended, one was left and can be resumed', () => {
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
    expect(journal.claim(left.id, DRIVER, left)).toBe(1)
    expect(journal.append(left.id, { kind: 'run-driven', driver: DRIVER, resumed: true }, DRIVER).seq).toBeGreaterThan(
      98,
    )
    expect(valueIn(journal.report.extract({ runIds: [left.id], windowIds: [], around: [] })).damage).toEqual([])
  })

  test('has what a new journal has, rule by rule', () => {
    open()
    const migrated = rules()
    here.path = join(here.directory, 'new.db')
    open()
    expect(migrated).toEqual(rules())
  })

  test('is brought up by the first of two programs that open it', () => {
    const one = open()
    const other = open()
    expect(valueIn(other.rows({ cluster: null }))).toEqual(valueIn(one.rows({ cluster: null })))
    const database = new DatabaseSync(here.path, { readOnly: true })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    database.close()
  })
})
