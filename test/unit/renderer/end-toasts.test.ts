import { describe, expect, it } from 'vitest'
import { endedNow, toastOf } from '../../../renderer/app/use-end-toasts.ts'
import { playedRun } from '../../fixtures/renderer/played-runs.ts'

const summaryOf = (state: Parameters<typeof playedRun>[0]) => playedRun(state).summary

describe('the message about a run that ended while somebody looked elsewhere', () => {
  it('is about runs that were under way, not about old ones', () => {
    const list = [summaryOf('done'), summaryOf('moving'), summaryOf('aborted')]
    expect(endedNow(new Set(['run-done', 'run-moving']), list).map(({ id }) => id)).toEqual(['run-done'])
    expect(endedNow(new Set(), list)).toEqual([])
  })

  it.each([
    ['done', 'cmp-02 is empty. Safe to power off.', 'good', 'Bring cmp-02 back'],
    ['not-empty', 'cmp-02 is not empty.', 'caution', 'What to do'],
    ['failed', 'Failed: taking cmp-02 out of service.', 'caution', 'What to do'],
  ] as const)('says how it ended (%s), and offers the next step', (state, text, tone, action) => {
    const toast = toastOf(summaryOf(state))
    expect([toast.text, toast.tone, toast.action?.text]).toEqual([text, tone, action])
  })
})
