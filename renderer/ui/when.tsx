import type { ReactNode } from 'react'
import { age, dateAndTime, otherReading, timeOfDay } from '../../shared/grammar/times.ts'
import { usePreferences } from '../stores/preferences.ts'
import { useTicks } from '../stores/ticks.ts'

/** A time in the operator's zone or UTC, as preferred; the other on hover. */
export function When({ at, short = false }: { readonly at: string; readonly short?: boolean }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  return (
    <time dateTime={at} title={otherReading(at, clock)}>
      {short ? timeOfDay(at, clock) : dateAndTime(at, clock)}
      {clock === 'utc' ? ' UTC' : ''}
    </time>
  )
}

/** A time of day to the minute; the whole time on hover. */
export function WhenMinute({ at }: { readonly at: string }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  return (
    <time dateTime={at} title={`${dateAndTime(at, clock)} (${otherReading(at, clock)})`}>
      {timeOfDay(at, clock).slice(0, 5)}
      {clock === 'utc' ? ' UTC' : ''}
    </time>
  )
}

/** How old something is, ticking; the time itself on hover. */
export function Age({ at }: { readonly at: string }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const text = useTicks(store => age(at, store.nowMs))
  return (
    <time dateTime={at} title={`${dateAndTime(at, clock)} (${otherReading(at, clock)})`}>
      {text}
    </time>
  )
}
