import type { Plan } from '../../../../shared/domain/plan.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { pauseHere } from '../../steps/rolling/pause-here.ts'

type Batch = Plan['batches'][number]

/** The nodes of a phase or group as lanes of one batch. With pauses: one batch for each turn, and a question between turns. */
export function planBatch(part: {
  readonly phase: 'control-nodes' | 'worker-nodes'
  readonly batch: Batch
  readonly nodes: readonly string[]
  readonly pauses: boolean
  /** No turn comes before it, so it needs no pause. */
  readonly isFirst: boolean
  readonly laneOf: (node: string, batch: string) => Plan['steps']
}): { readonly batches: Plan['batches']; readonly steps: Plan['steps'] } {
  const { phase, batch, nodes, laneOf } = part
  if (nodes.length === 0) return { batches: [], steps: [] }
  if (!part.pauses) return { batches: [batch], steps: nodes.flatMap(node => laneOf(node, batch.id)) }
  const turns = turnsOf(nodes, batch.atOnce)
  return {
    batches: [batch],
    steps: turns.flatMap((turn, at) => [
      ...(at === 0 && part.isFirst
        ? []
        : [planStep(pauseHere, { next: someOf(turn) }, { id: `${pauseHere.kind}@${turn[0] ?? at}`, phase })]),
      ...turn.flatMap(node => laneOf(node, batch.id)),
    ]),
  }
}

/** `atOnce` nodes for each turn. Only an estimate: a node starts as soon as another is back. */
export function turnsOf(nodes: readonly string[], atOnce: number): string[][] {
  return Array.from({ length: Math.ceil(nodes.length / atOnce) }, (_, at) =>
    nodes.slice(at * atOnce, (at + 1) * atOnce),
  )
}
