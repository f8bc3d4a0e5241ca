import { type ReactNode, useMemo } from 'react'
import { type MigrationPace, migrationPaces } from '../../../shared/domain/migration-pace.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { type MigrationProgress, migrationsOf } from '../../../shared/domain/run-progress.ts'
import { heedsDecisions } from '../../../shared/domain/step-of-instance.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { COPYING_WORDS, NO_END } from '../../../shared/words/copying.ts'
import { useTicks } from '../../stores/ticks.ts'
import { Elapsed } from './elapsed.tsx'
import { InstanceDecision } from './instance-decision.tsx'
import './runs.css'

/** Each migration: how much memory is copied, the rate, and the expected end. */
export function MovingNow({ view }: { readonly view: RunView }): ReactNode {
  const moving = useMemo(
    () =>
      view.steps
        .filter(({ state }) => state === 'applying' || state === 'waiting')
        .flatMap(step => {
          const paces = migrationPaces(step)
          return migrationsOf(step)
            .filter(({ state }) => state === 'running')
            .map(migration => ({
              migration,
              pace: paces.get(migration.subject) ?? null,
              isDecidable: heedsDecisions(step),
            }))
        }),
    [view],
  )
  if (moving.length === 0) return null
  return (
    <section className="panel-card" aria-label="Moving now">
      <h3>Moving now</h3>
      <ul className="run-moving plain-list">
        {moving.map(({ migration, pace, isDecidable }) => (
          <Row key={migration.subject} runId={view.id} migration={migration} pace={pace} isDecidable={isDecidable} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly runId: string
  readonly migration: MigrationProgress
  readonly pace: MigrationPace | null
  readonly isDecidable: boolean
}

function Row({ runId, migration, pace, isDecidable }: RowProps): ReactNode {
  const { name, from, percent, bytes: copied, copying, attempt, startedAt, note } = migration
  return (
    <li className={`run-tone-${copying === 'copying' ? 'moving' : 'waits'}`}>
      <span className="run-moving-name">
        <b className="mono">{name}</b>
        <span className="quiet small">
          {from === null ? '' : `from ${from}`}
          {attempt > 1 ? `, attempt ${attempt}` : ''}
        </span>
      </span>
      <span className="run-moving-bar">
        <span
          className="run-bar"
          role="progressbar"
          aria-label={`${name}: memory copied`}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(percent === null ? { 'aria-valuetext': 'unknown' } : { 'aria-valuenow': percent })}
        >
          <i style={{ width: `${percent ?? 0}%` }} />
        </span>
        <span className="quiet small">
          {percent === null ? (
            note === '' ? (
              'Nova reports no progress yet'
            ) : (
              note
            )
          ) : (
            <>
              {percent} %{copied === null ? '' : `, ${copiedWords(copied, pace)}`}
            </>
          )}
        </span>
      </span>
      <Slope pace={pace} />
      <span className="run-moving-end">
        {copying === 'copying' ? (
          <Left pace={pace} />
        ) : (
          <b className="caution" title={note}>
            {COPYING_WORDS[copying]}
          </b>
        )}
        {copying === 'not-converging' ? <span className="quiet small">{NO_END}</span> : null}
        <span className="quiet small">
          for <Elapsed from={startedAt} to={null} />
        </span>
      </span>
      {isDecidable ? <InstanceDecision runId={runId} migration={migration} /> : null}
    </li>
  )
}

/** How much memory is left to copy, and how fast that falls, if measured. */
export function copiedWords(
  { copied, total }: { readonly copied: number; readonly total: number },
  pace: Pick<MigrationPace, 'bytesPerSecond'> | null,
): string {
  const left = `${bytes(Math.max(0, total - copied))} of ${bytes(total)} left`
  return pace?.bytesPerSecond == null ? left : `${left}, ${bytes(pace.bytesPerSecond)}/s`
}

const WIDE = 72
const HIGH = 22

/** Memory left to copy over the time of this attempt: a line that stops falling never arrives. */
function Slope({ pace }: { readonly pace: MigrationPace | null }): ReactNode {
  const looks = pace?.left ?? []
  const first = looks[0]
  const last = looks.at(-1)
  if (first === undefined || last === undefined || looks.length < 2) return <span className="run-slope" />
  const beginMs = Date.parse(first.at)
  const lastedMs = Math.max(1, Date.parse(last.at) - beginMs)
  const points = looks.map(
    ({ at, share }) => `${((Date.parse(at) - beginMs) / lastedMs) * WIDE},${2 + (HIGH - 4) * (1 - share)}`,
  )
  return (
    <svg className="run-slope" width={WIDE} height={HIGH} viewBox={`0 0 ${WIDE} ${HIGH}`} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}

function Left({ pace }: { readonly pace: MigrationPace | null }): ReactNode {
  const left = useTicks(({ nowMs }) => {
    if (pace?.endAt == null) return null
    const ms = Date.parse(pace.endAt) - nowMs
    return ms < 1000 ? 'any moment' : `about ${durationWords(ms)}`
  })
  if (left === null) return <span className="quiet">end unknown</span>
  return <span title={`${bytes(pace?.bytesPerSecond ?? 0)} less to copy per second lately`}>{left}</span>
}
