import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { completedAllSteps } from '../../shared/domain/run-ending.ts'
import { foldInPieces, foldRun } from '../../shared/domain/run-fold.ts'
import { type RunWithNodes, type TakenOut, takenOutIn } from '../../shared/domain/taken-out.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { undoneWords } from '../../shared/words/run-ending.ts'
import { namesOf } from '../../shared/words/steps/coded.ts'
import type { Journal } from '../journal/journal.ts'
import type { ListedRow, RunFilter } from '../journal/run-reader.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { RunRow } from '../ports/journal.ts'
import { summarizeRun } from './engine/run-summary.ts'
import { inHistory, type RunInHistory } from './run-in-history.ts'

export interface RunReading {
  view(runId: string): Result<{
    readonly view: RunView
    readonly events: readonly RunEvent[]
    readonly interrupted: boolean
    readonly summary: RunSummary
  }>
  /** Reads a run so that its view is at hand; with rests in between, because one of hundreds of instances takes longer than 20 ms. */
  readAhead(runId: string): Pieces<void>
  list(filter: RunFilter): Result<readonly RunSummary[]>
  /** The history's rows, newest first: reads everything once, afterwards only new events. */
  history(filter: RunFilter): Promise<Result<readonly RunInHistory[]>>
  /** The unfinished runs of a cluster, newest first, including those with a damaged record. */
  unfinished(cluster: string): Result<readonly UnfinishedRun[]>
  /** Which nodes the runs took out or brought back, newest first. Runs with a damaged record are included. */
  takenOut(cluster: string): Result<readonly RunThatTookOut[]>
}

export interface UnfinishedRun extends Pick<ListedRow, 'id' | 'kind' | 'node' | 'createdAt'> {
  /** Null if its record is damaged. No console can resume such a run, but its driver may still work on the cloud. */
  readonly view: RunView | null
  /** Whether it has no driver any more. */
  readonly interrupted: boolean
}

interface RunThatTookOut extends RunWithNodes {
  readonly createdAt: string
}

/** A run after its event `lastSeq`. For a finished run it stores only what lists and the history show: views are large. */
interface Folded {
  readonly lastSeq: number
  readonly summary: RunSummary
  readonly past: Omit<RunInHistory, 'summary'>
  readonly view: RunView | null
  /** The run that this one undid, and its node; null if it undid no run. */
  readonly undid: { readonly run: string; readonly node: string } | null
  readonly takenOut: TakenOut
}

interface Undoer {
  readonly by: string
  readonly node: string
}

/** Longest time that a bulk read may block the event loop. */
const READ_AT_ONCE_MS = 20

interface ReadingParts {
  readonly journal: Pick<Journal, 'events' | 'eventsInPieces' | 'row' | 'rows' | 'idsBeginningWith'>
  readonly hasLostDriver: (run: Pick<RunView, 'id' | 'state'>, row: RunRow | null) => boolean
  /** Why the journal rejected events of a run from this process. */
  readonly whyRefused: (runId: string) => string | undefined
  readonly clock: Clock
}

/** The runs of a journal, each folded once until it has new events. */
interface FoldedRuns extends ReadingParts {
  readonly folded: Map<string, Folded>
  /** The runs that were viewed last, whole. */
  readonly viewed: Map<string, Viewed>
}

/** A run after its event `lastSeq`, with all its events: a few megabytes for hundreds of instances. */
interface Viewed {
  readonly lastSeq: number
  readonly events: readonly RunEvent[]
  readonly view: RunView
}

/** A report or a page asks for one run several times. */
const MOST_VIEWED = 3

export function createRunReading(parts: ReadingParts): RunReading {
  const runs: FoldedRuns = { ...parts, folded: new Map(), viewed: new Map() }
  return {
    view: given => viewRun(runs, given),
    readAhead: given => readAhead(runs, given),
    list: filter => listRuns(runs, filter),
    history: filter => listHistory(runs, filter),
    unfinished: cluster => listUnfinished(runs, cluster),
    takenOut: cluster => listTakenOut(runs, cluster),
  }
}

