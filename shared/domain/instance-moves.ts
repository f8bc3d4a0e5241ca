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

export type InstanceMove = { readonly id: string; readonly name: string } & (
  | { readonly kind: 'asked'; readonly from: string | null; readonly after: number }
  /** The move failed or was unnecessary. (Only Nova can say where an instance on an unknown host is.) */
  | { readonly kind: 'in-vain' }
  /** `after`: its newest migration in Nova at the request; 0 if the journal does not say. `isHomeward`: the request named the host. */
  | {
      readonly kind: 'moved'
      readonly from: string
      readonly to: string
      readonly after: number
      readonly isHomeward: boolean
    }
  /** It was here before the run emptied the node. `isNamed` false: an older journal has only its id. */
  | { readonly kind: 'noted'; readonly host: string | null; readonly isNamed: boolean }
  /** The run found it on a host. `went`: the move since it was recorded; null if there is none. */
  | { readonly kind: 'seen'; readonly went: Extract<InstanceMove, { kind: 'moved' }> | null }
)

/** What the next fact needs from earlier ones about an instance. */
export interface MovesSoFar {
  readonly asked: { readonly after: number; readonly isHomeward: boolean } | null
  readonly notedOn: string | null
}

export const NO_MOVES_YET: MovesSoFar = { asked: null, notedOn: null }

/** What a fact says about the host of an instance; null if there is nothing. */
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

export function afterRequest(before: MovesSoFar, fact: RunFact): MovesSoFar {
  if (factName(fact) !== MIGRATION_REQUESTED) return before
  const isHomeward = factText(fact, 'to') !== null
  return { ...before, asked: { after: factNumber(fact, 'knownMigrationId') ?? 0, isHomeward } }
}
