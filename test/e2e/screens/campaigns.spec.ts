import { expect, type Page } from '@playwright/test'
import type { RunnerStatus } from '../../../shared/contract/index.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'
import { playedCampaign, playedCampaigns, playedRunners, playedWaiting } from '../../fixtures/renderer/campaigns.ts'
import { clusterView } from '../../fixtures/renderer/views.ts'
import { asked } from './played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

/** Campaigns of the runners that a console is attached to: the list, one with its batches, what is asked of it, how one is made. */

const ONE = '#/campaigns/mgmt/lockkeeper/night'
const PLACE = { cluster: 'mgmt', namespace: 'lockkeeper' }

/** Opens a screen over a main with a runner and its campaigns; `{ failure }` is answered as one. */
async function open(page: Page, hash: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const nowMs = Date.now()
  const played = {
    'cluster.list': ['oslo', 'bergen', 'tromso', 'mgmt'].map(name => fakeCluster({ name })),
    'run.list': [],
    'edit.list': [],
    'window.list': [],
    'view.open': { view: clusterView('oslo'), seq: 1 },
    'runner.list': playedRunners(),
    'campaign.list': playedCampaigns(nowMs),
    'campaign.waiting': playedWaiting(),
    'campaign.show': playedCampaign(nowMs),
    'campaign.control': {
      message:
        'The campaign starts no more runs. Started runs continue to their end; you can pause or abort each of them.',
    },
    'campaign.create': playedCampaigns(nowMs)[0],
    ...more,
  }
  await page.addInitScript(
    given => {
      const log: (readonly [string, unknown])[] = []
      const answers = given as Record<string, { readonly failure?: unknown }>
      const ask = async (name: string, input: unknown) => {
        log.push([name, input])
        const answer = answers[name] ?? {
          failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true },
        }
        return answer.failure === undefined ? { ok: true, value: answer } : { ok: false, failure: answer.failure }
      }
      Object.assign(globalThis, { asked: log, answers, lockkeeper: { ask, listen: () => () => {} } })
    },
    JSON.parse(JSON.stringify(played)),
  )
  await page.goto(hash)
}

const lost: RunnerStatus['connection'] = {
  kind: 'lost',
  why: 'The connection broke.',
  asOf: '2026-11-21T06:00:00.000Z',
}

