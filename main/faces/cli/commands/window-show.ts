import type { Command } from '../command.ts'
import { sayFromJournal } from '../journal-status.ts'
import { renderWindow, renderWindows } from '../render/render-windows.ts'
import { reportFailure } from '../report-failure.ts'

export const listWindows: Command = async context => {
  const { args, contract, printer } = context
  const listed = await contract.ask('window.list', { cluster: args.operands.CLUSTER ?? null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  if (printer.json) printer.value(listed.value)
  await sayFromJournal(context, renderWindows(listed.value, printer.look), listed.value.length === 0)
  return 0
}

export const showWindow: Command = async context => {
  const { args, contract, printer } = context
  const shown = await contract.ask('window.show', { id: args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  if (printer.json) printer.value(shown.value)
  else printer.say(...renderWindow(shown.value, printer.look))
  return 0
}
