import { Button, ButtonGroup } from '@blueprintjs/core'
import { PauseIcon, PlayIcon, ZoomInIcon, ZoomOutIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { STAGE_EXPLAINED, STAGE_WORDS } from '../../../shared/words/updates.ts'
import { timelineAt } from '../../geometry/timeline-at.ts'
import type { SpanPlace } from '../../geometry/timeline-layout.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { useTicks } from '../../stores/ticks.ts'
import { SpanDetails } from './span-details.tsx'
import { TimelineFigures } from './timeline-figures.tsx'
import { TimelineView } from './timeline-view.tsx'
import { useTimelineScale } from './use-timeline-scale.ts'

/** Steps of the slider: as long on it as on the timeline, so that a night of waiting passes at once. */
const STEPS = 600

/** A replay lasts this long, whatever the update took. */
const REPLAY_MS = 30_000

const FRAME_MS = 100

const STAGES = ['requested', 'locks', 'draining', 'work', 'returning', 'done', 'skipped'] as const

interface Props {
  readonly cluster: string
  readonly title: string
  readonly timeline: UpdateTimeline
  /** The figures beside it. */
  readonly samples: UpdateTimeline['samples']
  /** It could not be read again: drawn as old. */
  readonly isOld: boolean
}

const MOST_ZOOM = 32

/** The timeline with what belongs to it: legend, zoom, replay, figures, and all that is known of one span. */
export function TimelinePanel({ cluster, title, timeline, samples, isOld }: Props): ReactNode {
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
          title={title}
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

/** What the colours and marks of the timeline mean. */
function TimelineLegend(): ReactNode {
  return (
    <ul className="tl-legend plain-list wrap" aria-label="Legend">
      {STAGES.map(stage => (
        <li key={stage} title={STAGE_EXPLAINED[stage]}>
          <span className={`tl-swatch tl-stage-${stage}`} />
          {STAGE_WORDS[stage]}
        </li>
      ))}
      <li title="The node waits for something: a lock, a budget, a person.">
        <span className="tl-swatch tl-swatch-wait" />
        waits
      </li>
      <li title="Something was tried again.">
        <span className="tl-swatch-retry" />
        retry
      </li>
      <li title="Nothing but waiting: the stretch is cut short.">
        <span className="tl-swatch-break" />
        cut short
      </li>
    </ul>
  )
}

interface TimelineReplayProps {
  readonly timeline: UpdateTimeline
  /** Now, or when it was over. */
  readonly presentMs: number
  readonly atMs: number | null
  readonly onShow: (atMs: number | null) => void
}

/** Goes back to any moment of an update, and plays it from there. */
function TimelineReplay({ timeline, presentMs, atMs, onShow }: TimelineReplayProps): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const scale = useTimelineScale(timeline, STEPS, presentMs)
  const last = Math.max(1, Math.floor(scale.x(presentMs)))
  const [playing, setPlaying] = useState(false)
  const at = atMs === null ? last : Math.min(last, Math.round(scale.x(atMs)))
  useEffect(() => {
    if (!playing) return
    const timer = window.setTimeout(() => {
      const next = at + (STEPS * FRAME_MS) / REPLAY_MS
      if (next >= last) setPlaying(false)
      onShow(next >= last ? null : scale.at(next))
    }, FRAME_MS)
    return () => window.clearTimeout(timer)
  }, [playing, at, last, scale, onShow])
  const time = timeOfDay(new Date(atMs ?? presentMs).toISOString(), clock)
  const present = timeline.endedAt === null ? 'Now' : 'The end'
  return (
    <div className="upd-replay row">
      <Button
        size="small"
        variant="minimal"
        icon={playing ? <PauseIcon /> : <PlayIcon />}
        aria-label={playing ? 'Hold the replay' : 'Replay the run'}
        title={playing ? 'Hold the replay' : 'Replay the run'}
        onClick={() => {
          if (!playing && atMs === null) onShow(scale.fromMs)
          setPlaying(!playing)
        }}
      />
      <input
        type="range"
        min={0}
        max={last}
        step={1}
        value={at}
        aria-label="Time shown"
        aria-valuetext={atMs === null ? present : time}
        onChange={({ currentTarget }) => {
          const value = Number(currentTarget.value)
          setPlaying(false)
          onShow(value >= last ? null : scale.at(value))
        }}
      />
      <span className={atMs === null ? 'quiet upd-replay-time' : 'upd-replay-time'}>
        {atMs === null ? present : time}
      </span>
      <Button
        size="small"
        text={timeline.endedAt === null ? 'To now' : 'To the end'}
        disabled={atMs === null}
        onClick={() => {
          setPlaying(false)
          onShow(null)
        }}
      />
    </div>
  )
}
