import '../../bin/read-tsx.ts'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import type { MaintenanceWorld } from '../../main/ports/world.ts'
import { reportInPieces } from '../../main/reports/build-report.ts'
import { gatherInPieces } from '../../main/reports/gather-entries.ts'
import type { RunEngine } from '../../main/runs/engine/run-engine.ts'
import { createRunService } from '../../main/runs/run-service.ts'
import { must } from '../../shared/domain/must.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import { samplePlan } from '../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../fixtures/cli/sample-run.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { noteFigure } from './note-figure.ts'

/** Processor time of viewing a run of 500 instances, and of its report with the longest pieces: a console does nothing else during one. */
const INSTANCES = Number(process.argv[2] ?? 500)
const ROUNDS = 3
const ID = 'run0000001'

const { htmlInPieces } = await import('../../main/reports/html.ts')
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lockkeeper-bench-report-'))
const journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock: systemClock }))
const driver = { operator: 'olga', machine: 'bastion', pid: process.pid, version: '1', id: 'd', bootId: 'b', epoch: 1 }
writeRun()
const runs = createRunService({
  // No run is executed here.
  engine: {} as RunEngine<MaintenanceWorld>,
  journal,
  driver,
  liveness: { clock: systemClock, self: driver, pidAlive: () => true, heartbeats: new Map() },
  clock: systemClock,
  onRested: () => {},
})
for (let round = 0; round < ROUNDS; round += 1) {
  measured('runs.view', viewed())
  const madeAt = new Date().toISOString()
  const subject = { kind: 'run', id: ID } as const
  const wish = { subject, runIds: [ID], windowId: null, madeAt, upToLink: null }
  const extract = valueIn(measured('entries', gatherInPieces(journal.report, wish)))
  const madeBy = { operator: 'olga', machine: 'bastion', version: '1' }
  const request = { subject, extract, madeAt, madeBy, flavour: 'plain', interruptedRunIds: [] }
  const report = must(measured('report', reportInPieces(request)), 'the run is in the journal')
  measured('page', htmlInPieces(report))
}
journal.close()
rmSync(directory, { recursive: true, force: true })

function* viewed(): Pieces<unknown> {
  yield* runs.readAhead(ID)
  return runs.view(ID)
}

function measured<T>(what: string, work: Pieces<T>): T {
  const pieces: number[] = []
  for (;;) {
    const before = process.cpuUsage()
    const { done, value } = work.next()
    const { user, system } = process.cpuUsage(before)
    pieces.push((user + system) / 1000)
    if (!done) continue
    const total = pieces.reduce((sum, ms) => sum + ms, 0)
    const longest = pieces.toSorted((a, b) => b - a).slice(0, 3)
    noteFigure(what === 'runs.view' ? 'view-piece' : 'report-piece', longest[0] ?? 0)
    console.log(
      `${what}: ${total.toFixed(0)} ms in ${pieces.length} pieces, the longest ${longest.map(ms => ms.toFixed(0)).join(', ')} ms (aim: at most 20)`,
    )
    return value
  }
}

function writeRun(): void {
  const checked = samplePlan()
  const run = createSampleRun(checked, ID)
  const { id } = must(checked.plan.steps[0], 'the plan has steps')
  run.created()
  run.started(id)
  for (let at = 0; at < INSTANCES; at += 1) {
    const subject = `server/00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const name = `vm-${at}`
    run.fact(id, 'migration-requested', subject, { name, attempt: 1, source: 'cmp-1', statusBefore: 'ACTIVE' })
    for (let look = 0; look < 4; look += 1)
      run.fact(id, 'migration-progress', subject, {
        name,
        migrationStatus: 'running',
        memoryTotal: 9,
        slope: 'falling',
      })
    run.fact(id, 'instance-moved', subject, { name, from: 'cmp-1', to: 'cmp-2', status: 'ACTIVE', attempt: 1 })
    run.fact(id, 'instance-seen', subject, { name, status: 'ACTIVE', host: 'cmp-2', powerState: 1 })
  }
  run.applied(id, 'done')
  run.verified(id)
  run.add({ kind: 'run-finished', outcome: 'done', summary: 'Every step verified.', leftBehind: [] })
  for (const { body } of run.events) {
    if (body.kind === 'run-created') journal.createRun(ID, { ...body, driver })
    else journal.append(ID, body, driver)
  }
}
