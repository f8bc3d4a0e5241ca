import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Journal, openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { openInstallation } from '../../main/platform/settings/head-anchor.ts'
import { createRunEngine } from '../../main/runs/engine/run-engine.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan, toyRegistry } from '../fixtures/engine/toy-cloud.ts'
import { toyLease } from '../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../fixtures/virtual-clock.ts'

const steps = [switchStep('first'), switchStep('second', { verifyEarly: false }), switchStep('third')]
const toyRunPlan = toyPlan(steps)
/** The effects of a whole run, each once and in this order. */
export const everyEffect = toyRunPlan.steps.flatMap(step => step.input.things as string[])

/** A world whose effects outlive the process: they are kept in a separate file. */
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

/** Starts the toy run, or resumes the existing one. */
async function driveToyRun(
  journal: Journal,
  world: ToyCloud,
  pid: number,
  returned: (event: RunEvent) => void,
): Promise<Result<string>> {
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
    liveness: { clock, self: driver, pidAlive: other => other === pid, heartbeats: new Map() },
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
  const events = there === undefined ? null : journal.events(there.id)
  if (events?.ok === false) return events
  const last = events?.value.at(-1)?.body
  // It died right after its last event.
  if (last?.kind === 'run-finished' && last.outcome === 'done') return ok('done')
  const driven = there === undefined ? engine.start(toyRunPlan, world) : engine.resume(there.id, world)
  if (!driven.ok) return driven
  const rest = await driven.value.finished
  return ok(rest.kind === 'finished' ? rest.outcome : rest.kind)
}

/** Another process of this machine checkpoints the log into the file, in the middle of a run. */
function checkpoint(path: string): void {
  try {
    const other = new DatabaseSync(path, { timeout: 100 })
    try {
      other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      other.close()
    }
  } catch {
    // Killed in the middle or before its start: the test reads what the file then contains.
  }
}

/** The result of a process: its errors, and the final state of its run. */
export interface OneProcess {
  readonly words: readonly string[]
  readonly rest: string
}

/** What one process does with a journal, from opening to closing it; `returned` gets each event that append returned for. */
export async function oneProcess(
  path: string,
  worldFile: string,
  pid: number,
  returned: (event: RunEvent) => void,
): Promise<OneProcess> {
  const { anchor } = openInstallation(dirname(path))
  const opened = openJournal({ path, clock: systemClock, anchor })
  if (!opened.ok) return { words: [opened.failure.message], rest: 'not opened' }
  const journal: Journal = opened.value
  const words = journal.readOnly === null ? [] : [journal.readOnly.message]
  try {
    const world = keptCloud(worldFile)
    const keep = world.onEffect
    world.onEffect = thing => {
      keep(thing)
      if (thing.endsWith('/1')) checkpoint(path)
    }
    const driven = await driveToyRun(journal, world, pid, returned)
    if (!driven.ok) return { words: [...words, driven.failure.message], rest: 'refused' }
    return { words, rest: driven.value }
  } catch (error) {
    return { words: [...words, error instanceof Error ? error.message : String(error)], rest: 'threw' }
  } finally {
    journal.close()
  }
}
