import type { CsvTable, Report } from '../../shared/domain/report.ts'
import { visibleText } from '../../shared/domain/visible-text.ts'
import { reportEvents } from './report-events.ts'

type Cell = string | number | null

/** One table of a report as CSV (RFC 4180): a header, CRLF, UTF-8. */
export function reportCsv(report: Report, table: CsvTable): string {
  const { header, rows } = TABLES[table](report)
  return [header, ...rows].map(cells => `${cells.map(cellText).join(',')}\r\n`).join('')
}

interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

const TABLES: Readonly<Record<CsvTable, (report: Report) => Table>> = {
  instances: ({ instances }) => ({
    header: [
      'id',
      'name',
      'project_id',
      'node',
      'run',
      'action',
      'reason',
      'outcome',
      'host_before',
      'status_before',
      'power_before',
      'host_after',
      'status_after',
      'power_after',
      'attempts',
      'move_ms',
      'downtime_ms',
      'downtime',
      'words',
    ],
    rows: instances.map(each => [
      each.id,
      each.name,
      each.projectId,
      each.node,
      each.runId,
      each.action,
      each.reason,
      each.outcome,
      each.before.host,
      each.before.status,
      each.before.power,
      each.after?.host ?? null,
      each.after?.status ?? null,
      each.after?.power ?? null,
      each.attempts,
      each.moveMs,
      each.downtimeMs,
      each.downtimeWords,
      each.words,
    ]),
  }),
  nodes: ({ nodes }) => ({
    header: [
      'node',
      'outcome',
      'runs',
      'from',
      'to',
      ...STAGES.map(stage => `${stage}_ms`),
      'instances_moved',
      'pods_evicted',
      'longest_wait',
      'longest_wait_ms',
      'steps_verified',
      'steps_not_verified',
      'steps_only_done',
    ],
    rows: nodes.map(each => [
      each.node,
      each.outcome,
      each.runIds.join(' '),
      each.fromAt,
      each.toAt,
      ...STAGES.map(stage => stageMs(each.stages, stage)),
      each.instancesMoved,
      each.podsEvicted,
      each.waits[0]?.what ?? null,
      each.waits[0]?.ms ?? null,
      each.steps?.verified ?? null,
      each.steps?.notVerified ?? null,
      each.steps?.onlyDone ?? null,
    ]),
  }),
  events: report => ({
    header: ['at', 'source', 'run', 'node', 'kind', 'step', 'subject', 'words'],
    rows: reportEvents(report).map(each => [
      each.at,
      each.source,
      each.runId,
      each.node,
      each.kind,
      each.step,
      each.subject,
      each.words,
    ]),
  }),
}

const STAGES = ['requested', 'locks', 'draining', 'work', 'returning'] as const

/** All stretches of a stage together; empty while one goes on, or where there was none. */
function stageMs(stages: Report['nodes'][number]['stages'], stage: (typeof STAGES)[number]): number | null {
  const own = stages.filter(each => each.stage === stage)
  if (own.length === 0) return null
  return own.reduce<number | null>((sum, { ms }) => (sum === null || ms === null ? null : sum + ms), 0)
}

/** Text that a spreadsheet would take for a formula is marked as text (OWASP, CSV injection). */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const seen = visibleText(cell)
  // As some take a formula that stands behind blanks, or is written in full width.
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(seen) ? `'${seen}` : seen
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
