import type { DatabaseSync } from 'node:sqlite'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { expectedSchema, SCHEMA_VERSION, schemaIn, schemaVersionOf } from './schema.ts'

/** Problems of the file, in words: pages, rules, and derived columns. Empty if there is none. */
export function checkDatabase(database: DatabaseSync): readonly string[] {
  return [pagesOf, rulesOf, ownersOf, (each: DatabaseSync) => columnsOf(each, null)].flatMap(check => {
    try {
      return check(database).map(found => (typeof found === 'string' ? found : found.message))
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })
}

function pagesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare('PRAGMA integrity_check')
    .all()
    .map(row => String(row.integrity_check))
    .filter(said => said !== 'ok')
}

/** Whether the rules exist that prevent changes of entries, and chain them. */
function rulesOf(database: DatabaseSync): readonly Finding[] {
  // A newer program has its own rules.
  if (schemaVersionOf(database) > SCHEMA_VERSION) return []
  const there = schemaIn(database)
  const expected = expectedSchema()
  return [
    ...[...expected].flatMap(([name, sql]) => {
      const found = there.get(name)
      if (found === undefined) return [because('RuleMissing', { rule: name })]
      return found === sql ? [] : [because('RuleChanged', { rule: name })]
    }),
    ...[...there.keys()].filter(name => !expected.has(name)).map(name => because('RuleOfOther', { rule: name })),
  ]
}

function ownersOf(database: DatabaseSync): readonly Finding[] {
  return database
    .prepare('SELECT DISTINCT run_id FROM events WHERE run_id NOT IN (SELECT id FROM runs)')
    .all()
    .map(({ run_id: id }) => because('RunMissingInList', { run: String(id) }))
}

/** The columns that lists use must match the entries, for all runs and windows or only `those`. Empty if they match. */
export function columnsOf(
  database: DatabaseSync,
  those: { readonly runs: readonly string[]; readonly windows: readonly string[] } | null,
): readonly Finding[] {
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
        // Both come from the clock, one after the other.
        const apart = Math.abs(Date.parse(String(createdAt)) - Date.parse(String(at)))
        if (plan !== null && !(apart <= 5_000)) {
          return [because('RunListedAtOtherTime', { run: String(id), listed: String(createdAt), first: String(at) })]
        }
        if (plan === null) return [because('RunWithoutFirstEvent', { run: String(id) })]
        const said = [plan.cluster, plan.node, plan.kind, plan.windowId]
        const listed = [cluster, node, kind, windowId]
        return said.every((value, at) => value === listed[at])
          ? []
          : [because('RunListedOtherwise', { run: String(id), listed: listed.map(inList), said: said.map(inList) })]
      }),
    ...windows
      .all({ windows: windowIds })
      .map(({ seq, window_id: id, cluster }) =>
        because('WindowEventOfOtherCluster', { seq: Number(seq), window: String(id), cluster: String(cluster) }),
      ),
  ]
}

/** A value as SQL joins it into a list: a missing one is empty. */
function inList(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
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
