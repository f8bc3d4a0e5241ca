import {
  type Append,
  type AskedMove,
  askedMove,
  attemptsAfter,
  grow,
  type InstanceAttempt,
} from './instance-attempts.ts'
import { InstanceChoice } from './instance-choice.ts'
import type { InstanceEffect } from './plan-effects.ts'
import type { RunFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factName,
  factNumber,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  instanceIdOf,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  OPERATOR_ANSWERED,
  OPERATOR_RESUMED,
  START_REQUESTED,
  STOP_REQUESTED,
  TRY_AGAIN,
  WATCHER_ACTION,
} from './run-facts.ts'

interface ReportedDecision {
  /** Null means a choice that this version does not know. */
  readonly choice: InstanceChoice | null
  readonly by: string | null
  readonly reason: string
  readonly isByRule: boolean
  readonly at: string
  /** Nova received no request for the instance after this decision. */
  readonly isOfThisMove: boolean
}

export interface InstanceLook {
  readonly at: string
  readonly of: 'seen' | 'stopped' | 'started' | 'read'
  readonly host: string | null
  readonly status: string | null
  /** Nova's number; null if not given. */
  readonly power: number | null
}

/** Everything a run recorded about one instance on one node. Only this file decides what happened to it. */
export interface InstanceHistory {
  readonly id: string
  readonly node: string
  readonly name: string | null
  readonly effect: InstanceEffect | null
  readonly effectHost: string | null
  readonly attempts: readonly InstanceAttempt[]
  readonly decision: ReportedDecision | null
  readonly reported: readonly RunFact[]
  readonly isNoted: boolean
  readonly ran: boolean
  readonly looks: readonly InstanceLook[]
  readonly earlierLooks: readonly InstanceLook[]
  /** The run stopped it; `to` null: not seen running since. */
  readonly down: { readonly from: string; readonly to: string | null } | null
  readonly attemptsSinceAnswer: number
  /** An operator resumed the failed run: one more attempt is allowed. */
  readonly mayTryOnceMore: boolean
  readonly pending: AskedMove | null
  readonly lastFailure: string | null
  readonly statusBefore: string | null
  /** It last changed before a request that Nova accepted but never carried out. */
  readonly unseenSince: string | null
  readonly lastWord: 'moved' | 'decided' | 'asked' | null
}

export function unknownInstance(id: string, node: string): InstanceHistory {
  return {
    ...{ id, node, name: null, effect: null, effectHost: null, attempts: [], decision: null, reported: [], ran: false },
    ...{ isNoted: false },
    ...{ looks: [], earlierLooks: [], down: null, attemptsSinceAnswer: 0, mayTryOnceMore: false, pending: null },
    ...{ statusBefore: null, unseenSince: null, lastFailure: null, lastWord: null },
  }
}

/** Facts about others count only if they allow all instances more attempts. */
export function instanceHistory(facts: readonly RunFact[], subject: string): InstanceHistory {
  let instance = unknownInstance(instanceIdOf(subject), '')
  for (const fact of facts) {
    if (fact.subject === subject) instance = instanceAfter(instance, fact, grow)
    if (fact.subject === subject || !fact.subject.startsWith('server/')) instance = allowedAfter(instance, fact)
  }
  return instance
}

/** New attempts follow an operator's answer, a decision about the instance, or a change of what decides about it. */
export function allowedAfter(instance: InstanceHistory, fact: RunFact): InstanceHistory {
  const renewed = (): InstanceHistory => ({ ...instance, attemptsSinceAnswer: 0 })
  switch (fact.fact) {
    case OPERATOR_RESUMED:
      return { ...instance, mayTryOnceMore: true }
    case OPERATOR_ANSWERED:
    case TRY_AGAIN:
      return renewed()
    case INSTANCE_DECIDED:
      // The plan's rule knows no earlier attempts; only another way to move starts a new count.
      return fact.values.rule !== true || fact.values.choice === 'cold' ? renewed() : instance
    default:
      return instance
  }
}

