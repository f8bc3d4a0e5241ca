import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { EDGE, type RunnerClouds, startRunnerClouds, startRunnerProcess } from '../../fixtures/runner/runner-clouds.ts'
import { batches, draft } from '../../fixtures/windows/window-drafts.ts'

let clouds: RunnerClouds
let runner: Awaited<ReturnType<typeof startRunnerProcess>>

beforeAll(async () => {
  clouds = await startRunnerClouds(30)
  runner = await startRunnerProcess(clouds, join(clouds.directory, 'runner'))
}, 60_000)

afterAll(async () => {
  runner.child.kill('SIGKILL')
  await runner.finished
  await clouds.close()
})

describe('a run over many nodes with an end (notAfter)', () => {
  it('finishes the node under way and begins no other past its end, also when somebody says go on', async () => {
    const { laptop } = clouds
    const nodes = [['edge-4'], ['edge-3']]
    const made = await laptop.contract.ask('window.create', {
      draft: draft(EDGE, 'Night', batches({ kind: 'person' }, ...nodes)),
    })
    const choices = { concurrency: 8, overrides: [{ flag: 'allow-downtime' as const, reason: 'test' }] }
    const planned = await laptop.contract.ask('window.plan', { id: valueIn(made).window.id, choices })
    const { plan, startable, checks } = valueIn(planned)
    expect(startable, JSON.stringify(checks.filter(({ answer }) => answer.kind === 'blocked'))).toBe(true)
    const notAfter = new Date(Date.now() + 15_000).toISOString()
    await clouds.submit(plan, { notAfter }, 'night')
    const waiting = await clouds.until('night', ['Waiting', 'Refused', 'Failed'])
    expect(waiting, waiting.message).toMatchObject({ phase: 'Waiting', nodesDone: 0, nodesAll: 2 })
    await new Promise(resolve => setTimeout(resolve, Math.max(0, Date.parse(notAfter) - Date.now()) + 3_000))

    const gateId = must(waiting.gateId, 'it asks whether the work is done')
    await clouds.control('go-on', {
      run: 'night',
      control: 'answer',
      by: 'eva',
      gateId,
      choice: 'continue',
      reason: 'done',
    })
    const paused = await clouds.until('night', ['Paused', 'Done', 'Failed'])
    expect(paused).toMatchObject({
      phase: 'Paused',
      nodesDone: 1,
      nodesAll: 2,
      message: expect.stringContaining('No other node is begun'),
    })

    await clouds.control('unpause', { run: 'night', control: 'unpause', by: 'eva', reason: '' })
    await new Promise(resolve => setTimeout(resolve, 5_000))
    expect(await clouds.until('night', ['Paused', 'Done', 'Failed'])).toMatchObject({ phase: 'Paused', nodesDone: 1 })
    const { nodes: standing } = valueIn(await laptop.contract.ask('node.list', { cluster: EDGE }))
    expect(
      standing.filter(({ schedulable }) => !schedulable).map(({ name }) => name),
      'nothing was begun',
    ).toEqual([])
  }, 120_000)
})
