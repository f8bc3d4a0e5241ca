import type { OpenGate, RunEvent } from './run.ts'

/**
 * The questions nobody has answered yet, oldest first: lanes that run side by side may each have one. They stand when the driver leaves or
 * dies, and when the run is driven on: nothing of them is tried again before somebody answers.
 */
export function openGatesOf(events: readonly RunEvent[]): readonly OpenGate[] {
  let open: readonly OpenGate[] = []
  for (const { body } of events) {
    switch (body.kind) {
      case 'gate-opened':
        open = [...open.filter(gate => gate.stepId !== body.stepId), body]
        break
      case 'gate-answered':
        open = open.filter(gate => gate.gateId !== body.gateId)
        break
      case 'step-started':
        open = open.filter(gate => gate.stepId !== body.stepId)
        break
      case 'run-finished':
        // Where it goes on they stand.
        if (body.outcome !== 'handed-over') open = []
        break
      default:
    }
  }
  return open
}

/** The oldest question nobody has answered yet; null when there is none. */
export function openGateOf(events: readonly RunEvent[]): OpenGate | null {
  return openGatesOf(events)[0] ?? null
}
