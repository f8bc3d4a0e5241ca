import { expect, type Page } from '@playwright/test'
import { type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'
import { asked, openRuns } from './played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

const runPage = (page: Page) => page.getByRole('region', { name: 'Run on cmp-02' })
const open = async (page: Page, state: PlayedState) => {
  await openRuns(page, [playedRun(state)], `#/c/east/history/run-${state}`)
  await expect(runPage(page)).toBeVisible()
}

test('a run at work says how far it is, each instance its turn, and one that moves its end at its pace @core', async ({
  page,
}) => {
  await open(page, 'moving')
  const progress = page.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('3 of 7 instances moved')
  await expect(progress.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '3')
  const rows = progress.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'cache-01' })).toContainText('stops with node')
  await expect(rows.filter({ hasText: 'mail-01' })).toContainText('next')
  const moving = rows.filter({ hasText: 'db-02' })
  await expect(moving.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '34')
  await expect(moving).toContainText(/34 %, about \d+ s left/)
  await expect(page.getByRole('region', { name: 'Facts' })).not.toContainText('Waited')
  await expectAccessible(page)
})

test('a moving instance is decided about from its row, with the cost first', async ({ page }) => {
  await open(page, 'moving')
  await page.getByRole('button', { name: 'Decide about db-01' }).click()
  await page.getByRole('menuitem', { name: 'Move with downtime…' }).click()
  const question = page.getByRole('dialog', { name: 'Move with downtime: db-01' })
  await expect(question).toContainText('Down while it moves.')
  await question.getByLabel(/^Reason/).fill('it never ends')
  await question.getByRole('button', { name: 'Move with downtime' }).click()
  await expect.poll(() => asked(page, 'run.decide')).toMatchObject([{ choice: 'cold', reason: 'it never ends' }])
})

