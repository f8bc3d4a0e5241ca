import { failure } from '../../../../shared/domain/failure.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { whyOnlyRead } from '../journal-status.ts'
import { planChoices } from '../plan-choices.ts'
import { isFolded, renderPlan } from '../render/render-plan.ts'
import { renderUpdateOutline } from '../render/render-update.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { updateChoices } from '../update-choices.ts'
import { runPlan } from './maintain.ts'

export const planUpdate: Command = async context => {
  const { contract, printer } = context
  const made = await makeUpdate(context)
  if (!made.ok) return reportFailure(context, made.failure)
  const unkept = await whyOnlyRead(contract)
  if (printer.json) printer.value(made.value.checked)
  else {
    printOutline(made.value, context)
    const { checked } = made.value
    printer.say(...renderPlan(checked, printer.look, printer.verbose, unkept, isFolded(checked.plan, context.args)))
  }
  return made.value.checked.startable && unkept === null ? 0 : 3
}

export const startUpdate: Command = async context => {
  const { args, printer, io } = context
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to ask. Read `update plan` first, then give --yes to start without a question.',
    )
  }
  const made = await makeUpdate(context)
  if (!made.ok) return reportFailure(context, made.failure)
  printOutline(made.value, context)
  return runPlan(made.value.checked, context, args.isSet('yes'))
}

interface MadeUpdate {
  readonly checked: CheckedPlan
  readonly left: readonly { readonly node: string; readonly why: string }[]
}

async function makeUpdate(context: CommandContext): Promise<Result<MadeUpdate>> {
  const { args, contract, io } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return { ok: false, failure: refused }
  const proposed = await contract.ask('update.propose', { cluster })
  if (!proposed.ok) return proposed
  const choices = planChoices(args)
  if (typeof choices === 'string') return failed(failure('bad-input', choices))
  const wish = await updateChoices(args, proposed.value.options, io.workDirectory)
  if (!wish.ok) return wish
  const { update, commands } = wish.value
  const given = commands.length === 0 ? {} : { commands: [...commands] }
  const checked = await contract.ask('update.plan', { cluster, update, choices, ...given })
  if (!checked.ok) return checked
  const chosen = new Set([...update.controlNodes, ...update.groups.flatMap(({ nodes }) => nodes)])
  const unnamed = [
    ...proposed.value.options.controlNodes,
    ...proposed.value.options.groups.flatMap(({ nodes }) => nodes),
  ].map(node => ({ node, why: 'in no group' }))
  return ok({
    checked: checked.value,
    left: [...proposed.value.left, ...unnamed].filter(({ node }) => !chosen.has(node)),
  })
}

function printOutline({ checked, left }: MadeUpdate, { printer }: CommandContext): void {
  if (!printer.json) printer.say(...renderUpdateOutline(checked.plan, left, printer.look), '')
}
