import { isOfTrouble } from '../../shared/domain/answer-history.ts'
import { isApart } from '../../shared/domain/clock-skew.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { ReportIncident } from '../../shared/domain/report.ts'
import type { RunEvent, RunEventBody, RunFact } from '../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  LOCK_WAITING,
  MIGRATION_FAILED,
  MIGRATION_STALLED,
  POD_FAILED,
  subjectName,
  WATCHER_ACTION,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_UNSEEN,
  WORK_JOB_FAILED,
} from '../../shared/domain/run-facts.ts'
import { asSentence } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { exactWords } from '../../shared/grammar/times.ts'
import { factSaying, factSentence } from '../../shared/words/facts.ts'
import { eventWords } from '../../shared/words/run-events.ts'
import { type ContinuedStep, continuedSteps, continuedWords, leftOutWords, nodesLeftOut } from './continued-steps.ts'
import { type Material, nodeOfStep, type ReportedRun, stepOf } from './material.ts'

type IncidentText = Pick<ReportIncident, 'kind' | 'subject' | 'words'>

/** What became of an incident: it is listed, but does not count as an incident. */
const COURSE: ReadonlySet<string> = new Set(['question', 'answered', 'resumed', 'lease-back'])
/** How a run ended. It counts as an incident only if nothing before it says why. */
const ENDS: ReadonlySet<string> = new Set(['aborted', 'failed', 'checks-failed'])

export function countIncidents(incidents: readonly ReportIncident[]): number {
  return incidents.filter(({ counts }) => counts !== false).length
}

/** Marks those that count: a question about a failure, its answer and the end that follows do not. */
function withCounts(incidents: readonly ReportIncident[]): readonly ReportIncident[] {
  const own = incidents.filter(({ kind }) => !COURSE.has(kind))
  const caused = new Set(own.filter(({ kind }) => !ENDS.has(kind)).map(({ runId }) => runId))
  const ended = new Set<string | null>()
  return incidents.map(incident => {
    const { kind, runId } = incident
    if (!ENDS.has(kind)) return { ...incident, counts: !COURSE.has(kind) }
    const counts = !caused.has(runId) && !ended.has(runId)
    ended.add(runId)
    return { ...incident, counts }
  })
}

/** Everything that did not go as planned in runs, and what operators noted, oldest first. */
export function buildIncidents(
  material: Pick<Material, 'runs' | 'window' | 'subject' | 'now' | 'timeZone' | 'timeline'>,
): readonly ReportIncident[] {
  const noted = notedIncidents(material)
  const leftOut = leftOutWords(nodesLeftOut(material))
  const happened = material.runs.flatMap(run => incidentsOf(run, { ...material, leftOut }))
  return withCounts([...noted, ...happened].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)))
}

/** What operators noted about the window; in the report of one run, only during that run. */
function notedIncidents({ window, subject, runs }: Pick<Material, 'runs' | 'window' | 'subject'>): ReportIncident[] {
  const only = subject.kind === 'run' ? runs[0]?.view : undefined
  return (window?.remarks ?? [])
    .filter(({ kind }) => kind === 'incident')
    .filter(({ at }) => only === undefined || (at >= only.createdAt && (only.endedAt === null || at <= only.endedAt)))
    .map(({ at, text, by }) => ({ at, kind: 'noted', subject: `noted by ${by}`, words: text, runId: null }))
}

function incidentsOf(
  run: ReportedRun,
  { now, timeZone, leftOut }: Pick<Material, 'now' | 'timeZone'> & { readonly leftOut: string },
): readonly ReportIncident[] {
  const planned = new Set<string>()
  const continued = new Map(continuedSteps(run).map(step => [step.gateId, step]))
  const incidents: ReportIncident[] = []
  const known = new Set<string>()
  for (const [index, event] of run.events.entries()) {
    const incident = incidentOf(event, run, { planned, before: run.events[index - 1] ?? null, timeZone })
    if (incident === null) continue
    // The end of a stopped run is not a second incident: who stopped it, and why, is listed already.
    const isItsEnd = event.body.kind === 'run-finished' && incident.kind === 'aborted'
    if (isItsEnd && incidents.some(({ kind }) => kind === 'aborted')) continue
    // The same refusal again is the same incident, whatever happened between. What people do counts each time.
    const words = JSON.stringify([incident.kind, incident.subject, incident.words])
    if (known.has(words) && !COURSE.has(incident.kind)) continue
    known.add(words)
    incidents.push({ at: event.at, ...incident, runId: run.view.id })
    const past = event.body.kind === 'gate-answered' ? continued.get(event.body.gateId) : undefined
    if (past !== undefined) incidents.push(continuedIncident(past, run, leftOut))
  }
  if (!run.interrupted && run.view.state.kind !== 'left') return incidents
  // That a console left, and that no other continued, is one incident.
  const last = incidents.at(-1)
  const unattended = interruption(run, { now, timeZone })
  return last?.kind === 'driver-left' && run.view.state.kind === 'left'
    ? [...incidents.slice(0, -1), { ...last, words: `${last.words} ${unattended.words}` }]
    : [...incidents, unattended]
}

/** That somebody continued past a step is an incident, whatever led to the question. */
function continuedIncident(past: ContinuedStep, { view }: ReportedRun, leftOut: string): ReportIncident {
  const subject = past.node === '' ? view.plan.cluster : past.node
  return { at: past.at, kind: 'continued', subject, words: `${continuedWords(past)} ${leftOut}`.trim(), runId: view.id }
}

