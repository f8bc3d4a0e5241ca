import type { OpenGate, RunEvent } from './run.ts'

/** The unanswered questions, oldest first: each parallel lane may have one. They stay open without a console. */
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
        if (body.outcome !== 'handed-over') open = []
        break
      default:
    }
  }
  return open
}

export function openGateOf(events: readonly RunEvent[]): OpenGate | null {
  return openGatesOf(events)[0] ?? null
}
