import { liftedBlocker, markedSince } from '../../../shared/domain/lifted-blockers.ts'
import {
  type CheckedPlan,
  overrideFor,
  type Plan,
  type PlannedStep,
  type StepCheck,
} from '../../../shared/domain/plan.ts'
import type { Blocker, CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { type Fault, fault } from '../../../shared/words/step-texts.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { deadlineAfter, resultOrHung } from './patience.ts'
import type { ReadingOf, Step, StepContext, StepRegistry } from './step.ts'
import type { TransientFailure } from './transient-retry.ts'

/** How many checks read at a time: fast, without overloading an API server. */
const CHECKS_AT_ONCE = 6

/** A check only reads: without an answer in this time it is a blocker. */
const CHECK_LIMIT_MS = 120_000

/** Makes the context of one step; the engine holds facts and signals behind it. */
type ContextOf<World> = (step: PlannedStep, signal: AbortSignal) => StepContext<World>

/** Runs the checks of these steps. A check that throws is a blocker that no flag overrides: an unknown state does not pass. */
export async function runChecks<World>(
  steps: readonly PlannedStep[],
  registry: StepRegistry<World>,
  contextOf: ContextOf<World>,
  more: { readonly stop: AbortSignal; readonly clock: Clock; readonly log: Logger },
): Promise<ReadonlyMap<string, CheckAnswer>> {
  const answers = new Map<string, CheckAnswer>()
  const queue = steps.filter(step => step.verbs.includes('check'))
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      answers.set(next.id, await runCheck(next, registry.get(next.kind), contextOf, more))
    }
  }
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work))
  return answers
}

async function runCheck<World>(
  planned: PlannedStep,
  step: Step<World> | undefined,
  contextOf: ContextOf<World>,
  { stop, clock, log }: { readonly stop: AbortSignal; readonly clock: Clock; readonly log: Logger },
): Promise<CheckAnswer> {
  if (step?.check === undefined) {
    return crashed(fault('StepNotKnown', { kind: planned.kind }))
  }
  const deadline = deadlineAfter(Math.min(planned.withinMs, CHECK_LIMIT_MS), clock)
  const signal = AbortSignal.any([stop, deadline.signal])
  try {
    const answer = await resultOrHung(step.check(planned.input, contextOf(planned, signal)), signal, clock)
    // A check that hit its deadline is reported as late, not as crashed.
    if (answer !== 'hung' && (answer.kind !== 'blocked' || !deadline.signal.aborted)) return answer
    return crashed(fault('CheckNotAnswered', { title: planned.title }), { passing: { retryAfterMs: 0 } })
  } catch (error) {
    log.error('a check crashed', { step: planned.id, error })
    return crashed(fault('CheckCrashed', { title: planned.title }))
  } finally {
    await deadline.cancel()
  }
}

function crashed({ code, values, message, remedy, never }: Fault, more: Pick<Blocker, 'passing'> = {}): CheckAnswer {
  const override = { kind: 'never', why: never ?? '' } as const
  return {
    kind: 'blocked',
    blockers: [{ code, values: { ...values }, message, remedy, override, ...more }],
    evidence: [],
    warnings: [],
    effects: [],
  }
}

/** The override that lifts all blockers of an answer; null with blockers left means that it stays blocked. */
export function overriddenBy(answer: CheckAnswer, plan: Plan): StepCheck['overriddenBy'] {
  if (answer.kind !== 'blocked') return null
  const flags = answer.blockers.map(blocker => overrideFor(blocker, plan.options.overrides))
  return flags.every(flag => flag !== null) ? (flags[0] ?? null) : null
}

type CheckStatus = { readonly kind: 'free' | 'blocked' } | ({ readonly kind: 'may-pass' } & TransientFailure)

