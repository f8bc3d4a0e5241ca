import type { Command } from '../command.ts'
import { sayFromJournal } from '../journal-status.ts'
import { leftOut } from '../left-out.ts'
import { renderRuns } from '../render/render-runs.ts'
import { reportFailure } from '../report-failure.ts'

export const listRuns: Command = async context => {
  const { args, contract, printer, parts } = context
  const cluster = args.operands.CLUSTER ?? null
  if (args.isSet('asked')) {
    return parts.runners?.listRequests(cluster, context) ?? reportFailure(context, leftOut('runners'))
  }
  // Runners and their requests are read at the same time.
  const reading = printer.json ? null : parts.runners?.readRequests(cluster, context)
  const [sayRequests] = await Promise.all([reading, parts.runners?.connect(context)])
  const listed = await contract.ask('run.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const runs = listed.value
  if (printer.json) printer.value(runs)
  await sayFromJournal(context, renderRuns(runs, printer.look), runs.length === 0)
  sayRequests?.()
  return 0
}
