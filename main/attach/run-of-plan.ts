import { createHash } from 'node:crypto'
import { failure } from '../../shared/domain/failure.ts'
import {
  type AgreedAnswer,
  type HandedOver,
  MaintenanceRunSpec,
  maintenanceRunName,
  type ResumePolicy,
  tooLarge,
} from '../../shared/domain/maintenance-run.ts'
import { nodeOfPlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'

/** When a run may be at work, as its operator wants it (ISO; null: no limit), and what was agreed about its questions. */
interface RunWishes {
  readonly startAfter: string | null
  readonly notAfter: string | null
  readonly answers: readonly AgreedAnswer[]
  readonly resumePolicy: ResumePolicy
  readonly campaign: string | null
}

/**
 * The MaintenanceRun of a plan that was shown and confirmed: the plan letter by letter, and the hash of that text. `as`: who confirmed, as the API server
 * calls them; `handedOver`: its run under way, which is gone on with.
 */
export function runOfPlan(
  plan: Plan,
  as: string,
  { startAfter, notAfter, answers, resumePolicy, campaign }: RunWishes,
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
    startAfter,
    notAfter,
    answers,
    resumePolicy,
    campaign,
    handedOver,
  })
  const why = tooLarge(spec)
  return why === null
    ? ok({ name: maintenanceRunName(spec), spec })
    : failed(failure('bad-input', why, { target: `cluster/${plan.cluster}` }))
}
