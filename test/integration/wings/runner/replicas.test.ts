import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOfShard } from '../../../../main/wings/runner/shard.ts'
import { must } from '../../../../shared/domain/must.ts'
import { askedSince, doneTwice, markOf, plainOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import {
  CLOUD,
  type RunnerClouds,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'

/** With this many replicas the cloud does not belong to the first one. */
const REPLICAS = must(
  [2, 3, 4, 5, 6].find(of => !isOfShard(CLOUD, { index: 0, of })),
  'some number gives the cloud to another',
)

let clouds: RunnerClouds
const started: Awaited<ReturnType<typeof startRunnerProcess>>[] = []

beforeAll(async () => {
  clouds = await startRunnerClouds(10)
})

afterAll(async () => {
  for (const runner of started) {
    runner.child.kill('SIGKILL')
    await runner.finished
  }
  await clouds.close()
})

async function start(pod: number, replicas: number) {
  const env = { POD_NAME: `lockkeeper-runner-${pod}`, NODE_NAME: 'node-x' }
  const args = ['--replicas', String(replicas)]
  const runner = await startRunnerProcess(clouds, join(clouds.directory, `pod-${pod}`), { env, args })
  started.push(runner)
  return runner
}

it('a run continues where its journal is when replicas change, and the new pod gets its cloud’s new runs', async () => {
  const mark = markOf(plainOf(clouds))
  const before = await start(0, 1)
  // Long enough to be killed on its way.
  clouds.demo.openstack.faults.servers['*'] = { delay: 3 }
  await clouds.submit(await clouds.plan(CLOUD, 'cmp-01', 'enter', { concurrency: 1 }), {}, 'of-old')
  const running = await clouds.until('of-old', ['Running'])
  before.child.kill('SIGKILL')
  await before.finished
  delete clouds.demo.openstack.faults.servers['*']

  await start(0, REPLICAS)
  await clouds.submit(await clouds.plan(CLOUD, 'cmp-05', 'enter', { concurrency: 4 }), {}, 'of-new')
  expect(await clouds.until('of-old', ['Done', 'Failed', 'Refused'])).toMatchObject({
    phase: 'Done',
    runId: running.runId,
  })
  expect(doneTwice(askedSince(mark, plainOf(clouds))), 'before the next node is emptied, whose guests move on').toEqual(
    [],
  )
  // The first pod drove the other run to its end since this one was submitted: it has seen both.
  expect(await clouds.status('of-new'), 'it is not the first pod’s').toBeNull()

  const index = must(
    Array.from({ length: REPLICAS }, (_, at) => at).find(at => isOfShard(CLOUD, { index: at, of: REPLICAS })),
    'it is somebody’s',
  )
  await start(index, REPLICAS)
  expect(await clouds.until('of-new', ['Done', 'Failed', 'Refused'])).toMatchObject({ phase: 'Done' })
})
