import type { Command } from '../command.ts'
import { hearRunners } from '../in-cluster.ts'
import { sayFromJournal } from '../journal-standing.ts'
import { renderRuns } from '../render/render-runs.ts'
import { reportFailure } from '../report-failure.ts'

/** `runs`: every run, newest first. */
export const listRuns: Command = async context => {
  const { args, contract, printer } = context
  await hearRunners(context)
  const listed = await contract.ask('run.list', { cluster: args.operands.CLUSTER ?? null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const runs = listed.value.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
  if (printer.json) printer.value(runs)
  await sayFromJournal(context, renderRuns(runs, printer.look), runs.length === 0)
  return 0
}
