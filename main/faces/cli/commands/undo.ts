import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { findRun } from '../find-run.ts'
import { whyOnlyRead } from '../journal-status.ts'
import { planChoices } from '../plan-choices.ts'
import { renderPlan } from '../render/render-plan.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { runPlan } from './maintain.ts'

export const undoRun: Command = async context => {
  const { args, contract, printer, io } = context
  const chosen = planChoices(args)
  if (typeof chosen === 'string') return reportUsage(context, chosen)
  const found = await findRun(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const isDry = args.isSet('dry-run')
  if (!isDry && !(io.canAsk && printer.channel.isTTY) && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to ask. Read `undo --dry-run` first, then give --yes to undo without a question.',
    )
  }
  const refused = await connectCluster(found.value.cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const { NODE: node } = args.operands
  const made = await contract.ask('plan.undo', {
    runId: found.value.id,
    ...(node === undefined ? {} : { node }),
    choices: chosen,
    instancesStay: args.isSet('instances-stay'),
  })
  if (!made.ok) return reportFailure(context, made.failure)
  if (!isDry) return runPlan(made.value, context, args.isSet('yes'))
  const unkept = await whyOnlyRead(contract)
  if (printer.json) printer.value(made.value)
  else printer.say(...renderPlan(made.value, printer.look, printer.verbose, unkept))
  return made.value.startable && unkept === null ? 0 : 3
}
