import type { Command } from '../command.ts'
import { renderJournalCheck, renderJournalStatus } from '../render/render-journal.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { oneLine } from '../words/clean-text.ts'

/** `journal status`: exit code 1 when the journal cannot be written. */
export const showJournal: Command = async context => {
  const { contract, printer } = context
  const asked = await contract.ask('journal.status', {})
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalStatus(asked.value, printer.look))
  const { readOnly, roomBytes } = asked.value
  return readOnly === null && roomBytes !== 0 ? 0 : 1
}

export const checkJournal: Command = async context => {
  const { args, contract, printer } = context
  const head = args.text('head')
  const asked = await contract.ask('journal.check', head === null ? {} : { head })
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(...renderJournalCheck(asked.value, printer.look))
  return asked.value.ok ? 0 : 1
}

export const acceptJournal: Command = async context => {
  const { args, contract, printer } = context
  const reason = args.text('reason')?.trim() ?? ''
  if (reason === '') return reportUsage(context, 'Give a reason: --reason TEXT. The journal keeps it.')
  const asked = await contract.ask('journal.accept', { reason })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { head, words } = asked.value
  if (printer.json) printer.value(asked.value)
  else printer.say(oneLine(words), `Head of its chain: ${head.hash}`)
  return 0
}
