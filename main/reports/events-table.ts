import type { Json } from '../../shared/domain/json.ts'
import type { Report } from '../../shared/domain/report.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { WindowEvent } from '../../shared/domain/window.ts'
import { factSaying, factSentence } from '../../shared/words/facts.ts'
import { eventWords } from '../../shared/words/run-events.ts'
import { signalWords } from '../../shared/words/signals.ts'
import { windowEventWords } from '../../shared/words/window-events.ts'
import { name, text, time } from './cells.ts'
import { nodeOfStep, stepOf } from './material.ts'
import { readEntries } from './read-entries.ts'
import { col, KEY, type Table, tableOf } from './sections.ts'

interface ReportedEvent {
  readonly at: string
  readonly source: 'run' | 'window' | 'edit' | 'signal' | 'summary'
  readonly runId: string
  readonly node: string
  readonly kind: string
  readonly step: string
  readonly subject: string
  readonly words: string
}

/** Everything that happened, oldest first. A redacted report has no entries: then from its parts. */
export function eventsTable(report: Report): Table {
  const events = report.entries.length > 0 ? fromEntries(report) : fromParts(report)
  return tableOf<ReportedEvent>({
    caption: 'Events',
    columns: [
      col('at', 'When', event => time(event.at), KEY),
      col('source', 'Source', event => text(event.source)),
      col('run', 'Run', event => text(event.runId)),
      col('node', 'Node', event => name(event.node)),
      col('kind', 'Kind', event => text(event.kind)),
      col('step', 'Step', event => text(event.step)),
      col('subject', 'Subject', event => text(event.subject)),
      col('words', 'Words', event => text(event.words)),
    ],
    groups: [{ of: events.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) }],
  })
}

const EMPTY = { runId: '', node: '', step: '', subject: '', words: '' } as const

function fromEntries({ entries, subject }: Report): readonly ReportedEvent[] {
  const { runs, windows, edits, signals } = readEntries(entries)
  const reported = [...runs].filter(([id]) => subject.kind === 'window' || id === subject.id)
  return [
    ...[...windows.values()].flat().map(fromWindowEvent),
    ...reported.flatMap(([, events]) => runEvents(events)),
    ...signals
      .filter(({ runId }) => reported.some(([id]) => id === runId))
      .map((signal): ReportedEvent => {
        const { about, text: said } = signalWords(signal)
        const { at, runId, body } = signal
        return { ...EMPTY, at, source: 'signal', runId, kind: body.kind, subject: about, words: said }
      }),
    ...edits.map(
      ({ at, node, kind, target, before, after, refused, operator }): ReportedEvent => ({
        ...EMPTY,
        at,
        source: 'edit',
        node: node ?? '',
        kind,
        subject: target,
        words: `${operator}: ${before} → ${after}${refused === null ? '' : ` (refused: ${refused})`}`,
      }),
    ),
  ]
}

function runEvents(events: readonly RunEvent[]): readonly ReportedEvent[] {
  const run = { view: foldRun(events), events, interrupted: false }
  return events.map(({ at, runId, body }) => {
    const step = 'stepId' in body ? stepOf(run, body.stepId) : undefined
    return {
      at,
      source: 'run',
      runId,
      node: nodeOfStep(run, step),
      kind: body.kind === 'fact' ? body.fact : body.kind,
      step: 'stepId' in body ? (step?.title ?? body.stepId) : '',
      subject: body.kind === 'fact' ? body.subject : '',
      words: runWords(body, step?.title ?? ''),
    }
  })
}

function runWords(body: RunEvent['body'], title: string): string {
  if (body.kind === 'fact') return `${factSentence(factSaying(body, title))} ${valuesWords(body.values)}`.trim()
  const [, words] = eventWords(body, title)
  return words
}

function valuesWords(values: Readonly<Record<string, Json>>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return pairs.length === 0 ? '' : `(${pairs.join(', ')})`
}

function fromWindowEvent({ at, body, windowId }: WindowEvent): ReportedEvent {
  return { ...EMPTY, at, source: 'window', kind: body.kind, subject: windowId, words: windowEventWords(body) }
}

function fromParts(report: Report): readonly ReportedEvent[] {
  const empty = { ...EMPTY, source: 'summary' } as const
  return [
    ...report.runs.flatMap(({ id, node, fromAt, toAt, kind, outcome, summary }): readonly ReportedEvent[] => [
      { ...empty, at: fromAt, runId: id, node, kind: 'run-created', words: kind },
      ...(toAt === null
        ? []
        : [{ ...empty, at: toAt, runId: id, node, kind: 'run-finished', words: `${outcome ?? ''}: ${summary}` }]),
    ]),
    ...report.nodes.flatMap(({ node, stages }) =>
      stages.map(({ stage, fromAt }) => ({ ...empty, at: fromAt, node, kind: `stage-${stage}` })),
    ),
    ...report.checks.map(({ at, runId, node, title, code, message }) => {
      return { ...empty, at, runId, node, kind: 'check-blocked', step: title, subject: code, words: message }
    }),
    ...report.locks.map(({ at, runId, node, controller, state, message }) => {
      return { ...empty, at, runId, node, kind: 'lock', subject: controller, words: `${state} ${message}`.trim() }
    }),
    ...report.incidents.map(({ at, runId, kind, subject, words }) => {
      return { ...empty, at, runId: runId ?? '', kind, subject, words }
    }),
  ]
}
