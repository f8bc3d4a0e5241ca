import { z } from 'zod'
import type { RunFact } from './run.ts'
import {
  factNumber,
  factText,
  INSTANCE_SEEN,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  instanceIdOf,
} from './run-facts.ts'

/**
 * An instance that ran when the maintenance of its node began. `powerActs`: how often Nova had been asked to stop or start it, by whomever, once the run had stopped it;
 * more than that tells that its owner did it since. Absent: that was not recorded.
 */
export type RanInstance = { readonly id: string; readonly name: string; readonly powerActs?: number }

export const RanInstance = z
  .object({ id: z.string(), name: z.string(), powerActs: z.number().optional() })
  .transform(
    ({ id, name, powerActs }): RanInstance => (powerActs === undefined ? { id, name } : { id, name, powerActs }),
  )

/** Which instances ran on a node when its maintenance began, by what was noted then; null: nobody noted any. */
export function ranBefore(node: string, facts: readonly RunFact[]): readonly RanInstance[] | null {
  const noted = facts.find(({ fact, subject }) => fact === INSTANCES_NOTED && subject === `node/${node}`)
  return noted === undefined || noted.values.running === undefined ? null : runningOf(noted)
}

/**
 * Which instances of a run were up when their node's turn came, or were stopped by the run, and were down when they were seen last. One that was paused
 * counts: what it had in memory is gone. `inputs` are those of the steps: a run that brings a node back knows by its plan who ran there.
 */
export function downAtLast(
  facts: readonly RunFact[],
  inputs: readonly Readonly<Record<string, unknown>>[],
): readonly RanInstance[] {
  const ran = new Map(inputs.flatMap(input => namedIn(input.ran)).map(({ id, name }) => [id, name]))
  const down = new Set<string>()
  for (const fact of facts) {
    if (fact.fact === INSTANCES_NOTED) {
      for (const { id, name } of [...runningOf(fact), ...namedIn(fact.values.paused)]) ran.set(id, name)
    }
    if (!LOOKS.has(fact.fact)) continue
    const id = instanceIdOf(fact.subject)
    if (fact.fact === INSTANCE_STOPPED) ran.set(id, factText(fact, 'name') ?? id)
    if (UP.has(factNumber(fact, 'powerState'))) down.delete(id)
    else down.add(id)
  }
  return [...ran].flatMap(([id, name]) => (down.has(id) ? [{ id, name }] : []))
}

/** Those of which a note tells that they ran; none in notes of older versions, which did not tell. */
export function runningOf({ values }: Pick<RunFact, 'values'>): readonly RanInstance[] {
  return namedIn(values.running)
}

function namedIn(value: unknown): readonly RanInstance[] {
  const parsed = z.array(RanInstance).safeParse(value)
  return parsed.success ? parsed.data : []
}

const LOOKS: ReadonlySet<string> = new Set([INSTANCE_SEEN, INSTANCE_STARTED, INSTANCE_STOPPED])

/** A power state as Nova counts them (nova/compute/power_state.py). */
export const RUNNING = 1
/** As {@link RUNNING}. */
export const PAUSED = 3
const UP: ReadonlySet<number | null> = new Set([RUNNING, PAUSED])
