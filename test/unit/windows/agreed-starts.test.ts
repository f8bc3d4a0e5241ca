import { expect, test } from 'vitest'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { createAgreedStarts } from '../../../main/windows/agreed-starts.ts'
import type { AttendantServices } from '../../../main/windows/attend-starts.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok } from '../../../shared/domain/result.ts'
import { foldWindow, type WindowDraft, type WindowEventBody } from '../../../shared/domain/window.ts'
import { wordedWindow } from '../../../shared/words/window-remarks.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'

const here = temporaryJournal()
const DRAFT: WindowDraft = {
  cluster: 'test',
  title: 'Firmware',
  ticket: '',
  startsAt: '2026-01-01T10:00:00.000Z',
  endsAt: '2026-01-01T14:00:00.000Z',
  timeZone: 'UTC',
  plan: { kind: 'open' },
  notes: '',
}

/** A window that is ahead, whose plan is shown now. */
function shownNow() {
  const { windows } = here.open()
  const write = (body: WindowEventBody) => valueIn(windows.record({ id: 'w1', cluster: 'test' }, body, null))
  write({ kind: 'created', draft: DRAFT, by: 'eva', machine: 'bastion' })
  const starts = createAgreedStarts({
    clock: here.clock,
    clusters: { get: () => ok(fakeCluster()) },
    runs: { driver: { operator: 'eva', machine: 'bastion' }, list: () => ok([]) },
    windows,
    log: silentLogger,
    onWritten: () => {},
    onMissed: () => {},
  } as unknown as AttendantServices)
  const plan = { ...toyPlan([switchStep('first')]), window: { kind: 'in' as const, id: 'w1', title: 'Firmware' } }
  const window = must(foldWindow(valueIn(windows.events('w1'))), 'the window was written')
  starts.shown(wordedWindow(window), { plan, checkedAt: '2026-01-01T00:00:00.000Z', checks: [], startable: true })
  const agree = () => starts.agree({ id: 'w1', planId: plan.id, typedCluster: undefined, lateByMinutes: 15 })
  return { agree, write }
}

test('a plan that was shown within five minutes is agreed to, once', async () => {
  const { agree } = shownNow()
  await here.clock.advance(5 * 60_000)
  expect(valueIn(agree()).window.start).toMatchObject({ by: 'eva', state: { kind: 'waits' } })
  expect(failureIn(agree()).message).toContain('Nothing was saved')
})

test('a plan that was shown longer ago has to be made again', async () => {
  const { agree } = shownNow()
  await here.clock.advance(5 * 60_000 + 1)
  expect(agree()).toMatchObject({ ok: false, failure: { code: 'conflict' } })
})

test('a plan of a window that was changed since has to be made again', () => {
  const { agree, write } = shownNow()
  write({ kind: 'changed', draft: { ...DRAFT, endsAt: '2026-01-01T12:00:00.000Z' }, by: 'tom' })
  expect(agree()).toMatchObject({ ok: false, failure: { code: 'conflict' } })
})
