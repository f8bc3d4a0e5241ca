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
  POD_NOT_DELETED,
  POD_TERMINATES,
} from './run-facts.ts'

export interface EvictionProgress {
  /** The pod's UID, because a later pod of the same name is another pod. */
  readonly key: string
  readonly pod: string
  /** `held`: it has ended, and finalizers keep it. */
  readonly state: 'requested' | 'leaving' | 'held' | 'kept' | 'refused' | 'left' | 'failed'
  readonly attempt: number
  readonly startedAt: string
  readonly endedAt: string | null
  readonly refusedSince: string | null
  /** Since when finalizers keep it after its end; null if none do. */
  readonly heldSince: string | null
  /** The budget's own sentence, what keeps it, or why it failed. */
  readonly note: string
  readonly retryAt: string | null
  readonly reported: ReportedOfPod
}

interface ReportedOfPod {
  readonly node: string
  /** Null if the journal does not say. */
  readonly asked: { readonly at: string; readonly how: string | null } | null
  readonly acceptedAt: string | null
  readonly leftAt: string | null
  readonly heldBy: string | null
  /** `why` null: no reason was given. */
  readonly failed: { readonly why: string | null } | null
  readonly refusals: readonly { readonly at: string; readonly words: string }[]
  readonly lastRefusal: string | null
}

const NOTHING_REPORTED = {
  ...{ asked: null, acceptedAt: null, leftAt: null, heldBy: null, failed: null, refusals: [], lastRefusal: null },
} as const

export function evictionKey(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return factText(fact, 'uid') ?? fact.subject
}

/** A pod's eviction after one more fact; null if the fact is about no eviction. */
export function evictionAfter(
  before: EvictionProgress | undefined,
  fact: RunFact,
  node: string,
): EvictionProgress | null {
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
    reported: reportedAfter(before?.reported ?? { node, ...NOTHING_REPORTED }, fact),
  }
  switch (factName(fact)) {
    case EVICTION_REQUESTED:
      // A budget that refused is asked again every few seconds: until it agrees, the pod still waits for it.
      return before?.state === 'refused' ? { ...before, attempt: base.attempt, reported: base.reported } : base
    case EVICTION_ACCEPTED:
    case POD_TERMINATES:
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
    case POD_NOT_DELETED:
      return { ...base, state: 'kept', heldSince: before?.heldSince ?? fact.at }
    case POD_LEFT:
      return { ...base, state: 'left', endedAt: fact.at }
    case POD_FAILED:
      return { ...base, state: 'failed', endedAt: fact.at, note: factText(fact, 'message') ?? '' }
    default:
      return null
  }
}

function reportedAfter(before: ReportedOfPod, fact: RunFact): ReportedOfPod {
  const { at } = fact
  switch (factName(fact)) {
    case EVICTION_REQUESTED:
      return before.asked === null ? { ...before, asked: { at, how: factText(fact, 'how') } } : before
    case EVICTION_ACCEPTED:
      return { ...before, acceptedAt: at }
    case EVICTION_REFUSED: {
      const sentence = factText(fact, 'sentence')
      const words = sentence ?? 'refused'
      // A budget refuses every few seconds in the same words: the first time is enough.
      const isNew = before.refusals.every(said => said.words !== words)
      const refusals = isNew ? [...before.refusals, { at, words }] : before.refusals
      return { ...before, refusals, lastRefusal: sentence ?? '' }
    }
    case POD_HELD:
      return { ...before, heldBy: factText(fact, 'by') }
    case POD_LEFT:
      return { ...before, leftAt: at }
    case POD_FAILED:
      return { ...before, failed: { why: factText(fact, 'message') } }
    default:
      return before
  }
}
