import { Button, ButtonGroup } from '@blueprintjs/core'
import { ZoomInIcon, ZoomOutIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useState } from 'react'
import { type NodeStage, turnOf, type UpdateTimeline } from '../../../shared/domain/update.ts'
import { STAGE_EXPLAINED, STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { SpanPlace } from '../../geometry/timeline-layout.ts'
import { TIMELINE_ZOOMS, useLooks } from '../../stores/looks.ts'
import { useTicks } from '../../stores/ticks.ts'
import { StageSign } from '../timeline-mark.tsx'
import { SpanDetails } from './span-details.tsx'
import type { Outlook } from './timeline-outlook.ts'
import { TimelineView } from './timeline-view.tsx'
import type { ShownMoment } from './use-shown-moment.ts'
import type { StepsOf } from './use-timeline-plane.ts'

interface Props {
  readonly cluster: string
  readonly title: string
  readonly timeline: UpdateTimeline
  /** The figures below it. */
  readonly samples: UpdateTimeline['samples']
  readonly outlook: Outlook
  /** It could not be read again: drawn as old. */
  readonly isOld: boolean
  readonly moment: ShownMoment
  readonly stepsOf?: StepsOf
}

const MOST_ZOOM = TIMELINE_ZOOMS[TIMELINE_ZOOMS.length - 1] ?? 1

function setZoom(timelineZoom: number): void {
  useLooks.setState({ timelineZoom })
}

/** The timeline with its legend, zoom, replay, and the details of one span. */
export function TimelinePanel({
  cluster,
  title,
  timeline,
  samples,
  outlook,
  isOld,
  moment,
  stepsOf,
}: Props): ReactNode {
  const zoom = useLooks(store => store.timelineZoom)
  const [pinned, setPinned] = useState<SpanPlace | null>(null)
  const endMs = timeline.endedAt === null ? null : Date.parse(timeline.endedAt)
  // A finished run does not tick.
  const nowMs = useTicks(store => endMs ?? store.nowMs)
  const open = useCallback((place: SpanPlace) => setPinned(place), [])
  const close = useCallback(() => setPinned(null), [])
  return (
    <div className={`upd-panel column${isOld ? ' stale' : ''}`}>
      <TimelineView
        cluster={cluster}
        title={title}
        timeline={timeline}
        samples={samples}
        outlook={outlook}
        nowMs={nowMs}
        moment={moment}
        zoom={zoom}
        pinned={pinned}
        onOpen={open}
        {...(stepsOf === undefined ? {} : { stepsOf })}
      />
      {pinned === null ? null : (
        <SpanDetails cluster={cluster} timeline={timeline} place={pinned} nowMs={nowMs} onClose={close} />
      )}
      <div className="upd-tools row wrap">
        <TimelineLegend timeline={timeline} outlook={outlook} />
        <ButtonGroup>
          <Button
            size="small"
            icon={<ZoomOutIcon />}
            aria-label="Zoom out"
            disabled={zoom <= 1}
            onClick={() => setZoom(zoom / 2)}
          />
          <Button size="small" text="Fit" disabled={zoom === 1} onClick={() => setZoom(1)} />
          <Button
            size="small"
            icon={<ZoomInIcon />}
            aria-label="Zoom in"
            disabled={zoom >= MOST_ZOOM}
            onClick={() => setZoom(zoom * 2)}
          />
        </ButtonGroup>
      </div>
    </div>
  )
}

/** Stages of one colour are together: they mean the same for a node. */
const STAGES = [
  ['pending'],
  ['requested'],
  ['locks', 'draining'],
  ['work'],
  ['returning'],
  ['done'],
  ['skipped'],
  ['unseen'],
] as const

/** Rare marks are explained only if they occur, and expected ones only while the update runs. */
function isAbsent(stage: NodeStage, { lanes, endedAt }: UpdateTimeline): boolean {
  const isRare = stage === 'skipped' || stage === 'unseen' || (turnOf(stage) === 'to-come' && endedAt !== null)
  return isRare && lanes.every(lane => lane.stage !== stage)
}

/** The meaning of the marks that occur in the timeline. */
function TimelineLegend({ timeline, outlook }: Pick<Props, 'timeline' | 'outlook'>): ReactNode {
  const spans = timeline.lanes.flatMap(lane => lane.spans)
  const hasGhosts = [...outlook.ghosts.values()].some(({ kind }) => kind === 'expected')
  return (
    <ul className="tl-legend small quiet plain-list wrap" aria-label="Legend">
      {STAGES.map(stages =>
        isAbsent(stages[0], timeline) ? null : (
          <li key={stages[0]} title={stages.map(stage => STAGE_EXPLAINED[stage]).join(' ')}>
            <StageSign stage={stages[0]} />
            {stages.map(stage => STAGE_WORDS[stage]).join(', ')}
          </li>
        ),
      )}
      {outlook.departures.size === 0 ? null : (
        <li title="An instance left the node.">
          <span className="tl-swatch tl-swatch-left">
            <span className="tl-left" />
          </span>
          an instance left
        </li>
      )}
      {spans.every(({ waits }) => waits.length === 0) ? null : (
        <li title="The node waits: for a lock, a budget or an operator.">
          <span className="tl-swatch tl-wait" />
          waits
        </li>
      )}
      {hasGhosts ? (
        <li title="Estimated from other nodes: outlined up to the usual end, fading up to the slow end.">
          <span className="tl-swatch tl-ghost" />
          expected
        </li>
      ) : null}
      {spans.every(({ retries }) => retries.length === 0) ? null : (
        <li title="A retry.">
          <span className="tl-swatch-retry" />
          tried again
        </li>
      )}
    </ul>
  )
}