function foldRow({ journal, folded }: FoldedRuns, row: ListedRow): Result<Folded> {
  const known = folded.get(row.id)
  if (known?.lastSeq === row.lastSeq) return ok(known)
  const events = journal.events(row.id)
  if (!events.ok) return events
  const view = foldRun(events.value)
  const summary = summarizeRun(view, false)
  const { plan, state } = view
  const fresh: Folded = {
    lastSeq: row.lastSeq,
    summary,
    past: inHistory(view, events.value),
    view: state.kind === 'finished' ? null : view,
    undid: plan.kind === 'undo' && completedAllSteps(summary) ? { run: plan.undoes, node: plan.node } : null,
    takenOut: takenOutIn(view),
  }
  folded.set(row.id, fresh)
  return ok(fresh)
}

function summaryOf({ hasLostDriver, whyRefused }: FoldedRuns, { view, summary }: Folded, row: ListedRow): RunSummary {
  return view !== null && hasLostDriver(view, row) ? summarizeRun(view, true, whyRefused(view.id)) : summary
}

/** Which runs of a cluster were undone, on which node and by which run; an undo that cannot be read is ignored. */
function undoersOf(runs: FoldedRuns, rows: readonly ListedRow[]): ReadonlyMap<string, readonly Undoer[]> {
  const undoers = new Map<string, readonly Undoer[]>()
  for (const row of rows.filter(({ kind }) => kind === 'undo')) {
    const known = foldRow(runs, row)
    if (!known.ok || known.value.undid === null) continue
    const { run, node } = known.value.undid
    undoers.set(run, [{ by: row.id, node }, ...(undoers.get(run) ?? [])])
  }
  return undoers
}

function withUndoers(summary: RunSummary, undoers: ReadonlyMap<string, readonly Undoer[]>): RunSummary {
  const undoneBy = (undoers.get(summary.id) ?? []).map(({ by, node }) => ({ runId: by, node }))
  if (undoneBy.length === 0) return summary
  return { ...summary, undoneBy, summary: [summary.summary, ...undoneWords(summary.kind, undoneBy)].join(' ') }
}

function viewRun(runs: FoldedRuns, given: string): ReturnType<RunReading['view']> {
  const { journal, hasLostDriver, whyRefused } = runs
  const id = idIn(journal, given)
  if (!id.ok) return id
  const driven = journal.row(id.value)
  // Only a run on the same node undoes a run of one node.
  const among = { cluster: driven?.cluster ?? null, ...(driven?.node ? { node: driven.node } : {}) }
  const rows = driven === null ? ok([]) : journal.rows(among)
  if (!rows.ok) return rows
  const read = viewedRun(runs, id.value, rows.value)
  if (!read.ok) return read
  const { view, events } = read.value
  const interrupted = hasLostDriver(view, driven)
  const summary = summarizeRun(view, interrupted, whyRefused(view.id))
  const undoers = undoersOf(runs, rows.value)
  return ok({ view, events, interrupted, summary: withUndoers(summary, undoers) })
}

function* readAhead({ journal, viewed }: FoldedRuns, given: string): Pieces<void> {
  const id = idIn(journal, given)
  const row = id.ok ? journal.row(id.value) : null
  if (row === null) return
  const rows = journal.rows({ cluster: row.cluster, ...(row.node ? { node: row.node } : {}) })
  const lastSeq = rows.ok ? rows.value.find(each => each.id === row.id)?.lastSeq : undefined
  if (lastSeq === undefined || viewed.get(row.id)?.lastSeq === lastSeq) return
  const events = yield* journal.eventsInPieces(row.id, lastSeq)
  // What cannot be read, `view` says.
  if (!events.ok || events.value.length === 0) return
  keepViewed(viewed, row.id, { lastSeq, events: events.value, view: yield* foldInPieces(events.value) })
}

function keepViewed(viewed: FoldedRuns['viewed'], id: string, run: Viewed): void {
  viewed.delete(id)
  viewed.set(id, run)
  for (const oldest of [...viewed.keys()].slice(0, -MOST_VIEWED)) viewed.delete(oldest)
}

/** A run is read and folded again only if it has new events. */
function viewedRun({ journal, viewed }: FoldedRuns, id: string, rows: readonly ListedRow[]): Result<Viewed> {
  const lastSeq = rows.find(row => row.id === id)?.lastSeq ?? 0
  const known = viewed.get(id)
  viewed.delete(id)
  if (known !== undefined && lastSeq > 0 && known.lastSeq === lastSeq) {
    viewed.set(id, known)
    return ok(known)
  }
  const events = journal.events(id)
  if (!events.ok) return events
  const fresh = { lastSeq, events: events.value, view: foldRun(events.value) }
  keepViewed(viewed, id, fresh)
  return ok(fresh)
}

