import type { RunFact } from './run.ts'
import {
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factName,
  factNumber,
  factText,
  POD_FAILED,
  POD_HELD,
  POD_LEFT,
} from './run-facts.ts'

/** One pod's way off the node, as the facts of the drain tell it. */
export interface EvictionProgress {
  /** By uid, not by name: a namesake that comes back is another pod. */
  readonly key: string
  readonly pod: string
  /** `held`: it has ended, and finalizers keep it. */
  readonly state: 'requested' | 'leaving' | 'held' | 'refused' | 'left' | 'failed'
  readonly attempt: number
  /** When it was first asked to leave. */
  readonly startedAt: string
  readonly endedAt: string | null
  /** Since when a budget has refused; null while none does. */
  readonly refusedSince: string | null
  /** Since when finalizers keep it, though it has ended; null while none do. */
  readonly heldSince: string | null
  /** The budget's own sentence, what keeps it, or why it failed. */
  readonly note: string
  readonly retryAt: string | null
}

/** What a pod is known by. */
export function evictionKey(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return factText(fact, 'uid') ?? fact.subject
}

/** A pod's eviction after one more fact about it; null: it tells nothing of one. */
export function evictionAfter(before: EvictionProgress | undefined, fact: RunFact): EvictionProgress | null {
  const base: EvictionProgress = {
    key: evictionKey(fact),
    pod: fact.subject.replace(/^pod\//, ''),
    state: 'requested',
    attempt: factNumber(fact, 'attempt') ?? before?.attempt ?? 1,
    startedAt: before?.startedAt ?? fact.at,
    endedAt: null,
    refusedSince: null,
    heldSince: null,
    note: '',
    retryAt: null,
  }
  switch (factName(fact)) {
    case EVICTION_REQUESTED:
      // A budget that refused is asked again every few seconds: until it agrees, the pod still waits for it.
      return before?.state === 'refused' ? { ...before, attempt: base.attempt } : base
    case EVICTION_ACCEPTED:
      return { ...base, state: 'leaving' }
    case EVICTION_REFUSED:
      return {
        ...base,
        state: 'refused',
        refusedSince: before?.refusedSince ?? fact.at,
        note: factText(fact, 'sentence') ?? '',
        retryAt: factText(fact, 'retryAt'),
      }
    case POD_HELD:
      return { ...base, state: 'held', note: factText(fact, 'by') ?? '', heldSince: before?.heldSince ?? fact.at }
    case POD_LEFT:
      return { ...base, state: 'left', endedAt: fact.at }
    case POD_FAILED:
      return { ...base, state: 'failed', endedAt: fact.at, note: factText(fact, 'message') ?? '' }
    default:
      return null
  }
}
