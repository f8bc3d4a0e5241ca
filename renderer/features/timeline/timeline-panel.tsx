import { Button, ButtonGroup } from '@blueprintjs/core'
import { ZoomInIcon, ZoomOutIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timelineAt } from '../../geometry/timeline-at.ts'
import type { SpanPlace } from '../../geometry/timeline-layout.ts'
import { useTicks } from '../../stores/ticks.ts'
import { SpanDetails } from './span-details.tsx'
import { TimelineFigures } from './timeline-figures.tsx'
import { TimelineLegend } from './timeline-legend.tsx'
import { TimelineReplay } from './timeline-replay.tsx'
import { TimelineView } from './timeline-view.tsx'

interface Props {
  readonly cluster: string
  readonly timeline: UpdateTimeline
  /** The figures beside it. */
  readonly samples: UpdateTimeline['samples']
  /** It could not be read again: drawn as old. */
  readonly isOld: boolean
}

const MOST_ZOOM = 32

/** The timeline with what belongs to it: legend, zoom, replay, figures, and all that is known of one span. */
export function TimelinePanel({ cluster, timeline, samples, isOld }: Props): ReactNode {
  const [zoom, setZoom] = useState(1)
  const [pinned, setPinned] = useState<SpanPlace | null>(null)
  /** The moment that is shown; null: as it stands. */
  const [atMs, setAtMs] = useState<number | null>(null)
  const endMs = timeline.endedAt === null ? null : Date.parse(timeline.endedAt)
  // What is over does not tick.
  const presentMs = useTicks(({ nowMs }) => endMs ?? nowMs)
  const shown = useMemo(() => (atMs === null ? timeline : timelineAt(timeline, atMs)), [timeline, atMs])
  const open = useCallback((place: SpanPlace) => setPinned(place), [])
  const close = useCallback(() => setPinned(null), [])
  return (
    <div className={`upd-panel column${isOld ? ' stale' : ''}`}>
      <div className="upd-tools row wrap">
        <TimelineLegend />
        <TimelineReplay timeline={timeline} presentMs={presentMs} atMs={atMs} onShow={setAtMs} />
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
      <div className="upd-split">
        <TimelineView
          cluster={cluster}
          timeline={shown}
          whole={timeline}
          nowMs={atMs ?? presentMs}
          zoom={zoom}
          pinned={pinned}
          onOpen={open}
        />
        <aside className="upd-aside column" aria-label="Details and figures">
          {pinned === null ? null : (
            <SpanDetails cluster={cluster} timeline={shown} place={pinned} nowMs={atMs ?? presentMs} onClose={close} />
          )}
          <TimelineFigures samples={samples} atMs={atMs} />
        </aside>
      </div>
    </div>
  )
}
