import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followRuns } from '../../../renderer/bridge/runs.ts'
import { judgeNow } from '../../../renderer/features/topology/node-actions.ts'
import { type Connection, useConnection, whyCutOff } from '../../../renderer/stores/connection.ts'
import { useRuns } from '../../../renderer/stores/runs.ts'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { sampleSummary } from '../../fixtures/cli/sample-run.ts'

// The bridge loads the contract at its first answer, which takes longer than the clock of these tests waits.
await import('../../../shared/contract/index.ts')

let listed: readonly RunSummary[] = []
let stop = () => {}
const askedLists = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  askedLists.mockReset()
  const ask = async (name: string) => {
    askedLists(name)
    return { ok: true, value: listed }
  }
  const lockkeeper = { ask, listen: () => () => {} }
  vi.stubGlobal('window', { lockkeeper, setTimeout, clearTimeout, setInterval, clearInterval })
  useConnection.setState({ connection: { kind: 'connected' } })
  useRuns.setState({ list: null, listFailure: null, readings: new Map() })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a run whose driver dies without a word', () => {
  test('shows that it has no driver, although no event comes', async () => {
    listed = [sampleSummary('running')]
    stop = followRuns()
    await vi.advanceTimersByTimeAsync(100)
    listed = [sampleSummary('interrupted')]
    await vi.advanceTimersByTimeAsync(15_000)
    expect(useRuns.getState().list?.[0]?.condition.kind).toBe('interrupted')
  })

  test('is checked only while runs are unfinished and the console answers', async () => {
    listed = [sampleSummary('done')]
    stop = followRuns()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(askedLists).toHaveBeenCalledTimes(1)
    useRuns.setState({ list: [sampleSummary('running')] })
    useConnection.setState({ connection: { kind: 'ended', since: '', why: '' } })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(askedLists).toHaveBeenCalledTimes(1)
  })
})

describe('a console that does not answer', () => {
  const lost: Connection = { kind: 'lost', since: '', nextTryAt: '' }
  test.each<[Connection, RegExp | null]>([
    [{ kind: 'connected' }, null],
    [{ kind: 'connecting' }, null],
    [lost, /does not answer.+cannot start anything/],
    [{ kind: 'ended', since: '', why: '' }, /has ended.+cannot start anything/],
    [{ kind: 'not-let-in', why: '' }, /cannot start anything/],
  ])('$kind: nothing can start, with the reason', (connection, why) => {
    if (why === null) expect(whyCutOff({ connection })).toBeNull()
    else expect(whyCutOff({ connection })).toMatch(why)
  })

  test('takes no node anywhere, by whatever way', () => {
    useConnection.setState({ connection: lost })
    for (const target of ['entering', 'leaving'] as const) {
      expect(judgeNow('east', ['cmp-01'], target)).toEqual({
        kind: 'refused',
        words: expect.stringContaining('The console does not answer'),
      })
    }
  })
})
