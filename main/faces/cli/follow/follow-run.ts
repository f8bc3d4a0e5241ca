import type { Envelope, RunDetail, RunSummary } from '../../../../shared/contract/index.ts'
import type { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { RunEvent, RunEventBody, RunView, StepView } from '../../../../shared/domain/run.ts'
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
import { instancesAskedAbout, migrationsOf, movesInProgress } from '../../../../shared/domain/run-progress.ts'
import type { CommandContext } from '../command.ts'
import { type ExitCode, exitOfRun } from '../exit-code.ts'
import type { StopSignal } from '../process-io.ts'
import { renderEnd } from '../render/render-end.ts'
import { renderFailure } from '../render/render-failure.ts'
import { renderGate } from '../render/render-gate.ts'
import { runAsJson } from '../render/run-as-json.ts'
import { reportFailure } from '../report-failure.ts'
import { hang } from '../words/width.ts'
import { carryOut } from './carry-out.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createRunDisplay } from './run-display.ts'
import { createRunFeed, type Happening } from './run-feed.ts'
import { askAboutInstance, askGate, askHowToStop, askPaused, type Decision } from './run-questions.ts'
import { NOTHING_SAID, type Unattended } from './unattended.ts'

type Message =
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
interface PreparedAnswer {
  readonly gateId: string
  readonly choice: GateChoice
  readonly reason: string
}

/** The console releases the lease after the last event. The display waits this long for that. */
const SETTLE_MS = 10_000
/** A parallel lane starts its next node shortly after a place is free. Detaching waits this long for it. */
const NEXT_LANE_MS = 3_000

/**
 * Starts or resumes a run and follows it until it ends or waits: shows its progress, asks its questions, and turns Ctrl-C into detach,
 * pause or stop it. Without a terminal a stop signal detaches, and so does a question once no other lane is running.
 */
export async function followRun(
  context: CommandContext,
  begin: () => Promise<Envelope<RunSummary>>,
  given: { readonly prepared?: PreparedAnswer; readonly unattended?: Unattended } = {},
): Promise<ExitCode> {
  const inbox = createInbox<Message>()
  const feed = createRunFeed(context.contract, inbox.push)
  const unhandle = context.interruptions.handle(signal => inbox.push({ kind: 'signal', signal }))
  try {
    const begun = await begin()
    if (!begun.ok) return reportFailure(context, begun.failure)
    const runId = begun.value.id
    const adopted = await feed.adopt(runId)
    if (!adopted.ok) return reportFailure(context, adopted.failure)
    await stayWith(runId, context, feed.events, inbox, given)
    return await printEnd(runId, context)
  } finally {
    unhandle()
    feed.stop()
  }
}

async function stayWith(
  runId: string,
  context: CommandContext,
  events: readonly RunEvent[],
  inbox: Inbox<Message>,
  given: { readonly prepared?: PreparedAnswer; readonly unattended?: Unattended },
): Promise<void> {
  const { contract, printer, io } = context
  const interactive = io.canAsk && printer.channel.isTTY
  const over = new AbortController()
  printer.say(`Run ${runId}`)
  const display = createRunDisplay(printer, io.clock, events)
  let question: OpenQuestion | null = null
  let prepared = given.prepared ?? null
  const { unattended = NOTHING_SAID } = given
  // An answered question is not asked again, even if the journal has no answer yet.
  const answered = new Set<string>()
  let asked = 0
  let ending = false

  const withdraw = () => {
    if (question === null) return
    question.withdraw.abort()
    question = null
    printer.say('')
    display.release()
  }
  const askOperator = (about: OpenQuestion['about'], answer: (signal: AbortSignal) => Promise<Decision>) => {
    display.hold()
    asked += 1
    const opened: OpenQuestion = { about, number: asked, withdraw: new AbortController() }
    question = opened
    void answer(opened.withdraw.signal).then(decision =>
      inbox.push({ kind: 'decided', question: opened.number, decision }),
    )
  }
  const waitEnough = () => {
    if (ending) return
    ending = true
    void io.clock.sleep(SETTLE_MS, over.signal).then(() => inbox.push({ kind: 'waited-enough' }))
  }
  const detach = async () => {
    withdraw()
    waitEnough()
    const answer = await contract.ask('run.detach', { runId })
    // The run ended meanwhile, or lost its console: the end shows which.
    if (!answer.ok && printer.verbose) printer.warn(...renderFailure(answer.failure, printer.warningLook, true))
  }
  let looking = false
  /** Detaching interrupts other lanes: without a terminal a question waits until no lane is running. */
  const leaveWhenStill = async (isSecondLook = false) => {
    const view = foldRun(events)
    const asksAboutInstances = instancesAskedAbout(view).length > 0
    if (lanesMove(view) || (asksAboutInstances && instancesMove(view))) return
    if (isSecondLook || (!asksAboutInstances && view.steps.every(({ step }) => step.lane === null))) return detach()
    if (looking) return
    looking = true
    void io.clock.sleep(NEXT_LANE_MS, over.signal).then(() => inbox.push({ kind: 'looked-again' }))
  }
  /** A run that waits or is paused needs the operator; without a terminal this detaches. */
  const attend = async () => {
    if (question !== null || ending) return
    // Parallel lanes may each have a question: one is asked after the other, a prepared answer comes first.
    const open = openGatesOf(events).filter(({ gateId }) => !answered.has(gateId))
    const gate = open.find(({ gateId }) => gateId === prepared?.gateId) ?? open[0] ?? null
    if (gate !== null && prepared !== null && gate.gateId === prepared.gateId) {
      const { choice, reason } = prepared
      prepared = null
      return decide({ kind: 'answer', gateId: gate.gateId, choice, reason })
    }
    for (const each of open) {
      const said = unattended.answerTo(each, foldRun(events))
      if (said === null) continue
      printer.say(...hang('', `Answered without asking: ${said.choice} (${said.reason}).`, printer.look.columns))
      return decide({ kind: 'answer', gateId: each.gateId, choice: said.choice, reason: said.reason })
    }
    if (gate !== null && interactive) askOperator('gate', signal => askGate(gate, context, signal))
    else if (gate !== null) await leaveWhenStill()
    else if (asksAboutInstance() !== null) await attendInstance()
    else if (interactive && foldRun(events).state.kind === 'paused')
      askOperator('paused', signal => askPaused(context, signal))
  }
  /** An instance with a question that was not answered here; the others continue. */
  const asksAboutInstance = () =>
    instancesAskedAbout(foldRun(events)).find(({ subject, asks }) => !answered.has(`${subject} ${asks.since}`)) ?? null
  let askedAbout: string | null = null
  const attendInstance = async () => {
    const asked = asksAboutInstance()
    if (asked === null) return
    if (!interactive) return leaveWhenStill()
    const { subject, name, asks } = asked
    askedAbout = subject
    const id = instanceIdOf(subject)
    askOperator('instance', signal =>
      askAboutInstance({ id, name, cause: asks.cause, choices: asks.choices }, context, signal),
    )
  }
  const onEvent = async (body: RunEventBody) => {
    switch (body.kind) {
      case 'fact':
        if (!ABOUT_INSTANCES.has(body.fact)) return
        if (question?.about === 'instance' && body.fact !== MIGRATION_ASKS && body.subject === askedAbout) withdraw()
        return attend()
      case 'gate-opened':
      case 'paused':
        return attend()
      case 'gate-answered':
        if (question?.about === 'gate') withdraw()
        return attend()
      case 'resume-requested':
        if (question?.about === 'paused') withdraw()
        return
      case 'run-finished':
        withdraw()
        waitEnough()
        return
      case 'step-applied':
      case 'step-verified':
      case 'step-skipped':
      case 'step-failed':
        // Another lane may have ended.
        if (!interactive && openGatesOf(events).length > 0) await attend()
        return
      default:
        return
    }
  }
  const decide = async (decision: Decision) => {
    question = null
    display.release()
    if (decision.kind === 'detach') return detach()
    if (decision.kind === 'answer') answered.add(decision.gateId)
    const about = decision.kind === 'decide' ? asksAboutInstance() : null
    if (about !== null) answered.add(`${about.subject} ${about.asks.since}`)
    const outcome = await carryOut(decision, runId, contract)
    if (outcome?.ok === false) {
      printer.warn(...renderFailure(outcome.failure, printer.warningLook, printer.verbose))
      if (decision.kind === 'answer') answered.delete(decision.gateId)
      if (about !== null) answered.delete(`${about.subject} ${about.asks.since}`)
    }
    // After `continue`, or a refused control, the run may still need the operator.
    if (outcome?.ok !== true) await attend()
  }

  try {
    // Events between the start and now were read already; the inbox does not get them.
    if (foldRun(events).state.kind === 'finished') waitEnough()
    else await attend()
    for (;;) {
      const message = await inbox.next()
      switch (message.kind) {
        case 'event':
          display.update(message.event)
          await onEvent(message.event.body)
          break
        case 'rested':
          if (message.rested.state !== 'waiting' && message.rested.state !== 'paused') return
          if (ending) return
          await attend()
          break
        case 'waited-enough':
          return
        case 'looked-again':
          looking = false
          if (
            !ending &&
            (openGatesOf(events).some(({ gateId }) => !answered.has(gateId)) || asksAboutInstance() !== null)
          )
            await leaveWhenStill(true)
          break
        case 'decided':
          if (question !== null && (question as OpenQuestion).number === message.question)
            await decide(message.decision)
          break
        case 'signal':
          // A second signal while detaching ends the command immediately: the journal has the state of the run.
          if (ending) return
          if (!interactive || message.signal !== 'SIGINT' || question !== null) await detach()
          else askOperator('stop', signal => askHowToStop(context, signal))
          break
      }
    }
  } finally {
    withdraw()
    over.abort()
    display.close()
  }
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

/** Whether any instance is moving that has no question and does not wait behind one that has. */
function instancesMove(view: RunView): boolean {
  const migrations = view.steps.filter(({ state }) => state === 'applying').flatMap(migrationsOf)
  return movesInProgress(migrations, ({ asks }) => asks !== null).length > 0
}

/** Whether a lane without a question has started and not ended. */
function lanesMove(view: RunView): boolean {
  const waits = (steps: readonly StepView[]) =>
    steps.some(({ step }) => view.openGates.some(({ stepId }) => stepId === step.id))
  const lanes = Map.groupBy(
    // Checks have no apply: they do not show whether a lane has ended.
    view.steps.filter(({ step }) => step.lane !== null && step.verbs.includes('apply')),
    ({ step }) => step.lane?.name,
  )
  return [...lanes.values()].some(
    steps =>
      !waits(steps) &&
      steps.some(({ startedAt }) => startedAt !== null) &&
      steps.some(({ state }) => !LANE_OVER.includes(state)),
  )
}

const LANE_OVER: readonly StepView['state'][] = [
  'applied',
  'verified',
  'cannot-tell',
  'nothing-to-do',
  'skipped',
  'failed',
]

/** Whether the run is being handed over: its console stopped it for that, and the result is still unknown. */
function isBeingHandedOver({ events }: RunDetail): boolean {
  const last = events.at(-1)?.body
  if (last?.kind === 'driver-left') return last.handsOver === true
  return last?.kind === 'hand-over-announced' || last?.kind === 'run-taken-over'
}

const HANDED_OVER_LOOK_MS = 250

async function printEnd(runId: string, context: CommandContext): Promise<ExitCode> {
  const { contract, printer, io, interruptions } = context
  const until = io.clock.monotonicMs() + SETTLE_MS
  const left = new AbortController()
  const unhandle = interruptions.handle(() => left.abort())
  let shown = await contract.ask('run.show', { runId })
  while (shown.ok && isBeingHandedOver(shown.value) && io.clock.monotonicMs() < until && !left.signal.aborted) {
    await io.clock.sleep(HANDED_OVER_LOOK_MS, left.signal)
    shown = await contract.ask('run.show', { runId })
  }
  unhandle()
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { summary, events }: RunDetail = shown.value
  const view = foldRun(events)
  printer.say('', ...renderEnd(summary, view, printer.look), ...renderGate(summary, events, printer.look))
  if (printer.json) printer.value(runAsJson(summary, view, events))
  return exitOfRun(summary.state)
}
