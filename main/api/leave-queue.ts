import { isNodePlan, takesOut } from '../../shared/domain/plan.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { ApiServices } from './services.ts'

/**
 * A node that is being entered no longer waits for it, whichever process entered it. A queue that cannot be changed is no reason to
 * stop a run. What a runner tells counts for the clouds alone that it said it knows: of others it has nothing to tell.
 */
export function leaveQueue(
  { runId, body }: RunEvent,
  {
    others,
    queues,
    emit,
    log,
  }: Pick<ApiServices, 'queues' | 'emit' | 'log'> & {
    readonly others: Pick<ApiServices['others'], 'find'>
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
  // Also when it is out already: the process that entered it took it out, and our listeners do not know yet.
  emit('queue.changed', queues.show(cluster))
}
