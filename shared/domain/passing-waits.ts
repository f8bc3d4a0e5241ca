import type { PassingWait, RunEventBody } from './run.ts'
import { factName, factText, NOT_VERIFIED_YET, TRANSIENT_RECOVERED, TRANSIENT_RETRYING } from './run-facts.ts'

/** A run that stops, resumes or asks no longer waits. */
export function passingWaitsAfter(
  waits: readonly PassingWait[],
  body: RunEventBody,
  at: string,
): readonly PassingWait[] {
  const but = (stepId: string | null) =>
    waits.some(wait => wait.stepId === stepId) ? waits.filter(wait => wait.stepId !== stepId) : waits
  switch (body.kind) {
    case 'run-driven':
    case 'paused':
    case 'abort-requested':
    case 'driver-left':
    case 'lease-lost':
    case 'run-finished':
      return waits.length === 0 ? waits : []
    case 'lease-away':
      return [{ stepId: null, lease: body.node, reason: body.why, since: at, asksAt: null, failsAt: null }]
    case 'lease-back':
      return but(null)
    case 'gate-opened':
    case 'step-failed':
    case 'step-applied':
    case 'step-verified':
      return but(body.stepId)
    case 'fact': {
      const name = factName(body)
      // A pending verification and a temporary failure are separate waits of a step.
      const isOf = (isVerify: boolean) => (wait: PassingWait) =>
        wait.stepId === body.stepId && (wait.failsAt !== null) === isVerify
      const butOf = (isVerify: boolean) => waits.filter(wait => !isOf(isVerify)(wait))
      if (name === TRANSIENT_RECOVERED) return butOf(false)
      if (name === NOT_VERIFIED_YET) {
        const since = waits.find(isOf(true))?.since ?? at
        const reason = factText(body, 'reason') ?? ''
        return [
          ...butOf(true),
          { stepId: body.stepId, lease: null, reason, since, asksAt: null, failsAt: factText(body, 'until') },
        ]
      }
      if (name !== TRANSIENT_RETRYING) return waits
      const reason = factText(body, 'reason') ?? ''
      const since = factText(body, 'since') ?? at
      return [
        ...butOf(false),
        { stepId: body.stepId, lease: null, reason, since, asksAt: factText(body, 'until'), failsAt: null },
      ]
    }
    default:
      return waits
  }
}
