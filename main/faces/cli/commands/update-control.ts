import type { Envelope, RunSummary } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { isNodeRun } from '../../../../shared/domain/plan.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { mayShowEnd } from '../../../../shared/domain/run-condition.ts'
import type { UpdateTimeline } from '../../../../shared/domain/update.ts'
import { isOrWaits } from '../../../../shared/words/conditions.ts'
import { rollingNoun } from '../../../../shared/words/plans.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { type ExitCode, exitOfRun } from '../exit-code.ts'
import { confirm } from '../follow/questions.ts'
import { summaryInList } from '../render/gate-words.ts'
import { renderFailure } from '../render/render-failure.ts'
import { renderObservation, renderTimeline } from '../render/render-update.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { hang, widthOf } from '../words/width.ts'
import { resumeHere } from './run-resume.ts'

const OVER: readonly RunSummary['state'][] = ['done', 'aborted', 'checks-failed', 'handed-over']

/** The state of an update, as lines and as a value. `over`: its exit code; null if it has not ended. `isObserved`: another program runs it. */
interface Status {
  readonly lines: readonly string[]
  /** The lines without the expected end, which changes all the time. */
  readonly steady: readonly string[]
  readonly value: unknown
  readonly over: ExitCode | null
  readonly isObserved: boolean
}

const LOOK_EVERY_MS = 2_000

const WAITS_FOR_ONE = 'No update is running. Waiting for one to start; Ctrl-C stops waiting.'

/** `update status`: the timeline of an update; for an update by another program, what its objects show. */
export const showUpdate: Command = async context => {
  if (context.args.isSet('watch')) return watchUpdate(context)
  const status = await lookAtUpdate(context)
  if (!status.ok) return reportFailure(context, status.failure)
  if (status.value !== null) reportStatus(status.value, context)
  return 0
}

/**
 * Prints each change until the update ends or a stop signal comes, which stops only the watching. Waits if no update has started. On a
 * terminal each picture replaces the last. If a read fails, it warns and tries again.
 */
async function watchUpdate(context: CommandContext): Promise<ExitCode> {
  const { interruptions, printer, io } = context
  const stop = new AbortController()
  const unhandle = interruptions.handle(() => stop.abort())
  let reported = ''
  let drawn = 0
  let trouble = ''
  /** Whether the watched update is Lockkeeper's own or another program's; null if none has started. */
  let followed: 'own' | 'observed' | null = null
  try {
    while (!stop.signal.aborted) {
      const status = await lookAtUpdate(context, followed === 'observed')
      if (!status.ok) {
        if (!status.failure.retryable) return reportFailure(context, status.failure)
        if (status.failure.message !== trouble) {
          printer.warn(...renderFailure(status.failure, printer.warningLook, printer.verbose))
          drawn = 0
          // The next picture is printed even if nothing changed: it shows that reading works again.
          reported = ''
        }
        trouble = status.failure.message
      } else if (status.value === null) return 0
      else {
        trouble = ''
        const { over, isObserved } = status.value
        if (over === null) followed = isObserved ? 'observed' : 'own'
        const more = followed === null ? ['', WAITS_FOR_ONE] : []
        const lines = [...status.value.lines, ...more]
        // The expected end changes with every read. Without redrawing, that alone is not worth printing.
        const isReplaced = printer.look.ansi && !printer.json
        const now = (isReplaced ? lines : [...status.value.steady, ...more]).join('\n')
        if (now !== reported) {
          // Lines that wrapped or scrolled away cannot be replaced: the next picture follows below.
          if (isReplaced && drawn > 0 && drawn < printer.channel.rows) {
            printer.prompt(`\u001b[${drawn}A\r\u001b[0J`)
          } else if (reported !== '' && !printer.json) printer.say('')
          reportStatus({ ...status.value, lines }, context)
          drawn = lines.reduce((sum, line) => sum + rowsOf(line, printer.look.columns), 0)
        }
        reported = now
        if (over !== null && followed !== null) return over
      }
      await io.clock.sleep(LOOK_EVERY_MS, stop.signal)
    }
    return 0
  } finally {
    unhandle()
  }
}

function rowsOf(line: string, columns: number | null): number {
  return columns === null ? 1 : Math.max(1, Math.ceil(widthOf(line) / columns))
}

function reportStatus({ lines, value }: Status, { printer }: CommandContext): void {
  if (printer.json) printer.value(value)
  else printer.say(...lines)
}

