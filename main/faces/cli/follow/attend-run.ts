import type { Failure } from '../../../../shared/domain/failure.ts'
import type { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { RunEvent, RunEventBody } from '../../../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  instanceIdOf,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
} from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { instancesAskedAbout } from '../../../../shared/domain/run-progress.ts'
import type { CommandContext } from '../command.ts'
import type { StopSignal } from '../process-io.ts'
import { renderFailure } from '../render/render-failure.ts'
import { hang } from '../words/width.ts'
import { carryOut } from './carry-out.ts'
import type { Inbox } from './inbox.ts'
import { instancesMove, lanesMove } from './moving-parts.ts'
import { createRunDisplay } from './run-display.ts'
import type { Happening } from './run-feed.ts'
import { askAboutInstance, askGate, askHowToStop, askPaused, askWhy, type Decision } from './run-questions.ts'
import { NOTHING_SAID, type Unattended } from './unattended.ts'

/** What happens while a command follows a run. */
export type Message =
  | Happening
  | { readonly kind: 'signal'; readonly signal: StopSignal }
  | { readonly kind: 'decided'; readonly question: number; readonly decision: Decision }
  | { readonly kind: 'waited-enough' }
  | { readonly kind: 'looked-again' }

interface OpenQuestion {
  readonly about: 'stop' | 'gate' | 'paused' | 'instance'
  readonly number: number
  readonly withdraw: AbortController
}

/** An answer that the operator gave before the run resumed; only for the question that the run stopped at. */
export interface PreparedAnswer {
  readonly gateId: string
  readonly choice: GateChoice
  readonly reason: string
}

/** After the last event the console still has to release the lease. The display waits this long for it. */
export const SETTLE_MS = 10_000
/** A parallel lane starts its next node shortly after a place is free. Detaching waits this long for it. */
const NEXT_LANE_MS = 3_000

/** A command that follows a run: where it shows the run, what it asks, and what the operator answered here. */
interface Attendance {
  readonly runId: string
  readonly context: CommandContext
  readonly events: readonly RunEvent[]
  readonly inbox: Inbox<Message>
  readonly unattended: Unattended
  /** Whether the command can ask the operator. */
  readonly interactive: boolean
  readonly display: ReturnType<typeof createRunDisplay>
  /** Ends all waits when the command ends. */
  readonly over: AbortController
  /** An answered question is not asked again, even if the journal has no answer yet. */
  readonly answered: Set<string>
  question: OpenQuestion | null
  prepared: PreparedAnswer | null
  /** How many questions were asked; their numbers. */
  asked: number
  /** The instance of the last question about one. */
  askedAbout: string | null
  ending: boolean
  /** Whether a second look for a running lane is due. */
  looking: boolean
}

/** Shows the run and asks its questions until it ends, rests elsewhere, or the operator leaves it. */
export async function attendRun(
  runId: string,
  context: CommandContext,
  events: readonly RunEvent[],
  inbox: Inbox<Message>,
  given: { readonly prepared?: PreparedAnswer; readonly unattended?: Unattended },
): Promise<void> {
  const { printer, io } = context
  const over = new AbortController()
  printer.say(`Run ${runId}`)
  const attendance: Attendance = {
    runId,
    context,
    events,
    inbox,
    unattended: given.unattended ?? NOTHING_SAID,
    interactive: io.canAsk && printer.channel.isTTY,
    display: createRunDisplay(printer, io.clock, events),
    over,
    answered: new Set(),
    question: null,
    prepared: given.prepared ?? null,
    asked: 0,
    askedAbout: null,
    ending: false,
    looking: false,
  }
  try {
    // Events between the start and now were read already; the inbox does not get them.
    if (foldRun(events).state.kind === 'finished') waitEnough(attendance)
    else await attend(attendance)
    for (;;) {
      if ((await takeMessage(attendance, await inbox.next())) === 'left') return
    }
  } finally {
    withdraw(attendance)
    over.abort()
    attendance.display.close()
  }
}

