import { expect, type Page } from '@playwright/test'
import { summarizeRun } from '../../../main/runs/engine/run-summary.ts'
import type { RunDetail, RunnerOffer, SubmittedRun } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunEventBody } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { playedRun } from '../../fixtures/renderer/played-runs.ts'
import { playedPlan, playedWindows } from '../../fixtures/renderer/windows-main.ts'
import { asked, openRuns } from './played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

/** Run here or in the cluster, as one choice of the confirmation; and a run that a runner drives, as its page says it. */

const OFFERED: RunnerOffer = {
  kind: 'offered',
  by: 'east',
  namespace: 'lockkeeper',
  runner: 'lockkeeper-runner-0',
  as: 'ada@example.org',
  proved: true,
}

const SUBMITTED: SubmittedRun = {
  by: 'east',
  namespace: 'lockkeeper',
  object: 'update-east-0123456789ab',
  phase: 'Running',
  message: 'Cordon cmp-01',
  runId: 'run-1',
  mirrored: true,
  over: false,
}

/** The plan of an open window, about to be confirmed. */
async function confirm(page: Page, offer: RunnerOffer, submitted: SubmittedRun = SUBMITTED): Promise<void> {
  const main = playedWindows({ nowMs: Date.now(), nodes: 12, openPlan: playedPlan(10), running: false })
  const played = {
    ...main,
    'runner.offer': offer,
    'runner.submit': submitted,
    'run.show': { summary: main['run.start'], events: playedRun('moving').events },
  }
  await page.addInitScript(
    given => {
      const log: (readonly [string, unknown])[] = []
      const ask = async (name: string, input: unknown) => {
        log.push([name, input])
        return name in given
          ? { ok: true, value: (given as Record<string, unknown>)[name] }
          : { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
      }
      Object.assign(globalThis, { asked: log, lockkeeper: { ask, listen: () => () => {} } })
    },
    JSON.parse(JSON.stringify(played)),
  )
  await page.goto('#/windows/w-open')
  await page.getByRole('button', { name: 'See the plan and start…' }).click()
  await expect(page.getByRole('dialog').getByText(/^Safe to start/)).toBeVisible()
}

test('where a runner takes plans of the cloud it is one choice, which says as whom; the plan goes there and nothing starts here', async ({
  page,
}) => {
  await confirm(page, OFFERED)
  const sheet = page.getByRole('dialog')
  const place = sheet.getByRole('radiogroup', { name: 'Where it runs' })
  await expect(place.getByRole('radio', { name: 'Run here' })).toBeChecked()
  await place.getByRole('radio', { name: 'Run in the cloud' }).click()
  await expect(sheet).toContainText(
    'It runs on runner lockkeeper-runner-0 (namespace lockkeeper), confirmed as ada@example.org.',
  )
  await expectAccessible(page)
  await sheet.getByRole('button', { name: /^Start \d+ batch/ }).click()
  await expect.poll(() => asked(page, 'runner.submit')).toEqual([{ planId: 'plan-1', windowId: 'w-open' }])
  expect(await asked(page, 'run.start')).toEqual([])
})

test('a run in the cluster may name a campaign, which is folded away, and says when it begins', async ({ page }) => {
  await confirm(page, OFFERED, { ...SUBMITTED, phase: 'Scheduled', runId: null, mirrored: false })
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('It starts automatically')).toHaveCount(0)
  await sheet.getByRole('radio', { name: 'Run in the cloud' }).click()
  await sheet.getByText('It starts automatically').click()
  const start = sheet.getByRole('button', { name: /^Start \d+ batch/ })
  await sheet.getByLabel('Campaign').fill('Night')
  await expect(sheet).toContainText('is not a valid name of a MaintenanceCampaign')
  await expect(start).toBeDisabled()
  await sheet.getByLabel('Campaign').fill('night')
  await expect(sheet.getByText('Campaign night starts it')).toBeVisible()
  await expectAccessible(page)
  await start.click()
  await expect
    .poll(() => asked(page, 'runner.submit'))
    .toEqual([{ planId: 'plan-1', windowId: 'w-open', campaign: 'night' }])
  await page.getByRole('button', { name: 'Campaigns' }).click()
  await expect(page).toHaveURL(/#\/campaigns$/)
})

test('where no runner answers, nothing asks where it runs', async ({ page }) => {
  await confirm(page, { kind: 'not-offered', why: 'runner in namespace lockkeeper of east does not exist.' })
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: /^Start \d+ batch/ })).toBeEnabled()
  await expect(sheet.getByRole('radiogroup', { name: 'Where it runs' })).toHaveCount(0)
  await expectAccessible(page)
})