export function instanceAfter(before: InstanceHistory, fact: RunFact, append: Append): InstanceHistory {
  const named: InstanceHistory = {
    ...before,
    name: factText(fact, 'name') ?? before.name,
    unseenSince: factText(fact, 'unseenSince') ?? before.unseenSince,
  }
  const name = factName(fact)
  if (name === INSTANCE_SEEN) return lookedAt(named, lookOf(fact, 'seen'), append)
  const attempts = attemptsAfter(named.attempts, fact, append)
  const next: InstanceHistory = attempts === null ? named : { ...named, attempts }
  const withEffect: InstanceHistory =
    name !== null && EFFECT_FACTS.has(name) ? { ...next, reported: append(next.reported, fact) } : next
  return outcomeAfter(requestAfter(withEffect, fact), fact, append)
}

const EFFECT_FACTS: ReadonlySet<string> = new Set([
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  INSTANCE_STOPPED,
  START_REQUESTED,
  INSTANCE_STARTED,
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
  INSTANCE_SETTLED,
  WATCHER_ACTION,
])

/** To the run's work if that has started, else to what an earlier run left. */
export function lookedAt(instance: InstanceHistory, look: InstanceLook, append: Append): InstanceHistory {
  return isOfTheRun(instance)
    ? { ...instance, looks: append(instance.looks, look) }
    : { ...instance, earlierLooks: append(instance.earlierLooks, look) }
}

export function isOfTheRun({ effect, isNoted, reported }: InstanceHistory): boolean {
  return effect !== null || isNoted || reported.length > 0
}

/** What a request, decision or arrival changes besides the attempts. */
function requestAfter(before: InstanceHistory, fact: RunFact): InstanceHistory {
  switch (factName(fact)) {
    case MIGRATION_REQUESTED: {
      const { decision } = before
      return {
        ...askedFor(before, fact),
        statusBefore: before.statusBefore ?? factText(fact, 'statusBefore'),
        decision: decision === null ? null : { ...decision, isOfThisMove: false },
        lastWord: 'asked',
      }
    }
    case STOP_REQUESTED:
      return askedFor(before, fact)
    case INSTANCE_DECIDED:
      return { ...before, decision: decisionOf(fact), lastWord: 'decided' }
    case INSTANCE_MOVED:
      return { ...before, pending: null, lastWord: 'moved' }
    case MIGRATION_FAILED:
      return { ...before, pending: null, lastFailure: factText(fact, 'why') }
    case INSTANCE_STOPPED:
    case ATTEMPTS_EXHAUSTED:
    case INSTANCE_SETTLED:
      return { ...before, pending: null }
    default:
      return before
  }
}

/** A repeated announcement does not count as a new attempt. */
function askedFor(before: InstanceHistory, fact: RunFact): InstanceHistory {
  const asked = askedMove(fact)
  if (asked.isAgain) return { ...before, pending: asked }
  return {
    ...before,
    pending: asked,
    attemptsSinceAnswer: before.attemptsSinceAnswer + 1,
    mayTryOnceMore: false,
  }
}

function outcomeAfter(before: InstanceHistory, fact: RunFact, append: Append): InstanceHistory {
  switch (factName(fact)) {
    case INSTANCE_STOPPED:
      return { ...lookedAt(before, lookOf(fact, 'stopped'), append), down: { from: fact.at, to: null } }
    case INSTANCE_STARTED: {
      const { down } = before
      const seen = lookedAt(before, lookOf(fact, 'started'), append)
      return down === null ? seen : { ...seen, down: { ...down, to: fact.at } }
    }
    default:
      return before
  }
}

function decisionOf(fact: RunFact): ReportedDecision {
  const choice = InstanceChoice.safeParse(fact.values.choice)
  return {
    choice: choice.success ? choice.data : null,
    by: factText(fact, 'by'),
    reason: factText(fact, 'reason') ?? '',
    isByRule: fact.values.rule === true,
    at: fact.at,
    isOfThisMove: true,
  }
}

function lookOf(fact: RunFact, of: InstanceLook['of']): InstanceLook {
  return {
    at: fact.at,
    of,
    host: factText(fact, 'host'),
    status: factText(fact, 'status'),
    power: factNumber(fact, 'powerState'),
  }
}
