import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command } from '../command.ts'
import { sayFromJournal } from '../journal-status.ts'
import { renderBlockers, renderDurations, renderHistory } from '../render/render-history.ts'
import { reportFailure } from '../report-failure.ts'

const USUAL_LIMIT = 50

export const searchHistory: Command = async context => {
  const { args, contract, printer } = context
  await context.parts.runners?.connect(context)
  const from = moment('from', args.text('from'), 'T00:00:00')
  if (!from.ok) return reportFailure(context, from.failure)
  const to = moment('to', args.text('to'), 'T23:59:59.999')
  if (!to.ok) return reportFailure(context, to.failure)
  const found = await contract.ask('history.search', {
    cluster: args.operands.CLUSTER ?? null,
    text: args.text('text') ?? '',
    from: from.value,
    to: to.value,
    limit: args.number('limit') ?? USUAL_LIMIT,
  })
  if (!found.ok) return reportFailure(context, found.failure)
  const { runs, windows } = found.value
  await sayFromJournal(context, renderHistory(found.value, printer.look), runs.length + windows.length === 0)
  if (printer.json) printer.value(found.value)
  return 0
}

export const listDurations: Command = async context => {
  const { args, contract, printer } = context
  const found = await contract.ask('history.durations', { cluster: args.operands.CLUSTER ?? null })
  if (!found.ok) return reportFailure(context, found.failure)
  for (const line of found.value.unreadable) printer.warn(line)
  const { measured } = found.value
  await sayFromJournal(context, renderDurations(measured, printer.look), measured.length === 0)
  if (printer.json) printer.value(found.value)
  return 0
}

export const listBlockers: Command = async context => {
  const { args, contract, printer } = context
  const found = await contract.ask('history.blockers', { cluster: args.operands.CLUSTER ?? null })
  if (!found.ok) return reportFailure(context, found.failure)
  await sayFromJournal(context, renderBlockers(found.value, printer.look), found.value.length === 0)
  if (printer.json) printer.value(found.value)
  return 0
}

/** A local day, or a time, as an instant. */
function moment(flag: string, given: string | null, dayAt: string): Result<string | null> {
  if (given === null) return ok(null)
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}${dayAt}` : given)
  if (!Number.isNaN(time.getTime())) return ok(time.toISOString())
  return failed(refusal('bad-input', because('FlagTakesDay', { flag, given })))
}
