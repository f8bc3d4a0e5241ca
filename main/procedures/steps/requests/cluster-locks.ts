import { FIRST_APPLICATIONS } from '../../../../shared/domain/application-update.ts'
import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import {
  type ClusterWorkloadLock,
  ControllerName,
  type MaintenanceObjects,
} from '../../../../shared/domain/maintenance-api.ts'
import type { Counted, Evidence } from '../../../../shared/domain/step-answers.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { ClusterLockSays } from '../../../../shared/words/steps/requests-locks.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'

const COUNTED = 'cluster-lock'

/** Updated first, in this order (seed 003, phase 2; docs/domain.md A.9: Ceph waits for OpenStack). */
export const FIRST_CONTROLLERS = FIRST_APPLICATIONS

/** The lock of the input's controller; without one, all but the first ones and those in `later`. */
export function locksMeant(objects: MaintenanceObjects, input: StepInput): readonly ClusterWorkloadLock[] {
  const named = input.controller
  const later: readonly unknown[] = Array.isArray(input.later) ? input.later : []
  return objects.clusterLocks.filter(({ controller }) =>
    typeof named === 'string'
      ? controller === named
      : !FIRST_CONTROLLERS.some(first => first === controller) && !later.includes(controller),
  )
}

export function countedClusterLocks(locks: readonly ClusterWorkloadLock[]): readonly Counted[] {
  return locks.map(({ uid, name, controller }) => ({ kind: COUNTED, id: uid, name, values: { controller } }))
}

/** The locks that the list lacks; null if it is complete. A counted lock that is missing is neither active nor inactive. */
export function missingClusterLocks({ clusterLocks }: MaintenanceObjects, ctx: MaintenanceContext): Finding | null {
  const has = (controller: unknown) => clusterLocks.some(lock => lock.controller === controller)
  const gone = ctx.counted().filter(({ kind, values }) => kind === COUNTED && !has(values.controller))
  if (gone.length > 0) return found('ClusterLocksVanished', { locks: gone.map(({ name }) => name) })
  const { controllers } = ctx.world.cluster.maintenanceApi
  const silent = ControllerName.options.filter(name => controllers[name] !== 'none' && !has(name))
  return silent.length === 0 ? null : found('ClusterLocksUnseen', { controllers: silent })
}

export function clusterLocksWait(locks: readonly ClusterWorkloadLock[]): Finding {
  return found('ClusterLocksWait', { locks: locks.map(clusterLockSays) })
}

export function clusterLockSays({
  controller,
  name,
  state,
  errorMessage,
  progress,
}: ClusterWorkloadLock): ClusterLockSays {
  const says = progress?.description || parseLockMessage(errorMessage).text
  return { controller, name, state, says, percentage: progress?.percentage ?? null }
}

/** Changes whenever one of these locks moves. */
export function markOf(locks: readonly ClusterWorkloadLock[]): string {
  return JSON.stringify(locks.map(({ uid, state, errorMessage, progress }) => [uid, state, errorMessage, progress]))
}

export function clusterLocksEvidence(locks: readonly ClusterWorkloadLock[], ctx: MaintenanceContext): Evidence {
  return evidence('cluster workload locks', ctx.at(), {
    locks: locks.map(({ name, controller, state, errorMessage, resourceVersion }) => ({
      name,
      controller,
      state,
      message: errorMessage,
      resourceVersion,
    })),
  })
}
