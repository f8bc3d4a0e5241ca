import type { RunFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factName,
  factNumber,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  instanceIdOf,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  WATCHER_ACTION,
} from './run-facts.ts'

/** One thing that a run told of where an instance goes, in the order in which it was told. */
export type InstanceMove = { readonly id: string; readonly name: string } & (
  | { readonly kind: 'asked'; readonly from: string | null; readonly after: number }
  /** A move that was asked for came to nothing, or was not needed. Where an instance is that nobody can tell is for Nova to say: that is none. */
  | { readonly kind: 'in-vain' }
  /**
   * It went to another host. `after`: the newest record of it that was known when the run asked for the move; 0: that was not told. `isHomeward`: it was brought
   * home, its move named the host.
   */
  | {
      readonly kind: 'moved'
      readonly from: string
      readonly to: string
      readonly after: number
      readonly isHomeward: boolean
    }
  /** It was on this host when somebody looked before the node was emptied. `isNamed`: an older journal has its id alone. */
  | { readonly kind: 'noted'; readonly host: string | null; readonly isNamed: boolean }
  /** `went`: the move that it was seen to have made since it was noted; null: none. */
  | { readonly kind: 'seen'; readonly went: Extract<InstanceMove, { kind: 'moved' }> | null }
)

/** What was told of an instance before, as far as its next move leans on it. */
export interface MovesSoFar {
  readonly asked: { readonly after: number; readonly isHomeward: boolean } | null
  readonly notedOn: string | null
}

export const NO_MOVES_YET: MovesSoFar = { asked: null, notedOn: null }

/** What a fact tells of the way of an instance; null: nothing. */
export function moveIn(fact: RunFact, before: MovesSoFar): InstanceMove | null {
  const id = instanceIdOf(fact.subject)
  const about = { id, name: factText(fact, 'name') ?? id }
  const moved = (from: string | null, to: string | null): Extract<InstanceMove, { kind: 'moved' }> | null =>
    from === null || to === null || from === to
      ? null
      : { kind: 'moved', ...about, from, to, ...(before.asked ?? { after: 0, isHomeward: false }) }
  switch (factName(fact)) {
    case MIGRATION_REQUESTED:
      return {
        kind: 'asked',
        ...about,
        from: factText(fact, 'source'),
        after: factNumber(fact, 'knownMigrationId') ?? 0,
      }
    case MIGRATION_FAILED:
    case ATTEMPTS_EXHAUSTED:
    case INSTANCE_SETTLED:
      return fact.values.isUnknown === true ? null : { kind: 'in-vain', ...about }
    case INSTANCE_MOVED:
      return moved(factText(fact, 'from'), factText(fact, 'to'))
    case WATCHER_ACTION:
      return factText(fact, 'state') === 'SUCCEEDED' ? moved(factText(fact, 'source'), factText(fact, 'to')) : null
    case INSTANCE_SEEN:
      return { kind: 'seen', ...about, went: moved(before.notedOn, factText(fact, 'host')) }
    default:
      return null
  }
}

/** What the next move of an instance leans on, after a request for one. */
export function afterRequest(before: MovesSoFar, fact: RunFact): MovesSoFar {
  if (factName(fact) !== MIGRATION_REQUESTED) return before
  const isHomeward = factText(fact, 'to') !== null
  return { ...before, asked: { after: factNumber(fact, 'knownMigrationId') ?? 0, isHomeward } }
}
