import type { AgreedStart, NotAgreed } from '../domain/agreed-start.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import { someOf } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'
import { zonedText } from '../grammar/times.ts'
import { windowLabel } from './windows.ts'

/** What has to be so that a window starts by itself. */
export const CONSOLE_HAS_TO_BE_OPEN =
  'This computer has to be awake then, with Lockkeeper open on it: the desktop app, `lockkeeper serve`, or `lockkeeper window wait`. Nothing else starts it.'

/** What was confirmed is not what the window says any more. */
export const STARTS_NO_MORE =
  'It does not start by itself any more, for it was changed: check the plan and agree to it again.'

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

/** Why a plan that was made afresh is not the one that was agreed to; null when it is. `nameOf`: how an instance is called. */
export function notAgreedWords(
  { parts, lifted, down }: NotAgreed,
  nameOf: (instance: string) => string,
): string | null {
  const nodes = parts.filter(name => name !== '')
  const words = [
    ...(parts.length === 0
      ? []
      : nodes.length === 0
        ? ['How the work is done changed since it was confirmed (settings of the cluster, or the release).']
        : [`What would be done to ${someOf(nodes)} is not what was confirmed.`]),
    ...(down.length === 0
      ? []
      : [`${someOf(down.map(nameOf))} would go down or wait for an owner, and was not shown when it was confirmed.`]),
    ...lifted.map(
      blocker => `A check blocks that did not when it was confirmed, and the override was not given for it: ${blocker}`,
    ),
  ]
  return words.length === 0 ? null : words.join(' ')
}

/** Nobody was there when its time came. */
export function tooLateWords(
  { startsAt, lateByMs }: AgreedStart,
  timeZone: string,
  lastTrouble: string | null,
): string {
  const until = zonedText(new Date(Date.parse(startsAt) + lateByMs).toISOString(), timeZone)
  return lastTrouble === null
    ? `No console was open and awake to start it by ${until}. Nothing was touched.`
    : `It was tried until ${until}. ${lastTrouble} Nothing was touched.`
}

/** The news that a window waits for somebody. */
export function missedTitle(window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>): string {
  return `Window ${windowLabel(window)} of ${window.cluster}: waits for you, it did not start by itself`
}

/** What to do about a window that did not start by itself. */
export function startByHand({ id }: Pick<MaintenanceWindow, 'id'>): string {
  return `Look at it, and start it by hand: \`lockkeeper window start ${id}\``
}
