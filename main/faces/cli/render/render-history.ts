import type { ListedWindow, RequestOutput } from '../../../../shared/contract/index.ts'
import type { HistoryRun } from '../../../../shared/contract/reports.ts'
import {
  DURATION_PARTS,
  type DurationFigures,
  type DurationPart,
  durationsOf,
  measuredParts,
} from '../../../../shared/domain/duration-figures.ts'
import type { MeasuredNode, RecurringBlocker } from '../../../../shared/domain/history.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'
import { betweenWords, durationWords } from '../../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import { conditionWord } from '../../../../shared/words/conditions.ts'
import { RUN_KIND_WORDS } from '../../../../shared/words/runs.ts'
import { shortIds } from '../find-run.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'
import { summaryInList } from './gate-words.ts'

const PART_WORDS: Readonly<Record<DurationPart, string>> = {
  evacuation: 'INSTANCES',
  'per-gib': 'PER GiB',
  drain: 'DRAIN',
  work: 'WORK',
  return: 'BACK',
  enter: 'TAKE OUT',
  update: 'UPDATE',
}

export function renderHistory(found: RequestOutput<'history.search'>, look: Look): readonly string[] {
  const { runs, windows, more } = found
  if (runs.length + windows.length === 0) return ['Nothing found.']
  const short = shortIds([...runs.map(({ id }) => id), ...windows.map(({ window }) => window.id)])
  const rows = [
    ...runs.map(run => ({ at: run.createdAt, cells: runCells(run, short, look) })),
    ...windows.map(each => ({ at: each.window.startsAt, cells: windowCells(each, short, look) })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return [
    ...renderTable(
      ['WHEN', 'ID', 'KIND', 'CLOUD', 'WHAT', 'STATE', 'TOOK', 'BY', 'WINDOW', 'SUMMARY'],
      rows.map(({ cells }) => cells),
      look,
    ),
    ...(more ? ['', 'There are older entries: --limit N shows more, --to DAY goes further back.'] : []),
  ]
}

function runCells(run: HistoryRun, short: ReadonlyMap<string, string>, look: Look): readonly string[] {
  return [
    dateAndTime(run.createdAt, look.clock),
    short.get(run.id) ?? run.id,
    RUN_KIND_WORDS[run.kind],
    run.cluster,
    run.node ?? '-',
    conditionWord(run.condition),
    run.endedAt === null ? '-' : betweenWords(run.createdAt, run.endedAt),
    run.operator,
    run.windowId === null ? '-' : (short.get(run.windowId) ?? run.windowId),
    summaryInList(run),
  ]
}

function windowCells({ window, status, runs }: ListedWindow, short: ReadonlyMap<string, string>, look: Look) {
  const id = short.get(window.id) ?? window.id
  return [
    dateAndTime(window.startsAt, look.clock),
    id,
    'window',
    window.cluster,
    window.title,
    status,
    betweenWords(window.startsAt, window.endsAt),
    window.operator,
    id,
    [window.ticket, counted(runs.length, 'run'), window.closed?.summary ?? window.cancelled?.why ?? '']
      .filter(text => text !== '')
      .join('; '),
  ]
}

/** Measured times by cluster and node: median and 90th percentile. */
export function renderDurations(measured: readonly MeasuredNode[], look: Look): readonly string[] {
  if (measured.length === 0)
    return ['Nothing was measured yet. Lockkeeper measures nodes when they go out of service and come back.']
  const parts = DURATION_PARTS.filter(part => measuredParts(measured).has(part))
  const byPart = new Map(parts.map(part => [part, durationsOf(measured, part, inOrder)]))
  const clusters = [...new Set(measured.map(({ cluster }) => cluster))].toSorted(inOrder)
  return [
    ...clusters.flatMap(cluster => {
      const of = (part: DurationPart) => byPart.get(part)?.find(each => each.cluster === cluster)
      const own = measured.filter(each => each.cluster === cluster)
      const nodes = [...new Set(own.map(({ node }) => node))].toSorted(inOrder)
      return [
        look.palette.strong(cluster),
        ...renderTable(
          ['NODE', 'TIMES', ...parts.map(part => PART_WORDS[part])],
          [
            ['all', String(own.length), ...parts.map(part => figuresText(of(part)?.all))],
            ...nodes.map(node => [
              node,
              String(own.filter(each => each.node === node).length),
              ...parts.map(part => figuresText(of(part)?.nodes.find(each => each.node === node)?.figures)),
            ]),
          ],
          look,
          '  ',
        ),
        '',
      ]
    }),
    'Median / 90th percentile.',
  ]
}

function figuresText(figures: DurationFigures | undefined): string {
  if (figures === undefined) return '-'
  const { count, medianMs, p90Ms } = figures
  return count === 1 ? durationWords(medianMs) : `${durationWords(medianMs)} / ${durationWords(p90Ms)}`
}

/** Checks that blocked several runs, with the ids of those runs. */
export function renderBlockers(blockers: readonly RecurringBlocker[], look: Look): readonly string[] {
  if (blockers.length === 0) return ['No check blocked two runs or more.']
  return blockers.flatMap(({ cluster, code, message, nodes, times, overridden, firstAt, lastAt, runIds }) => [
    `${look.palette.strong(cluster)}: ${message} ${look.palette.faint(`(${code})`)}`,
    ...hang(
      '  ',
      `${counted(times, 'time')}${overridden === 0 ? '' : `, ${overridden} overridden`}, from ${dateAndTime(firstAt, look.clock)} to ${dateAndTime(lastAt, look.clock)}, on ${listed(nodes)}`,
      look.columns,
    ),
    ...hang('  ', `Runs: ${runIds.join(', ')}`, look.columns),
  ])
}

function inOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
