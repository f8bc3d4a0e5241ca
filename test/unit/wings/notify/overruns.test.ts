import { expect, test } from 'vitest'
import { overrunsOver } from '../../../../main/wings/notify/open-signals.ts'
import type { TimeVerdict } from '../../../../shared/domain/estimate.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { WindowStatus } from '../../../../shared/domain/window.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'

/** The findings for a window with this status, one run of this console and one of another. */
async function found(status: WindowStatus, verdict: TimeVerdict | 'unreadable', driven = ['ours']) {
  const asked: string[] = []
  const overruns = overrunsOver({
    windowsOf: () =>
      ok([{ ...sampleWindow({ status }), runs: ['ours', 'theirs'].map(id => sampleSummary('running', { id })) }]),
    drivenOn: () => driven,
    forecast: async ({ window }) => {
      asked.push(window.id)
      return verdict === 'unreadable'
        ? failed(failure('unreachable', 'Nova is away.'))
        : ok({ verdict, words: 'ends at 05:10, 2 h past its end' })
    },
  })
  return { runs: await overruns('lab'), asked }
}

test.each<readonly [WindowStatus, TimeVerdict, boolean]>([
  ['open', 'in-time', false],
  ['open', 'may-overrun', false],
  ['open', 'not-known', false],
  ['open', 'overruns', true],
  ['overrunning', 'overruns', true],
])('a window that is %s and %s is reported: %s', async (status, verdict, isReported) => {
  const { runs } = await found(status, verdict)
  expect(runs).toEqual(isReported ? [{ runId: 'ours', words: 'ends at 05:10, 2 h past its end' }] : [])
})

test.each<WindowStatus>(['planned', 'over', 'closed', 'cancelled'])(
  'a window that is %s is not even forecast',
  async status => {
    expect(await found(status, 'overruns')).toEqual({ runs: [], asked: [] })
  },
)

test('what another console drives is for that one to tell', async () => {
  expect(await found('open', 'overruns', ['elsewhere'])).toEqual({ runs: [], asked: [] })
})

test('a forecast that cannot be made tells nothing', async () => {
  expect((await found('open', 'unreadable')).runs).toEqual([])
})
