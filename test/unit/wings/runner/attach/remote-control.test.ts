import { expect, test } from 'vitest'
import { askRunner } from '../../../../../main/wings/runner/attach/remote-control.ts'
import type { MaintenanceRunsPort } from '../../../../../main/wings/runner/ports/maintenance-runs.ts'
import type { MaintenanceRunControl } from '../../../../../shared/domain/maintenance-run.ts'
import { ok } from '../../../../../shared/domain/result.ts'
import { sampleRun, sampleStatus } from '../../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

/** A cluster in which a runner answers each control with this status. */
function answering(status: MaintenanceRunControl['status']) {
  const controls: MaintenanceRunControl[] = []
  const objects = {
    whoAmI: async () => ok('ada'),
    objects: async () => ok({ runs: [sampleRun({ status: sampleStatus({ runId: 'run-1' }) })], controls }),
    createControl: async ({ name, spec }) => {
      controls.push({ name, uid: 'c-1', createdAt: '2026-11-21T10:00:00Z', spec, status })
      return ok(controls[0] as MaintenanceRunControl)
    },
  } satisfies Partial<MaintenanceRunsPort> as unknown as MaintenanceRunsPort
  const clock = createVirtualClock({ auto: true })
  return askRunner('run-1', { control: 'pause', reason: '' }, { objects, clock, newId: () => '1', ownWord: 'eva@m' })
}

test.each<[string, MaintenanceRunControl['status'], object]>([
  ['accepted counts as accepted', { outcome: 'Accepted', message: '', at: '' }, { ok: true }],
  [
    'refused is shown in its words',
    { outcome: 'Refused', message: 'It has ended.', at: '' },
    { ok: false, failure: { code: 'conflict', message: 'It has ended.' } },
  ],
  [
    'answered in words of another version counts as neither',
    { unreadable: 'status.outcome: Deferred' },
    { ok: false, failure: { code: 'unreadable', message: expect.stringContaining('status.outcome: Deferred') } },
  ],
  ['does not answer in time is shown as such', null, { ok: false, failure: { code: 'timed-out' } }],
])('what a runner %s', async (_, status, answer) => {
  expect(await answering(status)).toMatchObject(answer)
})