/** The same run, driven by a runner that answers, or does not. */
function remote(connected: boolean): RunDetail {
  const run = playedRun('moving')
  const runner = {
    name: 'lockkeeper-runner-0',
    namespace: 'lockkeeper',
    by: 'east',
    asOf: '2026-11-21T06:00:00.000Z',
    connected,
    object: null,
  }
  const { summary } = run
  if (connected) return { ...run, summary: { ...summary, runner } }
  const condition: RunCondition = {
    kind: 'unheard',
    since: runner.asOf,
    runner: runner.name,
    was: 'running',
    waits: [],
  }
  return { ...run, summary: { ...summary, runner, state: 'unheard', condition, summary: 'As of then, not connected.' } }
}

test('a run of a runner says that it continues without this console', async ({ page }) => {
  await openRuns(page, [remote(true)], '#/c/east/history/run-moving')
  const shown = page.getByRole('region', { name: 'Run on cmp-02' })
  await expect(shown).toContainText('It runs in the cloud (runner lockkeeper-runner-0)')
  await expect(shown.getByRole('button', { name: 'Pause' })).toBeEnabled()
  await expect(shown.getByRole('button', { name: 'Leave' })).toHaveCount(0)
  await expectAccessible(page)
})

test('a run whose runner does not answer shows its last known state: nothing moves, and nothing is requested', async ({
  page,
}) => {
  await openRuns(page, [remote(false)], '#/c/east/history/run-moving')
  const shown = page.getByRole('region', { name: 'Run on cmp-02' })
  await expect(shown).toContainText('as of 2026-11-21 06:00:00 UTC, not connected')
  await expect(page.getByRole('button', { name: /^Decide about/ })).toHaveCount(0)
  for (const name of ['Pause', 'Stop…']) await expect(shown.getByRole('button', { name })).toHaveCount(0)
  await expectAccessible(page)
})

