import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { OpenGate, RunEvent } from '../../../../shared/domain/run.ts'
import { instanceIdOf } from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { instancesAskedAbout } from '../../../../shared/domain/run-progress.ts'
import { choicesOfKind } from '../../../../shared/domain/unattended.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { answerCommand } from './gate-words.ts'

/** What a run waits for and how to answer it from any terminal; nothing when it does not wait. */
export function renderGate(runId: string, events: readonly RunEvent[], look: Look): readonly string[] {
  const open = openGatesOf(events)
  const { plan, steps } = foldRun(events)
  const kindOf = (stepId: string) => steps.find(({ step }) => step.id === stepId)?.step.kind
  const saidBefore = ({ stepId, choices }: OpenGate) => {
    const said = choicesOfKind(kindOf(stepId) ?? stepId, plan.steps)
    return choices.filter(choice => said.includes(choice))
  }
  const asked = instancesAskedAbout({ steps }).flatMap(({ subject, name, asks }) => [
    ...hang(`${look.symbols.warning} `, `Waits for a decision about ${name}: ${asks.cause}.`, look.columns).map(
      look.palette.warn,
    ),
    `  decide: \`lockkeeper run decide ${shellWord(runId)} ${shellWord(instanceIdOf(subject))} CHOICE --reason TEXT\` (${asks.choices.join('|')})`,
  ])
  const gates = open.flatMap(gate => [
    ...hang(`${look.symbols.warning} `, `Waits for an answer: ${gate.question}`, look.columns).map(look.palette.warn),
    `  gate:   ${gate.gateId}`,
    `  answer: ${answerCommand(runId, gate)}`,
    `  before: --answer ${kindOf(gate.stepId) ?? gate.stepId}=${saidBefore(gate).join('|')}, where the run is started or resumed`,
  ])
  return [...gates, ...asked]
}
