import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readNodeMaintenance, requestsEvidence } from '../requests/node-maintenance.ts'

/**
 * What a run did is its own to take back: nobody else requests the maintenance of the node, and what cannot be taken back is said. `undoes` in its input
 * is the run, `podsGone` how many pods it sent off the node, `isOfMany` whether it works on others too.
 */
export const undoReaches = checkStep({
  kind: 'undo-reaches',
  role: 'general',
  why: 'An undo touches nothing that the run did not do itself.',
  title: input => `What run ${String(input.undoes)} did to ${nodeOf(input)} can be undone`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const gone = typeof input.podsGone === 'number' ? input.podsGone : 0
    const warnings = [
      ...(gone === 0
        ? []
        : [
            `${counted(gone, 'pod')} left the node and ${gone === 1 ? 'does' : 'do'} not come back by an undo: whoever owns ${gone === 1 ? 'it makes it' : 'them makes them'} anew.`,
          ]),
      ...(input.isOfMany === true
        ? [
            `Run ${String(input.undoes)} works on many nodes. Where it still waits it is ended for all of them; what it did to others, and a maintenance request of the cluster, stays.`,
          ]
        : []),
    ]
    const words = 'The plan is made of what the run did, and of nothing else.'
    if (ctx.world.cluster.flavour !== 'mosk') return readyUnless([], words, { warnings })
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const others = found.value.requests.filter(request => runOf(request) !== input.undoes)
    return readyUnless(
      others.map(request => ({
        code: 'request-of-others',
        message: `The maintenance request ${request.name} for ${node} was not made by run ${String(input.undoes)}: somebody else has the node in maintenance.`,
        remedy: 'Let whoever made it remove it, or bring the node back into service with `lockkeeper leave`.',
        override: { kind: 'never', why: 'an undo touches nothing that the run did not do itself' } as const,
      })),
      words,
      { warnings, evidence: [requestsEvidence(found.value, ctx)] },
    )
  },
})
