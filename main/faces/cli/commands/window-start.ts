import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { planChoices } from '../plan-choices.ts'
import { renderUpdateOutline } from '../render/render-update.ts'
import { renderWindow } from '../render/render-windows.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { runPlan } from './maintain.ts'
import { agreeToStart } from './window-agree.ts'

/** `window start`: shows the plan of a window, asks, and follows the run; or confirms an automatic start. */
export const startWindow: Command = async context => {
  const { args, contract, printer, io } = context
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to ask. Read `window show` first, then give --yes to start without a question.',
    )
  }
  if (args.isSet('when-it-begins') && args.isSet('in-cluster')) {
    return reportUsage(
      context,
      '--when-it-begins is for this console, --in-cluster for a runner: give one of them. A runner starts at --start-after.',
    )
  }
  const choices = planChoices(args)
  if (typeof choices === 'string') return reportUsage(context, choices)
  const shown = await contract.ask('window.show', { id: args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { id, cluster } = shown.value.window
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const checked = await contract.ask('window.plan', { id, choices })
  if (!checked.ok) return reportFailure(context, checked.failure)
  printer.say(...renderWindow(shown.value, printer.look), '')
  printer.say(...renderUpdateOutline(checked.value.plan, [], printer.look), '')
  return args.isSet('when-it-begins')
    ? agreeToStart(shown.value.window, checked.value, context)
    : runPlan(checked.value, context, args.isSet('yes'))
}
