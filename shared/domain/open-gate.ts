import type { RunEvent, RunEventBody } from './run.ts'

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

const GATE_TURNS: ReadonlySet<RunEventBody['kind']> = new Set([
  'gate-opened',
  'gate-answered',
  'run-driven',
  'run-finished',
])
