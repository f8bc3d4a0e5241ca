import { judgeBatches } from '../../../../shared/domain/batch-judge.ts'
import type { BatchProblem, JudgedBatch } from '../../../../shared/domain/batches.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { readBatchGround } from '../../plans/rolling/read-batch-ground.ts'

/** What is asked of instances: the other rules of batches are checks of their own when a run starts. */
const OF_INSTANCES: ReadonlySet<BatchProblem['rule']> = new Set(['anti-affinity', 'capacity'])

/**
 * The instances of each batch find a place in the rest of the cloud, batch after batch, by the judgement that was shown when the batches were made: so
 * that a start never goes by other rules than the plan. Where OpenStack's own controller moves the instances it only warns, for that waits by itself.
 */
export const batchesFit = checkStep({
  kind: 'batches-fit',
  role: 'compute',
  why: 'One node may need the room that another left, and nodes that are out together cannot hold instances of each other.',
  title: () => 'The instances of each batch find a place',
  withinMs: 120_000,
  check: async (input, ctx) => {
    const read = await readBatchGround(ctx.world, null, { racks: false, signal: ctx.signal })
    if (!read.ok) return cannotAsk('The nodes of the batches', read.failure)
    const batches = batchesOf(input)
    if (batches === null) return blocked([UNREADABLE])
    const verdicts = judgeBatches(read.value.ground, { zones: 'spread', atOnce: {} }, batches).map(({ batch }) => batch)
    const broken = verdicts.flatMap(batch =>
      batch.problems
        .filter(({ rule }) => OF_INSTANCES.has(rule))
        .map(({ words }) => `${someOf(batch.nodes)}: ${words}`),
    )
    const warns = input.warns === true
    // An instance may move more than once: to a host that is in a later batch.
    const moves = verdicts.reduce((sum, { capacity }) => sum + capacity.moving, 0)
    return readyUnless(
      warns ? [] : broken.map(doesNotFit),
      `${counted(moves, 'move')} in ${counted(verdicts.length, 'batch', 'batches')}${verdicts.some(isOpen) ? '' : ', and a place for each'}.`,
      {
        warnings: [...verdicts.flatMap(untold), ...(warns ? broken : [])],
        evidence: [
          evidence('batches', ctx.at(), { batches: verdicts.map(({ nodes, capacity }) => ({ nodes, ...capacity })) }),
        ],
      },
    )
  },
})

const UNREADABLE: Blocker = {
  code: 'batches-unreadable',
  message: 'The batches of this plan cannot be read.',
  remedy: 'Make a new plan.',
  override: { kind: 'never', why: 'nothing else says which nodes go side by side' },
}

function doesNotFit(message: string): Blocker {
  return {
    code: 'batch-does-not-fit',
    message,
    remedy: 'Make the batch smaller, make room on other hosts, or leave the node out.',
    override: BY_FORCE,
  }
}

function isOpen({ capacity }: JudgedBatch): boolean {
  return capacity.kind !== 'fits'
}

function untold({ nodes, capacity }: JudgedBatch): readonly string[] {
  return capacity.kind === 'cannot-tell'
    ? [`${someOf(nodes)}: nobody can tell whether ${counted(capacity.moving, 'instance')} fit: ${capacity.why}`]
    : []
}

/** As the plan holds them; plans of earlier versions call them waves. Null: it holds none. */
function batchesOf({ batches, waves }: StepInput): readonly { readonly nodes: string[] }[] | null {
  const names = (batch: unknown) => (Array.isArray(batch) ? batch.filter(name => typeof name === 'string') : [])
  const held = batches ?? waves
  return Array.isArray(held) && held.length > 0 ? held.map(batch => ({ nodes: names(batch) })) : null
}
