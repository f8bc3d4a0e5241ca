import { expect, test } from 'vitest'
import { ok } from '../../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../../fixtures/cli/fake-terminal.ts'
import { sampleAsked } from '../../../../fixtures/cli/sample-asked.ts'
import { sampleSummary } from '../../../../fixtures/cli/sample-run.ts'

async function completed(...line: string[]): Promise<readonly string[]> {
  const { contract } = createFakeContract({
    'run.list': () => ok([sampleSummary('done', { id: '4f1c' })]),
    'runner.asked': () =>
      ok({
        runs: [
          sampleAsked(),
          sampleAsked({ object: 'enter-cmp-2-refused', phase: 'Refused', over: true }),
          sampleAsked({ object: 'enter-cmp-3-begun', phase: 'Running', runId: 'run-1' }),
        ],
        unread: [],
      }),
  })
  const terminal = createFakeTerminal({ contract })
  expect(await terminal.run('__complete', ...line)).toBe(0)
  return terminal
    .out()
    .split('\n')
    .filter(Boolean)
    .map(each => each.split('\t')[0] ?? '')
}

test('what may still be withdrawn is offered by the name of its object, where that helps', async () => {
  expect(await completed('run', 'abort', '')).toEqual(['enter-cmp-1-0123456789ab', '4f1c'])
  expect(await completed('run', 'pause', '')).toEqual(['4f1c'])
})
