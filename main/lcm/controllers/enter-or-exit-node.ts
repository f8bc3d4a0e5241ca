import { INNER_STATE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { isBegun, type NodeDecision, PREPARED_SCOPE_ANNOTATION } from './decide-node.ts'
import { jobOfNow, lockTarget, type NodeContext, type NodeJob, untilNodeChanges, workOn } from './node-context.ts'
import { hasAnnotations, requestsAnnotation } from './still-asked.ts'
import { AFTER_FAILURE_MS, isWritten, rest } from './worker-parts.ts'

/**
 * Takes a node into maintenance in Rockoon's order (docs/domain.md A.2). It pauses while it is unknown whether the requests still exist; the application's work
 * continues meanwhile.
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
    // The request was withdrawn, as the watch will show; or the API server does not answer.
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
      // Already prepared, and another request arrived: a later process must know.
      await isMarked(name, requestsAnnotation(lock, namesOf(demand), true), context, now)
      return clock.sleep(context.parts.lookAgainMs, signal)
    }
    if (!(await isBegunAndMarked(name, demand, context, now))) {
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

/** Marks the lock before the work starts, so that a restart counts it. Nothing asynchronous may come between limit check and mark, or two nodes could exceed the limit. */
async function isBegunAndMarked(
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
  // Notes of an earlier maintenance no longer count.
  const note = requestsAnnotation(lock, namesOf(demand), hasBegun)
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
  if (hasAnnotations(lock, marks)) return true
  // A failed mark may still have been written: the node counts until it is restored.
  return isWritten(world.locks.annotateLock(lockTarget(lock), marks, signal), name, log)
}

/** Restores a node (docs/domain.md A.3): the application's work, the mark and the lock, then the requests. It pauses while it is unknown whether the node is requested again. */
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
    // Without its lock there is nothing to write; the application is restored anyway.
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
      // The state comes last, as in Rockoon: after a crash before it, the inactive lock is processed again.
      const back =
        (await isWritten(world.locks.annotateLock(target, marks, now.signal), name, log)) &&
        (await isWritten(world.locks.setLockStatus(target, state, now.signal), name, log))
      if (back) {
        context.begunHere.delete(name)
        await releaseDeletedRequests(name, context, signal)
        log.info('node-back', { node: name })
      }
      return clock.sleep(back ? context.parts.lookAgainMs : AFTER_FAILURE_MS, signal)
    }
    if (progress.kind === 'waiting') message.say(progress.why)
    await untilNodeChanges(name, context, signal)
  }
}

/** Releases every deleted request: nothing on our side needs it. */
export async function releaseDeletedRequests(name: string, context: NodeContext, signal: AbortSignal): Promise<void> {
  const { log, world } = context.parts
  for (const { name: request, uid, deletingSince, finalizers } of context.entryOf(name).requests) {
    if (deletingSince === null || !finalizers.includes(context.finalizer)) continue
    const target = { kind: 'NodeMaintenanceRequest', name: request, uid } as const
    await isWritten(world.locks.setFinalizer(target, context.finalizer, false, signal), request, log)
  }
}
