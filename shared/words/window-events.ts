import { assertNever } from '../domain/must.ts'
import type { WindowEvent } from '../domain/window.ts'
import { instantWords } from '../grammar/times.ts'

/** An event of a window in a line. */
export function windowEventWords(body: WindowEvent['body']): string {
  switch (body.kind) {
    case 'created':
    case 'changed':
      return `${body.by}: ${body.draft.title}, ${instantWords(body.draft.startsAt)} to ${instantWords(body.draft.endsAt)}`
    case 'estimated':
      return `by ${body.by}`
    case 'noted':
      return `${body.by}: ${body.text}`
    case 'notifying':
      return `${body.by}: to the owners of project ${body.projectName ?? body.projectId ?? 'unknown'} (${body.to.join(', ')})`
    case 'notified':
      return `${body.outcome}: ${body.words}`
    case 'start-agreed':
      return `${body.by} on ${body.machine}: starts automatically at ${instantWords(body.startsAt)}`
    case 'start-taken-back':
    case 'cancelled':
      return `${body.by}: ${body.why}`
    case 'start-taken':
      return `${body.by} on ${body.machine}`
    case 'start-missed':
      return body.why
    case 'closed':
      return `${body.by}: ${body.summary}`
    default:
      return assertNever(body, 'window event')
  }
}
