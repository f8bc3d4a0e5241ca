import type { Page } from '@playwright/test'
import { expect, expectAccessible, out, show, test, tile } from './journey.ts'

test.use({ demo: false })
// Several whole runs, one after the other.
test.describe.configure({ timeout: 240_000 })

/** A whole run, by roles or in batches. */
const LONG = { timeout: 120_000 }
const MINUTE = 60_000

/** Announces a window that is open now, for one node whose work a person ends. */
async function announce(page: Page, cluster: string, node: string, title: string): Promise<void> {
  await goTo(page, `#/windows/new?cluster=${cluster}`)
  await page.getByLabel('Name', { exact: true }).fill(title)
  await page.getByLabel('Time zone').selectOption('UTC')
  await page.getByLabel('Start', { exact: true }).fill(wallOf(Date.now() - 10 * MINUTE))
  await page.getByLabel('Length').fill('100 min')
  await page.getByRole('radio', { name: 'Lockkeeper goes through these nodes' }).check({ force: true })
  await page.getByRole('checkbox', { name: new RegExp(`^${node} `) }).check({ force: true, ...LONG })
  await page.getByRole('button', { name: 'Suggest batches' }).click()
  await expect(page.getByText(/^1 node fits|^1 node, /)).toBeVisible(LONG)
  await page.getByRole('region', { name: 'The plan' }).getByText('Work', { exact: true }).click()
  await page.getByLabel('The work has ended when').selectOption('person')
  await page.getByRole('button', { name: 'Save window' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** Checks the plan of the window that is shown, and starts it. */
async function start(page: Page, cluster: string, production: boolean): Promise<void> {
  await page.getByRole('button', { name: 'See the plan and start…' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(/^Safe to start/)).toBeVisible(LONG)
  await expectAccessible(page)
  if (production) await sheet.getByLabel(`Type ${cluster} to confirm`).fill(cluster)
  await sheet.getByRole('button', { name: `Start 1 batch on ${cluster}` }).click()
  await expect(sheet).toHaveCount(0)
}

/** Opens a window from the list of all. */
async function openWindow(page: Page, title: string): Promise<void> {
  await goTo(page, '#/windows')
  await page
    .locator('.win-lists')
    .getByRole('link', { name: new RegExp(title) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(given => {
    location.hash = given
  }, hash)
}

function wallOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

test('windows on two clusters are announced, run at once, and closed with what happened', async ({
  journey: { page },
}) => {
  await announce(page, 'demo-plain', 'cmp-01', 'Kernel of cmp-01')
  await expect(page.getByRole('region', { name: 'Owners to inform' })).toBeVisible()
  await expectAccessible(page)
  await start(page, 'demo-plain', false)
  await announce(page, 'demo-edge', 'edge-4', 'Firmware of edge-4')
  await start(page, 'demo-edge', true)

  await goTo(page, '#/windows')
  const lines = page.getByRole('region', { name: 'Upcoming' }).getByRole('link')
  await expect(lines.filter({ hasText: 'Kernel of cmp-01' })).toContainText('Running')
  await expect(lines.filter({ hasText: 'Firmware of edge-4' })).toContainText('Running')

  for (const [cluster, node, title] of [
    ['demo-plain', 'cmp-01', 'Kernel of cmp-01'],
    ['demo-edge', 'edge-4', 'Firmware of edge-4'],
  ] as const) {
    await openWindow(page, title)
    const heading = page.getByRole('status', { name: 'Where the work is heading' })
    await expect(heading).toContainText('is drained and ready for your work', LONG)
    await heading.getByRole('link', { name: 'Timeline of the run' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Maintenance of nodes of ${cluster}` })).toBeVisible()
    // The live bar has the choices of the run that waits longest; the screen unfolds its own only where the bar shows another.
    const bar = page.getByRole('region', { name: 'Current run' }).filter({ hasText: node })
    const goOn = { name: 'Work is done, bring it back', exact: true } as const
    await bar.getByRole('button', goOn).or(page.getByRole('main').getByRole('button', goOn)).click()
  }

  for (const title of ['Kernel of cmp-01', 'Firmware of edge-4']) {
    await openWindow(page, title)
    await expect(page.getByRole('region', { name: 'Runs' })).toContainText('Done', LONG)
    await page.getByLabel('Note or incident').fill('It came back at once.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('region', { name: 'Notes and incidents' })).toContainText('It came back at once.')
    await page.getByRole('button', { name: 'Close the window…' }).click()
    await page.getByLabel('Summary, shown first in the report').fill('One node done.')
    await page.getByRole('button', { name: 'Close the window', exact: true }).click()
    await expect(page.getByText(/Closed by .*: One node done\./)).toBeVisible()
    await expectAccessible(page)
  }
})

test('a node that is entered while a window is open belongs to it, without a question', async ({
  journey: { page },
}) => {
  await announce(page, 'demo-plain', 'cmp-02', 'Disks of cmp-02')
  await show(page, 'demo-plain', 'topology')
  await expect(page.getByText(/Window Disks of cmp-02 is open until/)).toBeVisible()
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText(/Disks of cmp-02\s*Window ends in 1 h/)
  await sheet.getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'In maintenance', 'cmp-01')).toBeVisible(LONG)
  await openWindow(page, 'Disks of cmp-02')
  await expect(page.getByRole('region', { name: 'Runs' })).toContainText('Take out of service: cmp-01')
})
