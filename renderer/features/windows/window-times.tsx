import type { ReactNode } from 'react'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { zonedRange } from '../../../shared/grammar/times.ts'
import { usePreferences } from '../../stores/preferences.ts'

interface Props {
  readonly window: { readonly startsAt: string; readonly endsAt: string; readonly timeZone: string }
}

/** The times of a window in its own zone, and the operator's (or UTC) below if they differ. */
export function WindowTimes({ window: { startsAt, endsAt, timeZone } }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const announced = zonedRange(startsAt, endsAt, timeZone)
  const ownZone = clock === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const own = zonedRange(startsAt, endsAt, ownZone)
  return (
    <span className="win-times">
      <time dateTime={`${startsAt}/${endsAt}`}>{announced}</time>{' '}
      <span className="quiet">
        {timeZone}, {durationWords(Date.parse(endsAt) - Date.parse(startsAt))}
      </span>
      {own === announced ? null : (
        <span className="small block quiet">
          {own} {ownZone}
        </span>
      )}
    </span>
  )
}
