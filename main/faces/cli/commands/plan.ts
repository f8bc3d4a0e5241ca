import type { PlanChoices } from '../../../../shared/contract/index.ts'
import type { PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { askForPlan } from '../ask-for-plan.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { whyOnlyRead } from '../journal-status.ts'
import { planChoices } from '../plan-choices.ts'
import { renderFailure } from '../render/render-failure.ts'
import { renderForecast } from '../render/render-forecast.ts'
import { renderPlan } from '../render/render-plan.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { nodeWorkOf } from '../update-choices.ts'

export const planEnter: Command = context => showPlan('enter', context)

export const planLeave: Command = context => showPlan('leave', context)

export const planMaintain: Command = context => showPlan('maintain', context)

export const planHome: Command = context => showPlan('home', context)

export const planRescue: Command = context => showPlan('rescue', context)

/** How Lockkeeper knows that the work has finished, for a plan of a whole maintenance. */
export async function workChoice(
  kind: PlannedNodeRunKind,
  { args, io }: Pick<CommandContext, 'args' | 'io'>,
): Promise<Result<PlanChoices>> {
  if (kind !== 'maintain') return ok({})
  const work = await nodeWorkOf(args, io.workDirectory)
  return work.ok ? ok({ work: work.value }) : work
}

/** Makes a plan, shows it and ends; changes nothing. */
export async function showPlan(kind: PlannedNodeRunKind, context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer } = context
  const choices = planChoices(args)
  if (typeof choices === 'string') return reportUsage(context, choices)
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const work = await workChoice(kind, context)
  if (!work.ok) return reportFailure(context, work.failure)
  const made = await askForPlan(
    { cluster, node: args.operand('NODE'), kind, choices: { ...choices, ...work.value } },
    context,
  )
  if (!made.ok) return reportFailure(context, made.failure)
  const unkept = await whyOnlyRead(contract)
  const forecast = args.isSet('forecast') ? await contract.ask('plan.forecast', { planId: made.value.plan.id }) : null
  if (forecast !== null && !forecast.ok) {
    printer.warn(...renderFailure(forecast.failure, printer.warningLook, printer.verbose))
  }
  const seen = forecast?.ok ? forecast.value : null
  if (printer.json) printer.value(seen === null ? made.value : { ...made.value, forecast: seen })
  else {
    printer.say(...renderPlan(made.value, printer.look, printer.verbose, unkept))
    if (seen !== null) printer.say('', ...renderForecast(seen, made.value, printer.look))
  }
  return made.value.startable && unkept === null ? 0 : 3
}
