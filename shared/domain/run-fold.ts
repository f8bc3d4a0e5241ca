import { leftOfEarlier } from './earlier-texts.ts'
import { isSameJson } from './is-same-json.ts'
import { assertNever, must } from './must.ts'
import { passingWaitsAfter } from './passing-waits.ts'
import { atOnce, type Pieces } from './pieces.ts'
import type { OpenGate, RunEvent, RunEventBody, RunFact, RunState, RunView, StepView } from './run.ts'
import type { RunLeft } from './run-left.ts'
import { type AppendFact, stepAfter } from './step-fold.ts'

/** The one reducer of screen, report and resume (style G21). It folds every order of events; only a list without `run-created` throws, as a bug. */
export function foldRun(events: readonly RunEvent[]): RunView {
  return atOnce(foldInPieces(events))
}

/** Events between two yields: some milliseconds. */
const EVENTS_AT_ONCE = 200

export function* foldInPieces(events: readonly RunEvent[]): Pieces<RunView> {
  const at = events.findIndex(event => event.body.kind === 'run-created')
  let view: RunView = must(beginRunView(events[at]), 'the journal writes run-created together with the run')
  // No other code holds these lists yet, so facts grow in place: the time to fold a run is proportional to its length.
  const grow: AppendFact = (facts, fact) => {
    ;(facts as RunFact[]).push(fact)
    return facts
  }
  for (const [index, event] of events.slice(at + 1).entries()) {
    view = reduce(view, event, grow)
    if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield
  }
  return view
}

/** The view of a run from its creation alone; null for any other event. */
export function beginRunView(event: RunEvent | undefined): RunView | null {
  if (event?.body.kind !== 'run-created') return null
  return {
    id: event.runId,
    plan: event.body.plan,
    state: { kind: 'created' },
    driver: event.body.driver,
    createdAt: event.at,
    drivenAt: event.at,
    endedAt: null,
    lastEventAt: event.at,
    leaseIdentity: null,
    takenOverAt: null,
    handedTo: null,
    openGates: [],
    passingWaits: [],
    steps: event.body.plan.steps.map(step => ({
      step,
      state: 'pending',
      attempts: 0,
      startedAt: null,
      endedAt: null,
      check: null,
      counted: step.counted ?? [],
      verify: null,
      failure: null,
      passed: null,
      facts: [],
      reportedBefore: 0,
    })),
    overrides: [],
  }
}

/** The view after one more event; the given view stays as it is (style G21). */
export function applyRunEvent(view: RunView, event: RunEvent): RunView {
  return reduce(view, event, (facts, fact) => [...facts, fact])
}

function reduce(view: RunView, event: RunEvent, appendFact: AppendFact): RunView {
  const { body, at } = event
  const seen: RunView = { ...view, lastEventAt: at, passingWaits: passingWaitsAfter(view.passingWaits, body, at) }
  switch (body.kind) {
    case 'run-created':
    case 'lease-watched':
    case 'lease-back':
      return seen
    case 'lease-away':
      return waitsCleared(seen)
    case 'run-driven':
      return drivenBy(seen, body.driver, at)
    case 'run-taken-over':
      return { ...drivenBy(seen, body.driver, at), takenOverAt: at }
    case 'hand-over-announced':
      return { ...seen, handedTo: { ...body.to, announcedAt: at, storyHash: body.storyHash } }
    case 'hand-over-failed':
      return notHandedOver(seen, body.why)
    case 'lease-acquired':
      return { ...seen, leaseIdentity: body.identity }
    case 'lease-lost':
      return { ...seen, leaseIdentity: null }
    case 'blocker-overridden':
      return overridden(seen, body)
    case 'gate-opened':
      return withStep(withGates(seen, [...gatesBut(seen, body.stepId), gateOf(body, at)]), body.stepId, step => ({
        ...step,
        state: 'waiting',
      }))
    case 'gate-answered':
      return answered(seen, body, at)
    case 'machine-slept':
    case 'clocks-measured':
    case 'pause-requested':
    case 'pause-after-node-requested':
      return seen
    case 'paused':
      return unlessFinished(seen, { kind: 'paused', since: view.state.kind === 'paused' ? view.state.since : at })
    case 'resume-requested':
      return view.state.kind === 'paused' ? withGates({ ...seen, state: { kind: 'running' } }, seen.openGates) : seen
    case 'abort-requested':
      return unlessFinished(seen, { kind: 'aborting' })
    case 'driver-left':
      return leftBy(seen, body.left ?? leftOfEarlier(body.why))
    case 'run-finished':
      return finished(seen, body, at)
    case 'step-started':
      return withStep(withGates(seen, gatesBut(seen, body.stepId)), body.stepId, step =>
        stepAfter(step, body, at, appendFact),
      )
    case 'step-checked':
    case 'step-applied':
    case 'step-failed':
    case 'step-skipped':
    case 'step-verified':
    case 'fact':
      return withStep(seen, body.stepId, step => stepAfter(step, body, at, appendFact))
    default:
      return assertNever(body, 'run event')
  }
}

type BodyOf<Kind extends RunEventBody['kind']> = Extract<RunEventBody, { kind: Kind }>

