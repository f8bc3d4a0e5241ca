import type { RunFact } from './run.ts'
import { INSTANCES_NOTED } from './run-facts.ts'
import { historyOfFacts, type NamedInstance, namedIn } from './run-history.ts'

/** What ran on the node, as recorded when its maintenance started; null if not recorded. */
export function ranBefore(node: string, facts: readonly RunFact[]): readonly NamedInstance[] | null {
  const noted = facts.filter(({ fact }) => fact === INSTANCES_NOTED)
  return historyOfFacts({ facts: noted }).nodes.get(node)?.noted[0]?.running ?? null
}

/**
 * Up when their node's turn came, or stopped by the run, and down when last seen. A paused one counts: its memory is lost. `inputs`: those of the
 * steps.
 */
export function downAtLast(
  facts: readonly RunFact[],
  inputs: readonly Readonly<Record<string, unknown>>[],
): readonly NamedInstance[] {
  const history = historyOfFacts({ facts })
  const instances = [...history.instances.values()]
  const notes = [...history.nodes.values()].flatMap(({ noted }) => noted)
  const ran = [
    ...inputs.flatMap(input => namedIn(input.ran)),
    ...notes.flatMap(({ running, paused }) => [...(running ?? []), ...paused]),
    ...instances.flatMap(({ id, name, down }) => (down === null ? [] : [{ id, name: name ?? id }])),
  ]
  const down = new Set(
    instances.flatMap(({ id, looks, earlierLooks }) => {
      const last = looks.at(-1) ?? earlierLooks.at(-1)
      return last === undefined || UP.has(last.power) ? [] : [id]
    }),
  )
  return [...new Map(ran.map(({ id, name }) => [id, name]))].flatMap(([id, name]) =>
    down.has(id) ? [{ id, name }] : [],
  )
}

/** Nova's number (nova/compute/power_state.py). */
export const RUNNING = 1
export const PAUSED = 3
const UP: ReadonlySet<number | null> = new Set([RUNNING, PAUSED])
