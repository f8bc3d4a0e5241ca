import { z } from 'zod'
import { minutes } from './durations.ts'
import type { Instance } from './openstack.ts'

/** What helps an instance that Nova does not move. `reset-state`: Nova then takes it for running; `stop`: it stays on its host, off. */
export const InstanceRemedy = z.enum(['reset-state', 'stop'])
export type InstanceRemedy = z.infer<typeof InstanceRemedy>

/** Nova's tasks end, or change the instance, within this time; a cold move takes longer and is never reset. */
export const TASK_IS_STALE_AFTER_MS = minutes(10)

/** Why a remedy is not for an instance as it is now. */
type RemedyUnfit =
  | { readonly code: 'InstanceNotInError' }
  | { readonly code: 'InstanceMoves'; readonly task: string }
  | { readonly code: 'TaskMayBeAtWork'; readonly task: string; readonly agoMs: number }
  | { readonly code: 'StopNeedsNoTask'; readonly task: string }

type State = Pick<Instance, 'status' | 'vmState' | 'taskState' | 'updatedAt'>

/** Null if the remedy fits. A task of Nova counts as stale once Nova has not changed the instance for long. */
export function whyUnfit(
  remedy: InstanceRemedy,
  { status, vmState, taskState, updatedAt }: State,
  nowMs: number,
): RemedyUnfit | null {
  if (taskState === null) return isInError({ status, vmState }) ? null : { code: 'InstanceNotInError' }
  if (remedy === 'stop') return { code: 'StopNeedsNoTask', task: taskState }
  if (MOVING.test(taskState)) return { code: 'InstanceMoves', task: taskState }
  const agoMs = updatedAt === null ? 0 : Math.max(0, nowMs - Date.parse(updatedAt))
  return agoMs < TASK_IS_STALE_AFTER_MS ? { code: 'TaskMayBeAtWork', task: taskState, agoMs } : null
}

const MOVING = /^(?:migrating|resize_|rebuild)/

function isInError({ status, vmState }: Pick<State, 'status' | 'vmState'>): boolean {
  return status === 'ERROR' || vmState === 'error'
}