/** Handles one message; `left`: the command has no more to do with the run. */
async function takeMessage(state: Attendance, message: Message): Promise<'goes-on' | 'left'> {
  switch (message.kind) {
    case 'event':
      state.display.update(message.event)
      await onEvent(state, message.event.body)
      return 'goes-on'
    case 'rested':
      if (message.rested.state !== 'waiting' && message.rested.state !== 'paused') return 'left'
      if (state.ending) return 'left'
      await attend(state)
      return 'goes-on'
    case 'waited-enough':
      return 'left'
    case 'looked-again':
      state.looking = false
      if (!state.ending && hasUnanswered(state)) await leaveWhenStill(state, true)
      return 'goes-on'
    case 'decided':
      if (state.question?.number === message.question) await decide(state, message.decision)
      return 'goes-on'
    case 'signal':
      // A second signal while detaching ends the command immediately: the journal has the state of the run.
      if (state.ending) return 'left'
      if (!state.interactive || message.signal !== 'SIGINT' || state.question !== null) await detach(state)
      else askOperator(state, 'stop', signal => askHowToStop(state.context, signal))
      return 'goes-on'
  }
}

async function onEvent(state: Attendance, body: RunEventBody): Promise<void> {
  const about = state.question?.about
  switch (body.kind) {
    case 'fact':
      if (!ABOUT_INSTANCES.has(body.fact)) return
      if (about === 'instance' && body.fact !== MIGRATION_ASKS && body.subject === state.askedAbout) withdraw(state)
      return attend(state)
    case 'gate-opened':
    case 'paused':
      return attend(state)
    case 'gate-answered':
      if (about === 'gate') withdraw(state)
      return attend(state)
    case 'resume-requested':
      if (about === 'paused') withdraw(state)
      return
    case 'run-finished':
      withdraw(state)
      waitEnough(state)
      return
    case 'step-applied':
    case 'step-verified':
    case 'step-skipped':
    case 'step-failed':
      // Another lane may have ended.
      if (!state.interactive && openGatesOf(state.events).length > 0) await attend(state)
      return
    default:
      return
  }
}

/** A run that waits or is paused needs the operator; without a terminal this detaches. */
async function attend(state: Attendance): Promise<void> {
  const { context, events, prepared } = state
  const { printer } = context
  if (state.question !== null || state.ending) return
  // Parallel lanes may each have a question: one is asked after the other, a prepared answer comes first.
  const open = openGatesOf(events).filter(({ gateId }) => !state.answered.has(gateId))
  const gate = open.find(({ gateId }) => gateId === prepared?.gateId) ?? open[0] ?? null
  if (gate !== null && prepared !== null && gate.gateId === prepared.gateId) {
    const { choice, reason } = prepared
    state.prepared = null
    return decide(state, { kind: 'answer', gateId: gate.gateId, choice, reason })
  }
  for (const each of open) {
    const said = state.unattended.answerTo(each, foldRun(events))
    if (said === null) continue
    printer.say(...hang('', `Answered without asking: ${said.choice} (${said.reason}).`, printer.look.columns))
    return decide(state, { kind: 'answer', gateId: each.gateId, choice: said.choice, reason: said.reason })
  }
  if (gate !== null && state.interactive) askOperator(state, 'gate', signal => askGate(gate, context, signal))
  else if (gate !== null) await leaveWhenStill(state)
  else if (unansweredInstance(state) !== null) await attendInstance(state)
  else if (state.interactive && foldRun(events).state.kind === 'paused') {
    askOperator(state, 'paused', signal => askPaused(context, signal))
  }
}

async function attendInstance(state: Attendance): Promise<void> {
  const asking = unansweredInstance(state)
  if (asking === null) return
  if (!state.interactive) return leaveWhenStill(state)
  const { subject, name, asks } = asking
  state.askedAbout = subject
  const id = instanceIdOf(subject)
  askOperator(state, 'instance', signal =>
    askAboutInstance({ id, name, cause: asks.cause, choices: asks.choices }, state.context, signal),
  )
}

