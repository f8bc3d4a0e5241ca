import type { Contract } from '../../../shared/contract/index.ts'
import { windowsCalendar } from '../../../shared/words/window-calendar.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type CalendarFeed, opensFeed } from '../../platform/settings/calendar-feed.ts'

/** The answer to a calendar: the windows; `refused`: wrong secret; `not-now`: windows or secret cannot be read, so that the calendar keeps its entries. */
export type CalendarAnswer =
  | { readonly kind: 'calendar'; readonly text: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'not-now' }

/** Answers calendars that know the secret of the feed. */
export function calendarAnswers(
  feed: Pick<CalendarFeed, 'secret'>,
  contract: Pick<Contract, 'ask'>,
  clock: Clock,
  log: Logger,
): (given: string) => Promise<CalendarAnswer> {
  return async given => {
    const secret = feed.secret()
    if (!secret.ok) {
      log.warn('the secret of the calendar feed cannot be used', { message: secret.failure.message })
      return { kind: 'not-now' }
    }
    if (!opensFeed(given, secret.value)) return { kind: 'refused' }
    const listed = await contract.ask('window.list', { cluster: null })
    if (!listed.ok) return { kind: 'not-now' }
    const windows = listed.value.map(({ window }) => window)
    return { kind: 'calendar', text: windowsCalendar(windows, isoNow(clock)) }
  }
}
