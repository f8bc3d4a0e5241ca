import { INNER_STATE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { PREPARED_SCOPE_ANNOTATION } from './decide-node.ts'
import { lockTarget, type NodeDesk, type NodeErrand, untilNodeChanges, workOn } from './node-desk.ts'
import { AFTER_FAILURE_MS, isWritten } from './worker-parts.ts'

/** Brings a node back (docs/domain.md A.3): the application's own work, the mark and the lock, and then the requests may go. */
export async function exitNode(name: string, desk: NodeDesk, errand: NodeErrand): Promise<void> {
  const { clock, log, world } = desk.parts
  const { signal, speaker } = errand
  while (!signal.aborted && desk.parts.mayAct()) {
    const { lock } = desk.entryOf(name)
    // Without the lock of old there is nothing to write back to; the application is brought back all the same.
    const work = workOn(name, 'drain', desk, errand)
    if (work === null || lock === null) return
    const progress = await desk.parts.controller.restore(work)
    if (signal.aborted || !desk.parts.mayAct()) return
    if (progress.kind === 'ready') {
      await speaker.silence()
      const target = lockTarget(lock)
      const marks = { [INNER_STATE_ANNOTATION]: 'inactive', [PREPARED_SCOPE_ANNOTATION]: null }
      const state = {
        state: 'active',
        errorMessage: '',
        ...(desk.release === null ? {} : { release: desk.release }),
      } as const
      // The state last, as Rockoon does: killed in between, an inactive lock is looked at again.
      const back =
        (await isWritten(world.locks.annotateLock(target, marks, signal), name, log)) &&
        (await isWritten(world.locks.setLockStatus(target, state, signal), name, log))
      if (back) {
        desk.begunHere.delete(name)
        await letGo(name, desk, signal)
        log.info('a node is back', { node: name })
      }
      return clock.sleep(back ? desk.parts.lookAgainMs : AFTER_FAILURE_MS, signal)
    }
    if (progress.kind === 'waiting') speaker.say(progress.message)
    await untilNodeChanges(name, desk, signal)
  }
}

/** Lets every request go that is being deleted: on our side nothing holds it any more. */
export async function letGo(name: string, desk: NodeDesk, signal: AbortSignal): Promise<void> {
  const { log, world } = desk.parts
  for (const { name: request, uid, deletingSince, finalizers } of desk.entryOf(name).requests) {
    if (deletingSince === null || !finalizers.includes(desk.finalizer)) continue
    const target = { kind: 'NodeMaintenanceRequest', name: request, uid } as const
    await isWritten(world.locks.setFinalizer(target, desk.finalizer, false, signal), request, log)
  }
}
