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

/** One instance's way off the node: its newest attempt, and what became of it. */
export interface MigrationProgress
  extends Pick<InstanceAttempt, 'from' | 'percent' | 'bytes' | 'stalled' | 'behind' | 'asks'> {
  readonly subject: string
  readonly name: string
  readonly attempt: number
  readonly state: Exclude<InstanceState, 'untouched'>
  /** When the current attempt was asked for. */
  readonly startedAt: string
  /** When it came to an outcome; null while it runs. */
  readonly endedAt: string | null
  /** Whether it gets done, as far as it was told. */
  readonly copying: Copying
  /** When something was decided about it last; null: nothing was. */
  readonly decidedAt: string | null
  /** Whether this attempt moves it while it is stopped: Nova can not be told to end that. */
  readonly isCold: boolean
  /** Whether this attempt stops it, and moves it nowhere. */
  readonly isStop: boolean
  /** The host it went to, or why it did not. */
  readonly note: string
}

/** Which evictions are shown first: what failed, then what waits, then what goes by itself; those that left are last. */
export const EVICTION_RANK: Readonly<Record<EvictionProgress['state'], number>> = {
  failed: 0,
  held: 1,
  kept: 1,
  refused: 2,
  leaving: 3,
  requested: 4,
  left: 5,
}

/** Every migration of a step, in the order they were first asked for. */
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

/** What an end of a run leaves under way: an instance that was asked to move or to stop, or a command of the work. */
export type UnseenEnd =
  | { readonly code: 'MoveUnseen'; readonly id: string; readonly name: string; readonly from: string | null }
  | { readonly code: 'StopUnseen'; readonly id: string; readonly name: string }
  | CommandLeft

/**
 * Who was asked to move or to stop by a step and came to no end that it saw: Nova goes on with that when the run ends, and where the instance then is nobody has
 * looked. A command of the work goes on too.
 */
export function unseenEnds(step: FactsOfStep): readonly UnseenEnd[] {
  const moves = migrationsOf(step)
    .filter(({ state }) => state === 'running')
    .map(({ subject, name, from, isStop }): UnseenEnd => {
      const id = instanceIdOf(subject)
      return isStop ? { code: 'StopUnseen', id, name } : { code: 'MoveUnseen', id, name, from }
    })
  return [...moves, ...commandLeft(step)]
}

/**
 * Which migrations under way get on by themselves: those that do not stand still. One that Nova has queued behind one that stands still waits for whoever
 * decides about that one.
 */
export function gettingOn(
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

/** Instances about which a person is asked while the others go on, those of steps that are carried out now. */
export function instancesAskedAbout(
  view: Pick<RunView, 'steps'>,
): readonly (MigrationProgress & { readonly asks: NonNullable<MigrationProgress['asks']> })[] {
  return view.steps
    .filter(({ state }) => state === 'applying')
    .flatMap(migrationsOf)
    .flatMap(migration => (migration.asks === null ? [] : [{ ...migration, asks: migration.asks }]))
}

/** Every eviction of a step, in the order they were first asked for. */
export function evictionsOf(step: Pick<StepView, 'facts'>): readonly EvictionProgress[] {
  return [...historyOfFacts(step).pods.values()]
}

/** Every lock a step waits for or waited for, in the order it met them. */
export function locksOf(step: Pick<StepView, 'facts'>): readonly LockProgress[] {
  return [...historyOfFacts(step).locks.values()]
}

/** The step with which a run began a stage of its node, carried out at least once; null: it did not begin it. */
export function beganStage({ steps }: Pick<RunView, 'steps'>, stage: NodeStage): StepView | null {
  return steps.find(({ step, attempts }) => step.stage === stage && attempts > 0) ?? null
}

/** How many of what has to leave has left. */
export interface Tally {
  readonly done: number
  readonly total: number
}

/** How far a run is with its instances and its pods: what its checks found to move, and what its facts tell; null where there are none. */
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
    // Checks made again on the way find only those that are still there.
    total: new Set([...leaving, ...history.pods.keys()]).size,
  }
  return { moves: moves.total === 0 ? null : moves, pods: pods.total === 0 ? null : pods }
}
