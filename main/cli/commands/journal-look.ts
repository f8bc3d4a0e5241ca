import type { Command } from '../command.ts'
import { renderJournalCheck, renderJournalStatus } from '../render/render-journal.ts'
import { reportFailure } from '../report-failure.ts'

/** `journal status`: the journal as a file, and what it holds. */
export const showJournal: Command = async context => {
  const { contract, printer } = context
  const asked = await contract.ask('journal.status', {})
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalStatus(asked.value, printer.look))
  return 0
}

/** `journal check`: whether all is as it was written; 1 when it is not. */
export const checkJournal: Command = async context => {
  const { contract, printer } = context
  const asked = await contract.ask('journal.check', {})
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalCheck(asked.value, printer.look))
  return asked.value.ok ? 0 : 1
}
