import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { Command } from '../command.ts'
import { findRun } from '../find-run.ts'
import { renderRun } from '../render/render-run.ts'
import { runAsJson } from '../render/run-as-json.ts'
import { reportFailure } from '../report-failure.ts'

/** `run show`: a run with its steps, what it waits for and what stays changed. */
export const showRun: Command = async context => {
  const { args, contract, printer } = context
  const found = await findRun(contract, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const shown = await contract.ask('run.show', { runId: found.value.id })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { summary, events } = shown.value
  const view = foldRun(events)
  if (printer.json) printer.value({ ...runAsJson(summary, view, events), events })
  else printer.say(...renderRun(summary, view, events, printer.look, printer.verbose))
  return 0
}
