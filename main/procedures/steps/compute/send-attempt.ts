import { seconds } from '../../../../shared/domain/durations.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'

/** Time between the two looks that must show no trace of a request before it is repeated. */
export const LOOKS_APART_MS = seconds(5)

const STOPPED = refusal('aborted', fault('StoppedBeforeResending'))

/**
 * Sends an announced request to Nova, and repeats it while it fails transiently. Before each repetition it looks twice, because a request without an
 * answer may have arrived. It stays one attempt, however often it is sent.
 */
export async function sendAttempt(
  instance: Pick<Instance, 'id'>,
  way: {
    readonly announce: (again: boolean) => void
    readonly send: () => Promise<Result<void>>
    /** Whether Nova shows that the request arrived. */
    readonly hasArrived: () => Promise<Result<boolean>>
  },
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  let isSent = false
  return ctx.retryTransient(`request for ${instanceSubject(instance.id)}`, async () => {
    if (isSent) {
      // The services behind Nova's API may lag: one look without a trace does not prove that nothing arrived.
      for (const waitMs of [0, LOOKS_APART_MS]) {
        await ctx.clock.sleep(waitMs, ctx.signal)
        if (ctx.signal.aborted) return failed(STOPPED)
        const arrived = await way.hasArrived()
        if (!arrived.ok) return arrived
        if (arrived.value) return ok(undefined)
      }
    }
    way.announce(isSent)
    isSent = true
    return way.send()
  })
}
