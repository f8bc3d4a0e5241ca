import type { Envelope } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { planTitle } from '../../../../shared/words/plans.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { findRun, findRunOrAsked } from '../find-run.ts'
import { confirm } from '../follow/questions.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const pauseRun: Command = async context => {
  const found = await findRun(context, context.args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, state } = found.value
  if (state !== 'created' && state !== 'running' && state !== 'waiting') {
    const now = state === 'interrupted' ? 'It has no console' : `It is ${state}`
    return reportFailure(context, failure('conflict', `Run ${id} cannot be paused. ${now}.`, { target: `run/${id}` }))
  }
  return printOutcome(
    await context.contract.ask('run.pause', { runId: id }),
    `Asked run ${id} to pause. Running steps finish first.`,
    id,
    context,
  )
}

/** `run abort`: stops a run, or withdraws one that has not started, after a confirmation. */
export const abortRun: Command = async context => {
  const { args, contract, printer, io } = context
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to stop the run without a question.')
  }
  const found = await findRunOrAsked(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  if (found.value.kind === 'asked') return found.value.asked.withdraw(context)
  const { id } = found.value.run
  const question = `Stop run ${id} (${planTitle(found.value.run)})? What it changed stays.`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('The run continues.')
    return 4
  }
  const asked = await contract.ask('run.abort', { runId: id, reason: args.text('reason') ?? '' })
  return printOutcome(
    asked,
    `Asked run ${id} to stop. \`lockkeeper run show ${id}\` shows what is still changed.`,
    id,
    context,
  )
}

async function printOutcome(
  asked: Envelope<unknown>,
  sentence: string,
  runId: string,
  context: CommandContext,
): Promise<ExitCode> {
  const { contract, printer } = context
  if (!asked.ok) return reportFailure(context, asked.failure)
  printer.say(sentence)
  const now = await contract.ask('run.show', { runId })
  if (printer.json && now.ok) printer.value(now.value.summary)
  return 0
}
