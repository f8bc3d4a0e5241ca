import { connectRunners } from '../../../wings/runner/cli/in-cluster.ts'
import { renderAskedRuns, renderUnreadAsked } from '../../../wings/runner/cli/render/render-asked-runs.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { sayFromJournal } from '../journal-status.ts'
import { renderFailure } from '../render/render-failure.ts'
import { renderRuns } from '../render/render-runs.ts'
import { reportFailure } from '../report-failure.ts'

export const listRuns: Command = async context => {
  const { args, contract, printer } = context
  if (args.isSet('asked')) return listAsked(context)
  const cluster = args.operands.CLUSTER ?? null
  // Runners and MaintenanceRuns are read at the same time.
  const asking = printer.json ? null : contract.ask('runner.asked', { cluster })
  const [asked] = await Promise.all([asking, connectRunners(context)])
  const listed = await contract.ask('run.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const runs = listed.value
  if (printer.json) printer.value(runs)
  await sayFromJournal(context, renderRuns(runs, printer.look), runs.length === 0)
  if (asked === null) return 0
  if (asked.ok) {
    printer.say(...renderAskedRuns(asked.value.runs, printer.look, { all: false }))
    printer.warn(...renderUnreadAsked(asked.value, printer.warningLook))
  } else printer.warn(...renderFailure(asked.failure, printer.warningLook, printer.verbose))
  return 0
}

/** `runs --asked`: MaintenanceRuns that are not runs here yet; exit code 1 when some could not be read. */
async function listAsked(context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer } = context
  const asked = await contract.ask('runner.asked', { cluster: args.operands.CLUSTER ?? null })
  if (!asked.ok) return reportFailure(context, asked.failure)
  const { runs, unread } = asked.value
  if (printer.json) printer.value(asked.value)
  else if (runs.length > 0) printer.say(...renderAskedRuns(runs, printer.look, { all: true }).slice(1))
  else if (unread.length === 0) printer.say('No request to a known runner waits to start.')
  printer.warn(...renderUnreadAsked(asked.value, printer.warningLook))
  return unread.length === 0 ? 0 : 1
}
