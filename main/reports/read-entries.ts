import { Edit } from '../../shared/domain/edit.ts'
import type { JournalEntry } from '../../shared/domain/journal-chain.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import { assertNever } from '../../shared/domain/must.ts'
import { Observation } from '../../shared/domain/observation.ts'
import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import { type RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import { type KeptSignal, SignalEntry } from '../../shared/domain/signals.ts'
import type { UpdateMoment } from '../../shared/domain/update.ts'
import { type WindowEvent, WindowEventBody } from '../../shared/domain/window.ts'

/** Journal entries by kind: the source of every part of a report. */
export interface ReadEntries {
  /** Events by run, runs in the order in which they were created. */
  readonly runs: ReadonlyMap<string, readonly RunEvent[]>
  readonly windows: ReadonlyMap<string, readonly WindowEvent[]>
  readonly edits: readonly Edit[]
  readonly observed: readonly UpdateMoment[]
  readonly signals: readonly KeptSignal[]
  /** Entries that this version cannot read, in words. */
  readonly damage: readonly string[]
}

const EditBody = Edit.omit({ seq: true, at: true, cluster: true, node: true })

/** Reads stored journal entries. An unreadable entry is damage; it is never guessed. */
export function readEntries(entries: readonly JournalEntry[]): ReadEntries {
  return atOnce(entriesInPieces(entries))
}

/** Entries between two yields: some milliseconds. */
const ENTRIES_AT_ONCE = 100

export function* entriesInPieces(entries: readonly JournalEntry[]): Pieces<ReadEntries> {
  const runs = new Map<string, RunEvent[]>()
  const windows = new Map<string, WindowEvent[]>()
  const edits: Edit[] = []
  const observed: UpdateMoment[] = []
  const signals: KeptSignal[] = []
  const damage: string[] = []
  for (const [at, entry] of entries.entries()) {
    if (!readEntry(entry)) damage.push(unreadable(entry))
    if (at % ENTRIES_AT_ONCE === 0) yield
  }
  for (const [id, events] of [...runs]) {
    if (events.some(({ body }) => body.kind === 'run-created')) continue
    damage.push(`The beginning of run ${id} is missing, so this report leaves that run out.`)
    runs.delete(id)
  }
  return { runs, windows, edits, observed, signals, damage }

  function readEntry({ source, sourceSeq: seq, key, at, body: text }: JournalEntry): boolean {
    const raw = jsonOf(text)
    switch (source) {
      case 'run-event': {
        const body = RunEventBody.safeParse(raw)
        if (!body.success) return false
        listOf(runs, key).push({ seq, runId: key, at, body: body.data })
        return true
      }
      case 'window-event': {
        const body = WindowEventBody.safeParse(raw)
        if (!body.success) return false
        listOf(windows, key).push({ seq, windowId: key, at, body: body.data })
        return true
      }
      case 'edit': {
        const body = EditBody.safeParse(raw)
        if (!body.success) return false
        const [cluster = key, node] = splitOnce(key)
        edits.push({ seq, at, cluster, node: node === undefined || node === '' ? null : node, ...body.data })
        return true
      }
      case 'observation': {
        const observation = Observation.safeParse(raw)
        if (!observation.success) return false
        if (observation.data.kind === 'moment') observed.push(observation.data.moment)
        return true
      }
      case 'signal': {
        const body = SignalEntry.safeParse(raw)
        if (!body.success) return false
        // A digest names no cloud; the run does.
        signals.push({ seq, runId: key, cluster: '', at, body: body.data })
        return true
      }
      default:
        return assertNever(source, 'source of an entry')
    }
  }
}

function unreadable({ source, sourceSeq, key, at }: JournalEntry): string {
  return `This version of Lockkeeper cannot read entry ${sourceSeq} of ${SOURCES[source]} (${key}, ${at}), so this report leaves it out.`
}

const SOURCES: Readonly<Record<JournalEntry['source'], string>> = {
  'run-event': 'the events of runs',
  'window-event': 'the events of windows',
  edit: 'the edits by hand',
  observation: 'the observations',
  signal: 'the signals',
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function splitOnce(key: string): readonly string[] {
  const at = key.indexOf('/')
  return at < 0 ? [key] : [key.slice(0, at), key.slice(at + 1)]
}
