import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { z } from 'zod'
import type { JournalStretch, StretchEntry } from '../../../../shared/contract/attach.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { CHAIN_BEGIN, type ChainHead, type ChainLink } from '../../../../shared/domain/journal-chain.ts'
import { jsonOf } from '../../../../shared/domain/json.ts'
import { nodeOfPlan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { RunEventBody } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { digestOf, hashOf } from '../../../journal/chain-functions.ts'
import { databaseResult, describeDatabaseError } from '../../../journal/database-trouble.ts'
import { ENTRY_TABLES, linkReader } from '../../../journal/entry-reader.ts'
import { MIRROR_TABLES } from '../../../journal/mirror-tables.ts'

const MirrorAbout = z.strictObject({
  /** The registered cluster with its API server. */
  by: z.string(),
  namespace: z.string(),
  name: z.string(),
  clouds: z.array(z.string()),
  version: z.string(),
  /** The time of its last answer (ISO). */
  asOf: z.string(),
  /** Unfinished runs without a driver at that time, as the runner reported. */
  undriven: z.array(z.string()),
})
type MirrorAbout = z.infer<typeof MirrorAbout>

/** The pod for which this console made a mirror, and when (ISO). It stays, even if another pod shows that journal later. */
const MirrorMade = MirrorAbout.pick({ by: true, namespace: true, name: true }).extend({ at: z.string() })
export type MirrorMade = z.infer<typeof MirrorMade>

interface Taken {
  readonly head: ChainHead | null
  /** Numbers of the first and last new run events; null if there is none. */
  readonly events: readonly [number, number] | null
}

/** Another journal, copied entry by entry: the same numbers, and its own chain. Only this writes to it. */
export interface MirrorWriter {
  head(): ChainHead | null
  /** Stores the next links, all or nothing: `conflict` if they do not follow, `damaged` if one does not match its hash. Skips known ones. */
  take(stretch: JournalStretch): Result<Taken>
  about(): MirrorAbout | null
  keepAbout(about: MirrorAbout): Result<void>
  made(): MirrorMade | null
  keepMade(made: MirrorMade): Result<void>
}

/** The mirror's limit: a runner is another machine, and must not fill this one's disk. */
const MOST_BYTES = 4 * 1024 * 1024 * 1024

/** Lets a journal's database store received links: removes its own chaining, which would create different ones. */
export function mirrorWriter(database: DatabaseSync, path: string, mostBytes = MOST_BYTES): MirrorWriter {
  prepareTables(database)
  const storing: Storing = {
    links: linkReader(database),
    insertEntry: entryInserter(database),
    insertLink: database.prepare('INSERT INTO chain (seq, source, source_seq, digest, hash) VALUES (?, ?, ?, ?, ?)'),
  }
  const selectAbout = database.prepare('SELECT body FROM mirror_about WHERE id = 1')
  const writeAbout = database.prepare(
    'INSERT INTO mirror_about (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  )
  const selectMade = database.prepare('SELECT body FROM mirror_made WHERE id = 1')
  const writeMade = database.prepare('INSERT INTO mirror_made (id, body) VALUES (1, ?) ON CONFLICT (id) DO NOTHING')
  const selectPages = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  )
  return {
    head: () => headOf(storing),
    take: stretch => {
      try {
        if (Number(selectPages.get()?.bytes ?? 0) > mostBytes) return failed(tooMuch(path, mostBytes))
        database.exec('BEGIN IMMEDIATE')
        const taken = storeLinks(storing, stretch)
        database.exec(taken.ok ? 'COMMIT' : 'ROLLBACK')
        return taken
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        return failed(describeDatabaseError(error, path))
      }
    },
    about: () => MirrorAbout.safeParse(jsonOf(String(selectAbout.get()?.body))).data ?? null,
    keepAbout: about => databaseResult(path, () => void writeAbout.run(JSON.stringify(about))),
    made: () => MirrorMade.safeParse(jsonOf(String(selectMade.get()?.body))).data ?? null,
    keepMade: made => databaseResult(path, () => void writeMade.run(JSON.stringify(made))),
  }
}

function prepareTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const { table } of ENTRY_TABLES) database.exec(`DROP TRIGGER IF EXISTS ${table}_are_chained`)
    for (const sql of MIRROR_TABLES.values()) database.exec(sql.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

interface Storing {
  readonly links: ReturnType<typeof linkReader>
  readonly insertEntry: (entry: StretchEntry) => void
  readonly insertLink: StatementSync
}

function headOf({ links }: Storing): ChainHead | null {
  const newest = links.newest()
  return newest === null ? null : { seq: newest.seq, hash: newest.hash }
}

function storeLinks(storing: Storing, { links: reported, entries }: JournalStretch): Result<Taken> {
  const byLink = new Map(entries.map(entry => [`${entry.source}/${entry.sourceSeq}`, entry]))
  let head = headOf(storing)
  let events: readonly [number, number] | null = null
  for (const link of reported) {
    if (head !== null && link.seq <= head.seq) {
      if (storing.links.at(link.seq)?.hash !== link.hash) return failed(anotherJournal(link))
      continue
    }
    if (link.seq !== (head?.seq ?? 0) + 1) return failed(hole(head, link))
    const entry = byLink.get(`${link.source}/${link.sourceSeq}`) ?? null
    const trouble = linkTrouble(head?.hash ?? CHAIN_BEGIN, link, entry)
    if (trouble !== null) return failed(trouble)
    if (entry !== null) storing.insertEntry(entry)
    storing.insertLink.run(link.seq, link.source, link.sourceSeq, link.digest, link.hash)
    head = { seq: link.seq, hash: link.hash }
    if (entry?.source === 'run-event') events = [events?.[0] ?? entry.sourceSeq, entry.sourceSeq]
  }
  return ok({ head, events })
}

/** The first link of a journal, from a range at its beginning; a failure if it is missing or does not match its hash. */
export function firstLinkOf({ links: [first], entries }: JournalStretch): Result<ChainLink> {
  if (first === undefined) {
    return failed(refusal('unreadable', because('MirrorToldNothing')))
  }
  if (first.seq !== 1) return failed(hole(null, first))
  const entry = entries.find(({ source, sourceSeq }) => source === first.source && sourceSeq === first.sourceSeq)
  const trouble = linkTrouble(CHAIN_BEGIN, first, entry ?? null)
  return trouble === null ? ok(first) : failed(trouble)
}

function linkTrouble(before: string, link: ChainLink, entry: StretchEntry | null): Failure | null {
  if (hashOf(before, link) !== link.hash) return anotherJournal(link)
  return entry !== null && digestOf(withoutCluster(entry)) !== link.digest ? notAsWritten(link) : null
}

/** The fields of a run's first entry that are the same in other versions. */
const LooseRun = z.object({
  plan: z
    .object({ cluster: z.string().catch(''), node: z.string().catch(''), kind: z.string().catch('enter') })
    .catch({ cluster: '', node: '', kind: 'enter' }),
})

function entryInserter(database: DatabaseSync): (entry: StretchEntry) => void {
  const run = database.prepare(
    `INSERT INTO runs (id, cluster, node, kind, created_at, machine, pid, boot_id, driver_id, epoch, heartbeat_at, window_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const hasRun = database.prepare('SELECT 1 FROM runs WHERE id = ?')
  const insertRunOf = ({ key, at, body }: Pick<StretchEntry, 'key' | 'at' | 'body'>) => {
    const first = RunEventBody.safeParse(jsonOf(String(body))).data
    if (first === undefined && hasRun.get(key) === undefined) {
      // Written by another version: its known fields are stored, and lists say that it is unreadable.
      const { plan } = LooseRun.parse(jsonOf(String(body)) ?? {})
      run.run(key, plan.cluster, plan.node, plan.kind, at, '', 0, null, '', 0, timeOf(at), null)
    }
    if (first?.kind !== 'run-created') return
    const { plan, driver } = first
    const { machine, pid, bootId = null, id = '', epoch = 1 } = driver
    const windowId = plan.window?.kind === 'in' ? plan.window.id : null
    const what = [key, plan.cluster, nodeOfPlan(plan) ?? '', plan.kind, at] as const
    run.run(...what, machine, pid, bootId, id, epoch, timeOf(at), windowId)
  }
  const event = database.prepare('INSERT INTO events (seq, run_id, at, body) VALUES (?, ?, ?, ?)')
  const window = database.prepare(
    'INSERT INTO window_events (seq, window_id, cluster, at, body) VALUES (?, ?, ?, ?, ?)',
  )
  const signal = database.prepare('INSERT INTO signals (seq, run_id, cluster, at, body) VALUES (?, ?, ?, ?, ?)')
  const edit = database.prepare('INSERT INTO edits (seq, at, cluster, node, body) VALUES (?, ?, ?, ?, ?)')
  const observation = database.prepare(
    'INSERT INTO observations (seq, at, cluster, update_id, body) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ source, sourceSeq, key, at, body, cluster }) => {
    switch (source) {
      case 'run-event':
        insertRunOf({ key, at, body })
        event.run(sourceSeq, key, at, body)
        return
      case 'window-event':
        window.run(sourceSeq, key, cluster ?? '', at, body)
        return
      case 'signal':
        signal.run(sourceSeq, key, cluster ?? '', at, body)
        return
      case 'edit': {
        const [of, node] = halvesOf(key)
        edit.run(sourceSeq, at, of, node === '' ? null : node, body)
        return
      }
      case 'observation':
        observation.run(sourceSeq, at, ...halvesOf(key), body)
        return
    }
  }
}

/** `cluster/node`: no cluster name has a slash. */
function halvesOf(key: string): readonly [string, string] {
  const at = key.indexOf('/')
  return at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)]
}

function withoutCluster({ source, sourceSeq, key, at, body }: StretchEntry) {
  return { source, sourceSeq, key, at, body }
}

function hole(head: ChainHead | null, link: ChainLink) {
  return refusal('conflict', because('MirrorHasHole', { reported: link.seq, next: (head?.seq ?? 0) + 1 }))
}

function tooMuch(path: string, mostBytes: number) {
  const why = because('MirrorTooLarge', { path, mostGib: (mostBytes / 1024 ** 3).toFixed(1) })
  return refusal('conflict', why, { target: path })
}

function anotherJournal({ seq }: ChainLink) {
  return refusal('conflict', because('MirrorOfOtherJournal', { seq }))
}

function notAsWritten({ seq, source, sourceSeq }: ChainLink) {
  return refusal('damaged', because('MirrorEntryChanged', { seq, source, sourceSeq }))
}

function timeOf(at: string): number {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? 0 : ms
}
