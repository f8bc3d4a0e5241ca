import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type Copying, migrationPaces } from '../../../shared/domain/migration-pace.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { downtimesOf } from '../../../shared/domain/run-downtimes.ts'
import { instanceIdOf } from '../../../shared/domain/run-facts.ts'
import { migrationsOf } from '../../../shared/domain/run-progress.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { COPYING_WORDS } from '../../../shared/words/copying.ts'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'

/** What a run does to an instance now. */
export type InstanceMove =
  /** It migrates. `percent` null: Nova reports no progress; `endAt` null: no estimate. */
  | {
      readonly kind: 'moving'
      readonly percent: number | null
      readonly copying: Copying
      readonly endAt: string | null
      readonly from: string
    }
  /** The run stopped it and has not seen it run again. */
  | { readonly kind: 'down'; readonly from: string }

type Moves = ReadonlyMap<string, InstanceMove>
const NONE: Moves = new Map()
const MovesAround = createContext<Moves>(NONE)

/** The moves of active runs, by instance id. */
export function movesOf(views: readonly Pick<RunView, 'steps'>[]): Moves {
  const moves = new Map<string, InstanceMove>()
  for (const view of views) {
    for (const { subject, from, to } of downtimesOf(view))
      if (to === null) moves.set(instanceIdOf(subject), { kind: 'down', from })
    for (const step of view.steps) {
      if (step.state !== 'applying' && step.state !== 'waiting') continue
      const paces = migrationPaces(step)
      for (const { subject, state, percent, copying, startedAt } of migrationsOf(step)) {
        if (state !== 'running') continue
        const endAt = paces.get(subject)?.endAt ?? null
        moves.set(instanceIdOf(subject), { kind: 'moving', percent, copying, endAt, from: startedAt })
      }
    }
  }
  return moves
}

/** Provides what runs do to the instances of a cluster. */
export function InstanceMoves({
  cluster,
  children,
}: {
  readonly cluster: string
  readonly children: ReactNode
}): ReactNode {
  const ids = useRuns(({ list }) =>
    (list ?? [])
      .filter(run => run.cluster === cluster && (run.condition.kind === 'moving' || run.condition.kind === 'waiting'))
      .map(({ id }) => id)
      .join(' '),
  )
  useEffect(() => {
    for (const id of ids.split(' ')) if (id !== '') showRun(id)
  }, [ids])
  const readings = useRuns(store => (ids === '' ? null : store.readings))
  const moves = useMemo(() => {
    if (readings === null) return NONE
    return movesOf(
      ids.split(' ').flatMap(id => {
        const reading = readings.get(id)
        return reading?.kind === 'read' ? [reading.view] : []
      }),
    )
  }, [readings, ids])
  return <MovesAround value={moves}>{children}</MovesAround>
}

/** What a run does to an instance now; null if there is nothing. */
export function useInstanceMove(id: string): InstanceMove | null {
  return useContext(MovesAround).get(id) ?? null
}

/** `71 %, about 2 s`, over a bar; for a stopped instance, how long it has been down. */
export function MoveWords({ name, move }: { readonly name: string; readonly move: InstanceMove }): ReactNode {
  const words = useTicks(({ nowMs }) => moveWords(move, nowMs))
  if (move.kind === 'down') return <span className="inst-move caution">{words}</span>
  return (
    <span
      className={`inst-move run-tone-${move.copying === 'copying' ? 'moving' : 'waits'}`}
      title={`${name}: ${words}`}
    >
      <span
        className="inst-move-bar meter"
        role="progressbar"
        aria-label={`${name}: memory copied`}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(move.percent === null ? { 'aria-valuetext': 'unknown' } : { 'aria-valuenow': move.percent })}
      >
        <i style={{ width: `${move.percent ?? 0}%` }} />
      </span>
      <span className="cut">{words}</span>
    </span>
  )
}

export function moveWords(move: InstanceMove, nowMs: number): string {
  if (move.kind === 'down') return `down for ${durationWords(nowMs - Date.parse(move.from))}`
  const share = move.percent === null ? 'moving' : `${move.percent} %`
  if (move.copying !== 'copying') return `${share}, ${COPYING_WORDS[move.copying]}`
  if (move.endAt === null) return `${share}, for ${durationWords(nowMs - Date.parse(move.from))}`
  const ms = Date.parse(move.endAt) - nowMs
  return ms < 1000 ? `${share}, any moment` : `${share}, about ${durationWords(ms)}`
}
