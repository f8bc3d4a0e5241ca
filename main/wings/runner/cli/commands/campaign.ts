import type { CampaignDetail, RequestInput } from '../../../../../shared/contract/index.ts'
import { isObjectName } from '../../../../../shared/domain/object-name.ts'
import { counted } from '../../../../../shared/grammar/counts.ts'
import { abortQuestion } from '../../../../../shared/words/campaigns.ts'
import { noObjectName } from '../../../../../shared/words/object-names.ts'
import type { Command, CommandContext } from '../../../../faces/cli/command.ts'
import type { ExitCode } from '../../../../faces/cli/exit-code.ts'
import { confirm } from '../../../../faces/cli/follow/questions.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { hang } from '../../../../faces/cli/words/width.ts'
import { renderCampaign, renderCampaigns } from '../render/render-campaigns.ts'

export const createCampaign: Command = async context => {
  const { args, contract, printer } = context
  const batches = args.texts('batch').map(text => text.split(',').map(name => name.trim()))
  if (batches.length === 0) return reportUsage(context, 'A campaign has at least one batch. Give --batch RUN,RUN.')
  if (batches.flat().includes('')) return reportUsage(context, '--batch has an empty name between its commas.')
  const odd = batches.flat().find(run => !isObjectName(run))
  if (odd !== undefined) return reportUsage(context, noObjectName(odd, 'a MaintenanceRun'))
  const twice = batches.flat().find((run, at, all) => all.indexOf(run) !== at)
  if (twice !== undefined)
    return reportUsage(context, `--batch names ${twice} twice. A run starts only once: name it once.`)
  if (!isObjectName(args.operand('NAME')))
    return reportUsage(context, noObjectName(args.operand('NAME'), 'a MaintenanceCampaign'))
  const atOnce = args.number('at-once')
  const made = await contract.ask('campaign.create', {
    cluster: args.operand('CLUSTER'),
    name: args.operand('NAME'),
    batches: batches.map(runs => ({ runs, ...(atOnce === null ? {} : { atOnce }) })),
    failureBudget: args.number('failure-budget') ?? 0,
  })
  if (!made.ok) return reportFailure(context, made.failure)
  const { name, namespace, by, runsAll, batchesAll } = made.value
  const words = `MaintenanceCampaign ${name} in namespace ${namespace} of ${by}: ${counted(runsAll, 'run')} in ${counted(batchesAll, 'batch', 'batches')}. Each run starts in its turn, once it was submitted with --campaign ${name}.`
  printer.say(...hang('', words, printer.look.columns))
  if (printer.json) printer.value(made.value)
  return 0
}

export const listCampaigns: Command = async context => {
  const { args, contract, printer } = context
  const found = await contract.ask('campaign.list', { cluster: args.operand('CLUSTER') })
  if (!found.ok) return reportFailure(context, found.failure)
  if (printer.json) printer.value(found.value)
  else printer.say(...renderCampaigns(found.value, printer.look))
  return 0
}

export const showCampaign: Command = async context => {
  const { args, contract, printer } = context
  const found = await contract.ask('campaign.show', { cluster: args.operand('CLUSTER'), name: args.operand('NAME') })
  if (!found.ok) return reportFailure(context, found.failure)
  if (printer.json) printer.value(found.value)
  else printer.say(...renderCampaign(found.value, printer.look))
  return exitOfCampaign(found.value)
}

export const pauseCampaign: Command = context => control('pause', context)

export const resumeCampaign: Command = context => control('resume', context)

export const abortCampaign: Command = async context => {
  const { args, printer, io } = context
  if (!args.isSet('yes')) {
    if (!(io.canAsk && printer.channel.isTTY)) {
      return reportUsage(context, 'There is no terminal to confirm at. Give --yes to stop it without a question.')
    }
    if (!(await confirm(abortQuestion(args.operand('NAME')), context, new AbortController().signal))) {
      printer.say('The campaign did not change.')
      return 4
    }
  }
  return control('abort', context)
}

async function control(what: RequestInput<'campaign.control'>['control'], context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer } = context
  const asked = await contract.ask('campaign.control', {
    cluster: args.operand('CLUSTER'),
    name: args.operand('NAME'),
    control: what,
    reason: args.text('reason') ?? '',
  })
  if (!asked.ok) return reportFailure(context, asked.failure)
  printer.say(...hang('', asked.value.message, printer.look.columns))
  if (printer.json) printer.value(asked.value)
  return 0
}

function exitOfCampaign({ phase, endedAt }: CampaignDetail): ExitCode {
  if (endedAt === null) return 4
  return phase === 'Done' ? 0 : 1
}
