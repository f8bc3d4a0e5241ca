import type { RunEvent } from '../../../shared/domain/run.ts'
import { eventLine } from '../../../shared/words/run-events.ts'

/** The whole log as lines to be pasted into a ticket: every event, oldest first, times in UTC. */
export function logAsText(events: readonly RunEvent[], titles: ReadonlyMap<string, string>): string {
  return events
    .map(event => eventLine(event, titles))
    .map(({ at, text }) => `${at}  ${text.replaceAll(/\s+/g, ' ')}`)
    .join('\n')
}
