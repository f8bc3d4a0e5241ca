import type { RunSummary } from '../../../../shared/contract/index.ts'
import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { OpenGate, RunEvent } from '../../../../shared/domain/run.ts'
import type { RunCondition } from '../../../../shared/domain/run-condition.ts'
import { instanceIdOf } from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { instancesAskedAbout } from '../../../../shared/domain/run-progress.ts'
import { choicesOfKind } from '../../../../shared/domain/unattended.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { answerCommand } from './gate-words.ts'

/** The commands that answer what a run waits for, with the question if its state does not include it; nothing when it does not wait. */
export function renderGate(
  { id: runId, condition }: Pick<RunSummary, 'id' | 'condition'>,
  events: readonly RunEvent[],
  look: Look,
): readonly string[] {
  const named = askedIn(condition)
  const open = openGatesOf(events)
  const { plan, steps } = foldRun(events)
  const kindOf = (stepId: string) => steps.find(({ step }) => step.id === stepId)?.step.kind
  const saidBefore = ({ stepId, choices }: OpenGate) => {
    const said = choicesOfKind(kindOf(stepId) ?? stepId, plan.steps)
    return choices.filter(choice => said.includes(choice))
  }
  const heading = (text: string) => hang(`${look.symbols.warning} `, text, look.columns).map(look.palette.warn)
  const asked = instancesAskedAbout({ steps }).flatMap(({ subject, name, asks }) => [
    ...heading(
      named === instanceIdOf(subject)
        ? `How to decide about ${name}:`
        : `Waits for a decision about ${name}: ${asks.cause}.`,
    ),
    `  decide: \`lockkeeper run decide ${shellWord(runId)} ${shellWord(instanceIdOf(subject))} CHOICE\` (${asks.choices.join('|')})`,
  ])
  const gates = open.flatMap(gate => [
    ...heading(named === gate.gateId ? 'How to answer:' : `Waits for an answer: ${gate.question}`),
    `  gate:   ${gate.gateId}`,
    `  answer: ${answerCommand(runId, gate)}`,
    `  before: --answer ${kindOf(gate.stepId) ?? gate.stepId}=${saidBefore(gate).join('|')}, when you start or resume the run`,
  ])
  return [...gates, ...asked]
}

/** The id of the question or instance that the text of a run's state already mentions (shared/words/conditions.ts); null if there is none. */
function askedIn(condition: RunCondition): string | null {
  if (condition.kind !== 'waiting' && condition.kind !== 'paused' && condition.kind !== 'interrupted') return null
  const [first] = condition.waits
  if (first?.code === 'Question') return first.gateId
  return first?.code === 'InstanceAsks' ? (first.instances[0]?.id ?? null) : null
}
