import type { DatabaseSync } from 'node:sqlite'
import { jsonOf } from '../../shared/domain/json.ts'
import { Observation } from '../../shared/domain/observation.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { UpdateMoment } from '../../shared/domain/update.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { databaseResult } from './database-trouble.ts'

/** Observations of updates: append-only, like events. The UID of its request identifies an update. */
export interface ObservationJournal {
  record(cluster: string, updateId: string, observation: Observation): Result<void>
  lastUpdate(cluster: string): string | null
  /** In the order of writing; unreadable ones are left out. */
  of(cluster: string, updateId: string): Result<readonly Observation[]>
  /** Figures of a cluster between two times (ISO), both included. */
  samples(cluster: string, from: string, to: string): readonly UpdateMoment[]
}

export function observationJournal(database: DatabaseSync, path: string, clock: Clock): ObservationJournal {
  const insert = database.prepare('INSERT INTO observations (at, cluster, update_id, body) VALUES (?, ?, ?, ?)')
  const selectLast = database.prepare('SELECT update_id FROM observations WHERE cluster = ? ORDER BY seq DESC LIMIT 1')
  const selectOf = database.prepare('SELECT body FROM observations WHERE cluster = ? AND update_id = ? ORDER BY seq')
  // Another program may have written invalid JSON.
  const selectSamples = database.prepare(
    `SELECT body FROM observations WHERE cluster = ? AND at >= ? AND at <= ?
       AND CASE WHEN json_valid(body) THEN json_extract(body, '$.moment.kind') = 'sample' ELSE 0 END
     ORDER BY seq`,
  )
  return {
    record: (cluster, updateId, observation) =>
      databaseResult(path, () => {
        insert.run(isoNow(clock), cluster, updateId, JSON.stringify(observation))
      }),
    lastUpdate: cluster => {
      const found = selectLast.get(cluster)?.update_id
      return found === undefined ? null : String(found)
    },
    of: (cluster, updateId) =>
      databaseResult(path, () => selectOf.all(cluster, updateId).flatMap(row => observationFrom(row) ?? [])),
    samples: (cluster, from, to) =>
      selectSamples.all(cluster, from, to).flatMap(row => {
        const observation = observationFrom(row)
        return observation?.kind === 'moment' ? [observation.moment] : []
      }),
  }
}

/** Null: another program or version wrote it; the others stay readable. */
function observationFrom({ body }: Record<string, unknown>): Observation | null {
  return Observation.safeParse(jsonOf(String(body))).data ?? null
}
