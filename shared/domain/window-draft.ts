import { isTimeZone } from '../grammar/times.ts'
import type { WindowDraft, WindowPlan } from './window.ts'

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

export type NotAWindow =
  | { readonly code: 'TimeZoneUnknown'; readonly values: { readonly timeZone: string } }
  | { readonly code: 'EndsBeforeItStarts'; readonly values: Pick<WindowDraft, 'startsAt' | 'endsAt' | 'timeZone'> }
  | { readonly code: 'NodePlannedTwice'; readonly values: { readonly node: string } }

export function whyNotAWindow({ startsAt, endsAt, timeZone, plan }: WindowDraft): NotAWindow | null {
  if (!isTimeZone(timeZone)) return { code: 'TimeZoneUnknown', values: { timeZone } }
  if (Date.parse(endsAt) <= Date.parse(startsAt)) {
    return { code: 'EndsBeforeItStarts', values: { startsAt, endsAt, timeZone } }
  }
  const nodes = nodesOfPlan(plan)
  const twice = nodes.find((node, at) => nodes.indexOf(node) !== at)
  return twice === undefined ? null : { code: 'NodePlannedTwice', values: { node: twice } }
}
