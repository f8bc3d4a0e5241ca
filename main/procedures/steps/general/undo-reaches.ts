import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readNodeMaintenance, requestsEvidence } from '../requests/node-maintenance.ts'

/** The undo affects only this run's changes, and what cannot be undone is reported. Input: `undoes`, the run; `podsGone`; `isOfMany`. */
export const undoReaches = checkStep({
  kind: 'undo-reaches',
  role: 'general',
  ...stepText('undo-reaches'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const gone = typeof input.podsGone === 'number' ? input.podsGone : 0
    const run = String(input.undoes)
    const warnings = [
      ...(gone === 0 ? [] : [found('PodsDoNotComeBack', { total: gone })]),
      ...(input.isOfMany === true ? [found('OthersOfRunStay', { run })] : []),
    ]
    const words = found('OnlyWhatRunDid')
    if (ctx.world.cluster.flavour !== 'mosk') return readyUnless([], words, { warnings })
    const read = await readNodeMaintenance(node, ctx)
    if (!read.ok) return cannotAsk(thing('MaintenanceRequests'), read.failure)
    const others = read.value.requests.filter(request => runOf(request) !== input.undoes)
    return readyUnless(
      others.map(({ name: request }) => blocker(fault('RequestNotOfRun', { request, node, run }))),
      words,
      { warnings, evidence: [requestsEvidence(read.value, ctx)] },
    )
  },
})
