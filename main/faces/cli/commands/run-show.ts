import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { runsAfter } from '../../../../shared/domain/undoable.ts'
import type { Command } from '../command.ts'
import { findRunOrAsked } from '../find-run.ts'
import { renderRun } from '../render/render-run.ts'
import { runAsJson } from '../render/run-as-json.ts'
import { reportFailure } from '../report-failure.ts'

export const showRun: Command = async context => {
  const { args, contract, printer } = context
  await context.parts.runners?.connect(context)
  const found = await findRunOrAsked(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  if (found.value.kind === 'asked') {
    found.value.asked.show(context)
    return 0
  }
  const shown = await contract.ask('run.show', { runId: found.value.run.id })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { summary, events } = shown.value
  const view = foldRun(events)
  if (printer.json) {
    printer.value({ ...runAsJson(summary, view, events), events })
    return 0
  }
  const list = await contract.ask('run.list', { cluster: summary.cluster })
  const later = list.ok ? runsAfter(view, list.value) : null
  printer.say(...renderRun(summary, view, events, printer.look, { verbose: printer.verbose, later }))
  return 0
}
