import { parseLockMessage } from '../../../shared/domain/lock-message.ts'
import type { ClusterWorkloadLock, MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import type { Evidence } from '../../../shared/domain/plan.ts'
import type { StepInput } from '../../engine/step.ts'
import { evidence, some } from '../../maintenance/answers.ts'
import type { MaintenanceContext } from '../../maintenance/node-input.ts'

/** The applications that are updated first, in their order (seed 003, phase 2; docs/domain.md A.9: Ceph waits for OpenStack). */
export const FIRST_CONTROLLERS = ['openstack', 'ceph'] as const

/** The cluster's locks a step is about: of the one controller its input names, else of all but the first ones. */
export function locksMeant(objects: MaintenanceObjects, input: StepInput): readonly ClusterWorkloadLock[] {
  const named = input.controller
  return objects.clusterLocks.filter(({ controller }) =>
    typeof named === 'string' ? controller === named : !FIRST_CONTROLLERS.some(first => first === controller),
  )
}

/** Where these locks stand, in a sentence without its full stop. */
export function standingOf(locks: readonly ClusterWorkloadLock[]): string {
  return some(
    locks.map(lock => {
      const text = lock.progress?.description || parseLockMessage(lock.errorMessage).text.replace(/\.$/, '')
      const percentage = lock.progress?.percentage ?? null
      const said = text === '' ? `its lock ${lock.name} is ${lock.state}` : text
      return `${lock.controller}: ${said}${percentage === null ? '' : ` (${percentage}%)`}`
    }),
    4,
  )
}

/** What changes whenever one of these locks moves. */
export function markOf(locks: readonly ClusterWorkloadLock[]): string {
  return JSON.stringify(locks.map(({ uid, state, errorMessage, progress }) => [uid, state, errorMessage, progress]))
}

/** The cluster's locks as evidence. */
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
