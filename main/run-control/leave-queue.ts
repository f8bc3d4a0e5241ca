import { isNodePlan, takesOut } from '../../shared/domain/plan.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { MaintenanceQueues } from '../platform/settings/maintenance-queues.ts'
import type { ControlServices } from './control-services.ts'

/** Removes a node from the queue once any process enters it. A runner's events count only for the clouds that it serves. */
export function leaveQueue(
  { runId, body }: RunEvent,
  {
    others,
    queues,
    emit,
    log,
  }: Pick<ControlServices, 'emit' | 'log'> & {
    readonly queues: MaintenanceQueues
    readonly others: Pick<ControlServices['others'], 'find'>
  },
): void {
  if (body.kind !== 'run-created' || !isNodePlan(body.plan) || !takesOut(body.plan.kind)) return
  const { cluster, node } = body.plan
  const remote = others.find(runId)
  if (remote !== null && !remote.clouds.includes(cluster)) {
    log.warn('runner-tells-of-foreign-cloud', { cluster, runner: remote.pod.name })
    return
  }
  const isQueued = queues.show(cluster).nodes.includes(node)
  const changed = isQueued ? queues.change(cluster, { add: [], remove: [node] }) : null
  if (changed?.ok === false) log.warn('node-stays-queued', { cluster, node, message: changed.failure.message })
  // Also if it is already gone: another process may have removed it, unknown to our listeners.
  emit('queue.changed', queues.show(cluster))
}
