import { type CheckedPlan, type OverrideFlag, type Placed, planPlace } from '../../../shared/domain/plan.ts'
import { blockersOf, openBlockers, type PlanCounts } from '../../../shared/domain/plan-effects.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { checksHoldWords, planTitle } from '../../../shared/words/plans.ts'
import type { PlanState } from './use-plan.ts'

/** What the operator confirms, with node and cluster: `Take cmp-03 of demo-plain out of service`. `nodes`: how many nodes it is about. */
export function confirmWords(plan: Placed, nodes: number): string {
  if (plan.kind === 'update') return `Update ${plan.cluster}`
  if (plan.kind === 'maintain') return `Maintain ${planPlace(plan)}`
  return plan.kind === 'rolling-maintenance' ? `Work on ${counted(nodes, 'node')} of ${plan.cluster}` : planTitle(plan)
}

/** What is disruptive in a plan, in numbers, and what stays: `7 instances move, 1 stops, 9 pods leave and 1 instance stays as it is`. */
export function disruptionWords({
  moving,
  movingCold,
  stopped,
  goingDown,
  waiting,
  blocked,
  staying,
  evicted,
  deleted,
}: PlanCounts): string {
  const pods = evicted + deleted
  const parts = [
    ...(moving > 0
      ? [
          `${counted(moving, 'instance')} ${moving === 1 ? 'moves' : 'move'}${movingCold > 0 ? ` (${movingCold} stopped)` : ''}`,
        ]
      : []),
    ...(stopped > 0 ? [`${counted(stopped, 'instance')} ${stopped === 1 ? 'is' : 'are'} stopped`] : []),
    ...(goingDown > 0 ? [`${counted(goingDown, 'instance')} ${goingDown === 1 ? 'stops' : 'stop'} with the node`] : []),
    ...(waiting > 0
      ? [`${counted(waiting, 'instance')} ${waiting === 1 ? 'waits for its owner' : 'wait for their owners'}`]
      : []),
    ...(blocked > 0 ? [`${counted(blocked, 'instance')} ${blocked === 1 ? 'blocks' : 'block'}`] : []),
    ...(pods > 0 ? [`${counted(pods, 'pod')} ${pods === 1 ? 'leaves' : 'leave'}`] : []),
  ]
  const all = [
    ...(parts.length === 0 ? ['no instance moves or stops, and no pod leaves'] : parts),
    ...(staying > 0
      ? [`${counted(staying, 'instance')} ${staying === 1 ? 'stays as it is' : 'stay as they are'}`]
      : []),
  ]
  return listed(all)
}

/** What an override does. */
export const OVERRIDE_WORDS: Readonly<Record<OverrideFlag, string>> = {
  force: 'Go on although this is not safe',
  'allow-downtime': 'Accept that a service goes down',
  'allow-data-loss': 'Accept that local disks are lost',
}

/** What the work may do to the node. */
export const SCOPE_WORDS = {
  os: 'The node may be rebooted: instances move away first.',
  drain: 'Services restart at most: instances stay where they are.',
} as const

/** Whether the plan that is drawn is the one in hand, or an earlier one that stays to be read; `other-choices`: the form says otherwise by now. */
export type PlanStatus = PlanState['kind'] | 'other-choices'

/** What a plan comes to, in a few words. */
export interface PlanVerdict {
  readonly tone: 'good' | 'bad' | 'caution' | 'open'
  readonly words: string
}

/** Whether the plan that is drawn may start. What is drawn while another is made, or could not be, was true of then: no verdict for now. */
export function verdictOf(checked: CheckedPlan, status: PlanStatus): PlanVerdict {
  if (status === 'failed') return { tone: 'caution', words: 'Could not be checked again' }
  if (status === 'making') return { tone: 'open', words: 'Being checked again' }
  if (status === 'other-choices') return { tone: 'open', words: 'Out of date' }
  const open = openBlockers(checked).length
  if (open > 0) return { tone: 'bad', words: `${counted(open, 'blocker')} in the way` }
  if (!checked.startable) return { tone: 'caution', words: 'Not startable' }
  // What somebody overrode is no check that holds.
  const isOverridden = blockersOf(checked).length > 0
  return { tone: isOverridden ? 'caution' : 'good', words: checksHoldWords(checked) }
}
