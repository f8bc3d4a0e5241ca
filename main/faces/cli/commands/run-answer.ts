import type { RunDetail } from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { OpenGate } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { findRun } from '../find-run.ts'
import { followRun } from '../follow/follow-run.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `run answer`: a run with a console gets the answer there; a detached run resumes here and gets the answer to its open question. */
export const answerRun: Command = async context => {
  const { args, contract } = context
  const choice = args.operand('CHOICE')
  if (choice !== 'continue' && choice !== 'retry' && choice !== 'skip' && choice !== 'abort') {
    return reportUsage(context, 'CHOICE is continue, retry, skip or abort.')
  }
  const reason = args.text('reason') ?? ''
  const found = await findRun(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const shown = await contract.ask('run.show', { runId: found.value.id })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const gates = openGatesOf(shown.value.events)
  const gate = gates.find(({ gateId }) => gateId === args.operand('GATE'))
  if (gate === undefined) return reportFailure(context, notAsked(found.value.id, gates, args.operand('GATE')))
  if (!gate.choices.includes(choice)) {
    return reportFailure(
      context,
      refusal('bad-input', because('ChoiceNotOffered', { choices: [...gate.choices], given: choice }), {
        target: `run/${found.value.id}`,
      }),
    )
  }
  return shown.value.summary.state === 'interrupted'
    ? driveOn(shown.value, gate, choice, reason, context)
    : answerThere(shown.value, gate, choice, reason, context)
}

function notAsked(runId: string, gates: readonly OpenGate[], gateId: string): Failure {
  const target = { target: `run/${runId}` }
  if (gates.length === 0) return refusal('conflict', because('RunAsksNothing', { run: runId }), target)
  const asked = gates.map(gate => `${gate.gateId}: ${gate.question}`).join(' And at ')
  return refusal('conflict', because('RunAsksElsewhere', { run: runId, gate: gateId, asked }), target)
}

async function answerThere(
  { summary }: RunDetail,
  { gateId }: OpenGate,
  choice: GateChoice,
  reason: string,
  context: CommandContext,
): Promise<ExitCode> {
  const { contract, printer } = context
  const { id, operator, machine } = summary
  const asked = await contract.ask('run.answer', { runId: id, gateId, choice, reason })
  if (!asked.ok) return reportFailure(context, asked.failure)
  printer.say(`Answered: ${choice}. The run continues on ${machine}, as ${operator}.`)
  if (printer.json) printer.value({ runId: id, gateId, choice })
  return 0
}

async function driveOn(
  { summary }: RunDetail,
  { gateId }: OpenGate,
  choice: GateChoice,
  reason: string,
  context: CommandContext,
): Promise<ExitCode> {
  const { contract, printer } = context
  const runId = summary.id
  if (choice === 'abort') {
    const aborted = await contract.ask('run.abort', { runId, reason })
    if (!aborted.ok) return reportFailure(context, aborted.failure)
    printer.say(`Run ${runId} stopped. \`lockkeeper run show ${runId}\` shows what is still changed.`)
    if (printer.json) printer.value(aborted.value)
    return 0
  }
  const refused = await connectCluster(summary.cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  printer.say(`Run ${runId} has no console. It continues here.`)
  return followRun(context, () => contract.ask('run.resume', { runId }), {
    prepared: { gateId, choice, reason },
  })
}
