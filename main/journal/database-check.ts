import type { DatabaseSync } from 'node:sqlite'
import { expectedSchema, SCHEMA_VERSION, schemaIn, schemaVersionOf } from './schema.ts'

/** What in the file itself is not as it should be, in words: pages, rules, and what is kept beside the entries. Empty: nothing. */
export function checkDatabase(database: DatabaseSync): readonly string[] {
  return [pagesOf, rulesOf, ownersOf, (each: DatabaseSync) => columnsOf(each, null)].flatMap(check => {
    try {
      return check(database)
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })
}

/** Every page, every index against its table. */
function pagesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare('PRAGMA integrity_check')
    .all()
    .map(row => String(row.integrity_check))
    .filter(said => said !== 'ok')
}

/** Whether the rules are there that keep entries from being changed, and chain them. */
function rulesOf(database: DatabaseSync): readonly string[] {
  // A newer program knows its own rules.
  if (schemaVersionOf(database) > SCHEMA_VERSION) return []
  const there = schemaIn(database)
  const expected = expectedSchema()
  return [
    ...[...expected].flatMap(([name, sql]) => {
      const found = there.get(name)
      if (found === undefined) return [`The ${name} is not there.`]
      return found === sql ? [] : [`The ${name} was changed.`]
    }),
    ...[...there.keys()].filter(name => !expected.has(name)).map(name => `The ${name} is none of ours.`),
  ]
}

function ownersOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare('SELECT DISTINCT run_id FROM events WHERE run_id NOT IN (SELECT id FROM runs)')
    .all()
    .map(({ run_id: id }) => `Run ${id} has events but is not in the list of runs.`)
}

/** The tables that lists are read from have to say what the entries say: of all runs and windows, or of `those`. In words; empty: they do. */
export function columnsOf(
  database: DatabaseSync,
  those: { readonly runs: readonly string[]; readonly windows: readonly string[] } | null,
): readonly string[] {
  const runIds = those === null ? null : JSON.stringify(those.runs)
  const windowIds = those === null ? null : JSON.stringify(those.windows)
  const runs = database.prepare(
    `SELECT runs.id, cluster, node, kind, window_id, created_at, first.at, first.body FROM runs
     LEFT JOIN events AS first ON first.seq = (SELECT MIN(seq) FROM events WHERE run_id = runs.id)
     WHERE :runs IS NULL OR runs.id IN (SELECT value FROM json_each(:runs))`,
  )
  const windows = database.prepare(
    `SELECT seq, window_id, cluster FROM window_events
     WHERE json_valid(body) AND json_extract(body, '$.draft.cluster') <> cluster
       AND (:windows IS NULL OR window_id IN (SELECT value FROM json_each(:windows)))`,
  )
  return [
    ...runs
      .all({ runs: runIds })
      .flatMap(({ id, cluster, node, kind, window_id: windowId, created_at: createdAt, at, body }) => {
        const plan = planIn(body)
        // Both are taken from the clock, one after the other.
        const apart = Math.abs(Date.parse(String(createdAt)) - Date.parse(String(at)))
        if (plan !== null && !(apart <= 5_000)) {
          return [`Run ${id} is listed as of ${createdAt}; its first event is of ${at}.`]
        }
        if (plan === null) return [`Run ${id} has no first event that says what it is.`]
        const said = [plan.cluster, plan.node, plan.kind, plan.windowId]
        const listed = [cluster, node, kind, windowId]
        return said.every((value, at) => value === listed[at])
          ? []
          : [`Run ${id} is listed as ${listed.join(', ')}; its first event says ${said.join(', ')}.`]
      }),
    ...windows
      .all({ windows: windowIds })
      .map(
        ({ seq, window_id: id, cluster }) =>
          `Window event ${seq} of ${id} is listed under another cluster, ${cluster}.`,
      ),
  ]
}

function planIn(body: unknown): { cluster: unknown; node: unknown; kind: unknown; windowId: unknown } | null {
  try {
    const { plan } = JSON.parse(String(body))
    const windowId = plan.window?.kind === 'in' ? plan.window.id : null
    return { cluster: plan.cluster, node: plan.node ?? '', kind: plan.kind, windowId }
  } catch {
    return null
  }
}
