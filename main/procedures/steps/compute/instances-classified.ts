import type { Blocker, Effect } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceEffect, instanceLabel, readComputeHost } from './classify-instances.ts'
import { pendingIds } from './evacuation-facts.ts'
import { listedOf, proofBlockers, proveInstances } from './prove-instances.ts'

/**
 * What happens to every instance of the host is known and nobody has to be asked first (domain.md A.5, A.6). With scope `drain`
 * instances stay where they are (seed 001) and nothing blocks. With `waits` in its input a controller does the moving and waits for whoever
 * has to act: what it will wait for is told as a warning, because manual mode is a way of maintenance there (docs/domain.md A.5).
 */
export const instancesClassified = checkStep({
  kind: 'instances-classified',
  role: 'compute',
  why: 'Each instance moves, stays or waits for its owner; none may be a surprise.',
  title: input => `What happens to each instance on ${nodeOf(input)} is decided`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const moves = ctx.options.scope === 'os'
    const read = evidence(`instances on ${host.value.service.host}`, ctx.at(), {
      total: host.value.instances.length,
      ids: host.value.instances.map(({ instance }) => instance.id),
    })
    const waits = input.waits === true
    // With what this run asked for itself Nova may still be busy after an interruption: whoever resumes follows that to its end.
    const own = pendingIds(ctx.runHistory())
    const proof = moves ? await proveInstances({ ...listedOf(host.value), leaving: own }, ctx) : null
    const doubts = proof === null ? [] : proofBlockers(proof)
    // The one who moves instances there decides by its own reads; a wrong list is a reason to stop all the same.
    const stopping = doubts.filter(() => !waits || proof?.kind !== 'unproved')
    const isOwn = ({ instance, policy }: ClassifiedInstance) => policy.code === 'instance-busy' && own.has(instance.id)
    const open = moves
      ? host.value.instances
          .filter(found => !isOwn(found))
          .flatMap(found => [...blockerOf(found), ...(waits ? inError(found) : [])])
      : []
    return readyUnless(
      [...stopping, ...(waits ? [] : open)],
      moves ? 'Every instance has a decided action.' : 'Scope drain: every instance stays where it is.',
      {
        evidence: proof === null ? [read] : [read, proof.evidence],
        warnings: [
          ...host.value.unreachable,
          ...doubts.flatMap(doubt => (stopping.includes(doubt) ? [] : [`${doubt.message} ${doubt.remedy}`])),
          ...(waits
            ? open.map(({ message, remedy }) => `The lock will stay active for this: ${message} ${remedy}`)
            : []),
        ],
        effects: host.value.instances.map(found => effectOf(found, moves)),
      },
    )
  },
})

function effectOf(found: ClassifiedInstance, moves: boolean): Effect {
  const stays = { action: 'ignore', source: 'state', reason: 'stays: scope drain moves no instance' } as const
  return moves ? instanceEffect(found) : { ...instanceEffect(found), ...stays }
}

/** What another check tells of where we move the instances ourselves. */
function inError({ instance, policy }: ClassifiedInstance): readonly Blocker[] {
  if (policy.code !== 'instance-in-error') return []
  const message = `Instance ${instanceLabel(instance)}: ${policy.reason}.`
  return [{ code: policy.code, message, remedy: policy.remedy ?? 'Find out why.', override: BY_FORCE }]
}

function blockerOf({ instance, policy }: ClassifiedInstance): readonly Blocker[] {
  if (policy.action === 'notify') {
    return [
      {
        code: 'owner-must-act',
        message: `Instance ${instanceLabel(instance)} of project ${instance.projectId ?? 'unknown'}: ${policy.reason}.`,
        remedy: policy.remedy ?? 'Ask its owner to move or stop it.',
        override: BY_FORCE,
      },
    ]
  }
  const named = policy.code === 'instance-in-error' || policy.code === 'instance-migrating'
  if (policy.action === 'blocked' && !named) {
    return [
      {
        code: policy.code,
        message: `Instance ${instanceLabel(instance)} cannot be moved now: ${policy.reason}.`,
        remedy: policy.remedy ?? 'Wait for what is going on with it, then try again.',
        override: BY_FORCE,
      },
    ]
  }
  return []
}
