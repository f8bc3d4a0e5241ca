import { seconds } from '../../../../shared/domain/durations.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'

/** Time between the two reads that must show no trace of a request before it is repeated. */
export const LOOKS_APART_MS = seconds(5)

const STOPPED = refusal('aborted', fault('StoppedBeforeResending'))

/** Sends one announced request, and repeats it after transient failures, each time after two reads: the request may have arrived. */
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
      // The services behind Nova's API may lag: one read without a trace proves nothing.
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
