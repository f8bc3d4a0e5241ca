import type { MaintenanceWindow } from '../domain/window.ts'
import { nodesOfPlan } from '../domain/window-draft.ts'
import { type CalendarEvent, calendarText } from '../grammar/icalendar.ts'
import { planWords } from './windows.ts'

/** Windows as a file for calendars; `madeAt`: the time of the file. */
export function windowsCalendar(windows: readonly MaintenanceWindow[], madeAt: string): string {
  return calendarText(windows.map(eventOf), madeAt)
}

/** Without notes, which may contain text that is only for operators. */
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
