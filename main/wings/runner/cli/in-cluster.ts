import type { Envelope, RequestInput, RunSummary, SubmittedRun } from '../../../../shared/contract/index.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { runnerHealthWords } from '../../../../shared/words/runners.ts'
import type { ParsedArguments } from '../../../faces/cli/arguments/parsed-arguments.ts'
import type { CommandContext, InCluster } from '../../../faces/cli/command.ts'
import type { ExitCode } from '../../../faces/cli/exit-code.ts'
import { followRun } from '../../../faces/cli/follow/follow-run.ts'
import { NOTHING_SAID, type Unattended } from '../../../faces/cli/follow/unattended.ts'
import { renderFailure } from '../../../faces/cli/render/render-failure.ts'
import { reportFailure } from '../../../faces/cli/report-failure.ts'
import { hang } from '../../../faces/cli/words/width.ts'
import { agreedAnswers, wishesInCluster } from './in-cluster-wishes.ts'

/** A runner reacts quickly; meanwhile the terminal prints what it waits for. */
const LOOK_EVERY_MS = 500
/** In these phases a MaintenanceRun starts later; the terminal does not wait. */
const LATER: ReadonlySet<string> = new Set(['Scheduled'])

/** Prints which runner would carry out a plan, before the confirmation; a failure if there is none. */
export async function whoseRunner(cluster: string, context: CommandContext): Promise<Failure | null> {
  const { contract, printer } = context
  const offer = await contract.ask('runner.offer', { cluster })
  if (!offer.ok) return offer.failure
  if (offer.value.kind === 'not-offered') {
    return failure('conflict', `It cannot run in the cluster. ${offer.value.why} Nothing changed.`, {
      target: `cluster/${cluster}`,
    })
  }
  const { runner, namespace, as, proved } = offer.value
  const who = as === null ? 'by you' : `as ${as}${proved ? '' : ' (the cluster does not prove it)'}`
  const words = `Runner ${runner} in namespace ${namespace} carries it out, confirmed ${who}. It continues when this terminal closes.`
  printer.say(...hang('', words, printer.look.columns), '')
  return null
}

/** Where the flags say that a plan runs; null means on this console. A message if a flag is wrong. */
export function inCluster(args: ParsedArguments): InCluster | string | null {
  const wishes = wishesInCluster(args)
  if (typeof wishes === 'string') return wishes
  if (!args.isSet('in-cluster')) return null
  return {
    offer: whoseRunner,
    submit: async (start, { steps, yes }, context) => {
      // The runner gets the answers given in advance and uses them without asking.
      const answers = [...agreedAnswers(args.texts('answer'), steps, yes)]
      return runInCluster(context, { ...start, ...wishes, answers })
    },
  }
}

/** Submits the plan to the runner and follows its run; the run continues when the terminal closes. */
async function runInCluster(context: CommandContext, start: RequestInput<'runner.submit'>): Promise<ExitCode> {
  const asked = await context.contract.ask('runner.submit', start)
  if (!asked.ok) return reportFailure(context, asked.failure)
  return followSubmitted(asked.value, context, { unattended: NOTHING_SAID, campaign: start.campaign })
}

/** Prints what a MaintenanceRun waits for until it starts, then follows its run; the run continues when the terminal closes. */
export async function followSubmitted(
  submitted: SubmittedRun,
  context: CommandContext,
  given: {
    /** Answers given in advance; null if there is none. */
    readonly unattended: Unattended | null
    readonly campaign?: string | undefined
    /** The next step if the runner refuses it. */
    readonly refused?: string
  },
): Promise<ExitCode> {
  const { printer } = context
  const { object, namespace, by } = submitted
  printer.say(`MaintenanceRun ${object} in namespace ${namespace} of ${by}`)
  const begun = await untilBegun(submitted, context)
  if (!begun.ok) {
    const exit = reportFailure(context, begun.failure)
    if (given.refused !== undefined) printer.say(`next: ${given.refused}`)
    return exit
  }
  if (begun.value.runId === null || !begun.value.mirrored) {
    printer.say(...hang('', `${begun.value.message} It continues without this terminal.`, printer.look.columns))
    if (given.campaign !== undefined) {
      const campaign = `${shellWord(by)} ${shellWord(given.campaign)}`
      printer.say(
        `next: \`lockkeeper runner campaign create ${campaign} --batch ${object}\`, if the campaign does not exist yet`,
        `next: \`lockkeeper runner campaign show ${campaign}\`, to see its state`,
      )
    }
    if (begun.value.runId === null && !begun.value.over) {
      printer.say(
        `next: \`lockkeeper run show ${object}\`, to see what it waits for`,
        `next: \`lockkeeper run abort ${object}\`, to withdraw it`,
      )
    }
    if (printer.json) printer.value(begun.value)
    return 4
  }
  const { runId } = begun.value
  return followRun(
    context,
    () => summaryOf(runId, context),
    given.unattended === null ? undefined : { unattended: given.unattended },
  )
}

async function summaryOf(runId: string, { contract }: CommandContext): Promise<Envelope<RunSummary>> {
  const shown = await contract.ask('run.show', { runId })
  return shown.ok ? ok(shown.value.summary) : shown
}

/** Waits until the run can be followed here, starts later, or the operator stops waiting; a failure if it was refused. */
async function untilBegun(
  { by, namespace, object }: SubmittedRun,
  context: CommandContext,
): Promise<Envelope<SubmittedRun>> {
  const { contract, printer, io } = context
  const left = new AbortController()
  const unhandle = context.interruptions.handle(() => left.abort())
  let reported = ''
  try {
    for (;;) {
      const now = await contract.ask('runner.submitted', { by, namespace, object })
      if (!now.ok) return now
      const { phase, message, mirrored, over } = now.value
      if (phase === 'Refused') {
        return failed(failure('checks-failed', message, { target: `maintenancerun/${object}` }))
      }
      if (mirrored || over || LATER.has(phase) || left.signal.aborted) return now
      if (message !== reported) printer.say(...hang('', `${phase}: ${message}`, printer.look.columns))
      reported = message
      await io.clock.sleep(LOOK_EVERY_MS, left.signal)
    }
  } finally {
    unhandle()
  }
}

/** Connects to the known runners, and warns about each that does not answer: its runs are shown as last seen. */
export async function connectRunners(context: CommandContext): Promise<void> {
  const { contract, printer } = context
  const listed = await contract.ask('runner.list', { cluster: null })
  if (!listed.ok) {
    printer.warn(...renderFailure(listed.failure, printer.warningLook, printer.verbose))
    return
  }
  const lost = listed.value.filter(({ connection }) => connection.kind === 'lost')
  for (const runner of lost) printer.warn(...hang('', runnerHealthWords(runner), printer.look.columns))
}
