import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { findRun } from '../find-run.ts'
import { followRun } from '../follow/follow-run.ts'
import { unattendedAnswers } from '../follow/unattended.ts'
import { reportFailure } from '../report-failure.ts'

/** `run resume`: continues an interrupted or detached run here; a paused run continues on its own console. */
export const resumeRun: Command = async context => {
  const { args, contract, printer } = context
  const found = await findRun(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, cluster, state } = found.value
  if (state === 'paused') {
    const asked = await contract.ask('run.unpause', { runId: id })
    if (!asked.ok) return reportFailure(context, asked.failure)
    printer.say(`Run ${id} continues on ${found.value.machine}, as ${found.value.operator}.`)
    if (printer.json) printer.value(found.value)
    return 0
  }
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  return resumeHere(id, context)
}

/** Continues a run here, with the answers given in advance. */
export async function resumeHere(runId: string, context: CommandContext): Promise<ExitCode> {
  const { args, contract } = context
  const given = args.texts('answer')
  if (given.length === 0) return followRun(context, () => contract.ask('run.resume', { runId }))
  const shown = await contract.ask('run.show', { runId })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const steps = foldRun(shown.value.events).plan.steps
  const unattended = unattendedAnswers(given, steps, false)
  if (!unattended.ok) return reportFailure(context, unattended.failure)
  return followRun(context, () => contract.ask('run.resume', { runId }), { unattended: unattended.value })
}
