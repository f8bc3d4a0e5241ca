import type { Contract, Envelope } from '../../../../shared/contract/index.ts'
import { assertNever } from '../../../../shared/domain/must.ts'
import type { Decision } from './run-questions.ts'

/** Sends the operator's decision to the console that runs the run; null when there is nothing to send. */
export function carryOut(
  decision: Exclude<Decision, { kind: 'detach' }>,
  runId: string,
  contract: Contract,
): Promise<Envelope<unknown>> | null {
  switch (decision.kind) {
    case 'continue':
      return null
    case 'pause':
      return contract.ask('run.pause', { runId })
    case 'unpause':
      return contract.ask('run.unpause', { runId })
    case 'abort':
      return contract.ask('run.abort', { runId, reason: decision.reason })
    case 'decide':
      return contract.ask('run.decide', {
        runId,
        instanceId: decision.instanceId,
        choice: decision.choice,
        reason: decision.reason,
      })
    case 'answer':
      return contract.ask('run.answer', {
        runId,
        gateId: decision.gateId,
        choice: decision.choice,
        reason: decision.reason,
      })
    default:
      return assertNever(decision, 'decision')
  }
}
