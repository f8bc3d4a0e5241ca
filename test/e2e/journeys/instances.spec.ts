import type { Page } from '@playwright/test'
import { expect, expectAccessible, show, test } from './journey.ts'

test.use({ demo: false })

/** Only rows in sight are drawn: a journey looks for what it needs, as an operator does. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Name, id, node, project').fill(text)
}

test('one instance is marked, and the mark is undone', async ({ journey: { page } }) => {
  await show(page, 'demo-plain', 'instances')
  await find(page, 'web-03')
  const row = page.getByRole('row', { name: /web-03/ })
  await row.getByLabel('Mode of web-03').selectOption('Stop with node')
  await expect(row).toContainText('Stops')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(row).toContainText('Moves')
})

test('several are marked at once; those in ERROR say why they were not', async ({ journey: { page } }) => {
  await show(page, 'demo-plain', 'instances')
  await find(page, 'cmp-04')
  await expect(page.getByRole('row', { name: /broken-01/ })).toBeVisible()
  await page.getByRole('checkbox', { name: /all/i }).first().click()
  await expect(page.getByRole('region', { name: 'Selected instances' })).toContainText('7 instances')
  await page.getByLabel('Set mode of 7 instances').selectOption('Wait for owner')
  await expect(page.getByRole('row', { name: /web-08/ })).toContainText('Waits for owner')
  await expect(page.getByText('2 instances not set. Their details say why.')).toBeVisible()
  await expect(page.getByRole('row', { name: /broken-01/ })).toContainText('takes no mode while it is in ERROR')
})

test('the mode of a host decides for its unmarked instances, and is written to the node', async ({
  journey: { page },
}) => {
  await show(page, 'demo-edge', 'topology')
  await page.getByRole('option', { name: /^edge-6,/ }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Node edge-6' })
  await expect(panel).toContainText('evacuate')
  await expectAccessible(page)
  await panel.getByRole('radio', { name: /^Move live/ }).click()
  await expect(panel.getByRole('radio', { name: /^Move live/ })).toBeChecked()
  await panel.getByRole('tab', { name: 'Instances' }).click()
  await expect(panel.getByRole('row', { name: /signage-02/ })).toContainText('Moves')
})

test('what was ticked by the mouse is marked by the key', async ({ journey: { page } }) => {
  await show(page, 'demo-plain', 'instances')
  await find(page, 'web-08')
  await page
    .getByRole('row', { name: /web-08/ })
    .getByRole('checkbox')
    .click({ force: true })
  await page.keyboard.press('m')
  const modes = page.getByLabel('Set mode of 1 instance')
  await expect(modes).toBeFocused()
  await modes.selectOption('Wait for owner')
  await expect(page.getByRole('row', { name: /web-08/ })).toContainText('Waits for owner')
})
