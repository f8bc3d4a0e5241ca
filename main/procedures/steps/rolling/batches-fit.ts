import type { BatchFacts } from '../../../../shared/domain/batch-facts.ts'
import { type FoundBatch, judgeBatches } from '../../../../shared/domain/batch-judge.ts'
import type { BatchProblem } from '../../../../shared/domain/batches.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { readBatchFacts } from '../../plans/rolling/read-batch-facts.ts'

/** Other batch rules have their own checks at the start of a run. */
const OF_INSTANCES: readonly BatchProblem['rule'][] = ['anti-affinity', 'capacity']
/** Nodes that stay out together: the checks of each node would see only those that are out already. */
const OF_QUORUMS: readonly BatchProblem['rule'][] = ['quorum']
const OF_ALL: readonly BatchProblem['rule'][] = [...OF_INSTANCES, ...OF_QUORUMS]

/** The instances of each batch fit into the rest of the cloud, by the rules of the shown plan. Under the OpenStack Controller it only warns. */
export const batchesFit = checkStep({
  kind: 'batches-fit',
  role: 'compute',
  ...stepText('batches-fit'),
  withinMs: 120_000,
  check: async (input, ctx) => {
    const read = await readBatchFacts(ctx.world, null, { racks: false, signal: ctx.signal })
    if (!read.ok) return cannotAsk(thing('BatchNodes'), read.failure)
    const batches = batchesOf(input)
    if (batches === null) return blocked([blocker(fault('BatchesUnreadable'))])
    const { facts, quorumsUnread } = read.value
    if (input.together === true && quorumsUnread !== null && batches.some(batch => mayHoldMembers(batch, facts))) {
      return cannotAsk(thing('BatchQuorums'), quorumsUnread)
    }
    const verdicts = judgeBatches(facts, { zones: 'spread', atOnce: {} }, batches).map(({ batch }) => batch)
    // Where no instance moves, only the quorums are left to judge.
    const isStill = input.isStill === true
    const rules = isStill ? OF_QUORUMS : input.together === true ? OF_ALL : OF_INSTANCES
    const broken = verdicts.flatMap(({ nodes, problems }) =>
      problems.flatMap(({ rule, breach }) => (rules.includes(rule) ? [{ nodes, breach }] : [])),
    )
    const warns = input.warns === true
    // An instance may move again, out of a host of a later batch.
    const moves = isStill ? 0 : verdicts.reduce((sum, { capacity }) => sum + capacity.moving, 0)
    return readyUnless(
      warns ? [] : broken.map(problem => blocker(fault('BatchDoesNotFit', problem), BY_FORCE)),
      found('BatchesFit', { moves, batches: verdicts.length, isOpen: isStill || verdicts.some(isOpen) }),
      {
        warnings: [
          ...(isStill ? [] : verdicts.flatMap(unreported)),
          ...(warns ? broken.map(problem => found('BatchMayNotFit', problem)) : []),
        ],
        evidence: [
          evidence('batches', ctx.at(), { batches: verdicts.map(({ nodes, capacity }) => ({ nodes, ...capacity })) }),
        ],
      },
    )
  },
})

function mayHoldMembers({ nodes: names }: { readonly nodes: readonly string[] }, { nodes }: BatchFacts): boolean {
  return nodes.some(
    ({ name, roles }) => names.includes(name) && (roles.includes('control') || roles.includes('storage')),
  )
}

function isOpen({ capacity }: FoundBatch): boolean {
  return capacity.kind !== 'fits'
}

function unreported({ nodes, capacity }: FoundBatch): readonly Finding[] {
  if (capacity.kind !== 'cannot-tell') return []
  const { moving, doubts } = capacity
  return [found('BatchRoomNotKnown', { nodes, moving, doubts })]
}

/** Plans of earlier versions call them waves. */
function batchesOf({ batches, waves }: StepInput): readonly { readonly nodes: string[] }[] | null {
  const names = (batch: unknown) => (Array.isArray(batch) ? batch.filter(name => typeof name === 'string') : [])
  const held = batches ?? waves
  return Array.isArray(held) && held.length > 0 ? held.map(batch => ({ nodes: names(batch) })) : null
}
