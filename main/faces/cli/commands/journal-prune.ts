import type { PruneAnswer } from '../../../../shared/contract/index.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { Command } from '../command.ts'
import { confirm } from '../follow/questions.ts'
import type { CliProcess } from '../process-io.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { oneLine } from '../words/clean-text.ts'

/** `journal prune`: shows what it would remove, asks, and removes it. */
export const pruneJournalBefore: Command = async context => {
  const { args, contract, printer, io } = context
  const given = args.text('before')
  if (given === null) return reportUsage(context, 'Give a day with --before, such as --before 2026-01-31.')
  const before = timeOf(given, io)
  if (before === null) {
    return reportUsage(context, `--before takes a day such as 2026-01-31, or a time in ISO 8601, not "${given}".`)
  }
  const dry = args.isSet('dry-run')
  const interactive = io.canAsk && printer.channel.isTTY
  if (!dry && !interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to ask. Give --yes to remove it, or --dry-run to see what would go.',
    )
  }
  const planned = await contract.ask('journal.prune', { before, dryRun: true })
  if (!planned.ok) return reportFailure(context, planned.failure)
  if (dry || planned.value.entries === 0) {
    if (printer.json) printer.value(planned.value)
    else printer.say(`${dry ? 'Would remove' : 'Nothing to remove'}: ${amount(planned.value)}.`)
    return 0
  }
  const question = `Remove ${amount(planned.value)} that ended before ${before}? A complete copy is written beside the journal first.`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('Nothing was removed.')
    return 4
  }
  const asked = await contract.ask('journal.prune', { before, dryRun: false })
  if (!asked.ok) return reportFailure(context, asked.failure)
  if (printer.json) printer.value(asked.value)
  else printer.say(`Removed ${amount(asked.value)}. A copy is in ${oneLine(asked.value.archive ?? '-')}`)
  return 0
}

function amount({ runs, windows, entries }: PruneAnswer): string {
  return `${counted(runs, 'run')} and ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')} in all`
}

/** The start of a local day, or a time as written; null means neither. */
function timeOf(given: string, { clockChoice }: CliProcess): string | null {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given)
  const at = Date.parse(given)
  if (Number.isNaN(at) || (day === null && !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(given))) return null
  return new Date(day !== null && clockChoice === 'local' ? `${given}T00:00` : at).toISOString()
}
