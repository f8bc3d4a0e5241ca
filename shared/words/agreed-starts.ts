import type { NotAgreed } from '../domain/agreed-start.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import { durationWords } from '../grammar/durations.ts'
import { zonedText } from '../grammar/times.ts'
import { because } from './reasons.ts'
import { type Finding, namesOf } from './steps/coded.ts'
import { windowLabel } from './windows.ts'

/** Condition for the automatic start of a window. */
export const CONSOLE_HAS_TO_BE_OPEN =
  'This computer must then be awake, with Lockkeeper open on it: the desktop app, `lockkeeper serve`, or `lockkeeper window wait`. Nothing else starts it.'

/** Whether and when a window starts automatically; null if nobody agreed to that. */
export function agreedStartWords({ start, timeZone }: Pick<MaintenanceWindow, 'start' | 'timeZone'>): string | null {
  if (start === null) return null
  const at = `${zonedText(start.startsAt, timeZone)} (${timeZone})`
  switch (start.state.kind) {
    case 'waits':
      return `Starts automatically at ${at}, at most ${durationWords(start.lateByMs)} later, as ${start.by} agreed on ${start.machine}.`
    case 'taken':
      return `Started automatically at ${zonedText(start.state.at, timeZone)}, as ${start.by} agreed at ${zonedText(start.at, timeZone)}.`
    case 'missed':
      return `Did not start automatically. ${start.state.why}`
  }
}

/** How a plan made again differs from the agreed one; null if it does not. `nameOf` gives the name of an instance, `messageOf` the message of an overridden blocker. */
export function whyNotAgreed(
  { parts, lifted, down, isUnclear }: NotAgreed,
  nameOf: (instance: string) => string,
  messageOf: (lifted: string) => string,
): Finding | null {
  if (parts.length + lifted.length + down.length === 0) return isUnclear ? because('AgreedByEarlierVersion') : null
  const nodes = parts.filter(name => name !== '')
  return because('PlanNotAsAgreed', {
    whole: parts.length > 0 && nodes.length === 0,
    nodes: namesOf(nodes),
    down: namesOf(down.map(nameOf)),
    lifted: lifted.map(messageOf),
  })
}

export function missedTitle(window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>): string {
  return `Window ${windowLabel(window)} of ${window.cluster}: needs you, it did not start automatically`
}

export function startByHand({ id }: Pick<MaintenanceWindow, 'id'>): string {
  return `Check it, then start it: \`lockkeeper window start ${id}\``
}
