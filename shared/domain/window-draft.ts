import { isTimeZone, zonedText } from '../grammar/times.ts'
import type { WindowDraft, WindowPlan } from './window.ts'

/** The nodes a window's plan names, in its order. */
export function nodesOfPlan(plan: WindowPlan): readonly string[] {
  switch (plan.kind) {
    case 'open':
      return []
    case 'batches':
      return plan.batches.flatMap(({ nodes }) => nodes)
    case 'update':
      return [...plan.update.controlNodes, ...plan.update.groups.flatMap(({ nodes }) => nodes)]
  }
}

/** Why this cannot be a window, in words; null when it can. */
export function whyNotAWindow({ startsAt, endsAt, timeZone, plan }: WindowDraft): string | null {
  if (!isTimeZone(timeZone)) return `There is no time zone "${timeZone}": give one such as Europe/Berlin, or UTC.`
  if (Date.parse(endsAt) <= Date.parse(startsAt)) {
    return `A window ends after it starts: this one would start at ${zonedText(startsAt, timeZone)} and end at ${zonedText(endsAt, timeZone)} (${timeZone}).`
  }
  const nodes = nodesOfPlan(plan)
  const twice = nodes.find((node, at) => nodes.indexOf(node) !== at)
  return twice === undefined ? null : `${twice} is planned more than once. Leave it in one place.`
}