/** A console starts or resumes the run. A question that an earlier one left open stays open: nothing is tried again before its answer. */
function drivenBy(view: RunView, driver: RunView['driver'], at: string): RunView {
  const running: RunView = {
    ...waitsCleared(view),
    driver,
    drivenAt: at,
    endedAt: null,
    handedTo: null,
    state: { kind: 'running' },
  }
  return withGates(running, view.openGates)
}

/** A refused hand-over brings the run back here. */
function notHandedOver(view: RunView, cause: string): RunView {
  const isBack = view.state.kind === 'finished' && view.state.outcome === 'handed-over'
  const back: RunView = isBack ? { ...view, endedAt: null, state: { kind: 'running' } } : view
  return leftBy({ ...back, handedTo: null }, { code: 'HandOverFailed', cause })
}

function leftBy(view: RunView, left: RunLeft): RunView {
  return { ...unlessFinished(view, { kind: 'left', left }), leaseIdentity: null }
}

/** The step has neither started nor finished until the answer is applied. */
function answered(view: RunView, { stepId, gateId, choice, by, reason }: BodyOf<'gate-answered'>, at: string): RunView {
  const open = view.openGates.filter(gate => gate.gateId !== gateId)
  return withStep(withGates(view, open), stepId, step => ({
    ...step,
    state: step.state === 'waiting' ? 'pending' : step.state,
    passed: choice === 'skip' ? { by, at, reason } : null,
  }))
}

/** After a hand-over the questions stay open, here too if the run comes back. */
function finished(view: RunView, { outcome, summary, leftBehind }: BodyOf<'run-finished'>, at: string): RunView {
  return {
    ...view,
    endedAt: at,
    leaseIdentity: null,
    openGates: outcome === 'handed-over' ? view.openGates : [],
    state: { kind: 'finished', outcome, summary, leftBehind },
  }
}

function gateOf(
  { stepId, gateId, code, values, question, choices, leansOnAnswer }: OpenGate,
  openedAt: string,
): RunView['openGates'][number] {
  const coded = code === undefined || values === undefined ? {} : { code, values }
  return { stepId, gateId, ...coded, question, choices, openedAt, ...(leansOnAnswer ? { leansOnAnswer } : {}) }
}

function gatesBut(view: RunView, stepId: string): RunView['openGates'] {
  return view.openGates.filter(gate => gate.stepId !== stepId)
}

/** The run waits while any question is open, unless it is paused, left, aborting or finished. */
function withGates(view: RunView, openGates: RunView['openGates']): RunView {
  const first = openGates[0]
  const follows = view.state.kind === 'running' || view.state.kind === 'waiting' || view.state.kind === 'created'
  if (!follows && !(first !== undefined && openGates.length > view.openGates.length)) return { ...view, openGates }
  if (first === undefined) return { ...view, openGates, state: follows ? { kind: 'running' } : view.state }
  const { stepId, gateId, question } = first
  return { ...unlessFinished(view, { kind: 'waiting', stepId, gateId, question }), openGates }
}

function unlessFinished(view: RunView, state: RunState): RunView {
  return view.state.kind === 'finished' ? view : { ...view, state }
}

function withStep(view: RunView, stepId: string, change: (step: StepView) => StepView): RunView {
  const at = view.steps.findIndex(({ step }) => step.id === stepId)
  const step = view.steps[at]
  return step === undefined ? view : { ...view, steps: view.steps.with(at, change(step)) }
}

/** Steps report again what they wait for, so their waits are cleared. */
function waitsCleared(view: RunView): RunView {
  const asked = new Set(view.openGates.map(({ stepId }) => stepId))
  const steps = view.steps.map(
    (step): StepView => ({
      ...step,
      state: step.state === 'waiting' && !asked.has(step.step.id) ? 'pending' : step.state,
      reportedBefore: step.facts.length,
    }),
  )
  return { ...view, steps }
}

/** Blockers are the same with equal code and values. Earlier versions kept only the text. */
function isSameBlocker(given: Overridden, blocker: Overridden): boolean {
  if (given.code !== blocker.code) return false
  return given.values === undefined || blocker.values === undefined
    ? given.message === blocker.message
    : isSameJson(given.values, blocker.values)
}

interface Overridden {
  readonly code: string
  readonly message: string
  readonly values?: object | undefined
}

function overridden(view: RunView, body: BodyOf<'blocker-overridden'>): RunView {
  const { stepId, code, values, message, flag, reason } = body
  const given = { stepId, code, ...(values === undefined ? {} : { values }), message, flag, reason }
  const check = view.steps.find(({ step }) => step.id === stepId)?.check
  const blockers = check?.kind === 'blocked' ? check.blockers : []
  // Repeated after a restart it counts once, even if a measured value, such as the lead of a clock, differs slightly.
  const isSame = (other: RunView['overrides'][number]) =>
    isSameBlocker(other, body) ||
    (other.code === code && other.message === message && !blockers.some(blocker => isSameBlocker(other, blocker)))
  const known = view.overrides.findIndex(other => other.stepId === stepId && other.flag === flag && isSame(other))
  const overrides = known < 0 ? [...view.overrides, given] : view.overrides.with(known, given)
  return withStep({ ...view, overrides }, stepId, step => {
    const lifted = blockers.every(blocker =>
      overrides.some(other => other.stepId === stepId && isSameBlocker(other, blocker)),
    )
    return step.state === 'blocked' && lifted ? { ...step, state: 'overridden' } : step
  })
}
