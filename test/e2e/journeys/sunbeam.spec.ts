import type { Page } from '@playwright/test'
import { expect, expectAccessible, openRun, out, show, test, tile, WHOLE_RUN } from './journey.ts'

test.use({ demo: false })
// Several whole runs, one after the other.
test.describe.configure({ timeout: 240_000 })

/** A whole run, by roles or in batches. */
const LONG = { timeout: 120_000 }

/** Shows the lines of the log with this text: a long log draws only its visible lines. */
async function findInLog(page: Page, text: string): Promise<void> {
  await page.getByRole('main').getByText('Log', { exact: true }).click()
  await page.getByLabel('Find in the log').fill(text)
}

test('a hyperconverged node is emptied by Watcher, protected and drained, and takes instances again once it is back', async ({
  journey: { page },
}) => {
  await show(page, 'demo-sunbeam', 'topology')
  await tile(page, 'sun-1').focus()
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  const confirm = sheet.getByRole('button', { name: 'Take sun-1 out of service' })
  await expect(confirm).toBeEnabled(WHOLE_RUN)
  await expect(sheet.getByLabel('Emptied by')).toHaveValue('watcher')
  await expect(sheet.getByRole('list', { name: 'What it does' })).toContainText('6 instances move')
  const leaving = sheet.getByRole('article', { name: 'sun-1' }).getByRole('listitem')
  await expect(leaving).toHaveCount(6)
  await expect(leaving.filter({ hasText: 'worker' })).toHaveCount(2)
  await expectAccessible(page)
  await confirm.click()

  await expect(out(page, 'In maintenance', 'sun-1')).toBeVisible(LONG)
  await expect(tile(page, 'sun-1')).toHaveAccessibleName(/in maintenance/, LONG)
  await tile(page, 'sun-1').focus()
  await page.keyboard.press('Enter')
  const asks = page.getByRole('region', { name: 'Conditions of its roles in maintenance' })
  await expect(asks.getByRole('listitem')).toHaveText([/Control\s*met/, /Compute\s*met/, /Storage\s*met/])
  await expectAccessible(page)
  await openRun(page, 'demo-sunbeam', 'sun-1')
  await expect(page.getByRole('main')).toContainText('sun-1 is empty.')
  await findInLog(page, 'action plan')
  await expect(page.getByRole('main')).toContainText(/action plan [0-9a-f-]{36} has finished: 7 done/)

  await show(page, 'demo-sunbeam', 'topology')
  await tile(page, 'sun-1').focus()
  await page.keyboard.press('l')
  const back = sheet.getByRole('button', { name: 'Bring sun-1 back into service' })
  await expect(back).toBeEnabled(WHOLE_RUN)
  // Watcher spreads nothing if the run brings the same instances back.
  const spread = sheet.getByRole('checkbox', { name: /Offer to spread instances again/ })
  await expect(spread).toBeDisabled()
  await sheet.getByRole('checkbox', { name: /Bring its instances back/ }).uncheck({ force: true })
  await expect(spread).toBeChecked()
  await expect(back).toBeEnabled(WHOLE_RUN)
  await expectAccessible(page)
  await back.click()

  // The list may have the earlier run alone for a moment.
  await show(page, 'demo-sunbeam', 'history')
  await page
    .getByRole('region', { name: 'Runs' })
    .getByRole('link', { name: /^Bring sun-1 back/ })
    .click()
  const main = page.getByRole('main')
  await expect(main).toContainText(/Watcher recommends \d+ actions to spread instances again: live-migrate/, LONG)
  await expectAccessible(page)
  await main.getByRole('button', { name: 'Continue the run' }).click()
  await expect(main).toContainText('sun-1 is in service.', LONG)
  await findInLog(page, 'Spread instances again')
  await expect(main).toContainText(
    /Spread instances again, now that sun-1 takes them: verified.*\d+ instances moved, none in ERROR\./,
  )

  await show(page, 'demo-sunbeam', 'topology')
  await expect(out(page, 'In maintenance')).toHaveCount(0, LONG)
  await expect(tile(page, 'sun-1')).toHaveAccessibleName(/, in service, .*, [1-9]\d* instances?$/, LONG)
})
