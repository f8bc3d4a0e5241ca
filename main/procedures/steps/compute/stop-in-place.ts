import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { INSTANCE_STOPPED, STOP_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, type PendingRequest } from './evacuation-facts.ts'
import {
  isHopeless,
  lookBeforeAsking,
  pollIntervalMs,
  refusedAttempt,
  type SeenBefore,
  settled,
  tryAgain,
} from './move-attempt.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { sendAttempt } from './send-attempt.ts'
import { POWER_ACTS, timesAsked } from './times-asked.ts'
import { cannotLook } from './watch-move.ts'

/** Resumes an announced stop; null if it never reached Nova. An instance that Nova stopped and that runs again waits for the operator. */
export async function resumeStop(
  instance: Instance,
  pending: PendingRequest,
  ctx: MaintenanceContext,
): Promise<MoveAnswer | null> {
  if (isStopping(instance)) return followStop(instance, pending.attempt, ctx)
  if (pending.stopsBefore === null) return null
  const asked = await stopsAsked(instance, ctx)
  if (!asked.ok) return cannotLook(asked.failure, ctx)
  if (asked.value <= pending.stopsBefore) return null
  const why = found('StartedSince')
  tryAgain(instance, pending.attempt, why, ctx)
  return { kind: 'in-vain', why }
}

function stopsAsked(instance: Pick<Instance, 'id'>, ctx: MaintenanceContext): Promise<Result<number>> {
  return timesAsked(instance, ['stop'], ctx)
}

function isStopping({ vmState, taskState }: Instance): boolean {
  return vmState === 'stopped' || taskState === 'powering-off'
}

/** Stops an instance on this step's host once (docs/domain.md B.2: it may not move). One that left keeps running. */
export async function stopInPlace(
  before: SeenBefore,
  pending: PendingRequest | null,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  // If Nova gives no count, the state of the instance decides, as in earlier versions.
  const asked = pending === null ? await stopsAsked(before.instance, ctx) : null
  const stopsBefore = pending?.stopsBefore ?? (asked?.ok ? asked.value : null)
  const unfit = await lookBeforeAsking(before, source, ctx)
  if (unfit.kind !== 'fit') return unfit
  const { instance } = unfit
  const subject = instanceSubject(instance.id)
  const attempt = pending?.attempt ?? attemptsMade(ctx.history(), subject) + 1
  const hasArrived = async (): Promise<Result<boolean>> => {
    const now = await cloudOf(ctx).getInstance(instance.id)
    // An instance that is elsewhere now is not requested again: following it shows its state.
    return now.ok ? ok(isStopping(now.value) || now.value.host !== source.host) : now
  }
  const sent = await sendAttempt(
    instance,
    {
      announce: again =>
        ctx.announce(STOP_REQUESTED, subject, {
          name: instance.name,
          attempt,
          statusBefore: instance.status,
          ...(stopsBefore === null ? {} : { stopsBefore }),
          ...(pending === null && !again ? {} : { again: true }),
        }),
      send: () => cloudOf(ctx).stopInstance(instance.id),
      hasArrived,
    },
    ctx,
  )
  if (sent.ok) return followStop(instance, attempt, ctx)
  const arrived = isHopeless(sent.failure) ? null : await hasArrived()
  if (arrived?.ok && arrived.value) return followStop(instance, attempt, ctx)
  return refusedAttempt(instance, attempt, sent.failure, ctx)
}

async function followStop(instance: Instance, attempt: number, ctx: MaintenanceContext): Promise<MoveAnswer> {
  const { clock } = ctx
  const subject = instanceSubject(instance.id)
  const began = clock.monotonicMs()
  while (!ctx.signal.aborted) {
    const read = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(instance.id, ctx.signal))
    if (ctx.signal.aborted) break
    if (!read.ok && read.failure.code === 'not-found') {
      return settled(instance, found('DeletedMeanwhile'), 'deleted', ctx)
    }
    if (!read.ok) return { kind: 'hopeless', failure: read.failure }
    if (read.value.taskState === null) {
      if (read.value.vmState === 'stopped') {
        const acts = await timesAsked(instance, POWER_ACTS, ctx)
        ctx.report(INSTANCE_STOPPED, subject, {
          name: instance.name,
          host: read.value.host,
          status: read.value.status,
          powerState: read.value.powerState,
          ...(acts.ok ? { powerActs: acts.value } : {}),
        })
        return { kind: 'settled' }
      }
      return tryAgain(read.value, attempt, found('NotStopped', { status: read.value.status }), ctx)
    }
    await clock.sleep(pollIntervalMs(clock.monotonicMs() - began), ctx.signal)
  }
  return { kind: 'stopped' }
}
