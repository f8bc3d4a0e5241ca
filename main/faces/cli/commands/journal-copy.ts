import { resolve } from 'node:path'
import { bytes as byteWords } from '../../../../shared/grammar/bytes.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'
import { oneLine } from '../words/clean-text.ts'

export const exportJournalTo: Command = async context => {
  const { args, contract, printer, io } = context
  const asked = await contract.ask('journal.export', {
    path: resolve(io.workDirectory, args.operand('FILE')),
  })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { path, bytes, runs, head } = asked.value
  if (printer.json) printer.value(asked.value)
  else {
    printer.say(
      `Written: ${oneLine(path)} (${byteWords(bytes)}, ${counted(runs, 'run')})`,
      `Head of its chain: ${head}`,
    )
  }
  return 0
}

/** `journal import`: adds finished runs and windows of another journal that are missing here. */
export const importJournalFrom: Command = async context => {
  const { args, contract, printer, io } = context
  const asked = await contract.ask('journal.import', {
    path: resolve(io.workDirectory, args.operand('FILE')),
  })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { runs, windows, known, words } = asked.value
  if (printer.json) printer.value(asked.value)
  else {
    printer.say(
      `Added: ${counted(runs, 'run')}, ${counted(windows, 'window')}. Known already: ${known}.`,
      oneLine(words),
    )
  }
  return 0
}
