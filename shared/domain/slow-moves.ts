import { expectedSpan, type MeasuredMove, movesMeasuredIn, ramMibOf } from './move-durations.ts'
import type { RunView } from './run.ts'
import { historyOfView } from './run-history.ts'

/** A live move that is under way and has a usual time. */
export interface TimedMove {
  readonly id: string
  readonly name: string
  readonly usualMs: number
  /** From then on it takes longer than nine in ten moves of its size. */
  readonly slowFromMs: number
}

/**
 * The live moves of a run that are under way, each with its usual time by the earlier moves of its cloud and by those of the run
 * itself; without any, none. One that Nova queues behind another has not begun.
 */
export function timedMoves(view: RunView, earlier: readonly MeasuredMove[]): readonly TimedMove[] {
  const measured = [...earlier, ...movesMeasuredIn(view)]
  return [...historyOfView(view).instances.values()].flatMap(({ id, name, attempts }): readonly TimedMove[] => {
    const last = attempts.at(-1)
    if (last === undefined || last.end !== null || last.behind !== null) return []
    if (last.asked?.how !== 'live' && last.watcherType !== 'live-migrate') return []
    const span = expectedSpan(ramMibOf(last), measured)
    if (span === null) return []
    return [{ id, name: name ?? id, usualMs: span.low, slowFromMs: Date.parse(last.startedAt) + span.high }]
  })
}

/** Those that take longer than usual now. */
export function slowMoves(moves: readonly TimedMove[], nowMs: number): readonly TimedMove[] {
  return moves.filter(({ slowFromMs }) => nowMs > slowFromMs)
}
