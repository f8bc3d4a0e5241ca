import type { ReactNode } from 'react'
import { isOrWaits, mayTellEnd, type RunCondition } from '../../../shared/domain/run-condition.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { PHASE_EXPLAINED, PHASE_WORDS } from '../../../shared/words/updates.ts'
import { useTicks } from '../../stores/ticks.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { When } from '../../ui/when.tsx'

interface Props {
  /** `Update of east`, `Rolling maintenance of east`. */
  readonly title: string
  readonly timeline: UpdateTimeline
  /** Null: not known. */
  readonly drivenBy: string | null
  /** What the run that drives it is; null: no run of ours does, or it is not known yet. */
  readonly condition: RunCondition | null
  /** Ways to go on from here. */
  readonly children: ReactNode
}

/** Where an update stands: its phase, how many nodes are done, who drives it, since when, and when it may be over. */
export function UpdateHead({ title, timeline, drivenBy, condition, children }: Props): ReactNode {
  const { phase, phases, lanes, eta, startedAt, endedAt, source } = timeline
  const isLate = useTicks(({ nowMs }) => eta !== null && Date.parse(eta.highAt) < nowMs)
  const done = lanes.filter(({ stage }) => stage === 'done').length
  const skipped = lanes.filter(({ stage }) => stage === 'skipped').length
  // While it stands still, an end would only pretend.
  const mayTell = condition === null || condition.kind === 'over' || mayTellEnd(condition)
  const note = phases.find(each => each.phase === phase)?.note ?? ''
  return (
    <header className="upd-head">
      <h1>
        {title}
        {condition === null ? null : <StateTag condition={condition} />}
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
        {eta === null || endedAt !== null || !mayTell ? null : (
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
        {endedAt === null && (eta === null || !mayTell) ? (
          <span
            className="quiet"
            title={mayTell ? 'Nothing was measured yet that tells it.' : 'How long it stands still is not known.'}
          >
            {mayTell || condition === null ? 'end not known yet' : `no end is told: it ${isOrWaits(condition)}`}
          </span>
        ) : null}
        <span className="quiet">
          {condition?.kind === 'interrupted' ? 'last driven by' : 'driven by'} {drivenBy ?? 'somebody not known'}
        </span>
        {children}
      </p>
    </header>
  )
}

/** Whether two times read the same, to the half minute that nobody plans by. */
function isOneMoment(low: string, high: string): boolean {
  return Date.parse(high) - Date.parse(low) < 30_000
}