test('a request that has not started is above the runs, and can be withdrawn with a reason', async ({ page }) => {
  const waits = {
    by: 'east',
    namespace: 'lockkeeper',
    object: 'enter-cmp-07-0123456789ab',
    kind: 'enter',
    cluster: 'east',
    node: 'cmp-07',
    phase: 'Scheduled',
    message: 'Starts at 2026-11-25 21:00:00 UTC.',
    confirmedBy: 'ada@example.org',
    startAfter: '2026-11-25T21:00:00.000Z',
    notAfter: null,
    campaign: null,
    handedOver: null,
    askedAt: '2026-11-21T06:00:00Z',
    runId: null,
    mirrored: false,
    over: false,
  }
  const unread = [{ by: 'west', namespace: 'lockkeeper', why: 'Ask for the Role lockkeeper-reader.' }]
  await openRuns(page, [playedRun('moving')], '#/c/east/history', {
    'runner.asked': { runs: [waits, { ...waits, object: 'refused', phase: 'Refused', over: true }], unread },
    'runner.withdraw': { message: 'This run did not start.' },
  })
  const shown = page.getByRole('region', { name: 'Requested, not started' })
  await expect(shown).toContainText('enter cmp-07 of east')
  await expect(shown).toContainText('Starts at 2026-11-25 21:00:00 UTC.')
  await expect(shown).toContainText('so the list may be incomplete. Ask for the Role lockkeeper-reader.')
  await expect(shown.getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Withdraw enter-cmp-07-0123456789ab' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('textbox').fill('change freeze')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await expect(sheet).toHaveCount(0)
  expect(await asked(page, 'runner.withdraw')).toEqual([
    { by: 'east', namespace: 'lockkeeper', object: 'enter-cmp-07-0123456789ab', reason: 'change freeze' },
  ])
})

test('a paused run may be handed over: the page says who continues it, and on whose behalf', async ({ page }) => {
  await openRuns(page, [playedRun('paused')], '#/c/east/history/run-paused', {
    'runner.offer': OFFERED,
    'runner.hand-over': SUBMITTED,
  })
  const shown = page.getByRole('region', { name: 'Run on cmp-02' })
  await shown.getByRole('button', { name: 'Hand over…' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('Runner lockkeeper-runner-0 in namespace lockkeeper of east continues it')
  await expect(sheet).toContainText('confirmed as ada@example.org')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Hand it over' }).click()
  await expect(sheet).toHaveCount(0)
  expect(await asked(page, 'runner.hand-over')).toEqual([{ runId: 'run-paused' }])
})

test('a run that is moving an instance is not handed over, and without a runner the reason is shown', async ({
  page,
}) => {
  await openRuns(
    page,
    [playedRun('moving'), playedRun('interrupted', { node: 'cmp-03' })],
    '#/c/east/history/run-moving',
    {
      'runner.offer': { kind: 'not-offered', why: 'runner in namespace lockkeeper of east does not exist.' },
    },
  )
  await expect(page.getByRole('button', { name: 'Stop…' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hand over…' })).toHaveCount(0)
  await page.goto('#/c/east/history/run-interrupted')
  await page.getByRole('region', { name: 'Run on cmp-03' }).getByRole('button', { name: 'Hand over…' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('No runner accepts it. runner in namespace lockkeeper of east does not exist.')
  await expect(sheet.getByRole('button', { name: 'Hand it over' })).toBeDisabled()
  await expectAccessible(page)
})

test('a run that its runner refused needs you: the reason is shown, and it is resumed or handed over again', async ({
  page,
}) => {
  const rests = playedRun('paused')
  const last = must(rests.events.at(-1), 'it was driven')
  const to = { by: 'east', namespace: 'lockkeeper', object: 'enter-cmp-02-0123456789ab' }
  const bodies: readonly RunEventBody[] = [
    { kind: 'driver-left', why: 'It is handed over.', handsOver: true },
    { kind: 'hand-over-announced', by: 'eva', to, storyHash: 'f'.repeat(64) },
    { kind: 'run-finished', outcome: 'handed-over', summary: 'Handed over by eva.', leftBehind: [] },
    {
      kind: 'hand-over-failed',
      why: `The runner refused MaintenanceRun ${to.object} in namespace ${to.namespace} of ${to.by}: The plan is not the one that is made here now.`,
    },
  ]
  const events = [...rests.events, ...bodies.map((body, at) => ({ ...last, seq: last.seq + 1 + at, body }))]
  await openRuns(
    page,
    [{ ...rests, events, summary: summarizeRun(foldRun(events), true) }],
    '#/c/east/history/run-paused',
    {
      'runner.offer': OFFERED,
    },
  )
  const shown = page.getByRole('region', { name: 'Run on cmp-02' })
  await expect(shown).toContainText(
    'It was not handed over. The runner refused MaintenanceRun enter-cmp-02-0123456789ab',
  )
  await expect(shown.getByRole('button', { name: 'Resume' })).toBeEnabled()
  await expect(shown.getByRole('button', { name: 'Hand over…' })).toBeEnabled()
  await expectAccessible(page)
})
