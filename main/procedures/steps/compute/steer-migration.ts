import { steeringOfEarlier } from '../../../../shared/domain/earlier-texts.ts'
import type { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  ABORT_REQUESTED,
  FORCE_COMPLETE_REQUESTED,
  factNumber,
  factText,
  STEERING_REFUSED,
} from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { LOOKS_APART_MS } from './send-attempt.ts'
import { timesAsked } from './times-asked.ts'

export type Steering = 'abort' | 'force-complete'

/** What a choice asks of Nova while the instance migrates; null if there is nothing. */
export function steeringOf(choice: InstanceChoice): Steering | null {
  if (choice === 'wait') return null
  return choice === 'force-complete' ? 'force-complete' : 'abort'
}

/** `sent`: Nova accepted it. `refused`: it did not. `unknown`: no answer was readable. `stopped`: the run stops. */
type SteeringAnswer =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'stopped' }

const FACTS = { abort: ABORT_REQUESTED, 'force-complete': FORCE_COMPLETE_REQUESTED } as const
/** The names of both actions in Nova's log. */
const ACTIONS = { abort: 'live_migration_cancel', 'force-complete': 'live_migration_force_complete' } as const

export function steeredAt(
  history: readonly RunFact[],
  of: { readonly subject: string; readonly what: Steering; readonly migrationId: number; readonly since: string },
): RunFact | null {
  const asked = history.findLast(
    fact =>
      fact.fact === FACTS[of.what] &&
      fact.subject === of.subject &&
      factNumber(fact, 'migrationId') === of.migrationId &&
      Date.parse(fact.at) >= Date.parse(of.since),
  )
  return asked ?? null
}

export function isRefusedSince(history: readonly RunFact[], subject: string, what: Steering, since: string): boolean {
  return history.some(
    fact =>
      fact.fact === STEERING_REFUSED &&
      fact.subject === subject &&
      steeringRefused(fact) === what &&
      Date.parse(fact.at) >= Date.parse(since),
  )
}

/** A rule of the cloud forbids it to these credentials: this run does not offer it again. */
export function isForbidden(ctx: MaintenanceContext, what: Steering): boolean {
  return ctx
    .runHistory()
    .some(fact => fact.fact === STEERING_REFUSED && steeringRefused(fact) === what && fact.values.forGood === true)
}

/** An earlier version recorded only the text. */
function steeringRefused(fact: RunFact): Steering | null {
  const steering = factText(fact, 'steering')
  if (steering === 'abort' || steering === 'force-complete') return steering
  return steeringOfEarlier(factText(fact, 'what') ?? '')
}

/** Asks Nova once to cancel or complete a live migration. The announcement counts earlier requests in Nova's log, so that none is repeated. */
export async function steer(
  instance: Pick<Instance, 'id' | 'name'>,
  of: {
    readonly what: Steering
    readonly migrationId: number
    readonly choice: InstanceChoice
    /** An earlier process announced the request, and may or may not have sent it. */
    readonly announced: RunFact | null
  },
  ctx: MaintenanceContext,
): Promise<SteeringAnswer> {
  const { what, migrationId, choice, announced } = of
  const subject = instanceSubject(instance.id)
  let known = announced === null ? null : factNumber(announced, 'actions')
  // The services behind Nova's API may lag: one read without a trace proves nothing.
  for (const waitMs of announced === null ? [0] : [0, LOOKS_APART_MS]) {
    await ctx.clock.sleep(waitMs, ctx.signal)
    if (ctx.signal.aborted) return { kind: 'stopped' }
    const asked = await timesAsked(instance, [ACTIONS[what]], ctx)
    if (ctx.signal.aborted) return { kind: 'stopped' }
    if (!asked.ok) return { kind: 'unknown', why: asked.failure.message }
    if (announced !== null && asked.value > (known ?? 0)) return { kind: 'sent' }
    known ??= asked.value
  }
  ctx.announce(FACTS[what], subject, {
    name: instance.name,
    migrationId,
    choice,
    actions: known ?? 0,
    ...(announced === null ? {} : { again: true }),
  })
  // Not the run's signal: an announced request is sent to its end.
  const cloud = cloudOf(ctx)
  const sent = await (what === 'abort'
    ? cloud.abortMigration(instance.id, migrationId)
    : cloud.forceCompleteMigration(instance.id, migrationId))
  if (sent.ok) return { kind: 'sent' }
  const now = await timesAsked(instance, [ACTIONS[what]], ctx)
  if (now.ok && now.value > (known ?? 0)) return { kind: 'sent' }
  if (ctx.signal.aborted) return { kind: 'stopped' }
  // A lost answer says nothing about the request, and Nova's log is unreadable.
  if (!now.ok && sent.failure.retryable) return { kind: 'unknown', why: now.failure.message }
  return refuse(sent.failure.message, sent.failure.code === 'not-permitted')

  function refuse(why: string, forGood: boolean): SteeringAnswer {
    ctx.report(STEERING_REFUSED, subject, {
      name: instance.name,
      steering: what,
      what: found('Steering', { steering: what }).message,
      why,
      forGood,
    })
    return { kind: 'refused', why }
  }
}
