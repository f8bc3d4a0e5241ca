import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import type { MaintenanceRunStatus } from '../../../../shared/domain/maintenance-run.ts'
import { must } from '../../../../shared/domain/must.ts'
import { inJournal } from '../../../fixtures/cli/killed-driver.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import {
  EDGE,
  type RunnerClouds,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'
import { batches, draft } from '../../../fixtures/windows/window-drafts.ts'

let clouds: RunnerClouds
let data: string
let runner: Awaited<ReturnType<typeof startRunnerProcess>>

beforeAll(async () => {
  clouds = await startRunnerClouds(30)
  data = join(clouds.directory, 'runner')
  runner = await startRunnerProcess(clouds, data)
})

afterAll(async () => {
  runner.child.kill('SIGKILL')
  await runner.finished
  await clouds.close()
})

/** Submits the plan of a window with an end, as soon as this machine can begin it before that: a busy one takes longer. */
async function begun(
  id: string,
  inMs: number,
): Promise<MaintenanceRunStatus & { readonly run: string; readonly notAfter: string }> {
  const choices = { concurrency: 8, overrides: [{ flag: 'allow-downtime' as const, reason: 'test' }] }
  const { plan, startable, checks } = valueIn(await clouds.laptop.contract.ask('window.plan', { id, choices }))
  expect(startable, JSON.stringify(checks.filter(({ answer }) => answer.kind === 'blocked'))).toBe(true)
  const notAfter = new Date(Date.now() + inMs).toISOString()
  const { name: run } = await clouds.submit(plan, { notAfter })
  const status = await clouds.until(run, ['Waiting', 'Refused', 'Failed'])
  return status.phase === 'Refused' && inMs < 60_000 ? begun(id, 2 * inMs) : { ...status, run, notAfter }
}

/** How often a run was paused, by the runner's own journal. */
function timesPaused(runId: string | null): number {
  const paused = "SELECT COUNT(*) AS times FROM events WHERE run_id = ? AND json_extract(body, '$.kind') = 'paused'"
  return inJournal(data, journal => Number(journal.prepare(paused).get(runId)?.times), 0)
}

describe('a run over many nodes with an end (notAfter)', () => {
  it('finishes the node under way and starts no other past its end, also after a resume', async () => {
    const { laptop } = clouds
    const nodes = [['edge-4'], ['edge-3']]
    const made = await laptop.contract.ask('window.create', {
      draft: draft(EDGE, 'Night', batches({ kind: 'person' }, ...nodes)),
    })
    const waiting = await begun(valueIn(made).window.id, 8_000)
    expect(waiting, waiting.message).toMatchObject({ phase: 'Waiting', nodesDone: 0, nodesAll: 2 })
    await systemClock.sleep(Date.parse(waiting.notAfter) - Date.now() + 1)

    const gateId = must(waiting.gateId, 'it asks whether the work is done')
    const { run } = waiting
    await clouds.control('go-on', {
      run,
      control: 'answer',
      by: 'eva',
      gateId,
      choice: 'continue',
      reason: 'done',
    })
    const paused = await clouds.until(run, ['Paused', 'Done', 'Failed'])
    expect(paused).toMatchObject({
      phase: 'Paused',
      nodesDone: 1,
      nodesAll: 2,
      message: expect.stringContaining('No other node starts'),
    })

    await clouds.control('unpause', { run, control: 'unpause', by: 'eva', reason: '' })
    await vi.waitFor(() => expect(timesPaused(waiting.runId), 'it is paused again').toBe(2), { timeout: 30_000 })
    expect(await clouds.until(run, ['Paused', 'Done', 'Failed'])).toMatchObject({ phase: 'Paused', nodesDone: 1 })
    const { nodes: status } = valueIn(await laptop.contract.ask('node.list', { cluster: EDGE }))
    expect(
      status.filter(({ schedulable }) => !schedulable).map(({ name }) => name),
      'nothing started',
    ).toEqual([])
  })
})
