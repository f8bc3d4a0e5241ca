import { clockWords } from '../../shared/domain/clock-skew.ts'
import { atMostWords, durationWords } from '../../shared/domain/duration-words.ts'
import { factSaying, factSentence } from '../../shared/domain/fact-words.ts'
import type { Json } from '../../shared/domain/json.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { Report } from '../../shared/domain/report.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { WindowEvent } from '../../shared/domain/window.ts'
import { nodeOfStep, stepOf } from './material.ts'
import { readEntries } from './read-entries.ts'

/** One line of the table of events. */
interface ReportedEvent {
  readonly at: string
  readonly source: 'run' | 'window' | 'edit' | 'summary'
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
  const { runs, windows, edits } = readEntries(entries)
  const told = [...runs].filter(([id]) => subject.kind === 'window' || id === subject.id)
  return [
    ...[...windows.values()].flat().map(fromWindowEvent),
    ...told.flatMap(([, events]) => runEvents(events)),
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
      node: step === undefined ? run.view.plan.node : nodeOfStep(run, step),
      kind: body.kind === 'fact' ? body.fact : body.kind,
      step: 'stepId' in body ? (step?.title ?? body.stepId) : '',
      subject: body.kind === 'fact' ? body.subject : '',
      words: runWords(body, step?.title ?? ''),
    }
  })
}

function runWords(body: RunEvent['body'], title: string): string {
  switch (body.kind) {
    case 'run-created':
    case 'run-driven':
      return `${body.driver.operator} on ${body.driver.machine}, Lockkeeper ${body.driver.version}`
    case 'lease-acquired':
      return `lease of ${body.node === '' ? 'the cluster' : body.node}`
    case 'machine-slept':
      return `${durationWords(body.ms)} since ${body.since}`
    case 'clocks-measured':
      return body.clocks.map(clockWords).join(' ')
    case 'lease-watched':
      return `${body.message} Watched for ${atMostWords(body.forMs)} at most.`
    case 'lease-back':
      return `away for ${durationWords(body.awayMs)}, nobody had taken it`
    case 'lease-away':
    case 'lease-lost':
      return body.why
    case 'step-checked':
      return body.answer.kind === 'blocked'
        ? `blocked: ${body.answer.blockers.map(({ message }) => message).join(' ')}`
        : `${body.answer.kind}: ${body.answer.reason}`
    case 'blocker-overridden':
      return `--${body.flag} (${body.reason}): ${body.message}`
    case 'step-started':
      return `attempt ${body.attempt}`
    case 'fact':
      return `${factSentence(factSaying(body, title))} ${valuesWords(body.values)}`.trim()
    case 'step-applied':
      return body.note
    case 'step-failed':
      return body.failure.message
    case 'step-skipped':
      return `${body.by}: ${body.reason}`
    case 'step-verified':
      return `${body.round}, ${body.answer.kind}: ${body.answer.reason}`
    case 'gate-opened':
      return body.question
    case 'gate-answered':
      return `${body.by}: ${body.choice}${body.reason === '' ? '' : ` (${body.reason})`}`
    case 'pause-requested':
    case 'pause-after-node-requested':
    case 'resume-requested':
      return body.by
    case 'abort-requested':
      return `${body.by}${body.reason === '' ? '' : `: ${body.reason}`}`
    case 'driver-left':
      return body.why
    case 'paused':
      return ''
    case 'run-finished':
      return `${body.outcome}: ${body.summary}`
    default:
      return assertNever(body, 'run event')
  }
}

function valuesWords(values: Readonly<Record<string, Json>>): string {
  const told = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return told.length === 0 ? '' : `(${told.join(', ')})`
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
