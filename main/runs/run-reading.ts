import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { nodeOfPlan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { completedAllSteps } from '../../shared/domain/run-ending.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import { type RunWithNodes, type TakenOut, takenOutIn } from '../../shared/domain/taken-out.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { undoneWords } from '../../shared/words/run-ending.ts'
import { namesOf } from '../../shared/words/steps/coded.ts'
import type { Journal, ListedRow, RunFilter } from '../journal/journal.ts'
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
  /** Newest first. */
  list(filter: RunFilter): Result<readonly RunSummary[]>
  /** The history's rows, newest first: reads everything once, afterwards only new events. */
  history(filter: RunFilter): Promise<Result<readonly RunInHistory[]>>
  /** The unfinished runs of a cluster, newest first. */
  unfinished(cluster: string): Result<readonly { readonly view: RunView; readonly interrupted: boolean }[]>
  /**
   * Which nodes the runs of a cluster took out of service or brought back, newest first. Runs that did neither are left out; runs with a damaged
   * record are included.
   */
  takenOut(cluster: string): Result<readonly RunThatTookOut[]>
}

/** A run that took nodes out of service, or brought them back. */
interface RunThatTookOut extends RunWithNodes {
  readonly createdAt: string
}

/** A run after its event `lastSeq`. For a finished run it stores only what lists and the history show: views are large. */
interface Folded {
  readonly lastSeq: number
  readonly summary: RunSummary
  readonly past: Omit<RunInHistory, 'summary'>
  readonly view: RunView | null
  /** The run that this one undid, and its node; null: it undid no run. */
  readonly undid: { readonly run: string; readonly node: string } | null
  readonly takenOut: TakenOut
}

interface Undoer {
  readonly by: string
  readonly node: string
}

/** Longest time that a bulk read may block the event loop. */
const READ_AT_ONCE_MS = 20

/**
 * Reads the runs of a journal. `hasLostDriver`: whether an unfinished run has no driver any more; `whyRefused`: why the journal rejected events of a run from
 * this process.
 */
export function createRunReading(parts: {
  readonly journal: Pick<Journal, 'events' | 'row' | 'rows' | 'idsBeginningWith'>
  readonly hasLostDriver: (view: RunView, row: RunRow | null) => boolean
  readonly whyRefused: (runId: string) => string | undefined
  readonly clock: Clock
}): RunReading {
  const { journal, hasLostDriver, whyRefused, clock } = parts
  const folded = new Map<string, Folded>()

  const foldedOf = (row: ListedRow): Result<Folded> => {
    const known = folded.get(row.id)
    if (known?.lastSeq === row.lastSeq) return ok(known)
    const events = journal.events(row.id)
    if (!events.ok) return events
    const view = foldRun(events.value)
    const summary = summarizeRun(view, false)
    const past = inHistory(view, events.value)
    const hasEnded = view.state.kind === 'finished'
    const undid =
      view.plan.kind === 'undo' && completedAllSteps(summary) ? { run: view.plan.undoes, node: view.plan.node } : null
    const fresh = {
      lastSeq: row.lastSeq,
      summary,
      past,
      view: hasEnded ? null : view,
      undid,
      takenOut: takenOutIn(view),
    }
    folded.set(row.id, fresh)
    return ok(fresh)
  }
  const summaryOf = ({ view, summary }: Folded, row: ListedRow): RunSummary =>
    view !== null && hasLostDriver(view, row) ? summarizeRun(view, true, whyRefused(view.id)) : summary

  /** Which runs of a cluster were undone, on which node and by which run; an undo that cannot be read is ignored. */
  const undoersOf = (rows: readonly ListedRow[]): ReadonlyMap<string, readonly Undoer[]> => {
    const undoers = new Map<string, readonly Undoer[]>()
    for (const row of rows.filter(({ kind }) => kind === 'undo')) {
      const known = foldedOf(row)
      if (!known.ok || known.value.undid === null) continue
      const { run, node } = known.value.undid
      undoers.set(run, [{ by: row.id, node }, ...(undoers.get(run) ?? [])])
    }
    return undoers
  }
  const undone = (summary: RunSummary, undoers: ReadonlyMap<string, readonly Undoer[]>): RunSummary => {
    const undoneBy = (undoers.get(summary.id) ?? []).map(({ by, node }) => ({ runId: by, node }))
    if (undoneBy.length === 0) return summary
    return { ...summary, undoneBy, summary: [summary.summary, ...undoneWords(summary.kind, undoneBy)].join(' ') }
  }

  return {
    view: given => {
      const id = idIn(journal, given)
      if (!id.ok) return id
      const events = journal.events(id.value)
      if (!events.ok) return events
      const view = foldRun(events.value)
      const interrupted = hasLostDriver(view, journal.row(id.value))
      const summary = summarizeRun(view, interrupted, whyRefused(view.id))
      const node = nodeOfPlan(view.plan)
      // Only a run on the same node undoes a run of one node.
      const rows = journal.rows({ cluster: view.plan.cluster, ...(node === null ? {} : { node }) })
      if (!rows.ok) return rows
      return ok({ view, events: events.value, interrupted, summary: undone(summary, undoersOf(rows.value)) })
    },
    list: filter => {
      const rows = journal.rows(filter)
      if (!rows.ok) return rows
      // An undo is newer than the run it undid, so every list, newest first, that has the run also has the undo.
      const undoers = undoersOf(rows.value)
      return ok(
        rows.value.map(row => {
          const known = foldedOf(row)
          return known.ok ? undone(summaryOf(known.value, row), undoers) : unreadable(row, known.failure)
        }),
      )
    },
    history: async filter => {
      const rows = journal.rows(filter)
      if (!rows.ok) return rows
      const listed: RunInHistory[] = []
      const undoers = undoersOf(rows.value)
      let since = clock.now()
      for (const row of rows.value) {
        const known = foldedOf(row)
        listed.push(
          known.ok
            ? { ...known.value.past, summary: undone(summaryOf(known.value, row), undoers) }
            : { ...UNREADABLE, summary: unreadable(row, known.failure), damage: known.failure.message },
        )
        if (clock.now() - since < READ_AT_ONCE_MS) continue
        await clock.sleep(0)
        since = clock.now()
      }
      return ok(listed)
    },
    unfinished: cluster => {
      const rows = journal.rows({ cluster })
      if (!rows.ok) return rows
      const listed: { view: RunView; interrupted: boolean }[] = []
      for (const row of rows.value.filter(({ finished }) => !finished)) {
        const known = foldedOf(row)
        const view = known.ok ? known.value.view : null
        if (view !== null) listed.push({ view, interrupted: hasLostDriver(view, row) })
      }
      return ok(listed)
    },
    takenOut: cluster => {
      const rows = journal.rows({ cluster })
      if (!rows.ok) return rows
      return ok(
        rows.value.flatMap(row => {
          const known = foldedOf(row)
          const nodes = known.ok ? known.value.takenOut : touchedBy(row)
          return nodes?.size === 0 ? [] : [{ id: row.id, createdAt: row.createdAt, nodes }]
        }),
      )
    },
  }
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

/** What an unreadable run may have done: anything to its node; null: to any node, if it works on several. */
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
