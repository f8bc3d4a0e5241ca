import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import { REQUEST_RUN_ANNOTATION } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { locksEvidence, readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** The node's locks are there and active, and no maintenance of somebody else is under way on it (seed 001, seed 003). */
export const nodeLocksSound = checkStep({
  kind: 'node-locks-sound',
  role: 'general',
  why: 'Locks that are missing, odd or not active say that an application is not in its ordinary state.',
  title: input => `The workload locks of ${nodeOf(input)} are there and active`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const found = await readNodeMaintenance(name, ctx)
    if (!found.ok) return cannotAsk('The workload locks', found.failure)
    const { locks, requests } = found.value
    // Requests of this very run are its own doing.
    const begun = requests.some(request => request.annotations[REQUEST_RUN_ANNOTATION] === ctx.runId)
    const blockers: Blocker[] = found.value.expected
      .filter(controller => !locks.some(lock => lock.controller === controller))
      .map(controller => ({
        code: 'lock-missing',
        message: `${name} has no workload lock of ${controller}, although it has the role ${found.value.roles.join(', ')}.`,
        remedy: `See that the controller of ${controller} runs (or start ours), or set it to none in the settings of the cluster.`,
        override: {
          kind: 'never',
          why: 'without its lock nobody can tell whether the controller is done with the node',
        },
      }))
    for (const lock of begun ? [] : locks) {
      if (lock.state === 'active' && lock.innerState !== 'active' && lock.faults.length === 0) continue
      const { text } = parseLockMessage(lock.errorMessage)
      blockers.push({
        code: 'lock-not-active',
        message: `The lock ${lock.name} of ${lock.controller || 'nobody'} is ${lock.state}${lock.innerState === 'active' && lock.state === 'active' ? ' with work begun' : ''}${text === '' ? '' : ` (${text})`}${lock.faults.length === 0 ? '' : `: ${lock.faults.join(' ')}`}.`,
        remedy: 'Let its controller finish what it does, or mend the lock, then check again.',
        override: BY_FORCE,
      })
    }
    for (const request of begun ? [] : requests) {
      const by = request.annotations[REQUEST_RUN_ANNOTATION]
      blockers.push({
        code: request.deletingSince === null ? 'request-there' : 'request-terminating',
        message:
          request.deletingSince === null
            ? `Somebody has requested maintenance of ${name} already: ${request.name} since ${request.createdAt}${by === undefined ? '' : `, run ${by}`}.`
            : `${name} is still coming back: the request ${request.name} is Terminating since ${request.deletingSince}, held by ${request.finalizers.join(', ') || 'nobody'}.`,
        remedy:
          request.deletingSince === null
            ? `Find out who works on it. If nobody does, remove the request: kubectl delete nodemaintenancerequest ${request.name}.`
            : 'Wait until its controllers are done.',
        override:
          request.deletingSince === null
            ? BY_FORCE
            : { kind: 'never', why: 'two requests for one node cannot be told apart' },
      })
    }
    return readyUnless(
      blockers,
      locks.length === 0
        ? `${name} has no workload locks.`
        : `${locks.map(lock => lock.controller).join(', ')}: active.`,
      { evidence: [locksEvidence(found.value, ctx), requestsEvidence(found.value, ctx)] },
    )
  },
})
