import type { MaintenanceWindow } from '../domain/window.ts'
import { nodesOfPlan } from '../domain/window-draft.ts'
import { type CalendarEvent, calendarText } from '../grammar/icalendar.ts'
import { planWords } from './windows.ts'

/** Windows as a file for calendars; `madeAt`: when it is written. */
export function windowsCalendar(windows: readonly MaintenanceWindow[], madeAt: string): string {
  return calendarText(windows.map(eventOf), madeAt)
}

/** Without notes: those may name what only operators are to read. */
function eventOf(window: MaintenanceWindow): CalendarEvent {
  const { id, revision, cluster, title, ticket, startsAt, endsAt, timeZone, operator, plan, cancelled } = window
  const nodes = nodesOfPlan(plan)
  return {
    uid: `${id}@lockkeeper`,
    sequence: revision,
    fromAt: startsAt,
    toAt: endsAt,
    title: `${title} (${cluster})`,
    place: cluster,
    description: [
      planWords(plan),
      ...(nodes.length === 0 ? [] : [`Nodes: ${nodes.join(', ')}`]),
      ...(ticket === '' ? [] : [`Ticket: ${ticket}`]),
      `Announced by ${operator}, in ${timeZone}`,
    ].join('\n'),
    isCancelled: cancelled !== null,
  }
}
