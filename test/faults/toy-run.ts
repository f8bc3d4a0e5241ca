import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createRunEngine } from '../../main/engine/run-engine.ts'
import type { Journal } from '../../main/journal/journal.ts'
import { silentLogger } from '../../main/log/logger.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan, toyRegistry } from '../fixtures/engine/toy-cloud.ts'
import { toyLease } from '../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../fixtures/virtual-clock.ts'

const steps = [switchStep('first'), switchStep('second', { verifyEarly: false }), switchStep('third')]
export const toyRunPlan = toyPlan(steps)
/** What a whole run does to the world, each once and in this order. */
export const everyEffect = toyRunPlan.steps.flatMap(step => step.input.things as string[])

/** A world whose effects outlive the process: they are kept in a file of their own. */
export function keptCloud(file: string): ToyCloud {
  const world = toyCloud()
  for (const thing of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (thing === '') continue
    world.effects.push(thing)
    world.on.add(thing)
  }
  world.onEffect = thing => appendFileSync(file, `${thing}\n`)
  return world
}

/** How one process drove a run: what append returned for is in `returned`. */
export interface Driven {
  readonly runId: string | null
  readonly rest: string
}

/** One process of the console over a real journal: starts the toy run, or resumes the one that is there. */
export async function driveToyRun(
  journal: Journal,
  world: ToyCloud,
  pid: number,
  returned: (event: RunEvent) => void,
): Promise<Result<Driven>> {
  const clock = createVirtualClock({ auto: true })
  const driver = { operator: 'eva', machine: 'laptop-1', pid, version: '0.0.0', id: `driver-${pid}`, bootId: 'boot-1' }
  let ids = 0
  const engine = createRunEngine<ToyCloud>({
    journal,
    registry: toyRegistry(steps),
    lease: toyLease(),
    clock,
    log: silentLogger,
    driver,
    surroundings: { clock, self: driver, pidAlive: other => other === pid, heartbeats: new Map() },
    newId: () => {
      ids += 1
      return `id-${pid}-${ids}`
    },
    onEvent: returned,
    onWaiting: () => {},
  })
  const rows = journal.rows({ cluster: null })
  if (!rows.ok) return rows
  const there = rows.value[0]
  if (there?.finished === true) return { ok: true, value: { runId: there.id, rest: 'done' } }
  const driven = there === undefined ? engine.start(toyRunPlan, world) : engine.resume(there.id, world)
  if (!driven.ok) return driven
  const rest = await driven.value.finished
  return { ok: true, value: { runId: driven.value.runId, rest: rest.kind === 'finished' ? rest.outcome : rest.kind } }
}
