import type { Command } from '../command.ts'
import { renderRuns } from '../render/render-runs.ts'
import { reportFailure } from '../report-failure.ts'
import { oneLine } from '../words/clean-text.ts'

/** `runs`: every run, newest first. */
export const listRuns: Command = async context => {
  const { args, contract, printer } = context
  const listed = await contract.ask('run.list', { cluster: args.operands.CLUSTER ?? null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const runs = listed.value.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
  if (printer.json) printer.value(runs)
  else printer.say(...renderRuns(runs, printer.look))
  // A list from a journal of which something is gone must not pass for all there was.
  const standing = await contract.ask('journal.status', {})
  if (standing.ok && standing.value.readOnly !== null) printer.warn(oneLine(standing.value.readOnly))
  return 0
}