/** Whether an answer blocks the run, and whether that may pass. */
export function statusOf(answer: CheckAnswer | undefined, plan: Plan): CheckStatus {
  if (answer?.kind !== 'blocked' || overriddenBy(answer, plan) !== null) return { kind: 'free' }
  const blockers = answer.blockers.filter(blocker => overrideFor(blocker, plan.options.overrides) === null)
  const passing = blockers.flatMap(blocker => blocker.passing ?? [])
  if (passing.length < blockers.length) return { kind: 'blocked' }
  const reason = blockers.map(({ message }) => message).join(' ')
  return { kind: 'may-pass', reason, retryAfterMs: Math.max(...passing.map(({ retryAfterMs }) => retryAfterMs)) }
}

/** Checks a whole plan without changing anything (style G17); the operator reads the answers before confirming. */
export async function checkPlan<World>(options: {
  readonly plan: Plan
  readonly registry: StepRegistry<World>
  readonly world: World
  readonly clock: Clock
  readonly log: Logger
  readonly readingOf?: ReadingOf<World>
  readonly signal?: AbortSignal
}): Promise<CheckedPlan> {
  const { plan, registry, clock, log } = options
  const signal = options.signal ?? new AbortController().signal
  const reading = options.readingOf?.(options.world, signal) ?? null
  const world = reading?.world ?? options.world
  const contextOf: ContextOf<World> = (step, stepSignal) => ({
    world,
    clock,
    runId: plan.id,
    operator: '',
    stepId: step.id,
    options: plan.options,
    liftedBy: blocker => overrideFor(blocker, plan.options.overrides),
    signal: stepSignal,
    resumed: false,
    counted: () => step.counted ?? [],
    history: () => [],
    runHistory: () => [],
    window: plan.window,
    announce: mayNotAct,
    report: mayNotAct,
    stoppedBy: () => null,
    retryTransient: (_what, read) => read(),
    at: () => reading?.at ?? isoNow(clock),
  })
  const answers = await runChecks(plan.steps, registry, contextOf, { stop: signal, clock, log })
  const checks = plan.steps.flatMap(step => {
    const answer = answers.get(step.id)
    return answer === undefined ? [] : [{ stepId: step.id, answer, overriddenBy: overriddenBy(answer, plan) }]
  })
  return {
    plan: {
      ...plan,
      ...liftedIn(plan, answers),
      steps: plan.steps.map(step => ({ ...step, ...countedOf(step, answers.get(step.id)) })),
    },
    checkedAt: isoNow(clock),
    checks,
    startable: checks.every(check => check.answer.kind !== 'blocked' || check.overriddenBy !== null),
  }
}

/** What the overrides lift goes with the shown plan: they lift nothing else in its run. */
function liftedIn({ options }: Plan, answers: ReadonlyMap<string, CheckAnswer>): Pick<Plan, 'lifted'> {
  if (options.overrides.length === 0) return {}
  const lifted = [...answers].flatMap(([stepId, answer]) =>
    answer.kind === 'blocked'
      ? answer.blockers
          .filter(blocker => overrideFor(blocker, options.overrides) !== null)
          .map(blocker => liftedBlocker(stepId, blocker))
      : [],
  )
  return { lifted }
}

/** The answer in a run: a blocker that the confirmed plan did not show is marked. */
export function answerSince(stepId: string, answer: CheckAnswer, { lifted }: Plan): CheckAnswer {
  if (answer.kind !== 'blocked') return answer
  return { ...answer, blockers: answer.blockers.map(blocker => markedSince(stepId, blocker, lifted)) }
}

/** Counts of the shown plan go with it: the run compares the world with them. */
function countedOf(
  { counted: before = [] }: PlannedStep,
  answer: CheckAnswer | undefined,
): Pick<PlannedStep, 'counted'> {
  const counted = answer?.counted ?? before
  return counted.length === 0 ? {} : { counted }
}

function mayNotAct(): never {
  throw new Error('Broken invariant: a check acts on nothing, so it has nothing to announce')
}
