import type { RunFact } from './run.ts'
import { INSTANCES_NOTED } from './run-facts.ts'
import { historyOfFacts, type NamedInstance, namedIn } from './run-history.ts'

/** Which instances ran on a node when its maintenance began, by what was noted then; null: nobody noted any. */
export function ranBefore(node: string, facts: readonly RunFact[]): readonly NamedInstance[] | null {
  const noted = facts.filter(({ fact }) => fact === INSTANCES_NOTED)
  return historyOfFacts({ facts: noted }).nodes.get(node)?.noted[0]?.running ?? null
}

/**
 * Which instances of a run were up when their node's turn came, or were stopped by the run, and were down when they were seen last. One that was paused
 * counts: what it had in memory is gone. `inputs` are those of the steps: a run that brings a node back knows by its plan who ran there.
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

/** A power state as Nova counts them (nova/compute/power_state.py). */
export const RUNNING = 1
/** As {@link RUNNING}. */
export const PAUSED = 3
const UP: ReadonlySet<number | null> = new Set([RUNNING, PAUSED])
