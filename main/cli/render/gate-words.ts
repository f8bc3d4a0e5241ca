import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import { shellWord } from '../words/shell-word.ts'

/** A question that a run opened. */
export type OpenGate = Pick<
  Extract<RunEventBody, { kind: 'gate-opened' }>,
  'stepId' | 'gateId' | 'question' | 'choices'
>

/**
 * The question nobody has answered yet; null when there is none. It stands after the driver left, and falls when the run is driven on:
 * the step is then tried again and asks anew.
 */
export function openGateOf(events: readonly RunEvent[]): OpenGate | null {
  const last = events.findLast(({ body }) => GATE_TURNS.has(body.kind))?.body
  return last?.kind === 'gate-opened' ? last : null
}

/** How a question is answered from any terminal. */
export function answerCommand(runId: string, { gateId, choices }: OpenGate): string {
  const choice = choices.length === 1 ? choices[0] : `(${choices.join('|')})`
  return `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${choice}${choices.includes('skip') ? ' --reason TEXT' : ''}`
}

const GATE_TURNS: ReadonlySet<RunEventBody['kind']> = new Set([
  'gate-opened',
  'gate-answered',
  'run-driven',
  'run-finished',
])
