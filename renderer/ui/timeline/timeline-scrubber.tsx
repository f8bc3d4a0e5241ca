import { Button } from '@blueprintjs/core'
import { PauseIcon, PlayIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useState } from 'react'
import { age, timeOfDay } from '../../../shared/grammar/times.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'

/** A replay lasts this long, however long the update took. */
const REPLAY_MS = 30_000
const FRAME_MS = 100
/** The knob is centred on its time, so the track is longer by its width; as in timeline.css. */
const KNOB_PX = 14

interface Props {
  readonly scale: TimelineScale
  /** Now, or the end of the update. */
  readonly presentMs: number
  readonly hasEnded: boolean
  /** The shown moment; null means now. */
  readonly atMs: number | null
  readonly onShow: (atMs: number | null) => void
}

/** The knob on the line of the present. Drawn back, it shows an earlier moment and dims what came later. */
export function TimelineScrubber({ scale, presentMs, hasEnded, atMs, onShow }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const last = Math.max(1, Math.round(scale.x(presentMs)))
  const present = hasEnded ? 'The end' : 'Now'
  return (
    <input
      type="range"
      className="tl-scrubber"
      style={{ left: -KNOB_PX / 2, width: last + KNOB_PX }}
      min={0}
      max={last}
      step={1}
      value={atMs === null ? last : Math.min(last, Math.round(scale.x(atMs)))}
      aria-label="Time shown"
      aria-valuetext={
        atMs === null ? present : `${timeOfDay(new Date(atMs).toISOString(), clock)}, ${age(isoOf(atMs), presentMs)}`
      }
      // The keys of the grid are different.
      onKeyDown={event => event.stopPropagation()}
      onChange={({ currentTarget }) => {
        const value = Number(currentTarget.value)
        onShow(value >= last ? null : scale.at(value))
      }}
    />
  )
}

/** Plays an update again, and reports the shown moment. */
export function TimelineReplay({ scale, presentMs, hasEnded, atMs, onShow }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const [playing, setPlaying] = useState(false)
  const last = Math.max(1, scale.x(presentMs))
  const at = atMs === null ? last : scale.x(atMs)
  useEffect(() => {
    if (!playing) return
    const timer = window.setTimeout(() => {
      const next = at + (last * FRAME_MS) / REPLAY_MS
      if (next >= last) setPlaying(false)
      onShow(next >= last ? null : scale.at(next))
    }, FRAME_MS)
    return () => window.clearTimeout(timer)
  }, [playing, at, last, scale, onShow])
  const name = playing ? 'Pause the replay' : 'Replay the run'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps the keys of its buttons from the grid around it.
    <div className="tl-replay row small" onKeyDown={event => event.stopPropagation()}>
      <Button
        size="small"
        variant="minimal"
        icon={playing ? <PauseIcon /> : <PlayIcon />}
        aria-label={name}
        title={name}
        onClick={() => {
          if (!playing && atMs === null) onShow(scale.fromMs)
          setPlaying(!playing)
        }}
      />
      <span className="quiet" title={atMs === null ? undefined : age(isoOf(atMs), presentMs)}>
        {atMs === null ? (hasEnded ? 'The end' : 'Now') : timeOfDay(isoOf(atMs), clock)}
      </span>
      {atMs === null ? null : (
        <Button
          size="small"
          variant="minimal"
          text={hasEnded ? 'To the end' : 'To now'}
          onClick={() => {
            setPlaying(false)
            onShow(null)
          }}
        />
      )}
    </div>
  )
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