test('steps, what Nova said and the log are folded', async ({ page }) => {
  await open(page, 'question')
  const cordon = page.getByText('Cordon cmp-02')
  await expect(cordon).toBeHidden()
  await page.getByText('2 of 5 done').click()
  await cordon.click()
  await expect(page.getByText('cmp-02 is unschedulable.')).toBeVisible()
  const nova = page.locator('details', { hasText: 'What Nova said' })
  await expect(nova.getByText(/Unable to connect to the destination/).first()).toBeHidden()
  await nova.getByText('What Nova said').click()
  await expect(nova.getByText(/Unable to connect to the destination/).first()).toBeVisible()
  await page.getByText('Log', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Events, newest first' }).getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page)
})

test('a migration that is not getting done is compared with the usual time, and every way out has its cost @core', async ({
  page,
}) => {
  await openRuns(page, [playedRun('stuck')], '#/c/east/history/run-stuck', {
    'history.moves': { moves: [{ ms: 14_000, ramMib: 8192 }] },
  })
  const card = page.getByRole('alert', { name: 'db-01' })
  await expect(card).toContainText('It writes memory as fast as the network copies it.')
  await expect(card).toContainText(/Usual14 s/)
  await expect(card).toContainText('From 1 earlier move on this cloud')
  await expect(card.getByRole('figure', { name: /Memory left to copy: never below 164 MiB for/ })).toBeVisible()
  const choices = card.getByRole('list', { name: 'You can' }).getByRole('listitem')
  await expect(choices.getByRole('button')).toHaveText([
    'Keep waiting',
    'Try again',
    'Leave it here',
    'Finish now…',
    'Move with downtime…',
    'Shut it down…',
  ])
  await expect(choices.filter({ hasText: 'Leave it here' })).toContainText('cmp-02 will not be empty')
  await expect(page.getByRole('list', { name: 'Instances' })).toContainText('needs you')
  await expect(page.getByText('owner of db-01')).toHaveCount(0)
  await expectAccessible(page)
  await choices.getByRole('button', { name: 'Leave it here' }).click()
  await expect.poll(() => asked(page, 'run.decide')).toMatchObject([{ choice: 'abort-and-leave', reason: '' }])
})

test('instances that failed to move are left here, or moved with downtime, with one answer', async ({ page }) => {
  await open(page, 'question')
  const card = page.getByRole('alert', { name: 'db-02 and mail-01' })
  await expect(card).toContainText('They did not leave cmp-02 after 3 tries.')
  await card.getByRole('button', { name: 'Move with downtime…' }).click()
  const question = page.getByRole('dialog', { name: 'Move with downtime: 2 instances' })
  await question.getByLabel(/^Reason/).fill('no other way')
  await question.getByRole('button', { name: 'Move with downtime' }).click()
  await expect.poll(() => asked(page, 'run.decide')).toMatchObject([{ choice: 'cold' }, { choice: 'cold' }])
  await expect.poll(() => asked(page, 'run.answer')).toMatchObject([{ choice: 'retry' }])
})

test('the wait for an owner has the same shape, and is ended right there @core', async ({ page }) => {
  await open(page, 'owner')
  const card = page.getByRole('alert', { name: 'ledger-01' })
  await expect(card).toContainText('Its owner has to move, stop or delete it.')
  await expect(card).toContainText(/waits for 3 min/)
  await card.getByRole('button', { name: 'Stop it with the node' }).click()
  await expect
    .poll(() => asked(page, 'instance.mark'))
    .toEqual([expect.objectContaining({ marks: [expect.objectContaining({ actions: ['poweroff'] })] })])
  await expectAccessible(page)
})

test('an empty node may be powered off; each instance says where it went @core', async ({ page }) => {
  await open(page, 'done')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('cmp-02 is empty. Safe to power off.')
  await expect(end.getByRole('button', { name: 'Bring cmp-02 back' })).toBeVisible()
  await expect(end.getByRole('button', { name: 'Open report' })).toBeVisible()
  const row = page.getByRole('row', { name: /web-01/ })
  await expect(row).toContainText(/Moved.*cmp-07.*38 s/)
  await expect(page.getByRole('region', { name: 'What was verified at the end' })).toContainText(
    'nova-compute of cmp-02 is disabled.',
  )
  await expectAccessible(page)
})

test('a node that is not empty names what is left, who left it, and how to move it', async ({ page }) => {
  await open(page, 'not-empty')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('cmp-02 is NOT empty.')
  await expect(end).toContainText('db-02 and mail-01 still run on it. Do not power it off.')
  const left = end.getByRole('list', { name: 'Still on cmp-02' }).getByRole('listitem')
  await expect(left.filter({ hasText: 'db-02' })).toContainText(/3 tries failed\. eva left it here at/)
  await expectAccessible(page)
  await end.getByRole('button', { name: 'Move with downtime…' }).click()
  await expect
    .poll(() => asked(page, 'plan.make'))
    .toMatchObject([{ node: 'cmp-02', kind: 'enter', choices: { disableMigration: 'live' } }])
})

test('a stopped run says what stays changed, and a failed one why', async ({ page }) => {
  await open(page, 'aborted')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('Stopped. Still changed:')
  await expect(end.getByRole('list', { name: 'Still changed' })).toContainText('cmp-02 is cordoned.')
  await expect(end).toContainText(/Stopped by.*eva.*the window ends/)
  await expectAccessible(page)
})

test('a run that failed says why, and what to do next', async ({ page }) => {
  await open(page, 'failed')
  const end = page.getByRole('region', { name: 'How it ended' })
  await expect(end.getByRole('heading')).toHaveText('Failed. Still changed:')
  await expect(end).toContainText('nova-compute of cmp-02 is up although it was disabled')
  await expect(end.getByRole('button', { name: 'Resume where it stopped' })).toBeVisible()
  await expectAccessible(page)
})

test('in a run without a driver, the state of a move under way is unknown', async ({ page }) => {
  await open(page, 'interrupted')
  await expect(page.getByRole('list', { name: 'Instances' })).toContainText('not followed to its end')
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
  const rows = page.getByRole('region', { name: 'Runs' }).getByRole('listitem')
  await expect(rows).toHaveText([
    /Take cmp-04 out of service.*Waits for an owner/s,
    /Take cmp-02 out of service.*Running/s,
    /Take cmp-01 out of service.*Done.*1 h/s,
    /Take cmp-03 out of service.*Stopped.*2 h/s,
  ])
  await rows.first().getByRole('link').click()
  await expect(page).toHaveURL(/history\/run-owner$/)
  await page.getByRole('link', { name: 'History' }).last().click()
  await expect(rows).toHaveCount(4)
  await expectAccessible(page)
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
