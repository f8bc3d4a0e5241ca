import { failure } from '../../../../shared/domain/failure.ts'
import { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { instancesOfRun } from '../../../../shared/domain/step-of-instance.ts'
import { INSTANCE_CHOICE_WORDS } from '../../../../shared/words/instance-choices.ts'
import type { Command } from '../command.ts'
import { findRun } from '../find-run.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const decideAboutInstance: Command = async context => {
  const { args, contract, printer } = context
  const choice = InstanceChoice.safeParse(args.operand('CHOICE'))
  if (!choice.success) return reportUsage(context, `CHOICE is ${InstanceChoice.options.join(', ')}.`)
  const reason = args.text('reason') ?? ''
  const found = await findRun(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const runId = found.value.id
  const shown = await contract.ask('run.show', { runId })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const typed = args.operand('INSTANCE')
  const known = instancesOfRun(foldRun(shown.value.events))
  const byId = known.filter(({ id }) => id === typed)
  const meant = byId.length > 0 ? byId : known.filter(({ name }) => name === typed)
  const [instance] = meant
  if (instance === undefined || meant.length > 1) {
    const why =
      meant.length > 1
        ? `Run ${runId} has ${meant.length} instances named ${typed}: ${meant.map(({ id }) => id).join(', ')}. Give the id of one.`
        : `Run ${runId} has not moved an instance ${typed} through Nova so far. You can decide only about instances that it moves.`
    return reportFailure(context, failure('bad-input', why, { target: `run/${runId}` }))
  }
  const asked = await contract.ask('run.decide', { runId, instanceId: instance.id, choice: choice.data, reason })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const where =
    shown.value.summary.state === 'interrupted'
      ? `Run ${runId} has no console. It follows this after \`lockkeeper run resume ${runId}\`.`
      : `Run ${runId} follows this at its next check.`
  printer.say(`${instance.name} (${instance.id}): ${INSTANCE_CHOICE_WORDS[choice.data]}. ${where}`)
  if (printer.json) printer.value({ runId, instanceId: instance.id, choice: choice.data })
  return 0
}
