import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { RunEvent, RunView, StepView } from '../../../../shared/domain/run.ts'
import { betweenWords } from '../../../../shared/grammar/durations.ts'
import { dateAndTime, timeOfDay } from '../../../../shared/grammar/times.ts'
import { conditionWord } from '../../../../shared/words/conditions.ts'
import { planTitle } from '../../../../shared/words/plans.ts'
import { notConnected, whereDriven } from '../../../../shared/words/runners.ts'
import { waitText } from '../../../../shared/words/waits.ts'
import { windowLabel } from '../../../../shared/words/windows.ts'
import type { Look } from '../words/look.ts'
import { type Cell, renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'
import { createEventLines } from './event-lines.ts'
import { renderLeftBehind, renderNext, renderProblems } from './render-end.ts'
import { renderEvidence } from './render-evidence.ts'
import { renderGate } from './render-gate.ts'
import { signOfStep } from './render-live.ts'

/** A run in full: who, when, every step with its state, what it waits for, what is still changed, and what to do next. */
export function renderRun(
  summary: RunSummary,
  view: RunView,
  events: readonly RunEvent[],
  look: Look,
  { verbose, later }: { readonly verbose: boolean; readonly later: readonly RunSummary[] | null },
): readonly string[] {
  const { palette } = look
  const ended = view.endedAt === null ? '' : `, took ${betweenWords(view.createdAt, view.endedAt)}`
  const lines = createEventLines(look, true)
  return [
    palette.strong(`Run ${view.id}: ${planTitle(view.plan)}`),
    ...hang('  state     ', stateWords(summary, look), look.columns),
    ...waitLines(summary, look),
    `  started   ${dateAndTime(view.createdAt, look.clock)}${ended}`,
    `  by        ${summary.operator} on ${summary.machine}`,
    ...drivenLines(summary, look),
    ...windowLines(view, look),
    ...view.overrides.flatMap(({ flag, reason, message }) =>
      hang('  override  ', `--${flag} (${reason}): ${message}`, look.columns).map(palette.warn),
    ),
    '',
    ...renderSteps(view, look),
    ...(verbose ? ['', palette.strong('Evidence'), ...view.steps.flatMap(step => stepEvidence(step, look))] : []),
    ...(verbose
      ? ['', palette.strong('Events'), ...events.flatMap(event => lines.linesOf(event)).map(line => `  ${line}`)]
      : []),
    ...renderProblems(view, look),
    ...renderGate(summary, events, look),
    ...renderLeftBehind(view, summary, look),
    // A finished run says nothing about what its node needs now, and a running run is fully described above.
    ...(ENDED_EARLY.has(summary.state) ? renderNext(summary, view, later, look) : []),
  ]
}

/** Where a run of a runner runs, and how old this information is. */
function drivenLines({ runner }: RunSummary, look: Look): readonly string[] {
  if (runner === undefined) return []
  const old = notConnected(runner)
  return hang('  driven    ', `${whereDriven(runner)}${old === null ? '' : `; ${old}`}`, look.columns)
}

const ENDED_EARLY: ReadonlySet<RunSummary['state']> = new Set(['failed', 'aborted', 'checks-failed', 'interrupted'])

/** The state, how long it has waited, and why. */
function stateWords({ condition, summary }: RunSummary, look: Look): string {
  const since = condition.kind === 'waiting' ? (condition.waits[0]?.since ?? null) : null
  const when = since === null ? '' : ` since ${timeOfDay(since, look.clock)}`
  return `${conditionWord(condition)}${when}. ${summary}`
}

/** Everything that it waits for except what its state says first, and what a controller said. */
function waitLines({ condition }: RunSummary, look: Look): readonly string[] {
  if (condition.kind !== 'waiting' && condition.kind !== 'moving') return []
  return condition.waits.flatMap((wait, at) => {
    const isReported = at === 0 && condition.kind === 'waiting'
    const { what, who, said } = waitText(wait)
    // The question comes at the end, with its choices.
    const own = isReported || wait.for === 'answer' ? [] : hang('  waits     ', `${what} ${who}`, look.columns)
    return [...own, ...(said === null ? [] : hang('  said      ', said, look.columns))]
  })
}

function windowLines({ plan: { window } }: RunView, look: Look): readonly string[] {
  if (window === null) return []
  return window.kind === 'in'
    ? hang('  window    ', windowLabel(window), look.columns)
    : hang('  window    ', `none was open: ${window.reason}`, look.columns).map(look.palette.warn)
}

function renderSteps(view: RunView, look: Look): readonly string[] {
  const rows = view.steps.map((step): readonly Cell[] => {
    const { sign, paint } = signOfStep(step, look)
    // A step without an end has started; the state of the run says whether it is still running.
    const took =
      step.startedAt === null ? '' : step.endedAt === null ? 'unfinished' : betweenWords(step.startedAt, step.endedAt)
    return [
      { text: sign, paint },
      step.step.title,
      {
        text:
          step.state === 'ready' && !step.step.verbs.includes('apply')
            ? 'passes'
            : step.state === 'cannot-tell'
              ? 'cannot tell'
              : wasNeverBegun(step, view)
                ? 'not started'
                : step.state === 'applying' && view.state.kind === 'finished'
                  ? 'stopped'
                  : step.state,
        paint,
      },
      took,
      step.attempts > 1 ? String(step.attempts) : '',
      wasNeverBegun(step, view) ? '' : noteOf(step),
    ]
  })
  return renderTable(['', 'STEP', 'STATE', 'TOOK', 'TRIES', 'NOTE'], rows, look)
}

/** The result of its check does not describe what the step did. */
function wasNeverBegun(step: StepView, view: RunView): boolean {
  return (
    view.state.kind === 'finished' && step.step.verbs.includes('apply') && step.attempts === 0 && step.state === 'ready'
  )
}

function noteOf(step: StepView): string {
  if (step.failure !== null && step.state === 'failed') return step.failure.message
  if (step.verify !== null) return step.verify.reason
  if (step.check === null) return ''
  return step.check.kind === 'blocked' ? step.check.blockers.map(({ message }) => message).join(' ') : step.check.reason
}

function stepEvidence(step: StepView, look: Look): readonly string[] {
  const evidence = [...(step.check?.evidence ?? []), ...(step.verify?.evidence ?? [])]
  return evidence.length === 0 ? [] : [`  ${step.step.title}`, ...renderEvidence(evidence, look, '    ')]
}
