import type { NotAgreed } from '../domain/agreed-start.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import { durationWords } from '../grammar/durations.ts'
import { zonedText } from '../grammar/times.ts'
import { because } from './reasons.ts'
import { type Finding, namesOf } from './steps/coded.ts'
import { windowLabel } from './windows.ts'

/** What has to be so that a window starts by itself. */
export const CONSOLE_HAS_TO_BE_OPEN =
  'This computer has to be awake then, with Lockkeeper open on it: the desktop app, `lockkeeper serve`, or `lockkeeper window wait`. Nothing else starts it.'

/** Whether and when a window starts by itself, in a sentence or two; null: nobody agreed to it. */
export function agreedStartWords({ start, timeZone }: Pick<MaintenanceWindow, 'start' | 'timeZone'>): string | null {
  if (start === null) return null
  const at = `${zonedText(start.startsAt, timeZone)} (${timeZone})`
  switch (start.state.kind) {
    case 'waits':
      return `Starts by itself at ${at}, at most ${durationWords(start.lateByMs)} later, as ${start.by} agreed on ${start.machine}.`
    case 'taken':
      return `Started by itself at ${zonedText(start.state.at, timeZone)}, as ${start.by} agreed at ${zonedText(start.at, timeZone)}.`
    case 'missed':
      return `Did not start by itself. ${start.state.why}`
  }
}

/** Why a plan that was made again is not the one that was agreed to; null when it is. `nameOf`: how an instance is called. */
export function whyNotAgreed({ parts, lifted, down }: NotAgreed, nameOf: (instance: string) => string): Finding | null {
  if (parts.length + lifted.length + down.length === 0) return null
  const nodes = parts.filter(name => name !== '')
  return because('PlanNotAsAgreed', {
    whole: parts.length > 0 && nodes.length === 0,
    nodes: namesOf(nodes),
    down: namesOf(down.map(nameOf)),
    lifted,
  })
}

/** The news that a window waits for somebody. */
export function missedTitle(window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>): string {
  return `Window ${windowLabel(window)} of ${window.cluster}: waits for you, it did not start by itself`
}

/** What to do about a window that did not start by itself. */
export function startByHand({ id }: Pick<MaintenanceWindow, 'id'>): string {
  return `Look at it, and start it by hand: \`lockkeeper window start ${id}\``
}
