import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createGoneRunners, isStranded, statusOfStranded } from '../../../../main/wings/runner/gone-runners.ts'
import { MaintenanceRunStatus } from '../../../../shared/domain/maintenance-run.ts'
import { RUNNER, sampleRun, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const OTHER = 'lockkeeper-runner-2/aaaaaaaaaaaa'
const OWN_POD = 'lockkeeper-runner-0/bbbbbbbbbbbb'
const held = (runner: string, phase: MaintenanceRunStatus['phase'] = 'Running') =>
  sampleRun({ status: sampleStatus({ phase, runId: 'run-1', driver: { runner, id: 'd', epoch: 1 } }) })

function looking(there: () => boolean | null) {
  const clock = createVirtualClock()
  const asked: string[] = []
  const gone = createGoneRunners({
    self: { runner: RUNNER, pod: 'lockkeeper-runner-0' },
    place: {
      isPodThere: async name => {
        asked.push(name)
        return there()
      },
    },
    clock,
    log: silentLogger,
  })
  const lookFor = async (minutes: number, runner: string, phase?: MaintenanceRunStatus['phase']) => {
    for (let half = 0; half <= 2 * minutes; half += 1) {
      await gone.look([held(runner, phase)])
      await clock.advance(30_000)
    }
  }
  return { gone, lookFor, asked }
}

describe('a runner is gone', () => {
  it('when its pod was not there for ten minutes', async () => {
    const { gone, lookFor, asked } = looking(() => false)
    await lookFor(9, OTHER)
    expect([...gone.all()]).toEqual([])
    await lookFor(1, OTHER)
    expect([...gone.all()]).toEqual([OTHER])
    expect(new Set(asked)).toEqual(new Set(['lockkeeper-runner-2']))
  })

  it('when it is this very pod with another volume, of which nobody has to be asked', async () => {
    const { gone, lookFor, asked } = looking(() => true)
    await lookFor(11, OWN_POD)
    expect([...gone.all()]).toEqual([OWN_POD])
    expect(asked).toEqual([])
  })

  it.each([
    ['its pod is there', () => true],
    ['that is unknown', () => null],
  ])('not while %s', async (_, there) => {
    const { gone, lookFor } = looking(there)
    await lookFor(30, OTHER)
    expect([...gone.all()]).toEqual([])
  })

  it('no more once its pod is back', async () => {
    let isThere = false
    const { gone, lookFor } = looking(() => isThere)
    await lookFor(11, OTHER)
    isThere = true
    await lookFor(1, OTHER)
    expect([...gone.all()]).toEqual([])
  })

  it('and is checked only while it has runs that may continue', async () => {
    const { lookFor, asked } = looking(() => false)
    await lookFor(1, OTHER, 'Done')
    await lookFor(1, RUNNER)
    expect(asked).toEqual([])
  })
})

it('a run whose journal is gone is ended with what to do, and still names the journal', () => {
  const before = held(OTHER).status
  if (before === null || 'unreadable' in before) throw new Error('it has a status')
  const ended = statusOfStranded(before, '2026-11-21T12:00:00.000Z')
  expect(MaintenanceRunStatus.parse(ended)).toMatchObject({
    phase: 'Failed',
    runId: 'run-1',
    driver: { runner: OTHER },
    endedAt: '2026-11-21T12:00:00.000Z',
    reason: 'RunnerGone',
    reasons: [{ code: 'RunnerGone', runner: OTHER }],
    message: expect.stringMatching(
      /lockkeeper-runner-2\/a+ no longer exists.*plan the rest again.*bring that pod back/,
    ),
  })
})

it('such a run is known by its code, whatever its message says, and by the message of an earlier version', () => {
  const before = held(OTHER).status
  if (before === null || 'unreadable' in before) throw new Error('it has a status')
  const ended = statusOfStranded(before, '2026-11-21T12:00:00.000Z')
  const message = `Its runner ${OTHER} is not there any more, and its journal with it.`
  expect(isStranded({ ...ended, message: 'Other words.' })).toBe(true)
  expect(isStranded({ ...ended, reason: null, reasons: null, message })).toBe(true)
  expect(isStranded({ ...ended, reason: null, reasons: null, message: 'Other words.' })).toBe(false)
  expect(isStranded({ ...ended, phase: 'Done' })).toBe(false)
})