/** Reads the state once; null if there is no update, Lockkeeper's or another program's. `wasObserved`: another program's update was seen, so its end counts instead of an older run's end. */
async function lookAtUpdate(context: CommandContext, wasObserved = false): Promise<Envelope<Status | null>> {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const newest = await newestUpdate(context)
  if (!newest.ok) return newest
  const run = newest.value
  let isOwn = false
  if (run === null || OVER.includes(run.state) || run.state === 'failed') {
    const refused = await connectCluster(cluster, context)
    if (refused !== null) return failed(refused)
    const seen = await contract.ask('update.observe', { cluster })
    // A stopped run of Lockkeeper is still named in its request, but nothing runs it.
    isOwn = seen.ok && run !== null && seen.value.drivenBy?.includes(run.id) === true
    if (seen.ok && !isOwn && (run === null || wasObserved || (seen.value.timeline?.phase ?? null) !== null)) {
      const { timeline } = seen.value
      const hasEnded = (timeline?.phase ?? null) === null || timeline?.phases.every(({ state }) => state === 'done')
      const over = hasEnded === true ? 0 : null
      const steady = { ...seen.value, timeline: timeline === null ? null : { ...timeline, eta: null } }
      return ok({
        lines: renderObservation(seen.value, printer.look),
        steady: renderObservation(steady, printer.look),
        value: seen.value,
        over,
        isObserved: true,
      })
    }
    if (run === null && !seen.ok) return seen
  }
  if (run === null) return ok(null)
  const timeline = await contract.ask('update.timeline', { runId: run.id })
  if (!timeline.ok) return timeline
  const draw = (shown: UpdateTimeline): readonly string[] => [
    ...hang('', updateWords(run, cluster), printer.look.columns),
    ...(isOwn && run.state === 'aborted'
      ? hang(
          '',
          `It has no console, and its requests remain. Bring nodes back with \`lockkeeper leave\`, then \`lockkeeper update start ${cluster}\` takes the cluster over.`,
          printer.look.columns,
        )
      : []),
    '',
    ...renderTimeline(shown, printer.look),
    ...(mayShowEnd(run.condition) || run.endedAt !== null
      ? []
      : ['', `The end is unknown: the ${rollingNoun(run.kind)} ${isOrWaits(run.condition)}.`]),
  ]
  return ok({
    lines: draw(timeline.value),
    steady: draw({ ...timeline.value, eta: null }),
    value: { run, timeline: timeline.value },
    isObserved: false,
    over: OVER.includes(run.state) || run.state === 'failed' ? exitOfRun(run.state) : null,
  })
}

function updateWords(run: RunSummary, cluster: string): string {
  const isDone = run.condition.kind === 'over' && run.condition.outcome === 'done'
  // The summary of an update that is done names the cluster already.
  return isDone && run.kind === 'update'
    ? `Run ${run.id}: ${run.summary}`
    : `Run ${run.id}: the ${rollingNoun(run.kind)} of ${cluster} ${isOrWaits(run.condition)}. ${summaryInList(run)}`
}

export const pauseUpdate: Command = context =>
  printDriver(
    context,
    runId => context.contract.ask('run.pause', { runId }),
    'to pause; no further step starts',
    'driver',
  )

export const stopUpdateAfter: Command = context =>
  printDriver(
    context,
    runId => context.contract.ask('run.pause-after-node', { runId }),
    'to pause after the current nodes; no other node or phase starts',
    'driver',
  )

export const skipUpdateNode: Command = async context => {
  const node = context.args.operand('NODE')
  const reason = context.args.text('reason') ?? ''
  return printDriver(
    context,
    runId => context.contract.ask('run.skip-node', { runId, node, reason }),
    `to leave ${node} out`,
  )
}

export const resumeUpdate: Command = async context => {
  const { args, contract, printer } = context
  const found = await unfinishedUpdate(context)
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, state, machine, operator } = found.value
  if (state === 'paused') {
    const asked = await contract.ask('run.unpause', { runId: id })
    if (!asked.ok) return reportFailure(context, asked.failure)
    printer.say(`Run ${id} continues on ${machine}, as ${operator}.`)
    if (printer.json) printer.value(found.value)
    return 0
  }
  const refused = await connectCluster(args.operand('CLUSTER'), context)
  if (refused !== null) return reportFailure(context, refused)
  return resumeHere(id, context)
}

export const abortUpdate: Command = async context => {
  const { args, contract, printer, io } = context
  if (!(io.canAsk && printer.channel.isTTY) && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to stop it without a question.')
  }
  const found = await unfinishedUpdate(context)
  if (!found.ok) return reportFailure(context, found.failure)
  const { kind, cluster } = found.value
  const stays =
    kind === 'update'
      ? 'Its maintenance requests stay: bring nodes back with `leave`; a later `update start` takes the cloud over.'
      : 'Nodes that are out stay out: bring each back with `leave`.'
  const question = `Stop the ${rollingNoun(kind)} of ${cluster}? ${stays}`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say(`The ${rollingNoun(kind)} continues.`)
    return 4
  }
  const reason = args.text('reason') ?? ''
  return printDriver(context, runId => contract.ask('run.abort', { runId, reason }), 'to stop')
}

async function printDriver(
  context: CommandContext,
  ask: (runId: string) => Promise<Envelope<unknown>>,
  what: string,
  needs: 'driver' | 'nothing' = 'nothing',
): Promise<ExitCode> {
  const { printer } = context
  const found = await unfinishedUpdate(context)
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, state, cluster, kind } = found.value
  if (needs === 'driver' && (state === 'interrupted' || state === 'failed')) {
    return reportFailure(
      context,
      failure(
        'conflict',
        `The ${rollingNoun(kind)} of ${cluster} has no console and is paused. Resume it: \`lockkeeper update resume ${cluster}\``,
        { target: `run/${id}` },
      ),
    )
  }
  const asked = await ask(found.value.id)
  if (!asked.ok) return reportFailure(context, asked.failure)
  printer.say(`Asked run ${found.value.id} ${what}.`)
  if (printer.json) printer.value(found.value)
  return 0
}

/** The unfinished run over many nodes of the cluster. */
async function unfinishedUpdate(context: CommandContext): Promise<Envelope<RunSummary>> {
  const cluster = context.args.operand('CLUSTER')
  const newest = await newestUpdate(context)
  if (!newest.ok) return newest
  if (newest.value !== null && !OVER.includes(newest.value.state)) return ok(newest.value)
  return failed(refusal('not-found', because('NoUpdateRunning', { cluster }), { target: `cluster/${cluster}` }))
}

async function newestUpdate({ args, contract }: CommandContext): Promise<Envelope<RunSummary | null>> {
  const listed = await contract.ask('run.list', { cluster: args.operand('CLUSTER') })
  if (!listed.ok) return listed
  return ok(listed.value.find(({ kind }) => !isNodeRun(kind)) ?? null)
}
