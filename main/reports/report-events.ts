import type { Json } from '../../shared/domain/json.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { Report } from '../../shared/domain/report.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { WindowEvent } from '../../shared/domain/window.ts'
import { factSaying, factSentence } from '../../shared/words/facts.ts'
import { eventWords } from '../../shared/words/run-events.ts'
import { signalWords } from '../../shared/words/signals.ts'
import { nodeOfStep, stepOf } from './material.ts'
import { readEntries } from './read-entries.ts'

/** One line of the table of events. */
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

/** Everything that happened, oldest first; a redacted report carries no entries, and tells what its parts tell. */
export function reportEvents(report: Report): readonly ReportedEvent[] {
  const events = report.entries.length > 0 ? fromEntries(report) : fromParts(report)
  return [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function fromEntries({ entries, subject }: Report): readonly ReportedEvent[] {
  const { runs, windows, edits, signals } = readEntries(entries)
  const reported = [...runs].filter(([id]) => subject.kind === 'window' || id === subject.id)
  return [
    ...[...windows.values()].flat().map(fromWindowEvent),
    ...reported.flatMap(([, events]) => runEvents(events)),
    ...signals
      .filter(({ runId }) => reported.some(([id]) => id === runId))
      .map((signal): ReportedEvent => {
        const { about, text } = signalWords(signal)
        const { at, runId, body } = signal
        return { at, source: 'signal', runId, node: '', kind: body.kind, step: '', subject: about, words: text }
      }),
    ...edits.map(
      ({ at, node, kind, target, before, after, refused, operator }): ReportedEvent => ({
        at,
        source: 'edit',
        runId: '',
        node: node ?? '',
        kind,
        step: '',
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

/** The entry's values stand beside a fact: who reads a table by program has them too. */
function runWords(body: RunEvent['body'], title: string): string {
  if (body.kind === 'fact') return `${factSentence(factSaying(body, title))} ${valuesWords(body.values)}`.trim()
  const [, words] = eventWords(body, title)
  return words
}

function valuesWords(values: Readonly<Record<string, Json>>): string {
  const reported = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return reported.length === 0 ? '' : `(${reported.join(', ')})`
}

function fromWindowEvent({ at, body, windowId }: WindowEvent): ReportedEvent {
  return {
    at,
    source: 'window',
    runId: '',
    node: '',
    kind: body.kind,
    step: '',
    subject: windowId,
    words: windowWords(body),
  }
}

function windowWords(body: WindowEvent['body']): string {
  switch (body.kind) {
    case 'created':
    case 'changed':
      return `${body.by}: ${body.draft.title}, ${body.draft.startsAt} to ${body.draft.endsAt}`
    case 'estimated':
      return `by ${body.by}`
    case 'noted':
      return `${body.by}: ${body.text}`
    case 'notifying':
      return `${body.by}: to the owners of project ${body.projectName ?? body.projectId ?? 'not known'} (${body.to.join(', ')})`
    case 'notified':
      return `${body.outcome}: ${body.words}`
    case 'start-agreed':
      return `${body.by} on ${body.machine}: starts by itself at ${body.startsAt}`
    case 'start-taken-back':
      return `${body.by}: ${body.why}`
    case 'start-taken':
      return `${body.by} on ${body.machine}`
    case 'start-missed':
      return body.why
    case 'closed':
      return `${body.by}: ${body.summary}`
    case 'cancelled':
      return `${body.by}: ${body.why}`
    default:
      return assertNever(body, 'window event')
  }
}

function fromParts(report: Report): readonly ReportedEvent[] {
  const empty = { source: 'summary', runId: '', node: '', step: '', subject: '', words: '' } as const
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
    ...report.checks.map(({ at, runId, node, title, code, message }) => ({
      ...empty,
      at,
      runId,
      node,
      kind: 'check-blocked',
      step: title,
      subject: code,
      words: message,
    })),
    ...report.locks.map(({ at, runId, node, controller, state, message }) => ({
      ...empty,
      at,
      runId,
      node,
      kind: 'lock',
      subject: controller,
      words: `${state} ${message}`.trim(),
    })),
    ...report.incidents.map(({ at, runId, kind, subject, words }) => ({
      ...empty,
      at,
      runId: runId ?? '',
      kind,
      subject,
      words,
    })),
  ]
}
