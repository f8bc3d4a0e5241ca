import type { JournalEntry } from '../../shared/domain/journal-chain.ts'
import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import type { ReportSubject } from '../../shared/domain/report.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { foldWindow } from '../../shared/domain/window.ts'
import type { ExtractWish, JournalExtract, ReportSource } from '../ports/journal.ts'
import { entriesInPieces, type ReadEntries } from './read-entries.ts'

interface GatherWish {
  readonly subject: ReportSubject
  readonly runIds: readonly string[]
  readonly windowId: string | null
  readonly madeAt: string
  /** Leaves out what was written after this link; null leaves out nothing. */
  readonly upToLink: number | null
}

/** The runs, the window, and what happened on the cluster meanwhile. The same request always has the same result, whatever was written since. */
export function gatherEntries(source: ReportSource, wish: GatherWish): Result<JournalExtract> {
  return atOnce(gatherInPieces(source, wish))
}

export function* gatherInPieces(source: ReportSource, wish: GatherWish): Pieces<Result<JournalExtract>> {
  const { runIds, windowId, madeAt, upToLink } = wish
  const windowIds = windowId === null ? [] : [windowId]
  const own = yield* ownEntries(source, { runIds, windowIds, around: [] }, upToLink)
  if (!own.ok) return own
  yield
  const stretch = stretchOf(yield* entriesInPieces(own.value), wish.subject, madeAt)
  yield
  const around = stretch === null ? [] : [stretch]
  const all = yield* source.extractInPieces({ runIds, windowIds, around })
  yield
  return all.ok ? ok(upTo(all.value, upToLink)) : all
}

function* ownEntries(
  source: ReportSource,
  wish: ExtractWish,
  upToLink: number | null,
): Pieces<Result<readonly JournalEntry[]>> {
  // Only the chain tells which entries are later than a link.
  if (upToLink === null) return yield* source.entriesInPieces(wish)
  const own = yield* source.extractInPieces(wish)
  return own.ok ? ok(upTo(own.value, upToLink).entries) : own
}

/** The time of the work: earlier and later changes of the cloud do not belong to the report. */
function stretchOf(
  { runs, windows }: ReadEntries,
  subject: ReportSubject,
  madeAt: string,
): { readonly cluster: string; readonly from: string; readonly to: string } | null {
  const window = subject.kind === 'window' ? foldWindow(windows.get(subject.id) ?? []) : null
  const ofSubject = [...runs]
    .filter(([id]) => subject.kind === 'window' || id === subject.id)
    .map(([, events]) => events)
  const cluster = window?.cluster ?? clusterOf(ofSubject)
  if (cluster === null) return null
  const times = ofSubject.flatMap(events => [
    events[0]?.at ?? madeAt,
    hasEnded(events) ? (events.at(-1)?.at ?? madeAt) : madeAt,
  ])
  if (window !== null) times.push(window.startsAt, earlier(window.closed?.at ?? window.endsAt, madeAt))
  const from = times.reduce(earlier, madeAt)
  const to = times.reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b), from)
  // The journal's time format compares as text.
  return { cluster, from: iso(from), to: iso(earlier(to, madeAt)) }
}

/** The same without entries after a link. Damage stays: it concerns the current journal. */
function upTo(extract: JournalExtract, link: number | null): JournalExtract {
  if (link === null) return extract
  const links = extract.chain.links.filter(({ seq }) => seq <= link)
  const kept = new Set(links.map(({ source, sourceSeq }) => `${source}/${sourceSeq}`))
  const entries = extract.entries.filter(({ source, sourceSeq }) => kept.has(`${source}/${sourceSeq}`))
  // The links end with the last entry, as they did then.
  const last = links.findLast(({ source, sourceSeq }) =>
    entries.some(entry => entry.source === source && entry.sourceSeq === sourceSeq),
  )
  const stretch = links.filter(({ seq }) => seq <= (last?.seq ?? 0))
  return {
    entries,
    chain: { ...extract.chain, links: stretch, after: stretch.at(-1)?.hash ?? extract.chain.before },
    damage: extract.damage,
  }
}

function clusterOf(runs: readonly (readonly RunEvent[])[]): string | null {
  for (const event of runs.flat()) if (event.body.kind === 'run-created') return event.body.plan.cluster
  return null
}

function hasEnded(events: readonly RunEvent[]): boolean {
  return events.at(-1)?.body.kind === 'run-finished'
}

function earlier(a: string, b: string): string {
  return Date.parse(a) <= Date.parse(b) ? a : b
}

function iso(at: string): string {
  return new Date(Date.parse(at)).toISOString()
}
