import type { PlanChoices } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { whyOnlyRead } from '../journal-status.ts'
import { planChoices } from '../plan-choices.ts'
import { isFolded, renderPlan } from '../render/render-plan.ts'
import { renderUpdateOutline } from '../render/render-update.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { enterNode, runPlan } from './maintain.ts'

interface TakingOut {
  readonly options: UpdateOptions
  readonly choices: PlanChoices
  /** Those that have to stay. */
  readonly left: readonly { readonly node: string; readonly why: string }[]
}

/** `enter`: one node, or several that go out in one run and stay out, judged together. */
export const enterNodes: Command = context =>
  new Set(context.args.several).size > 1 ? takeOutTogether(context) : enterNode(context)

async function takeOutTogether(context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer, io } = context
  const canAsk = io.canAsk && printer.channel.isTTY
  if (!canAsk && !args.isSet('yes') && !args.isSet('dry-run')) {
    return reportUsage(
      context,
      'There is no terminal to ask. Read the plan with --dry-run first, then give --yes to start without a question.',
    )
  }
  const proposed = await proposeTogether(context)
  if (!proposed.ok) return reportFailure(context, proposed.failure)
  const { options, left, choices } = proposed.value
  if (left.length > 0 && (args.isSet('yes') || nodesOf(options).length === 0)) {
    // With --yes nobody reads which nodes stay, so fewer nodes than named never go out unasked.
    warnOfLeft(left, printer)
    printer.warn('Nothing changed.')
    return 3
  }
  const cluster = args.operand('CLUSTER')
  const made = await contract.ask('update.plan', { cluster, update: options, choices })
  if (!made.ok) return reportFailure(context, made.failure)
  const checked = made.value
  if (printer.json) warnOfLeft(left, printer)
  else printer.say(...renderUpdateOutline(checked.plan, left, printer.look), '')
  if (!args.isSet('dry-run')) return runPlan(checked, context, args.isSet('yes'))
  const unkept = await whyOnlyRead(contract)
  if (printer.json) printer.value(checked)
  else printer.say(...renderPlan(checked, printer.look, printer.verbose, unkept, isFolded(checked.plan, args)))
  return checked.startable && unkept === null && left.length === 0 ? 0 : 3
}

/** What the page proposes for "all out now", with the flags of the command. */
async function proposeTogether(context: CommandContext): Promise<Result<TakingOut>> {
  const { args, contract } = context
  const choices = planChoices(args)
  if (typeof choices === 'string') return failed(failure('bad-input', choices))
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return failed(refused)
  const nodes = [...new Set(args.several)]
  const proposed = await contract.ask('update.propose', { cluster, nodes, staysOut: true })
  if (!proposed.ok) return proposed
  const { options, left } = proposed.value
  const asked = { ...options, scope: choices.scope ?? options.scope, reason: choices.reason ?? options.reason }
  return ok({ options: asked, left, choices })
}

function warnOfLeft(left: TakingOut['left'], printer: CommandContext['printer']): void {
  for (const { node, why } of left) printer.warn(`${node} cannot go out with the others: ${why}`)
}

function nodesOf({ controlNodes, groups }: UpdateOptions): readonly string[] {
  return [...controlNodes, ...groups.flatMap(({ nodes }) => nodes)]
}