/** An instance with a question that was not answered here; the others continue. */
function unansweredInstance({ events, answered }: Attendance) {
  return instancesAskedAbout(foldRun(events)).find(each => !answered.has(questionOf(each))) ?? null
}

/** The name of an instance's question among the answered ones. */
function questionOf({
  subject,
  asks,
}: {
  readonly subject: string
  readonly asks: { readonly since: string }
}): string {
  return `${subject} ${asks.since}`
}

function hasUnanswered(state: Attendance): boolean {
  return (
    openGatesOf(state.events).some(({ gateId }) => !state.answered.has(gateId)) || unansweredInstance(state) !== null
  )
}

/** Does what the operator decided; a refused answer may be asked again. */
async function decide(state: Attendance, decision: Decision): Promise<void> {
  const { answered, context } = state
  const { printer } = context
  state.question = null
  state.display.release()
  if (decision.kind === 'detach') return detach(state)
  const about = decision.kind === 'decide' ? unansweredInstance(state) : null
  const question = decision.kind === 'answer' ? decision.gateId : about === null ? null : questionOf(about)
  if (question !== null) answered.add(question)
  const outcome = await carryOut(decision, state.runId, context.contract)
  if (outcome?.ok === false) {
    printer.warn(...renderFailure(outcome.failure, printer.warningLook, printer.verbose))
    if (question !== null) answered.delete(question)
    if (isAskedWhy(outcome.failure) && state.interactive && 'reason' in decision) {
      askOperator(state, 'gate', signal => askWhy(decision, context, signal))
      return
    }
  }
  // After `continue`, or a refused control, the run may still need the operator.
  if (outcome?.ok !== true) await attend(state)
}

/** Whether the cloud's policy wants a reason for what the operator decided. */
function isAskedWhy(failure: Failure): boolean {
  return failure.reason === 'SayWhyOnProduction'
}

function askOperator(
  state: Attendance,
  about: OpenQuestion['about'],
  answer: (signal: AbortSignal) => Promise<Decision>,
): void {
  state.display.hold()
  state.asked += 1
  const opened: OpenQuestion = { about, number: state.asked, withdraw: new AbortController() }
  state.question = opened
  void answer(opened.withdraw.signal).then(decision =>
    state.inbox.push({ kind: 'decided', question: opened.number, decision }),
  )
}

/** Takes the open question from the screen. */
function withdraw(state: Attendance): void {
  if (state.question === null) return
  state.question.withdraw.abort()
  state.question = null
  state.context.printer.say('')
  state.display.release()
}

function waitEnough(state: Attendance): void {
  if (state.ending) return
  state.ending = true
  void state.context.io.clock
    .sleep(SETTLE_MS, state.over.signal)
    .then(() => state.inbox.push({ kind: 'waited-enough' }))
}

async function detach(state: Attendance): Promise<void> {
  const { contract, printer } = state.context
  withdraw(state)
  waitEnough(state)
  const answer = await contract.ask('run.detach', { runId: state.runId })
  // The run ended meanwhile, or lost its console: the end shows which.
  if (!answer.ok && printer.verbose) printer.warn(...renderFailure(answer.failure, printer.warningLook, true))
}

/** Detaching interrupts other lanes: without a terminal a question waits until no lane is running. */
async function leaveWhenStill(state: Attendance, isSecondLook = false): Promise<void> {
  const view = foldRun(state.events)
  const asksAboutInstances = instancesAskedAbout(view).length > 0
  if (lanesMove(view) || (asksAboutInstances && instancesMove(view))) return
  if (isSecondLook || (!asksAboutInstances && view.steps.every(({ step }) => step.lane === null))) return detach(state)
  if (state.looking) return
  state.looking = true
  void state.context.io.clock
    .sleep(NEXT_LANE_MS, state.over.signal)
    .then(() => state.inbox.push({ kind: 'looked-again' }))
}

/** Facts after which an instance may have a question, or no longer has one. */
const ABOUT_INSTANCES: ReadonlySet<string> = new Set([
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
])
