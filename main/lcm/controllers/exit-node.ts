import { INNER_STATE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { PREPARED_SCOPE_ANNOTATION } from './decide-node.ts'
import { lockTarget, type NodeContext, type NodeJob, untilNodeChanges, workOn } from './node-context.ts'
import { AFTER_FAILURE_MS, isWritten } from './worker-parts.ts'

/** Brings a node back (docs/domain.md A.3): the application's own work, the mark and the lock, and then the requests may go. */
export async function exitNode(name: string, context: NodeContext, job: NodeJob): Promise<void> {
  const { clock, log, world } = context.parts
  const { signal, message } = job
  while (!signal.aborted && context.parts.mayAct()) {
    const { lock } = context.entryOf(name)
    // Without the lock of old there is nothing to write back to; the application is brought back all the same.
    const work = workOn(name, 'drain', context, job)
    if (work === null || lock === null) return
    const progress = await context.parts.controller.restore(work)
    if (signal.aborted || !context.parts.mayAct()) return
    if (progress.kind === 'ready') {
      await message.silence()
      const target = lockTarget(lock)
      const marks = { [INNER_STATE_ANNOTATION]: 'inactive', [PREPARED_SCOPE_ANNOTATION]: null }
      const state = {
        state: 'active',
        errorMessage: '',
        ...(context.release === null ? {} : { release: context.release }),
      } as const
      // The state last, as Rockoon does: killed in between, an inactive lock is looked at again.
      const back =
        (await isWritten(world.locks.annotateLock(target, marks, signal), name, log)) &&
        (await isWritten(world.locks.setLockStatus(target, state, signal), name, log))
      if (back) {
        context.begunHere.delete(name)
        await letGo(name, context, signal)
        log.info('a node is back', { node: name })
      }
      return clock.sleep(back ? context.parts.lookAgainMs : AFTER_FAILURE_MS, signal)
    }
    if (progress.kind === 'waiting') message.say(progress.message)
    await untilNodeChanges(name, context, signal)
  }
}

/** Lets every request go that is being deleted: on our side nothing holds it any more. */
export async function letGo(name: string, context: NodeContext, signal: AbortSignal): Promise<void> {
  const { log, world } = context.parts
  for (const { name: request, uid, deletingSince, finalizers } of context.entryOf(name).requests) {
    if (deletingSince === null || !finalizers.includes(context.finalizer)) continue
    const target = { kind: 'NodeMaintenanceRequest', name: request, uid } as const
    await isWritten(world.locks.setFinalizer(target, context.finalizer, false, signal), request, log)
  }
}
