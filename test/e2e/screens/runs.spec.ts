import { expect, type Page } from '@playwright/test'
import { type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'
import { asked, openRuns } from './played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

const runPage = (page: Page) => page.getByRole('region', { name: 'Run on cmp-02' })
const open = async (page: Page, state: PlayedState) => {
  await openRuns(page, [playedRun(state)], `#/c/east/history/run-${state}`)
  await expect(runPage(page)).toBeVisible()
}

test('a run at work is a picture: how far, each instance, and each migration with its end at its pace @core', async ({
  page,
}) => {
  await open(page, 'moving')
  const picture = page.getByRole('region', { name: 'Progress' })
  await expect(picture).toContainText('3 of 7 instances moved')
  await expect(picture).not.toContainText('waited')
  const chips = picture.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(chips.filter({ hasText: 'db-01: moving' })).toHaveCount(1)
  await expect(chips.filter({ hasText: 'cache-01: stops with the node' })).toHaveCount(1)
  const moving = page.getByRole('region', { name: 'Moving now' }).getByRole('listitem')
  await expect(moving).toHaveCount(2)
  await expect(moving.filter({ hasText: 'db-01' }).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '71')
  await expect(moving.filter({ hasText: 'db-02' })).toContainText(
    /34 %, 5\.3 GiB of 8 GiB left, \d+ MiB\/s.*about \d+ s/,
  )
  await expectAccessible(page)
})

test('steps are a line each, the one at work is open, and the log is folded to what happened last', async ({
  page,
}) => {
  await open(page, 'moving')
  const steps = page.getByRole('region', { name: 'Steps' })
  await expect(steps.getByText('3 moved and 2 migrating')).toBeVisible()
  const cordon = steps.locator('details', { hasText: 'Cordon cmp-02' })
  await expect(cordon.getByText('cmp-02 is unschedulable.')).toBeHidden()
  await cordon.getByText('Cordon cmp-02').click()
  await expect(cordon.getByText('cmp-02 is unschedulable.')).toBeVisible()
  const log = page.getByRole('region', { name: 'Log' })
  await expect(log.getByRole('list')).toHaveCount(0)
  await log.getByText('Log', { exact: true }).click()
  await expect(log.getByRole('listitem').first()).toBeVisible()
})

test('what a run waits for is on top, with its choices @core', async ({ page }) => {
  await open(page, 'owner')
  const waits = page.getByRole('region', { name: 'What it waits for' })
  await expect(waits.getByRole('heading')).toHaveText(/Waits for the owner of ledger-01\s*for 3 min/)
  await waits.getByRole('button', { name: 'Move it live' }).click()
  await expect.poll(() => asked(page, 'instance.mark')).toHaveLength(1)
  await expectAccessible(page)
})

test('the migration mode of one instance that a run waits for is set in place', async ({ page }) => {
  await open(page, 'owner')
  const waits = page.getByRole('region', { name: 'What it waits for' })
  await waits.getByLabel('Migration mode of ledger-01').selectOption('Stop with node')
  await expect
    .poll(() => asked(page, 'instance.mark'))
    .toEqual([expect.objectContaining({ marks: [expect.objectContaining({ actions: ['poweroff'] })] })])
  await expectAccessible(page)
})

test('a run that ended well says what was verified, and offers the report', async ({ page }) => {
  await open(page, 'done')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('Verified')
  await expect(end).toContainText('5 of 5 steps verified in the cloud')
  await expect(end).toContainText('nova-compute of cmp-02 is disabled.')
  await expect(end.getByRole('button', { name: 'Report' })).toBeVisible()
  await expectAccessible(page)
})

test('a run that failed says why, what stays changed, and what to do next', async ({ page }) => {
  await open(page, 'failed')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('Failed')
  await expect(end).toContainText('nova-compute of cmp-02 is up although it was disabled')
  await expect(end.getByRole('listitem')).toHaveText(['cmp-02 is cordoned.', 'nova-compute of cmp-02 is disabled.'])
  await expect(end.getByRole('button', { name: 'Resume where it stopped' })).toBeVisible()
  await expectAccessible(page)
})

test('in a run without a driver, the state of a move under way is unknown', async ({ page }) => {
  await open(page, 'interrupted')
  await expect(page.getByRole('list', { name: 'Instances' })).toContainText('db-01: unknown')
  await expect(page.getByRole('region', { name: 'Moving now' })).toHaveCount(0)
  await expectAccessible(page)
})

test('the list has those that need somebody first, then those at work, then the newest', async ({ page }) => {
  const at = (state: PlayedState, node: string, hoursAgo: number) =>
    playedRun(state, { node, nowMs: Date.now() - hoursAgo * 3_600_000 })
  await openRuns(
    page,
    [at('done', 'cmp-01', 1), at('moving', 'cmp-02', 0), at('aborted', 'cmp-03', 2), at('owner', 'cmp-04', 3)],
    '#/c/east/history',
  )
  const rows = page.getByRole('navigation', { name: 'Runs' }).getByRole('listitem')
  await expect(rows).toHaveText([
    /Take cmp-04 out of service.*Waits for an owner/s,
    /Take cmp-02 out of service.*Running/s,
    /Take cmp-01 out of service.*Done.*1 h/s,
    /Take cmp-03 out of service.*Stopped.*2 h/s,
  ])
  await expect(page).toHaveURL(/history\/run-owner$/)
})

test('an instance that moves says how far it is in the list of instances and in its details', async ({ page }) => {
  await openRuns(page, [playedRun('moving')], '#/c/east/instances')
  const row = page.getByRole('row', { name: /db-01/ })
  await expect(row.getByRole('progressbar', { name: 'db-01: memory copied' })).toHaveAttribute('aria-valuenow', '71')
  await row.getByRole('button', { name: 'db-01', exact: true }).click()
  await expect(page.getByRole('complementary', { name: 'Details of db-01' })).toContainText('71 %')
  await page.reload()
  // An operator who comes back finds what was open.
  await expect(page.getByRole('complementary', { name: 'Details of db-01' })).toContainText('71 %')
})
