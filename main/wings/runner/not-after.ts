import type { Plan } from '../../../shared/domain/plan.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'

/** The nodes that a run begins with: those of its first batch, whose order is the engine's; of a run about one node none is named. */
export function firstNodes({ steps }: Pick<Plan, 'steps'>): readonly string[] {
  const lanes = steps.flatMap(({ lane }) => (lane === null ? [] : [lane]))
  return [...new Set(lanes.filter(({ batch }) => batch === lanes[0]?.batch).map(({ name }) => name))]
}

/**
 * Why a run is not begun for its end; null: it fits, or nothing is known of how long it takes. Of many nodes each of those that it begins with (`first`) has
 * to be finished by the end, of one all of the run.
 */
export function whyNotInTime(
  notAfter: string | null,
  nowMs: number,
  first: readonly string[],
  estimate: PlanEstimate | null,
): Finding | null {
  if (notAfter === null) return null
  const leftMs = Date.parse(notAfter) - nowMs
  if (leftMs <= 0) return because('EndIsPast', { notAfter })
  const spans =
    first.length === 0
      ? [estimate?.total ?? null]
      : (estimate?.nodes ?? []).filter(({ node }) => first.includes(node)).map(({ total }) => total)
  const longestMs = spans.reduce((longest, span) => Math.max(longest, span?.highMs ?? 0), 0)
  if (longestMs <= leftMs) return null
  return because('TooLongForEnd', { longestMs, leftMs })
}

/**
 * From when on no other node may be begun (milliseconds): the longest of those that are not begun has to be finished by the end. Of which nothing is known may be begun
 * until the end itself. Null: the run has no end.
 */
export function holdFromMs(
  notAfter: string | null,
  notBegun: readonly string[],
  estimate: PlanEstimate | null,
): number | null {
  if (notAfter === null) return null
  const longestMs = (estimate?.nodes ?? [])
    .filter(({ node }) => notBegun.includes(node))
    .reduce((longest, { total }) => Math.max(longest, total?.highMs ?? 0), 0)
  return Date.parse(notAfter) - longestMs
}
