import { createHash } from 'node:crypto'
import type { RequestInput } from '../../../../shared/contract/index.ts'
import {
  type HandedOver,
  MaintenanceRunSpec,
  maintenanceRunName,
  tooLarge,
} from '../../../../shared/domain/maintenance-run.ts'
import { nodeOfPlan, type Plan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'

/** The operator's choices for a run: its times (ISO) and the agreed answers to its questions; absent fields have the defaults of the spec. */
type RunWishes = Pick<
  RequestInput<'runner.submit'>,
  'startAfter' | 'notAfter' | 'answers' | 'resumePolicy' | 'campaign'
>

/**
 * The MaintenanceRun of a confirmed plan: its exact text, and the hash of that text. `as`: the operator who confirmed it, by the API server's name;
 * `handedOver`: the started run that the runner continues.
 */
export function runOfPlan(
  plan: Plan,
  as: string,
  wishes: RunWishes,
  handedOver: HandedOver | null = null,
): Result<{ readonly name: string; readonly spec: MaintenanceRunSpec }> {
  const text = JSON.stringify(plan)
  const spec = MaintenanceRunSpec.parse({
    kind: plan.kind,
    cluster: plan.cluster,
    node: nodeOfPlan(plan),
    plan: text,
    planHash: createHash('sha256').update(text).digest('hex'),
    confirmedBy: as,
    ...wishes,
    handedOver,
  })
  const why = tooLarge(spec, Buffer.byteLength(JSON.stringify(spec)))
  return why === null
    ? ok({ name: maintenanceRunName(spec), spec })
    : failed(refusal('bad-input', because('RunObjectTooLarge', why), { target: `cluster/${plan.cluster}` }))
}
