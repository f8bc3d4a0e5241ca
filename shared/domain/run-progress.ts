import { type CommandLeft, commandLeft } from './command-of-work.ts'
import type { InstanceAttempt } from './instance-attempts.ts'
import type { InstanceHistory } from './instance-history.ts'
import { type InstanceState, type MovesTally, stateOf, tallyMoves } from './instance-state.ts'
import type { LockProgress } from './lock-history.ts'
import { type Copying, copyingOf } from './migration-pace.ts'
import type { EvictionProgress } from './pod-history.ts'
import type { RunView, StepView } from './run.ts'
import { instanceIdOf } from './run-facts.ts'
import { type FactsOfStep, historyOfFacts, historyOfView } from './run-history.ts'
import type { NodeStage } from './update.ts'

export interface MigrationProgress
  extends Pick<InstanceAttempt, 'from' | 'percent' | 'bytes' | 'stalled' | 'behind' | 'asks'> {
  readonly subject: string
  readonly name: string
  readonly attempt: number
  readonly state: Exclude<InstanceState, 'untouched'>
  readonly startedAt: string
  readonly endedAt: string | null
  readonly copying: Copying
  /** Null if there is no decision. */
  readonly decidedAt: string | null
  /** Nova cannot complete such a move early. */
  readonly isCold: boolean
  readonly isStop: boolean
  readonly note: string
}

/** Failed ones first, then waiting, progressing, and pods that left. */
export const EVICTION_RANK: Readonly<Record<EvictionProgress['state'], number>> = {
  failed: 0,
  held: 1,
  kept: 1,
  refused: 2,
  leaving: 3,
  requested: 4,
  left: 5,
}

export function migrationsOf(step: FactsOfStep): readonly MigrationProgress[] {
  return [...historyOfFacts(step).instances.values()].flatMap(instance => {
    const last = instance.attempts.at(-1)
    const state = stateOf(instance)
    return last === undefined || state === 'untouched' ? [] : [progressOf(instance, last, state)]
  })
}

function progressOf(
  { id, name, decision }: InstanceHistory,
  last: InstanceAttempt,
  state: MigrationProgress['state'],
): MigrationProgress {
  const { from, percent, bytes, stalled, behind, asks, end } = last
  return {
    subject: `server/${id}`,
    name: name ?? id,
    attempt: last.number,
    state,
    startedAt: last.startedAt,
    endedAt: end?.at ?? null,
    ...{ from, percent, bytes, stalled, behind, asks },
    copying: copyingOf(last),
    decidedAt: decision?.at ?? null,
    isCold: last.asked?.how === 'cold',
    isStop: last.asked?.how === 'stop',
    note: end === null ? last.note : (end.to ?? end.why),
  }
}

/** An instance that was asked to move or stop, or a command: an early end of a run leaves it unobserved. */
export type UnseenEnd =
  | { readonly code: 'MoveUnseen'; readonly id: string; readonly name: string; readonly from: string | null }
  | { readonly code: 'StopUnseen'; readonly id: string; readonly name: string }
  | CommandLeft

/** Nova continues these after the run ends; a command continues too. */
export function unseenEnds(step: FactsOfStep): readonly UnseenEnd[] {
  const moves = migrationsOf(step)
    .filter(({ state }) => state === 'running')
    .map(({ subject, name, from, isStop }): UnseenEnd => {
      const id = instanceIdOf(subject)
      return isStop ? { code: 'StopUnseen', id, name } : { code: 'MoveUnseen', id, name, from }
    })
  return [...moves, ...commandLeft(step)]
}

/** One that Nova queues behind a stuck one waits for the decision about that one. */
export function movesInProgress(
  migrations: readonly MigrationProgress[],
  isStalled: (migration: MigrationProgress) => boolean,
): readonly MigrationProgress[] {
  const running = migrations.filter(({ state }) => state === 'running')
  const still = running.filter(isStalled)
  // Names are not unique: two instances of different projects may share one.
  const ids = new Set(still.map(({ subject }) => instanceIdOf(subject)))
  const names = new Set(still.flatMap(({ name, subject }) => [name, instanceIdOf(subject)]))
  const waits = ({ behind }: MigrationProgress) =>
    behind !== null && (behind.id === null ? names.has(behind.name) : ids.has(behind.id))
  return running.filter(migration => !isStalled(migration) && !waits(migration))
}

/** While the others continue, in running steps. */
export function instancesAskedAbout(
  view: Pick<RunView, 'steps'>,
): readonly (MigrationProgress & { readonly asks: NonNullable<MigrationProgress['asks']> })[] {
  return view.steps
    .filter(({ state }) => state === 'applying')
    .flatMap(migrationsOf)
    .flatMap(migration => (migration.asks === null ? [] : [{ ...migration, asks: migration.asks }]))
}

export function evictionsOf(step: Pick<StepView, 'facts'>): readonly EvictionProgress[] {
  return [...historyOfFacts(step).pods.values()]
}

export function locksOf(step: Pick<StepView, 'facts'>): readonly LockProgress[] {
  return [...historyOfFacts(step).locks.values()]
}

/** The first step that the run carried out; null if it did not start the stage. */
export function beganStage({ steps }: Pick<RunView, 'steps'>, stage: NodeStage): StepView | null {
  return steps.find(({ step, attempts }) => step.stage === stage && attempts > 0) ?? null
}

export interface Tally {
  readonly done: number
  readonly total: number
}

/** The progress with instances and pods; null if the run has none. */
export function talliesOf(view: Pick<RunView, 'plan' | 'steps'>): {
  readonly moves: MovesTally | null
  readonly pods: Tally | null
} {
  const history = historyOfView(view)
  const moves = tallyMoves(history.instances.values())
  const leaving = view.steps
    .flatMap(step => step.check?.effects ?? [])
    .flatMap(effect =>
      effect.kind === 'pod' && (effect.fate === 'evict' || effect.fate === 'delete') ? [effect.uid] : [],
    )
  const pods = {
    done: [...history.pods.values()].filter(({ state }) => state === 'left').length,
    // Repeated checks find only the remaining ones.
    total: new Set([...leaving, ...history.pods.keys()]).size,
  }
  return { moves: moves.total === 0 ? null : moves, pods: pods.total === 0 ? null : pods }
}
