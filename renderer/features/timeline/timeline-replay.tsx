import { Button } from '@blueprintjs/core'
import { PauseIcon, PlayIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { useTimelineScale } from './use-timeline-scale.ts'

interface Props {
  readonly timeline: UpdateTimeline
  /** Now, or when it was over. */
  readonly presentMs: number
  readonly atMs: number | null
  readonly onShow: (atMs: number | null) => void
}

/** Steps of the slider: as long on it as on the timeline, so that a night of waiting passes at once. */
const STEPS = 600
/** A replay lasts this long, whatever the update took. */
const REPLAY_MS = 30_000
const FRAME_MS = 100

/** Goes back to any moment of an update, and plays it from there. */
export function TimelineReplay({ timeline, presentMs, atMs, onShow }: Props): ReactNode {
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
        aria-label={playing ? 'Hold the replay' : 'Replay the update'}
        title={playing ? 'Hold the replay' : 'Replay the update'}
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
