import type { Plan } from '../../../shared/domain/plan.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'

/** The nodes of a run's first batch, of which the engine chooses the first; empty for a run of one node. */
export function firstNodes({ steps }: Pick<Plan, 'steps'>): readonly string[] {
  const lanes = steps.flatMap(({ lane }) => (lane === null ? [] : [lane]))
  return [...new Set(lanes.filter(({ batch }) => batch === lanes[0]?.batch).map(({ name }) => name))]
}

/**
 * Why a run cannot start because of its end; null if it fits, or its duration is unknown. Each of the `first` nodes must be finished by the end; a run of
 * one node as a whole.
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
 * From this time on no further node may start: the slowest of the nodes that have not started must be finished by the end. A node of unknown duration may
 * start until the end itself. Null if the run has no end.
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