test('the campaigns of a runner are listed with phase, batch, runs, budget and who holds them since when', async ({
  page,
}) => {
  await open(page, '#/campaigns')
  const place = page.getByRole('region', { name: 'Runner of mgmt (namespace lockkeeper)' })
  await expect(place).toContainText('Knows bergen, oslo and tromso.')
  const line = (name: string) =>
    place.getByRole('rowgroup').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(line('night')).toContainText('Running')
  await expect(line('night')).toContainText('3 of 9 ended')
  await expect(line('night')).toContainText('batch 2 of 3')
  await expect(line('night')).toContainText('1 of at most 2')
  await expect(line('night')).toContainText('requested by ada@example.org')
  await expect(line('firmware')).toContainText('by eva@example.org, 33 min ago')
  await expect(line('firmware')).toContainText('Paused by eva@example.org: change freeze until Monday.')
  await expect(line('kernel')).toContainText('waits for you, 12 min ago')
  await expect(line('weekend')).toContainText('Unknown')
  await expect(line('weekend')).toContainText('not started')
  // Campaigns that have ended come last.
  await expect(place.getByRole('rowgroup').last()).toContainText('All 5 runs are done.')
  await expect(place).toContainText('3 runs wait for campaign spring, which does not exist.')
  await expectAccessible(page)
  await line('night').getByRole('link', { name: 'night' }).click()
  await expect(page).toHaveURL(/#\/campaigns\/mgmt\/lockkeeper\/night$/)
})

test('what was not read never shows as none, and a runner without an answer says so', async ({ page }) => {
  const failure = { code: 'unreachable', message: 'The API server of mgmt does not answer.', retryable: true }
  await open(page, '#/campaigns', {
    'runner.list': playedRunners({ connection: lost }),
    'campaign.list': { failure },
    'campaign.waiting': { failure },
  })
  await expect(page.getByText('The runner does not answer.')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('its runs are as of 2026-11-21 06:00:00 UTC')
  await expect(page.getByRole('alert')).toContainText('The API server of mgmt does not answer.')
  await expect(page.getByRole('main')).not.toContainText('There is no campaign')
  await expectAccessible(page)
})

test('a console that is attached to no runner says how it is', async ({ page }) => {
  await open(page, '#/campaigns', { 'runner.list': [] })
  await expect(page.getByRole('heading', { name: 'No runner yet' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('lockkeeper runner manifests')
  await expect(page.getByRole('button', { name: 'New campaign' })).toHaveCount(0)
  // Without a runner no place speaks of campaigns; the palette leads here.
  await expect(page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Campaigns' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A command, node, instance, run, window or cloud').fill('runner')
  await expect(page.getByRole('option', { name: /Set up a runner/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
})

test('one campaign shows its batches in order, each run with its phase and a way to the run that is mirrored', async ({
  page,
}) => {
  await open(page, ONE)
  const batches = page.getByRole('list', { name: 'Batches' })
  const batch = (name: string) => batches.getByRole('region', { name })
  await expect(batch('Batch 1: first')).toContainText('Done: 2 runs')
  await expect(batch('Batch 2')).toContainText('Running, 1 needs you, 1 not done, 1 of 4 ended')
  await expect(batch('Batch 2')).toContainText('4 runs, 2 at a time')
  await expect(batch('Batch 3: the rest')).toContainText('Starts when all runs before have ended')
  await expect(batch('Batch 2').getByRole('link', { name: 'enter-cmp-07-123456789abc' })).toHaveAttribute(
    'href',
    '#/c/oslo/history/run-4',
  )
  // Begun, and its journal is not here; not begun; not there.
  for (const name of ['enter-cmp-09-23456789abcd', 'enter-cmp-10-6789abcdef01', 'enter-cmp-12-9abcdef01234']) {
    await expect(batches.getByRole('link', { name })).toHaveCount(0)
  }
  await expect(batches.getByRole('row', { name: /^enter-cmp-12/ })).toContainText(
    'unknownUnknownThis MaintenanceRun does not exist yet.',
  )
  await expectAccessible(page)
})

test('pause says what it does, sends the reason, and then shows the words of the runner', async ({ page }) => {
  await open(page, ONE)
  const acts = page.getByRole('region', { name: 'Actions' })
  await acts.getByLabel('Reason').fill('change freeze')
  const pause = acts.getByRole('button', { name: 'Pause' })
  await expect(pause).toHaveAccessibleDescription(
    'The campaign starts no more runs. Started runs continue to their end.',
  )
  await expect(acts.getByRole('button', { name: 'Resume' })).toHaveCount(0)
  await pause.click()
  await expect(acts).toContainText('you can pause or abort each of them')
  expect(await asked(page, 'campaign.control')).toEqual([
    { ...PLACE, name: 'night', control: 'pause', reason: 'change freeze' },
  ])
})

test('a refusal shows the words of the runner', async ({ page }) => {
  const refused =
    '2 of its runs are not done, and 1 may fail. Resume those runs first; when they are done, resume the campaign.'
  await open(page, ONE, {
    'campaign.show': playedCampaign(Date.now(), {
      phase: 'Stopped',
      hold: { kind: 'stopped', by: null, reason: null, since: new Date().toISOString() },
    }),
    'campaign.control': { failure: { code: 'conflict', message: refused, retryable: false } },
  })
  const acts = page.getByRole('region', { name: 'Actions' })
  const resume = acts.getByRole('button', { name: 'Resume' })
  await expect(resume).toHaveAccessibleDescription(/resume those first\.$/)
  await resume.click()
  await expect(acts.getByRole('alert')).toContainText('The runner refuses it')
  await expect(acts.getByRole('alert')).toContainText(refused)
  await expectAccessible(page)
})

test('abort names what ends and what continues, and sends the reason only when confirmed', async ({ page }) => {
  await open(page, ONE)
  await page.getByRole('button', { name: 'Stop…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Stop campaign night' })
  await expect(sheet).toContainText('Runs that have not started never start.')
  await expect(sheet).toContainText('enter-cmp-10-6789abcdef01, enter-cmp-11-789abcdef012')
  await expect(sheet).toContainText('enter-cmp-07-123456789abc, enter-cmp-09-23456789abcd: to the end')
  const confirm = sheet.getByRole('button', { name: 'Stop the campaign' })
  await sheet.getByLabel('Reason').fill('storm warning')
  await expectAccessible(page)
  expect(await asked(page, 'campaign.control')).toEqual([])
  await confirm.click()
  await expect(sheet).toHaveCount(0)
  expect(await asked(page, 'campaign.control')).toEqual([
    { ...PLACE, name: 'night', control: 'abort', reason: 'storm warning' },
  ])
})

test('one that could not be read again shows its last known state', async ({ page }) => {
  await open(page, ONE)
  await expect(page.getByRole('list', { name: 'Batches' })).toBeVisible()
  await page.evaluate(() => {
    const { answers } = globalThis as unknown as { answers: Record<string, unknown> }
    answers['campaign.show'] = { failure: { code: 'unreachable', message: 'It does not answer.', retryable: true } }
  })
  await expect(page.getByText('It cannot be read now: It does not answer.')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('list', { name: 'Batches' })).toHaveAttribute('data-old', 'true')
})

test('a campaign is made of the runs that wait for it, and of one by its name', async ({ page }) => {
  await open(page, '#/campaigns')
  await page.getByRole('button', { name: 'Make spring' }).click()
  const make = page.getByRole('button', { name: 'Make the campaign' })
  await expect(make).toBeDisabled()
  await expect(page.getByRole('list', { name: 'Still missing' })).toContainText('Batch 1 has no run')
  const waiting = page.getByRole('region', { name: 'Waiting runs' })
  await waiting.getByRole('button', { name: 'Add enter-cmp-31-0123456789ab to batch 1' }).click()
  await page.getByRole('button', { name: 'Add a batch' }).click()
  await waiting.getByRole('button', { name: 'Add all to batch 2' }).click()
  await waiting.getByLabel('By name').fill('Enter cmp')
  await waiting.getByRole('button', { name: 'Add to batch 2' }).click()
  await expect(waiting.getByRole('alert')).toContainText('is not a valid name of a MaintenanceRun')
  await waiting.getByLabel('By name').fill('enter-cmp-40-3456789abcde')
  await waiting.getByRole('button', { name: 'Add to batch 2' }).click()
  const second = page.getByRole('region', { name: 'Batch 2', exact: true })
  await expect(second).toContainText('It starts once it is submitted with this campaign')
  await second.getByLabel('At a time in batch 2').fill('1')
  await second.getByRole('button', { name: 'enter-cmp-33-23456789abcd earlier' }).click()
  await page.getByLabel('Failure budget').fill('1')
  await expectAccessible(page)
  await make.click()
  await expect(page).toHaveURL(/#\/campaigns\/mgmt\/lockkeeper\/spring$/)
  expect(await asked(page, 'campaign.create')).toEqual([
    {
      ...PLACE,
      name: 'spring',
      batches: [
        { runs: ['enter-cmp-31-0123456789ab'] },
        {
          runs: ['enter-cmp-33-23456789abcd', 'enter-cmp-32-123456789abc', 'enter-cmp-40-3456789abcde'],
          atOnce: 1,
        },
      ],
      failureBudget: 1,
    },
  ])
})

test('the bell names campaigns that begin nothing more until somebody says so', async ({ page }) => {
  await open(page, '#/')
  await page.getByRole('button', { name: '2 things need you' }).click()
  const needs = page.getByRole('region', { name: 'Needs you' })
  await expect(needs).toContainText('More runs failed than allowed, so the campaign starts no more.')
  await expect(needs).toContainText('Paused by eva@example.org: change freeze until Monday.')
  await expectAccessible(page)
  await needs.getByRole('link', { name: 'Campaign kernel' }).click()
  await expect(page).toHaveURL(/#\/campaigns\/mgmt\/lockkeeper\/kernel$/)
})

for (const [request, where] of [
  ['campaign.list', 'mgmt/lockkeeper'],
  ['runner.list', 'the runners of this console'],
] as const) {
  test(`where campaigns could not be read (${request}) the bell claims no more than it knows`, async ({ page }) => {
    await open(page, '#/', { [request]: { failure: { code: 'unreachable', message: 'No answer.', retryable: true } } })
    await page.getByRole('button', { name: 'Nothing needs you. Some sources did not answer.' }).click()
    await expect(page.getByRole('region', { name: 'Needs you' })).toContainText(
      `Campaigns could not be read: ${where}.`,
    )
  })
}
