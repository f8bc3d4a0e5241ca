import { leftOfEarlier } from './earlier-texts.ts'
import { isSameJson } from './is-same-json.ts'
import { assertNever, must } from './must.ts'
import type { CheckAnswer, Counted, VerifyAnswer } from './plan.ts'
import type { OpenGate, PassingWait, RunEvent, RunEventBody, RunFact, RunState, RunView, StepView } from './run.ts'
import { factName, factText, NOT_VERIFIED_YET, TRANSIENT_RECOVERED, TRANSIENT_RETRYING } from './run-facts.ts'

/**
 * The state of a run, folded from its events: the one reducer of screen, report and resume (style G21). It folds every order of events without
 * throwing; only a list without `run-created`, which the journal never returns, is a bug.
 */
export function foldRun(events: readonly RunEvent[]): RunView {
  const at = events.findIndex(event => event.body.kind === 'run-created')
  let view: RunView = must(beginRunView(events[at]), 'the journal writes run-created together with the run')
  // Facts are many, and no other code holds these lists yet: they grow in place, so that the time to fold a run is proportional to its length.
  const grow: AppendFact = (facts, fact) => {
    ;(facts as RunFact[]).push(fact)
    return facts
  }
  for (const event of events.slice(at + 1)) view = reduce(view, event, grow)
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

/** The view after one more event; does not change the given view (style G21). */
export function applyRunEvent(view: RunView, event: RunEvent): RunView {
  return reduce(view, event, (facts, fact) => [...facts, fact])
}

type AppendFact = (facts: readonly RunFact[], fact: RunFact) => readonly RunFact[]

function reduce(view: RunView, event: RunEvent, appendFact: AppendFact): RunView {
  const { body, at } = event
  const seen: RunView = { ...view, lastEventAt: at, passingWaits: passingWaitsAfter(view.passingWaits, body, at) }
  switch (body.kind) {
    case 'run-created':
    case 'lease-watched':
    case 'lease-back':
      return seen
    case 'lease-away':
      return lookedAtAgain(seen)
    case 'run-driven':
      // A question that an earlier driver left open stays open: nothing is tried again before its answer.
      return withGates(
        {
          ...lookedAtAgain(seen),
          driver: body.driver,
          drivenAt: at,
          endedAt: null,
          handedTo: null,
          state: { kind: 'running' },
        },
        seen.openGates,
      )
    case 'hand-over-announced':
      return { ...seen, handedTo: { ...body.to, announcedAt: at, storyHash: body.storyHash } }
    case 'hand-over-failed': {
      // A refused hand-over brings the run back here.
      const isBack = view.state.kind === 'finished' && view.state.outcome === 'handed-over'
      const back: RunView = isBack ? { ...seen, endedAt: null, state: { kind: 'running' } } : seen
      return {
        ...unlessFinished(
          { ...back, handedTo: null },
          {
            kind: 'left',
            left: { code: 'HandOverFailed', cause: body.why },
          },
        ),
        leaseIdentity: null,
      }
    }
    case 'run-taken-over':
      return withGates(
        {
          ...lookedAtAgain(seen),
          driver: body.driver,
          drivenAt: at,
          endedAt: null,
          takenOverAt: at,
          handedTo: null,
          state: { kind: 'running' },
        },
        seen.openGates,
      )
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
      return withStep(
        withGates(
          seen,
          seen.openGates.filter(gate => gate.gateId !== body.gateId),
        ),
        body.stepId,
        // Neither started nor finished until the answer is applied.
        step => ({
          ...step,
          state: step.state === 'waiting' ? 'pending' : step.state,
          passed: body.choice === 'skip' ? { by: body.by, at, reason: body.reason } : null,
        }),
      )
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
      return {
        ...unlessFinished(seen, { kind: 'left', left: body.left ?? leftOfEarlier(body.why) }),
        leaseIdentity: null,
      }
    case 'run-finished':
      return {
        ...seen,
        endedAt: at,
        leaseIdentity: null,
        // After a hand-over the questions stay open, here too if the run comes back.
        openGates: body.outcome === 'handed-over' ? seen.openGates : [],
        state: { kind: 'finished', outcome: body.outcome, summary: body.summary, leftBehind: body.leftBehind },
      }
    case 'step-started':
      // A new attempt closes its earlier question.
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

/** Retries and waits after one more event: a run that stops, resumes or asks no longer waits. */
function passingWaitsAfter(waits: readonly PassingWait[], body: RunEventBody, at: string): readonly PassingWait[] {
  const but = (stepId: string | null) =>
    waits.some(wait => wait.stepId === stepId) ? waits.filter(wait => wait.stepId !== stepId) : waits
  switch (body.kind) {
    case 'run-driven':
    case 'paused':
    case 'abort-requested':
    case 'driver-left':
    case 'lease-lost':
    case 'run-finished':
      return waits.length === 0 ? waits : []
    case 'lease-away':
      // The steps stopped; they report again what they wait for.
      return [{ stepId: null, lease: body.node, reason: body.why, since: at, asksAt: null, failsAt: null }]
    case 'lease-back':
      return but(null)
    case 'gate-opened':
    case 'step-failed':
    case 'step-applied':
    case 'step-verified':
      return but(body.stepId)
    case 'fact': {
      const name = factName(body)
      // A pending verification and a temporary failure are separate waits of a step.
      const isOf = (isVerify: boolean) => (wait: PassingWait) =>
        wait.stepId === body.stepId && (wait.failsAt !== null) === isVerify
      const butOf = (isVerify: boolean) => waits.filter(wait => !isOf(isVerify)(wait))
      if (name === TRANSIENT_RECOVERED) return butOf(false)
      if (name === NOT_VERIFIED_YET) {
        const since = waits.find(isOf(true))?.since ?? at
        const reason = factText(body, 'reason') ?? ''
        return [
          ...butOf(true),
          { stepId: body.stepId, lease: null, reason, since, asksAt: null, failsAt: factText(body, 'until') },
        ]
      }
      if (name !== TRANSIENT_RETRYING) return waits
      const reason = factText(body, 'reason') ?? ''
      const since = factText(body, 'since') ?? at
      return [
        ...butOf(false),
        { stepId: body.stepId, lease: null, reason, since, asksAt: factText(body, 'until'), failsAt: null },
      ]
    }
    default:
      return waits
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

/** Clears what steps waited for, because each reports it again, and questions that the end of the run closed. */
function lookedAtAgain(view: RunView): RunView {
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

type StepEventBody = Extract<
  RunEventBody,
  {
    kind: 'step-checked' | 'step-started' | 'step-applied' | 'step-failed' | 'step-skipped' | 'step-verified' | 'fact'
  }
>

function stepAfter(step: StepView, body: StepEventBody, at: string, appendFact: AppendFact): StepView {
  switch (body.kind) {
    case 'step-checked':
      return {
        ...step,
        check: body.answer,
        counted: mergeCounted(step.counted, body.answer.counted ?? []),
        state: stateAfterCheck(step, body.answer),
      }
    case 'step-started':
      return {
        ...step,
        state: 'applying',
        attempts: Math.max(step.attempts + 1, body.attempt),
        startedAt: step.startedAt ?? at,
        endedAt: null,
        failure: null,
        reportedBefore: step.facts.length,
      }
    case 'step-applied':
      return { ...step, state: 'applied', endedAt: at, failure: null }
    case 'step-failed':
      return { ...step, state: 'failed', endedAt: at, failure: body.failure }
    case 'step-skipped':
      return { ...step, state: body.by === 'operator' ? 'skipped' : 'nothing-to-do', endedAt: at, failure: null }
    case 'step-verified':
      return { ...step, verify: body.answer, state: stateAfterVerify(step, body.answer) }
    case 'fact': {
      const { fact, subject, announces, values } = body
      return { ...step, facts: appendFact(step.facts, { at, fact, subject, announces, values }) }
    }
    default:
      return assertNever(body, 'step event')
  }
}

/** Objects once counted stay counted, even if a later check saw fewer: a verify is compared with all of them. */
function mergeCounted(before: readonly Counted[], now: readonly Counted[]): readonly Counted[] {
  if (now.length === 0) return before
  const known = new Map([...before, ...now].map(thing => [`${thing.kind}/${thing.id}`, thing]))
  return [...known.values()]
}

/** A repeated check after a restart does not change a completed step. Only `step-skipped` says that there is nothing to do. */
function stateAfterCheck({ state }: StepView, answer: CheckAnswer): StepView['state'] {
  if (state === 'applied' || state === 'verified' || state === 'skipped' || state === 'nothing-to-do') return state
  return answer.kind === 'blocked' ? 'blocked' : 'ready'
}

/** A step that the operator skipped stays skipped: a failed verify is reported, but does not change that. */
function stateAfterVerify({ state }: StepView, answer: VerifyAnswer): StepView['state'] {
  if (state === 'skipped') return state
  switch (answer.kind) {
    case 'holds':
      return 'verified'
    case 'fails':
      return 'failed'
    case 'cannot-tell':
      return 'cannot-tell'
  }
}

/** Whether it is the overridden condition: equal code and values. Earlier versions kept only the text. */
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

function overridden(view: RunView, body: Extract<RunEventBody, { kind: 'blocker-overridden' }>): RunView {
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