function listRuns(runs: FoldedRuns, filter: RunFilter): Result<readonly RunSummary[]> {
  const rows = runs.journal.rows(filter)
  if (!rows.ok) return rows
  // An undo is newer than the run it undid, so every list, newest first, that has the run also has the undo.
  const undoers = undoersOf(runs, rows.value)
  return ok(
    rows.value.map(row => {
      const known = foldRow(runs, row)
      return known.ok ? withUndoers(summaryOf(runs, known.value, row), undoers) : unreadable(row, known.failure)
    }),
  )
}

async function listHistory(runs: FoldedRuns, filter: RunFilter): Promise<Result<readonly RunInHistory[]>> {
  const { journal, clock } = runs
  const rows = journal.rows(filter)
  if (!rows.ok) return rows
  const listed: RunInHistory[] = []
  const undoers = undoersOf(runs, rows.value)
  let since = clock.now()
  for (const row of rows.value) {
    const known = foldRow(runs, row)
    listed.push(
      known.ok
        ? { ...known.value.past, summary: withUndoers(summaryOf(runs, known.value, row), undoers) }
        : { ...UNREADABLE, summary: unreadable(row, known.failure), damage: known.failure.message },
    )
    if (clock.now() - since < READ_AT_ONCE_MS) continue
    await clock.sleep(0)
    since = clock.now()
  }
  return ok(listed)
}

function listUnfinished(runs: FoldedRuns, cluster: string): Result<readonly UnfinishedRun[]> {
  const rows = runs.journal.rows({ cluster })
  if (!rows.ok) return rows
  return ok(
    rows.value.flatMap((row): readonly UnfinishedRun[] => {
      if (row.finished) return []
      const { id, kind, node, createdAt } = row
      const known = foldRow(runs, row)
      const view = known.ok ? known.value.view : null
      if (known.ok && view === null) return []
      const interrupted = runs.hasLostDriver(view ?? { id, state: { kind: 'running' } }, row)
      return [{ id, kind, node, createdAt, view, interrupted }]
    }),
  )
}

function listTakenOut(runs: FoldedRuns, cluster: string): Result<readonly RunThatTookOut[]> {
  const rows = runs.journal.rows({ cluster })
  if (!rows.ok) return rows
  return ok(
    rows.value.flatMap(row => {
      const known = foldRow(runs, row)
      const nodes = known.ok ? known.value.takenOut : touchedBy(row)
      return nodes?.size === 0 ? [] : [{ id: row.id, createdAt: row.createdAt, nodes }]
    }),
  )
}

/** The run with this id, or whose id begins with this. */
export function idIn(journal: Pick<Journal, 'idsBeginningWith'>, given: string): Result<string> {
  const ids = journal.idsBeginningWith(given)
  const exact = ids.find(id => id === given)
  const only = exact ?? (ids.length === 1 ? ids[0] : undefined)
  if (only !== undefined && given !== '') return ok(only)
  return failed(
    ids.length > 1
      ? refusal('bad-input', because('SeveralRunsBegin', { given, runs: namesOf(ids) }))
      : refusal('not-found', because('NoSuchRun', { given }), {
          target: `run/${given}`,
        }),
  )
}

/** What an unreadable run may have done: anything to its node; null means to any node, if it works on several. */
function touchedBy({ node }: ListedRow): TakenOut | null {
  return node === null || node === '' ? null : new Map([[node, 'unknown']])
}

const UNREADABLE = { windowId: null, reasons: [], measured: [], blocked: [] }

/** A run with a damaged history is listed with what else is known; other runs are not affected. */
function unreadable(row: ListedRow, why: Failure): RunSummary {
  const { id, kind, cluster, node, machine, createdAt, heartbeatAtMs } = row
  const summary = why.message
  // The damage does not affect its driver's heartbeat, which counts too.
  const since = new Date(Math.max(heartbeatAtMs, Date.parse(createdAt))).toISOString()
  return {
    id,
    kind,
    cluster,
    node,
    nodes: null,
    undoes: null,
    machine,
    createdAt,
    state: 'interrupted',
    condition: { kind: 'interrupted', since, at: null, left: { code: 'RecordDamaged', cause: summary }, waits: [] },
    operator: '',
    endedAt: null,
    summary,
  }
}
