import type { CheckedPlan, RunKind } from '../../../shared/domain/plan.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { followRun } from '../follow/follow-run.ts'
import { confirm } from '../follow/questions.ts'
import { planChoices } from '../plan-choices.ts'
import { countsSentence, effectsOf } from '../render/plan-counts.ts'
import { renderPlan } from '../render/render-plan.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `enter`: a node goes into maintenance: plan, confirmation, run, verification. */
export const enterNode: Command = context => maintain('enter', context)

/** `leave`: a node comes back: plan, confirmation, run, verification. */
export const leaveNode: Command = context => maintain('leave', context)

async function maintain(kind: RunKind, context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer, surroundings } = context
  const interactive = surroundings.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      `There is no terminal to confirm at. Read \`plan ${kind}\` first, then give --yes to ${kind} without a question.`,
    )
  }
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const made = await contract.ask('plan.make', {
    cluster,
    node: args.operand('NODE'),
    kind,
    choices: planChoices(args),
  })
  if (!made.ok) return reportFailure(context, made.failure)
  return runPlan(made.value, context, args.isSet('yes'))
}

/** Shows a checked plan, has it confirmed, and follows its run to the end. What is shown is what runs. */
export async function runPlan(checked: CheckedPlan, context: CommandContext, yes: boolean): Promise<ExitCode> {
  const { contract, printer } = context
  printer.say(...renderPlan(checked, printer.look, printer.verbose), '')
  if (!checked.startable) {
    if (printer.json) printer.value(checked)
    return 3
  }
  if (!yes && !(await confirm(questionOf(checked), context, new AbortController().signal))) {
    printer.say('Nothing was touched.')
    if (printer.json) printer.value(checked)
    return 4
  }
  return followRun(context, () => contract.ask('run.start', { planId: checked.plan.id }))
}

function questionOf(checked: CheckedPlan): string {
  const { node, cluster, kind } = checked.plan
  const what =
    kind === 'enter' ? `Put ${node} of ${cluster} into maintenance` : `Take ${node} of ${cluster} out of maintenance`
  return `${what}: ${countsSentence(effectsOf(checked))}?`
}