function interruption({ view }: ReportedRun, { now, timeZone }: Pick<Material, 'now' | 'timeZone'>): ReportIncident {
  const words = `No console carried this run out when the report was made. ${unattendedWords(view.lastEventAt, now, view.state.kind === 'left', timeZone)}`
  return { at: view.lastEventAt, kind: 'interrupted', subject: `run ${view.id}`, words, runId: view.id }
}

/** When no console carried a run out. A killed one left no entry: how long it worked after its last one is unknown. */
function unattendedWords(fromAt: string, toAt: string, saidSo: boolean, timeZone: string): string {
  const span = `from ${exactWords(fromAt, timeZone)} to ${exactWords(toAt, timeZone)}`
  const length = durationWords(Math.max(0, Date.parse(toAt) - Date.parse(fromAt)))
  return saidSo
    ? `No console carried it out ${span}, for ${length}.`
    : `Its console wrote nothing ${span}: no console carried it out for at most ${length}.`
}

interface IncidentContext {
  readonly planned: Set<string>
  readonly before: RunEvent | null
  readonly timeZone: string
}

function incidentOf({ at, body }: RunEvent, run: ReportedRun, context: IncidentContext): IncidentText | null {
  const kind = kindOf(body, context)
  if (kind === null) return null
  const subject = `run ${run.view.id}`
  if (body.kind === 'fact') {
    const said = factSaying(body, stepOf(run, body.stepId)?.title ?? body.stepId)
    return { kind, subject: subjectName(body), words: factSentence(said) }
  }
  if ('stepId' in body) return { kind, ...aboutStep(run, body) }
  const [, words] = eventWords(body, '')
  if (body.kind === 'run-driven') {
    const { before, timeZone } = context
    const unattended = before === null ? '' : ` ${unattendedWords(before.at, at, kind === 'resumed', timeZone)}`
    return { kind, subject, words: `${words}${unattended}` }
  }
  return { kind, subject: ('node' in body && body.node) || subject, words: asSentence(words) }
}

function kindOf(body: RunEventBody, { planned, before }: IncidentContext): string | null {
  switch (body.kind) {
    case 'run-created':
    case 'lease-acquired':
    case 'lease-watched':
    case 'step-checked':
    case 'blocker-overridden':
    case 'step-started':
    case 'step-applied':
    case 'pause-requested':
    case 'pause-after-node-requested':
    case 'paused':
    case 'resume-requested':
    case 'hand-over-announced':
    case 'run-taken-over':
      return null
    case 'run-driven':
      if (!body.resumed || before?.body.kind === 'run-taken-over') return null
      // A console that stopped without an entry is an incident, and only this event shows it.
      return before === null || before.body.kind === 'driver-left' ? 'resumed' : 'driver-lost'
    case 'lease-away':
    case 'lease-back':
    case 'lease-lost':
    case 'step-failed':
    case 'hand-over-failed':
      return body.kind
    case 'driver-left':
      return body.handsOver === true ? null : body.kind
    case 'machine-slept':
      return 'slept'
    case 'clocks-measured':
      return body.clocks.some(isApart) ? 'clocks-apart' : null
    case 'step-skipped':
      return body.by === 'operator' ? 'skipped' : null
    case 'step-verified':
      if (body.answer.kind === 'holds') return null
      return body.answer.kind === 'fails' ? 'not-verified' : 'cannot-tell'
    case 'gate-opened':
      if (isOfTrouble(body)) return 'question'
      planned.add(body.gateId)
      return null
    case 'gate-answered':
      return planned.has(body.gateId) && body.choice === 'continue' ? null : 'answered'
    case 'abort-requested':
      return 'aborted'
    case 'run-finished':
      return body.outcome === 'done' || body.outcome === 'handed-over' ? null : body.outcome
    case 'fact':
      return incidentKind(body)
    default:
      return assertNever(body, 'run event')
  }
}

function incidentKind(fact: Pick<RunFact, 'fact' | 'values'>): string | null {
  switch (fact.fact) {
    case MIGRATION_FAILED:
      return 'attempt-failed'
    case ATTEMPTS_EXHAUSTED:
      return 'given-up'
    case MIGRATION_STALLED:
      return 'stalled'
    case POD_FAILED:
      return 'pod-failed'
    case WORK_JOB_FAILED:
      return 'job-failed'
    case WORK_COMMAND_FAILED:
    case WORK_COMMAND_UNSEEN:
      return 'command-failed'
    case WATCHER_ACTION:
      return factText(fact, 'state') === 'FAILED' ? 'watcher-failed' : null
    case LOCK_WAITING:
      return fact.values.kind === 'trouble' ? 'lock-trouble' : null
    default:
      return null
  }
}

function aboutStep(
  run: ReportedRun,
  body: Extract<RunEventBody, { readonly stepId: string }>,
): Pick<ReportIncident, 'subject' | 'words'> {
  const step = stepOf(run, body.stepId)
  const node = nodeOfStep(run, step)
  const title = step?.title ?? body.stepId
  const [, words] = eventWords(body, title)
  return { subject: node === '' ? run.view.plan.cluster : node, words: asSentence(`${title}: ${words}`) }
}
