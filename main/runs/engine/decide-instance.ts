import type { RunControl } from '../../../shared/domain/run-control.ts'
import { INSTANCE_DECIDED } from '../../../shared/domain/run-facts.ts'
import { mayStillHeed, stepOfInstance } from '../../../shared/domain/step-of-instance.ts'
import type { RunRecord } from './run-record.ts'

/** Records a decision about one instance at the step that moves it, which reads it at its next look; false if no step moves it any more. */
export function decideInstance(
  record: RunRecord,
  { instanceId, choice, by, reason }: Extract<RunControl, { kind: 'decide-instance' }>,
): boolean {
  const found = stepOfInstance(record.view(), instanceId)
  if (found === null || !mayStillHeed(found.step)) return false
  record.append({
    kind: 'fact',
    stepId: found.step.step.id,
    fact: INSTANCE_DECIDED,
    subject: `server/${instanceId}`,
    announces: false,
    values: { name: found.name, choice, by, reason },
  })
  return true
}
