import { type CheckedPlan, type Placed, planSubject } from '../../../shared/domain/plan.ts'
import { blockersOf, openBlockers } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { nodePlanTitle } from '../../../shared/words/plans.ts'
import type { PlanState } from './use-plan.ts'

/** The text of the button: exactly what it does. `nodes`: how many nodes it is about. */
export function confirmWords(plan: Placed, nodes: number): string {
  if (plan.kind === 'update') return `Update ${plan.cluster}`
  if (plan.kind === 'rolling-maintenance') return `Maintain ${counted(nodes, 'node')} one after another`
  if (plan.kind === 'take-out') return `Take ${counted(nodes, 'node')} out of service`
  return nodePlanTitle(plan.kind, planSubject(plan))
}

/** The button that starts in spite of a failed check, and what that costs. */
export const ACCEPT_WORDS: Readonly<Record<OverrideFlag, { readonly button: string; readonly cost: string }>> = {
  force: { button: 'Start anyway…', cost: 'this is not safe' },
  'allow-downtime': { button: 'Accept the outage…', cost: 'a service goes down' },
  'allow-data-loss': { button: 'Accept the loss…', cost: 'local disks are lost' },
}

/** What the work may do to the node. */
export const SCOPE_WORDS = {
  os: 'The node may reboot: its instances move away first.',
  drain: 'At most services restart: instances stay where they are.',
} as const

/** Whether the shown plan is the current one; `other-choices`: the form has changed since. */
export type PlanStatus = PlanState['kind'] | 'other-choices'

/** The verdict on a plan, in a few words. */
export interface PlanVerdict {
  readonly tone: 'good' | 'bad' | 'caution' | 'open'
  readonly words: string
}

/** Whether the shown plan may start. An outdated plan has no verdict for now. `about`: how long it takes, if known. */
export function verdictOf(checked: CheckedPlan, status: PlanStatus, about: string | null = null): PlanVerdict {
  if (status === 'failed') return { tone: 'caution', words: 'Check failed' }
  if (status === 'other-choices') return { tone: 'open', words: 'Out of date' }
  const open = openBlockers(checked)
  if (open.length > 0) {
    return open.every(({ blocker }) => blocker.code === 'NotRead')
      ? { tone: 'caution', words: 'Cannot tell yet' }
      : { tone: 'bad', words: `${counted(open.length, 'thing blocks', 'things block')} this` }
  }
  if (!checked.startable) return { tone: 'caution', words: 'Cannot start' }
  const time = about === null ? '' : `, about ${about}`
  if (isRoomUnknown(checked)) return { tone: 'caution', words: `Can start${time}, free memory unknown` }
  // What was accepted is not safe.
  return blockersOf(checked).length > 0
    ? { tone: 'caution', words: `Can start${time}` }
    : { tone: 'good', words: `Safe to start${time}` }
}

/** The warnings by which nobody knows whether what leaves has room elsewhere. */
const ROOM_UNKNOWN: ReadonlySet<string> = new Set([
  'RoomTogetherNotKnown',
  'ComputeRoomNotKnown',
  'BatchRoomNotKnown',
  'RescueFitUnknown',
])

function isRoomUnknown({ checks }: CheckedPlan): boolean {
  return checks.some(({ answer }) => answer.warnings.some(({ code }) => ROOM_UNKNOWN.has(code)))
}
