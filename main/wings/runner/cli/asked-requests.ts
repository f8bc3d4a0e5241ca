import type { AskedRun, AskedRuns, Contract, Envelope, RunSummary } from '../../../../shared/contract/index.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { isObjectName } from '../../../../shared/domain/object-name.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { askedRunWords, askedSubject, unreadAsked } from '../../../../shared/words/runners.ts'
import type { AskedRequest, CommandContext, FoundRequest, OfferedWord } from '../../../faces/cli/command.ts'
import type { ExitCode } from '../../../faces/cli/exit-code.ts'
import { confirm } from '../../../faces/cli/follow/questions.ts'
import { renderFailure } from '../../../faces/cli/render/render-failure.ts'
import { reportFailure } from '../../../faces/cli/report-failure.ts'
import { hang } from '../../../faces/cli/words/width.ts'
import { renderAskedRun, renderAskedRuns, renderUnreadAsked } from './render/render-asked-runs.ts'

/** Reads the MaintenanceRuns without a run here; the answer prints them below the runs. */
export async function readRequests(cluster: string | null, { contract, printer }: CommandContext): Promise<() => void> {
  const asked = await contract.ask('runner.asked', { cluster })
  return () => {
    if (asked.ok) {
      printer.say(...renderAskedRuns(asked.value.runs, printer.look, { all: false }))
      printer.warn(...renderUnreadAsked(asked.value, printer.warningLook))
    } else printer.warn(...renderFailure(asked.failure, printer.warningLook, printer.verbose))
  }
}

/** `runs --asked`: MaintenanceRuns that are not runs here yet; exit code 1 when some could not be read. */
export async function listRequests(cluster: string | null, context: CommandContext): Promise<ExitCode> {
  const { contract, printer } = context
  const asked = await contract.ask('runner.asked', { cluster })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { runs, unread } = asked.value
  if (printer.json) printer.value(asked.value)
  else if (runs.length > 0) printer.say(...renderAskedRuns(runs, printer.look, { all: true }).slice(1))
  else if (unread.length === 0) printer.say('No request to a known runner waits to start.')
  printer.warn(...renderUnreadAsked(asked.value, printer.warningLook))
  return unread.length === 0 ? 0 : 1
}

/** Finds a MaintenanceRun by its name or the beginning of one. */
export async function findRequest(
  contract: Contract,
  typed: string,
  runs: readonly RunSummary[],
): Promise<Envelope<FoundRequest>> {
  const asked = isObjectName(typed.replace(/[-.]$/, ''))
    ? await contract.ask('runner.asked', { cluster: null, object: typed })
    : ok<AskedRuns>({ runs: [], unread: [] })
  if (!asked.ok) return asked
  const fitting = asked.value.runs
  const exact = fitting.filter(({ object }) => object === typed)
  const [only, second] = exact.length > 0 ? exact : fitting
  if (only === undefined) return ok({ kind: 'nothing', unread: asked.value.unread.map(unreadAsked) })
  if (second === undefined) {
    const run = runs.find(({ id }) => id === only.runId)
    return ok(run === undefined ? { kind: 'asked', asked: requestOf(only) } : { kind: 'run', run })
  }
  const names = (exact.length > 0 ? exact : fitting).map(
    run => `${run.object} (namespace ${run.namespace} of ${run.by})`,
  )
  return ok({ kind: 'several', names })
}

/** The MaintenanceRuns that have not started, for the shell. */
export async function requestNames(contract: Contract): Promise<readonly OfferedWord[]> {
  const asked = await contract.ask('runner.asked', { cluster: null })
  if (!asked.ok) return []
  return asked.value.runs
    .filter(({ runId, over }) => runId === null && !over)
    .map(run => ({ word: run.object, about: `${askedRunWords(run)}, ${askedSubject(run)}` }))
}

function requestOf(asked: AskedRun): AskedRequest {
  return {
    whyNoRun: whyNoRun(asked),
    show: ({ printer }) => {
      if (printer.json) printer.value(asked)
      else printer.say(...renderAskedRun(asked, printer.look))
    },
    withdraw: context => withdraw(asked, context),
  }
}

/** Why a MaintenanceRun without a run here can only be shown and withdrawn. */
function whyNoRun(asked: AskedRun): Failure {
  const { object, message, runId, over } = asked
  const target = { target: `maintenancerun/${object}` }
  if (runId !== null) {
    const why = `MaintenanceRun ${object} started as run ${runId}, but this console cannot read its runner's journal. \`lockkeeper runner list\` says why.`
    return failure('conflict', why, target)
  }
  const next = over ? '' : ` Until it starts, you can only withdraw it: \`lockkeeper run abort ${object}\``
  return failure(
    'conflict',
    `MaintenanceRun ${object} has not started: ${askedRunWords(asked)}. ${message}${next}`,
    target,
  )
}

async function withdraw(asked: AskedRun, context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer } = context
  const { by, namespace, object } = asked
  const then =
    asked.handedOver === null ? 'It never starts then.' : 'The run then stays as it is until its console resumes it.'
  const question = `Withdraw MaintenanceRun ${object} (${askedSubject(asked)})? ${then}`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('The MaintenanceRun did not change.')
    return 4
  }
  const answer = await contract.ask('runner.withdraw', {
    by,
    namespace,
    object,
    reason: args.text('reason') ?? '',
  })
  if (!answer.ok) return reportFailure(context, answer.failure)
  printer.say(
    ...hang('', `The runner has withdrawn MaintenanceRun ${object}: ${answer.value.message}`, printer.look.columns),
  )
  if (printer.json) printer.value(answer.value)
  return 0
}
