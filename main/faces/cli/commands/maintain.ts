import type { RequestInput } from '../../../../shared/contract/index.ts'
import { type CheckedPlan, isDisruptive, type PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { effectsOf } from '../../../../shared/domain/plan-effects.ts'
import { planTitle } from '../../../../shared/words/plans.ts'
import { silencedWords } from '../../../../shared/words/signals.ts'
import { askForPlan } from '../ask-for-plan.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { confirmOnCluster } from '../follow/confirm-cluster.ts'
import { followRun } from '../follow/follow-run.ts'
import { unattendedAnswers } from '../follow/unattended.ts'
import { whyOnlyRead } from '../journal-status.ts'
import { planChoices } from '../plan-choices.ts'
import { countsSentence } from '../render/plan-counts.ts'
import { isFolded, renderPlan } from '../render/render-plan.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { windowChoice } from '../window-choice.ts'
import { hang } from '../words/width.ts'
import { showPlan, workChoice } from './plan.ts'

export const enterNode: Command = context => maintain('enter', context)

export const leaveNode: Command = context => maintain('leave', context)

export const maintainNode: Command = context => maintain('maintain', context)

export const homeNode: Command = context => maintain('home', context)

export const rescueNode: Command = context => maintain('rescue', context)

async function maintain(kind: PlannedNodeRunKind, context: CommandContext): Promise<ExitCode> {
  const { args, printer, io } = context
  if (args.isSet('dry-run')) return showPlan(kind, context)
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      `There is no terminal to ask. Read \`plan ${kind}\` first, then give --yes to start without a question.`,
    )
  }
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
  return runPlan(made.value, context, args.isSet('yes'))
}

/** Shows a checked plan, asks, and follows its run to the end. The plan that is shown is the plan that runs. */
export async function runPlan(checked: CheckedPlan, context: CommandContext, yes: boolean): Promise<ExitCode> {
  const { args, contract } = context
  const unattended = unattendedAnswers(args.texts('answer'), checked.plan.steps, yes)
  if (!unattended.ok) return reportFailure(context, unattended.failure)
  const inCluster = (await context.parts.runners?.inCluster(args)) ?? null
  if (typeof inCluster === 'string') return reportUsage(context, inCluster)
  const shown = await showToConfirm(checked, context)
  if (typeof shown === 'number') return shown
  const window = await windowChoice(checked, context, { yes, production: shown.production })
  if (!window.ok) return reportFailure(context, window.failure)
  if (window.value === null) return untouched(checked, context)
  const refused = inCluster === null ? null : await inCluster.offer(checked.plan.cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const confirmed = await askToConfirm(checked, questionOf(checked), { yes, ...shown }, context)
  if (typeof confirmed === 'number') return confirmed
  const start = { planId: checked.plan.id, ...window.value, ...confirmed }
  return inCluster === null
    ? followRun(context, () => contract.ask('run.start', start), { unattended: unattended.value })
    : inCluster.submit(start, { steps: checked.plan.steps, yes }, context)
}

/** Shows a checked plan and says whether it needs the confirmation of a production cluster; an exit code when it cannot start. */
export async function showToConfirm(
  checked: CheckedPlan,
  context: CommandContext,
): Promise<{ readonly production: boolean } | ExitCode> {
  const { args, contract, printer } = context
  const unkept = await whyOnlyRead(contract)
  const folded = isFolded(checked.plan, args)
  printer.say(...renderPlan(checked, printer.look, printer.verbose, unkept, folded, args.texts('answer')), '')
  if (!checked.startable || unkept !== null) {
    if (printer.json) printer.value(checked)
    return 3
  }
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return reportFailure(context, listed.failure)
  const cluster = listed.value.find(({ name }) => name === checked.plan.cluster)
  const silenced = silencedWords(cluster ?? {}, checked)
  if (silenced !== null) printer.say(...hang('', silenced, printer.look.columns), '')
  return { production: isDisruptive(checked.plan) && cluster?.production === true }
}

export async function askToConfirm(
  checked: CheckedPlan,
  question: string,
  how: { readonly yes: boolean; readonly production: boolean },
  context: CommandContext,
): Promise<Pick<RequestInput<'run.start'>, 'typedCluster'> | ExitCode> {
  return (await confirmOnCluster(checked.plan.cluster, question, how, context)) ?? untouched(checked, context)
}

function untouched(checked: CheckedPlan, { printer }: CommandContext): ExitCode {
  printer.say('Nothing changed.')
  if (printer.json) printer.value(checked)
  return 4
}

function questionOf(checked: CheckedPlan): string {
  return `${planTitle(checked.plan)}: ${countsSentence(effectsOf(checked))}?`
}
