import type { ReactNode } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { useTicks } from '../../stores/ticks.ts'
import { When } from '../../ui/when.tsx'
import { counted } from '../../words/numbers.ts'
import { PHASE_EXPLAINED, PHASE_WORDS } from '../../words/updates.ts'
import { Elapsed } from '../runs/elapsed.tsx'

interface Props {
  readonly cluster: string
  readonly timeline: UpdateTimeline
  /** Null: not known. */
  readonly drivenBy: string | null
  readonly state: ReactNode
  /** Ways to go on from here. */
  readonly children: ReactNode
}

/** Where an update stands: its phase, how many nodes are done, who drives it, since when, and when it may be over. */
export function UpdateHead({ cluster, timeline, drivenBy, state, children }: Props): ReactNode {
  const { phase, phases, lanes, eta, startedAt, endedAt, source } = timeline
  const isLate = useTicks(({ nowMs }) => eta !== null && Date.parse(eta.highAt) < nowMs)
  const done = lanes.filter(({ stage }) => stage === 'done').length
  const skipped = lanes.filter(({ stage }) => stage === 'skipped').length
  const note = phases.find(each => each.phase === phase)?.note ?? ''
  return (
    <header className="upd-head">
      <h1>
        Update of {cluster}
        {state}
        {source.kind === 'observed' ? <span className="upd-observed">observed</span> : null}
      </h1>
      <p className="upd-facts">
        {phase === null ? null : (
          <span title={PHASE_EXPLAINED[phase]}>
            <b>{PHASE_WORDS[phase]}</b>
            {note === '' ? '' : `: ${note}`}
          </span>
        )}
        <span>
          {done} of {counted(lanes.length, 'node')} done{skipped === 0 ? '' : `, ${skipped} skipped`}
        </span>
        {startedAt === null ? (
          <span>start not seen</span>
        ) : (
          <span>
            {endedAt === null ? 'since' : 'from'} <When at={startedAt} />
            {endedAt === null ? ', ' : <> to </>}
            {endedAt === null ? null : <When at={endedAt} short />}
            {endedAt === null ? null : ', '}
            <Elapsed from={startedAt} to={endedAt} />
          </span>
        )}
        {eta === null || endedAt !== null ? null : (
          <span title={eta.basis}>
            {isLate ? (
              <>
                was expected to be over about <When at={eta.highAt} short />
              </>
            ) : isOneMoment(eta.lowAt, eta.highAt) ? (
              <>
                over about <When at={eta.highAt} short />
              </>
            ) : (
              <>
                over between <When at={eta.lowAt} short /> and <When at={eta.highAt} short />
              </>
            )}
            <span className="visually-hidden"> ({eta.basis})</span>
          </span>
        )}
        {endedAt === null && eta === null ? (
          <span className="quiet" title="No node is done yet, so nothing was measured.">
            end not known yet
          </span>
        ) : null}
        <span className="quiet">driven by {drivenBy ?? 'somebody not known'}</span>
        {children}
      </p>
    </header>
  )
}

/** Whether two times read the same, to the half minute that nobody plans by. */
function isOneMoment(low: string, high: string): boolean {
  return Date.parse(high) - Date.parse(low) < 30_000
}
