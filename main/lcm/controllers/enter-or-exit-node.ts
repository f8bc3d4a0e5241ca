import { INNER_STATE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { isBegun, type NodeDecision, PREPARED_SCOPE_ANNOTATION } from './decide-node.ts'
import { jobOfNow, lockTarget, type NodeContext, type NodeJob, untilNodeChanges, workOn } from './node-context.ts'
import { isSaidOn, requestsNote } from './still-asked.ts'
import { AFTER_FAILURE_MS, isWritten, rest } from './worker-parts.ts'

/**
 * Takes a node into maintenance in Rockoon's order (docs/domain.md A.2): the requests held by our finalizer, the limits, the mark on the
 * lock before anything is begun, the application's own work, and only then the lock inactive. It is held while nobody knows whether the requests
 * still stand: what is under way in the application goes on, and is followed once the picture is current again.
 */
export async function enterNode(
  name: string,
  demand: NodeDecision & { readonly kind: 'enter' },
  context: NodeContext,
  job: NodeJob,
): Promise<void> {
  const { clock, log, wake, world } = context.parts
  const { signal, message } = job
  for (const { name: request, uid } of demand.requests) {
    const target = { kind: 'NodeMaintenanceRequest', name: request, uid } as const
    const held = await isWritten(world.locks.setFinalizer(target, context.finalizer, true, signal), request, log)
    // Withdrawn meanwhile, as the watch is about to say; or the API server cannot be asked.
    if (!held) return rest(wake.next(), AFTER_FAILURE_MS, clock, signal)
  }
  while (!signal.aborted && context.parts.mayAct()) {
    const woken = wake.next()
    const now = jobOfNow(job, context)
    if (now.signal.aborted) {
      await rest(woken, context.parts.lookAgainMs, clock, signal)
      continue
    }
    const { lock } = context.entryOf(name)
    if (lock === null) return clock.sleep(context.parts.lookAgainMs, signal)
    if (lock.state === 'inactive') {
      // Prepared already, and somebody else asks for it too: who comes after us has to know.
      await isMarked(name, requestsNote(lock, namesOf(demand), true), context, now)
      return clock.sleep(context.parts.lookAgainMs, signal)
    }
    if (!(await isBegunNow(name, demand, context, now))) {
      await rest(woken, context.parts.lookAgainMs, clock, signal)
      continue
    }
    if (now.signal.aborted) continue
    const work = workOn(name, demand.scope, context, now)
    if (work === null) return
    const progress = await context.parts.controller.prepare(work)
    if (signal.aborted || !context.parts.mayAct()) return
    if (now.signal.aborted) continue
    if (progress.kind === 'ready') {
      await message.silence()
      const state = { state: 'inactive', errorMessage: '' } as const
      const released = await isWritten(world.locks.setLockStatus(lockTarget(lock), state, now.signal), name, log)
      if (released) log.info('node-ready', { node: name, scope: demand.scope })
      return clock.sleep(released ? context.parts.lookAgainMs : AFTER_FAILURE_MS, signal)
    }
    if (progress.kind === 'waiting') message.say(progress.why)
    await untilNodeChanges(name, context, signal)
  }
}

/**
 * Marks the lock before anything is begun, so that a restart counts it. Between the look at the others and the note that this one is begun
 * nothing else runs: of two nodes that would be one too many, one sees the other.
 */
async function isBegunNow(
  name: string,
  demand: NodeDecision & { readonly kind: 'enter' },
  context: NodeContext,
  job: NodeJob,
): Promise<boolean> {
  const { controller } = context.parts
  const { node, lock } = context.entryOf(name)
  if (node === null || lock === null) return false
  const hasBegun = isBegun(lock) || context.begunHere.has(name)
  if (!hasBegun) {
    const held = controller.heldBack(node, context.startedBut(name))
    if (held !== null) {
      job.message.say(held)
      return false
    }
    context.begunHere.add(name)
  }
  // Notes of an earlier maintenance are over.
  const note = requestsNote(lock, namesOf(demand), hasBegun)
  const marks = { [INNER_STATE_ANNOTATION]: 'active', [PREPARED_SCOPE_ANNOTATION]: demand.scope, ...note }
  return isMarked(name, marks, context, job)
}

function namesOf(demand: NodeDecision & { readonly kind: 'enter' }): readonly string[] {
  return demand.requests.map(request => request.name)
}

async function isMarked(
  name: string,
  marks: Readonly<Record<string, string>>,
  context: NodeContext,
  { signal }: NodeJob,
): Promise<boolean> {
  const { log, world } = context.parts
  const { lock } = context.entryOf(name)
  if (lock === null) return false
  if (isSaidOn(lock, marks)) return true
  // A mark that failed may have been written all the same: the node counts until it was brought back.
  return isWritten(world.locks.annotateLock(lockTarget(lock), marks, signal), name, log)
}

/**
 * Brings a node back (docs/domain.md A.3): the application's own work, the mark and the lock, and then the requests may go. It is held while nobody
 * knows whether the node is asked for anew.
 */
export async function exitNode(name: string, context: NodeContext, job: NodeJob): Promise<void> {
  const { clock, log, wake, world } = context.parts
  const { signal, message } = job
  while (!signal.aborted && context.parts.mayAct()) {
    const woken = wake.next()
    const now = jobOfNow(job, context)
    if (now.signal.aborted) {
      await rest(woken, context.parts.lookAgainMs, clock, signal)
      continue
    }
    const { lock } = context.entryOf(name)
    // Without the lock of old there is nothing to write back to; the application is brought back all the same.
    const work = workOn(name, 'drain', context, now)
    if (work === null || lock === null) return
    const progress = await context.parts.controller.restore(work)
    if (signal.aborted || !context.parts.mayAct()) return
    if (now.signal.aborted) continue
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
        (await isWritten(world.locks.annotateLock(target, marks, now.signal), name, log)) &&
        (await isWritten(world.locks.setLockStatus(target, state, now.signal), name, log))
      if (back) {
        context.begunHere.delete(name)
        await letGo(name, context, signal)
        log.info('node-back', { node: name })
      }
      return clock.sleep(back ? context.parts.lookAgainMs : AFTER_FAILURE_MS, signal)
    }
    if (progress.kind === 'waiting') message.say(progress.why)
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
