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

/** When a run may work, as its operator chose (ISO), and the agreed answers to its questions; absent fields have the defaults of the spec. */
type RunWishes = Pick<
  RequestInput<'runner.submit'>,
  'startAfter' | 'notAfter' | 'answers' | 'resumePolicy' | 'campaign'
>

/**
 * The MaintenanceRun of a plan that was shown and confirmed: the plan letter by letter, and the hash of that text. `as`: who confirmed, as the API server
 * calls them; `handedOver`: its run under way, which is gone on with.
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
