import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { statusOfStranded } from '../../../../main/wings/runner/gone-runners.ts'
import { createHiddenRuns } from '../../../../main/wings/runner/hidden-runs.ts'
import type { RunnerApp } from '../../../../main/wings/runner/runner-app.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { AcceptedRun, MaintenanceRun } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { RUNNER, sampleRun, sampleSpec, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const own = { runner: RUNNER, id: 'd', epoch: 1 }
const { planHash } = sampleSpec()

/** A journal with run `run-1`, which was accepted for the object with UID `uid-1`. */
function looking(
  more: { readonly finished?: boolean; readonly driven?: boolean; readonly objects?: MaintenanceRun[] } = {},
) {
  const journal = { isRead: true, asked: 0, finished: more.finished ?? false }
  const clock = createVirtualClock()
  const runnerApp = {
    journal: {
      rows: () => {
        journal.asked += 1
        return journal.isRead
          ? ok([{ id: 'run-1', finished: journal.finished }])
          : failed(failure('internal', 'damaged'))
      },
    },
    runs: { active: () => (more.driven === true ? {} : null) },
  } as unknown as RunnerApp
  const accepted = new Map<string, AcceptedRun | null>([
    ['run-1', { uid: 'uid-1', name: 'enter-cmp-1', planHash } as AcceptedRun],
  ])
  const current = () => ({ runs: more.objects ?? [] })
  const self = { runner: RUNNER }
  const isHidden = createHiddenRuns({ runnerApp, memory: { accepted }, self, current, clock, log: silentLogger })
  return { isHidden, journal, clock }
}

const said = (more: Parameters<typeof sampleStatus>[0], uid = 'uid-1') =>
  sampleRun({ uid, status: sampleStatus({ runId: 'run-1', driver: own, ...more }) })

describe('a run of the journal that has not ended is hidden by an object that says', () => {
  test.each([
    ['it is done', said({ phase: 'Done' })],
    ['it was aborted', said({ phase: 'Aborted' })],
    ['it was refused, and by nobody', said({ phase: 'Refused', driver: null, runId: null })],
    ['another runner has it', said({ phase: 'Running', driver: { ...own, runner: 'other/1' } })],
    ['the first was deleted, and this is made again with the same text', said({ phase: 'Done' }, 'uid-2')],
  ])('%s', (_, run) => {
    expect(looking().isHidden(run)).toBe(true)
    expect(looking({ finished: true }).isHidden(run), 'it has ended in the journal too').toBe(false)
  })
})

describe('a run is not hidden', () => {
  test.each([
    ['whose object says that it continues', said({ phase: 'Running' })],
    ['of which no runner has said anything', sampleRun()],
    [
      'of which the journal has none',
      sampleRun({
        uid: 'uid-9',
        spec: sampleSpec({ planHash: '1'.repeat(64) }),
        status: sampleStatus({ phase: 'Done' }),
      }),
    ],
  ])('%s', (_, run) => {
    expect(looking().isHidden(run)).toBe(false)
  })

  test('that is a copy beside the object for which it started', () => {
    expect(looking({ objects: [said({ phase: 'Running' })] }).isHidden(said({ phase: 'Refused' }, 'uid-2'))).toBe(false)
  })

  test('that another runner ended because this one was away: it rests until somebody asks, unless it is driven', () => {
    const status = statusOfStranded(
      sampleStatus({ phase: 'Running', runId: 'run-1', driver: own }),
      '2026-11-21T12:00:00Z',
    )
    const run = sampleRun({ status })
    expect(looking().isHidden(run)).toBe(false)
    expect(looking({ driven: true }).isHidden(run)).toBe(true)
  })
})

test('the journal is read once a second at most, and what was open stays so while it cannot be read', async () => {
  const { isHidden, journal, clock } = looking()
  const run = said({ phase: 'Done' })
  expect([isHidden(run), isHidden(run)]).toEqual([true, true])
  expect(journal.asked).toBe(1)
  journal.isRead = false
  await clock.advance(2_000)
  expect(isHidden(run)).toBe(true)
  journal.isRead = true
  journal.finished = true
  await clock.advance(2_000)
  expect(isHidden(run)).toBe(false)
})
