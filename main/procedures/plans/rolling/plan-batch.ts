import type { Plan } from '../../../../shared/domain/plan.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { pauseHere } from '../../steps/rolling/pause-here.ts'

type Block = Plan['blocks'][number]

/** The nodes of a phase or group as lanes of one block; with pauses, as many at a time as may be worked on at once, and a question between. */
export function planBatch(part: {
  readonly phase: 'control-nodes' | 'worker-nodes'
  readonly block: Block
  readonly nodes: readonly string[]
  readonly pauses: boolean
  /** Nothing of the phase was before it, so there is nothing to pause after. */
  readonly isFirst: boolean
  readonly laneOf: (node: string, block: string) => Plan['steps']
}): { readonly blocks: Plan['blocks']; readonly steps: Plan['steps'] } {
  const { phase, block, nodes, laneOf } = part
  if (nodes.length === 0) return { blocks: [], steps: [] }
  if (!part.pauses) return { blocks: [block], steps: nodes.flatMap(node => laneOf(node, block.id)) }
  const turns = turnsOf(nodes, block.atOnce)
  return {
    blocks: [block],
    steps: turns.flatMap((turn, at) => [
      ...(at === 0 && part.isFirst
        ? []
        : [planStep(pauseHere, { next: someOf(turn) }, { id: `${pauseHere.kind}@${turn[0] ?? at}`, phase })]),
      ...turn.flatMap(node => laneOf(node, block.id)),
    ]),
  }
}

/** Nodes as they are out together, so many at once: as near as that is known in advance where each begins as soon as another is back. */
export function turnsOf(nodes: readonly string[], atOnce: number): string[][] {
  return Array.from({ length: Math.ceil(nodes.length / atOnce) }, (_, at) =>
    nodes.slice(at * atOnce, (at + 1) * atOnce),
  )
}
