import type { Instance } from '../../shared/domain/openstack.ts'
import { INSTANCE_SETTLED, INSTANCE_STOPPED, STOP_REQUESTED } from '../../shared/domain/run-facts.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, type PendingRequest } from './evacuation-facts.ts'
import { isHopeless, type MoveAnswer, pollIntervalMs, tryAgain } from './move-attempt.ts'
import { cloudOf, type MaintenanceContext } from './node-input.ts'

/** Goes on with a stop that an earlier process announced; null when its request never reached Nova. */
export async function resumeStop(
  instance: Instance,
  pending: PendingRequest,
  ctx: MaintenanceContext,
): Promise<MoveAnswer | null> {
  if (instance.vmState === 'stopped' || instance.taskState === 'powering-off') {
    return followStop(instance, pending.attempt, ctx)
  }
  return null
}

/** Stops an instance where it is, once, and waits until nothing of it runs (docs/domain.md B.2: both ways of moving ruled out). */
export async function stopInPlace(
  instance: Instance,
  pending: PendingRequest | null,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  const subject = instanceSubject(instance.id)
  const attempt = pending?.attempt ?? attemptsMade(ctx.history(), subject) + 1
  ctx.announce(STOP_REQUESTED, subject, {
    name: instance.name,
    attempt,
    statusBefore: instance.status,
    ...(pending === null ? {} : { again: true }),
  })
  // Not the run's signal: a request that was announced is sent to its end, or the journal would not know whether it was.
  const asked = await cloudOf(ctx).stopInstance(instance.id)
  if (asked.ok) return followStop(instance, attempt, ctx)
  if (isHopeless(asked.failure)) return { kind: 'hopeless', failure: asked.failure }
  const now = await cloudOf(ctx).getInstance(instance.id)
  if (now.ok && (now.value.vmState === 'stopped' || now.value.taskState === 'powering-off')) {
    return followStop(instance, attempt, ctx)
  }
  return tryAgain(instance, attempt, asked.failure.message, ctx)
}

async function followStop(instance: Instance, attempt: number, ctx: MaintenanceContext): Promise<MoveAnswer> {
  const { clock } = ctx
  const subject = instanceSubject(instance.id)
  const began = clock.now()
  while (!ctx.signal.aborted) {
    const read = await cloudOf(ctx).getInstance(instance.id, ctx.signal)
    if (ctx.signal.aborted) break
    if (!read.ok && read.failure.code === 'not-found') {
      ctx.report(INSTANCE_SETTLED, subject, { name: instance.name, why: 'it was deleted meanwhile' })
      return { kind: 'settled' }
    }
    if (!read.ok && !read.failure.retryable) return { kind: 'hopeless', failure: read.failure }
    if (read.ok && read.value.taskState === null) {
      if (read.value.vmState === 'stopped') {
        ctx.report(INSTANCE_STOPPED, subject, {
          name: instance.name,
          host: read.value.host,
          status: read.value.status,
          powerState: read.value.powerState,
        })
        return { kind: 'settled' }
      }
      return tryAgain(read.value, attempt, `it is ${read.value.status} after Nova was asked to stop it`, ctx)
    }
    await clock.sleep(pollIntervalMs(clock.now() - began), ctx.signal)
  }
  return { kind: 'stopped' }
}
