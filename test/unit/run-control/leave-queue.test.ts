import { expect, test } from 'vitest'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { leaveQueue } from '../../../main/run-control/leave-queue.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok } from '../../../shared/domain/result.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

const [created] = (() => {
  const sample = createSampleRun()
  sample.created()
  return sample.events
})()

test.each([
  ['of this console', null, ['cmp-1']],
  ['of a runner that knows the cloud', ['lab', 'edge'], ['cmp-1']],
  ['of a runner without news of that cloud', ['edge'], []],
])('a node that is entered by a run %s', (_, clouds, left) => {
  const removed: string[] = []
  const services = {
    others: { find: () => (clouds === null ? null : { clouds, pod: { name: 'lockkeeper-runner-0' } }) },
    queues: {
      show: () => ({ nodes: ['cmp-1'] }),
      change: (_cluster: string, { remove }: { remove: readonly string[] }) => {
        removed.push(...remove)
        return ok(undefined)
      },
    },
    emit: () => {},
    log: silentLogger,
  } as unknown as Parameters<typeof leaveQueue>[1]
  leaveQueue(must(created, 'it was created'), services)
  expect(removed).toEqual(left)
})
