import type { DatabaseSync } from 'node:sqlite'
import { Edit } from '../../shared/domain/edit.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { databaseResult } from './database-trouble.ts'
import { newestOf } from './entry-reader.ts'

/** Changes that operators made by hand, outside runs: append-only, like events. */
export interface EditJournal {
  record(edit: Omit<Edit, 'seq' | 'at'>): Result<Edit>
  /** The edits after this number, oldest first, without unreadable ones. */
  after(seq: number): readonly Edit[]
  readonly seqWhenOpened: number
  /** Newest first; `node` null: the whole cluster. */
  list(filter: { readonly cluster: string; readonly node: string | null; readonly limit: number }): Result<Edit[]>
}

const EditBody = Edit.omit({ seq: true, at: true, cluster: true, node: true })

export function editJournal(database: DatabaseSync, path: string, clock: Clock): EditJournal {
  const insert = database.prepare('INSERT INTO edits (at, cluster, node, body) VALUES (?, ?, ?, ?) RETURNING seq')
  const select = database.prepare(
    'SELECT seq, at, cluster, node, body FROM edits WHERE cluster = ? AND (? IS NULL OR node = ?) ORDER BY seq DESC LIMIT ?',
  )
  const selectAfter = database.prepare('SELECT seq, at, cluster, node, body FROM edits WHERE seq > ? ORDER BY seq')
  return {
    after: seq => selectAfter.all(seq).flatMap(row => editFrom(row) ?? []),
    seqWhenOpened: newestOf(database, 'edits'),
    record: ({ cluster, node, ...body }) => {
      const at = isoNow(clock)
      return databaseResult(path, () => {
        // `all` steps to the end, where SQLite commits; `get` would stop at the first row and hide a full disk.
        const [inserted] = insert.all(at, cluster, node, JSON.stringify(body))
        return { seq: Number(inserted?.seq), at, cluster, node, ...body }
      })
    },
    list: ({ cluster, node, limit }) =>
      databaseResult(path, () => select.all(cluster, node, node, limit).flatMap(row => editFrom(row) ?? [])),
  }
}

function editFrom(row: Record<string, unknown>): Edit | null {
  const { body, ...columns } = row
  const parsed = EditBody.safeParse(jsonOf(String(body)))
  if (!parsed.success) return null
  const edit = Edit.safeParse({ ...columns, ...parsed.data })
  return edit.success ? edit.data : null
}
