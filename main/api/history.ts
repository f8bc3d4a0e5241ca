import type { HistoryRun, ListedWindow } from '../../shared/contract/index.ts'
import { recurringBlockers } from '../../shared/domain/recurring-blockers.ts'
import { ok } from '../../shared/domain/result.ts'
import type { RunInHistory } from '../runs/run-in-history.ts'
import { createMeasurements } from '../windows/measurements.ts'
import { createWindowReader } from '../windows/window-reader.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function historyHandlers({
  runs,
  windows,
  clock,
  others,
}: Pick<ApiServices, 'runs' | 'windows' | 'clock'> & {
  readonly others: Pick<ApiServices['others'], 'begin'>
}): Pick<Handlers, 'history.search' | 'history.durations' | 'history.moves' | 'history.blockers'> {
  const measuredOn = createMeasurements({ runs })
  return {
    'history.search': async ({ cluster, text, from, to, limit }) => {
      others.begin()
      const past = await runs.history({ cluster })
      if (!past.ok) return past
      const listed = createWindowReader({ runs, windows, clock }).list(cluster)
      if (!listed.ok) return listed
      const windowById = new Map(listed.value.map(({ window }) => [window.id, window]))
      const matches = textMatcher(text)
      const times = withinTimes(from, to, clock.now())
      const foundRuns = past.value.filter(run => {
        const window = run.windowId === null ? null : (windowById.get(run.windowId) ?? null)
        return times(run.summary.createdAt, run.summary.endedAt) && matches(wordsOfRun(run, window))
      })
      const foundWindows = listed.value.filter(
        ({ window }) => times(window.startsAt, window.closed?.at ?? window.endsAt) && matches(wordsOfWindow(window)),
      )
      const page = newestFirst(foundRuns, foundWindows, limit)
      return ok({ runs: page.runs.map(historyRun), windows: [...page.windows], more: page.more })
    },
    'history.durations': async ({ cluster }) => {
      const past = await runs.history({ cluster })
      if (!past.ok) return past
      return ok({
        measured: past.value.flatMap(({ measured }) => measured).toSorted((a, b) => a.at.localeCompare(b.at)),
        unreadable: past.value.flatMap(({ damage }) => (damage === null ? [] : [damage])),
      })
    },
    'history.moves': async ({ cluster }) => ok({ moves: [...measuredOn(cluster).moves] }),
    'history.blockers': async ({ cluster }) => {
      const past = await runs.history({ cluster })
      return past.ok ? ok([...recurringBlockers(past.value.flatMap(({ blocked }) => blocked))]) : past
    },
  }
}

function historyRun({ summary, windowId }: RunInHistory): HistoryRun {
  return { ...summary, windowId }
}

/** A run is also found by its window's title and ticket. */
function wordsOfRun(
  { summary, windowId, reasons, measured }: RunInHistory,
  window: ListedWindow['window'] | null,
): readonly string[] {
  const { id, kind, cluster, node, operator, machine, state } = summary
  return [
    id,
    kind,
    cluster,
    node ?? '',
    operator,
    machine,
    state,
    summary.summary,
    windowId ?? '',
    window?.title ?? '',
    window?.ticket ?? '',
    ...reasons,
    ...measured.map(found => found.node),
  ]
}

function wordsOfWindow(window: ListedWindow['window']): readonly string[] {
  const { id, cluster, title, ticket, operator, machine, notes, plan, closed, cancelled, remarks } = window
  return [
    id,
    cluster,
    title,
    ticket,
    operator,
    machine,
    notes,
    closed?.summary ?? '',
    cancelled?.why ?? '',
    ...remarks.map(remark => remark.text),
    ...(plan.kind === 'batches' ? plan.batches.flatMap(({ nodes }) => nodes) : []),
  ]
}

/** Whether every typed word occurs in the texts of a thing, ignoring case. */
function textMatcher(text: string): (known: readonly string[]) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return known => {
    const all = known.join('\n').toLowerCase()
    return words.every(word => all.includes(word))
  }
}

/** Whether a finished or running thing overlaps a period (ends included). */
function withinTimes(
  from: string | null,
  to: string | null,
  nowMs: number,
): (beganAt: string, endedAt: string | null) => boolean {
  const first = from === null ? Number.NEGATIVE_INFINITY : Date.parse(from)
  const last = to === null ? Number.POSITIVE_INFINITY : Date.parse(to)
  return (beganAt, endedAt) =>
    Date.parse(beganAt) <= last && (endedAt === null ? Math.max(nowMs, first) : Date.parse(endedAt)) >= first
}

/** The newest of both lists, up to a maximum; a window counts from its start. */
function newestFirst(
  runs: readonly RunInHistory[],
  windows: readonly ListedWindow[],
  limit: number,
): { readonly runs: readonly RunInHistory[]; readonly windows: readonly ListedWindow[]; readonly more: boolean } {
  const oldestShown = [
    ...runs.map(({ summary }) => Date.parse(summary.createdAt)),
    ...windows.map(({ window }) => Date.parse(window.startsAt)),
  ].toSorted((a, b) => b - a)[limit - 1]
  const byBegin = windows.toSorted((a, b) => Date.parse(b.window.startsAt) - Date.parse(a.window.startsAt))
  if (oldestShown === undefined) return { runs, windows: byBegin, more: false }
  // Entries of the same moment stay on one page.
  const shownRuns = runs.filter(({ summary }) => Date.parse(summary.createdAt) >= oldestShown)
  const shownWindows = byBegin.filter(({ window }) => Date.parse(window.startsAt) >= oldestShown)
  const shown = shownRuns.length + shownWindows.length
  return { runs: shownRuns, windows: shownWindows, more: shown < runs.length + windows.length }
}
