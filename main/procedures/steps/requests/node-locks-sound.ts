import { REQUEST_RUN_ANNOTATION } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { controllersOf, lockSays, locksEvidence, readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** The node's locks exist and are active, and nobody else maintains it (seed 001, seed 003). */
export const nodeLocksSound = checkStep({
  kind: 'node-locks-sound',
  role: 'general',
  ...stepText('node-locks-sound'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return cannotAsk(thing('WorkloadLocks'), seen.failure)
    const { locks, requests, expected, roles } = seen.value
    const begun = requests.some(request => request.annotations[REQUEST_RUN_ANNOTATION] === ctx.runId)
    const blockers: Blocker[] = expected
      .filter(controller => !locks.some(lock => lock.controller === controller))
      .map(controller => blocker(fault('NodeLockMissing', { node, controller, roles })))
    for (const lock of begun ? [] : locks) {
      const hasWorkBegun = lock.innerState === 'active' && lock.state === 'active'
      if (lock.state === 'active' && !hasWorkBegun && lock.faults.length === 0) continue
      const notActive = { ...lockSays(lock), hasWorkBegun, faults: lock.faults }
      blockers.push(blocker(fault('NodeLockNotActive', notActive), BY_FORCE))
    }
    for (const { name: request, createdAt, deletingSince, finalizers, annotations } of begun ? [] : requests) {
      const run = annotations[REQUEST_RUN_ANNOTATION] ?? null
      blockers.push(
        deletingSince === null
          ? blocker(fault('NodeRequestThere', { node, request, since: createdAt, run }), BY_FORCE)
          : blocker(fault('NodeRequestTerminating', { node, request, since: deletingSince, finalizers })),
      )
    }
    return readyUnless(
      blockers,
      locks.length === 0
        ? found('NoNodeLocks', { node })
        : found('NodeLocksActive', { controllers: controllersOf(locks) }),
      { evidence: [locksEvidence(seen.value, ctx), requestsEvidence(seen.value, ctx)] },
    )
  },
})
