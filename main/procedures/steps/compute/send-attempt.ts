import { seconds } from '../../../../shared/domain/durations.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'

/** How far apart the two looks are that have to show nothing of a request before it is sent again. */
export const LOOKS_APART_MS = seconds(5)

const STOPPED = refusal('aborted', fault('StoppedBeforeResending'))

/**
 * Sends an announced request to Nova, again while it is refused or lost in a way that may pass by itself; before each repetition the world is
 * looked at twice, because a request that was answered with nothing may have arrived. It stays one attempt, however often it is sent.
 */
export async function sendAttempt(
  instance: Pick<Instance, 'id'>,
  way: {
    readonly announce: (again: boolean) => void
    readonly send: () => Promise<Result<void>>
    /** Whether the world shows that the request arrived. */
    readonly hasArrived: () => Promise<Result<boolean>>
  },
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  let isSent = false
  return ctx.retryTransient(`request for ${instanceSubject(instance.id)}`, async () => {
    if (isSent) {
      // The services behind Nova's API may tell the past for a while: one look that shows nothing is no proof that nothing came.
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
