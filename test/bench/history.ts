import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyHandlers } from '../../main/api/history.ts'
import { openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import type { MaintenanceWorld } from '../../main/ports/world.ts'
import type { RunEngine } from '../../main/runs/engine/run-engine.ts'
import { createRunService } from '../../main/runs/run-service.ts'
import { samplePlan } from '../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../fixtures/cli/sample-run.ts'

// How long the history of thousands of runs takes: the first time every run is read and folded, afterwards only what was added.
const RUNS = Number(process.argv[2] ?? 3000)
const FACTS = 60

// In memory if possible: writing waits for the disk at every event, and this measures reading.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lockkeeper-bench-history-'))
const opened = openJournal({ path: join(directory, 'journal.db'), clock: systemClock })
if (!opened.ok) throw new Error(opened.failure.message)
const journal = opened.value
const driver = {
  operator: 'olga',
  machine: 'bastion',
  pid: process.pid,
  version: '0.1.0',
  id: 'driver-1',
  bootId: 'boot-1',
  epoch: 1,
}

const wrote = performance.now()
for (let run = 0; run < RUNS; run += 1) {
  const id = `run${String(run).padStart(7, '0')}`
  const checked = samplePlan()
  const written = createSampleRun({ ...checked, plan: { ...checked.plan, node: `cmp-${run % 200}` } }, id)
  written.created()
  const [step] = checked.plan.steps
  if (step !== undefined) {
    written.started(step.id)
    for (let fact = 0; fact < FACTS; fact += 1) {
      written.fact(step.id, 'pod-evicted', `openstack/pod-${fact}`, { uid: `uid-${run}-${fact}`, attempt: 1 })
    }
    written.applied(step.id, 'done')
    written.verified(step.id)
  }
  written.add({ kind: 'run-finished', outcome: 'done', summary: 'Every step verified.', leftBehind: [] })
  for (const { body } of written.events) {
    if (body.kind === 'run-created') journal.createRun(id, { ...body, driver })
    else journal.append(id, body, driver)
  }
}
console.log(`${RUNS} runs written in ${(performance.now() - wrote).toFixed(0)} ms`)

const liveness = { clock: systemClock, self: driver, pidAlive: () => true, heartbeats: new Map() }
const runs = createRunService({
  // No run is executed here.
  engine: {} as RunEngine<MaintenanceWorld>,
  journal,
  driver,
  liveness,
  clock: systemClock,
  onRested: () => {},
})
const history = historyHandlers({ others: { begin: () => {} }, runs, windows: journal.windows, clock: systemClock })
const wish = { cluster: null, from: null, to: null, limit: 200 }
for (const [what, ask] of [
  ['first search', () => history['history.search']({ ...wish, text: 'cmp-17' })],
  ['search', () => history['history.search']({ ...wish, text: 'cmp-17 olga' })],
  ['durations', () => history['history.durations']({ cluster: null })],
  ['blockers', () => history['history.blockers']({ cluster: null })],
] as const) {
  const began = performance.now()
  const answer = await ask()
  console.log(`${what}: ${(performance.now() - began).toFixed(0)} ms${answer.ok ? '' : ` (${answer.failure.message})`}`)
}
console.log(`heap: ${Math.round(process.memoryUsage().heapUsed / 1024 / 1024)} MiB`)
journal.close()
rmSync(directory, { recursive: true, force: true })
