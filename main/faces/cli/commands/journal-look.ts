import type { Command } from '../command.ts'
import { renderJournalCheck, renderJournalStatus } from '../render/render-journal.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { oneLine } from '../words/clean-text.ts'

/** `journal status`: the journal as a file, and what it holds; 1 when it cannot be written. */
export const showJournal: Command = async context => {
  const { contract, printer } = context
  const asked = await contract.ask('journal.status', {})
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalStatus(asked.value, printer.look))
  const { readOnly, roomBytes } = asked.value
  return readOnly === null && roomBytes !== 0 ? 0 : 1
}

/** `journal check`: whether all is as it was written; 1 when it is not. */
export const checkJournal: Command = async context => {
  const { args, contract, printer } = context
  const head = args.text('head')
  const asked = await contract.ask('journal.check', head === null ? {} : { head })
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalCheck(asked.value, printer.look))
  return asked.value.ok ? 0 : 1
}

/** `journal accept`: goes on with a journal of which something known is gone. */
export const acceptJournal: Command = async context => {
  const { args, contract, printer } = context
  const reason = args.text('reason')?.trim() ?? ''
  if (reason === '') return reportUsage(context, 'It needs a reason: --reason TEXT. It is kept in the journal.')
  const asked = await contract.ask('journal.accept', { reason })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { head, words } = asked.value
  if (printer.json) printer.value(asked.value)
  else printer.say(oneLine(words), `Head of its chain: ${head.hash}`)
  return 0
}
