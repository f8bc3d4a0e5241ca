import { type CheckedPlan, type Placed, planPlace } from '../../../shared/domain/plan.ts'
import { blockersOf, openBlockers, type PlanCounts } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { checksHoldWords, planTitle } from '../../../shared/words/plans.ts'
import type { PlanState } from './use-plan.ts'

/** The text of the button, with node and cluster: `Take cmp-03 of demo-plain out of service`. `nodes`: how many nodes it is about. */
export function confirmWords(plan: Placed, nodes: number): string {
  if (plan.kind === 'update') return `Update ${plan.cluster}`
  if (plan.kind === 'maintain') return `Take ${planPlace(plan)} out, then bring it back`
  return plan.kind === 'rolling-maintenance' ? `Work on ${counted(nodes, 'node')} of ${plan.cluster}` : planTitle(plan)
}

/**
 * What is disruptive in a plan, in numbers, and what stays: `7 instances move, 1 stops, 9 pods leave and 1 instance stays as it
 * is`.
 */
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
          `${counted(moving, 'instance')} ${moving === 1 ? 'moves' : 'move'}${movingCold > 0 ? ` (${movingCold} with downtime)` : ''}`,
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
  force: 'Start anyway, although this is not safe',
  'allow-downtime': 'Accept that a service goes down',
  'allow-data-loss': 'Accept that local disks are lost',
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

/** Whether the shown plan may start. An outdated plan has no verdict for now. */
export function verdictOf(checked: CheckedPlan, status: PlanStatus): PlanVerdict {
  if (status === 'failed') return { tone: 'caution', words: 'Check failed' }
  if (status === 'making') return { tone: 'open', words: 'Checking again' }
  if (status === 'other-choices') return { tone: 'open', words: 'Out of date' }
  const open = openBlockers(checked).length
  if (open > 0) return { tone: 'bad', words: `${counted(open, 'thing blocks', 'things block')} this` }
  if (!checked.startable) return { tone: 'caution', words: 'Cannot start' }
  // An overridden check does not pass.
  const isOverridden = blockersOf(checked).length > 0
  return { tone: isOverridden ? 'caution' : 'good', words: checksHoldWords(checked) }
}
