import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, out, show, test, tile, WHOLE_RUN } from './journey.ts'

test.use({ demo: false })

/** Saves the report of the run that is shown, as a file of this format. */
async function saved(page: Page, format: 'HTML' | 'JSON'): Promise<Buffer> {
  await page.getByRole('button', { name: 'Open report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report of this run' })
  // By key: while the dialog still moves into its place, a click may fall beside.
  const choice = dialog.getByRole('radio', { name: new RegExp(format) })
  await choice.press('Space')
  await expect(choice).toBeChecked()
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: `Save ${format}` }).click()
  const download = await saving
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`))
  await expect(dialog.locator('.rep-hash')).toHaveText(/^[0-9a-f]{64}$/)
  const content = await readFile(await download.path())
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  return content
}

async function goToHistory(page: Page, part: '' | '/durations' | '/reports' | '/journal'): Promise<void> {
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/history${part}`)
}

test('the history finds a run, exports its report, and detects a changed letter in a report @every-way', async ({
  journey: { page },
}) => {
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'In maintenance', 'cmp-01')).toBeVisible(WHOLE_RUN)

  await goToHistory(page, '')
  await page.getByRole('searchbox', { name: 'Find in the history' }).fill('cmp-01')
  const found = page.getByRole('table', { name: 'History' }).getByRole('link', { name: 'Take cmp-01 out of service' })
  await expect(found).toHaveCount(1)
  await expectAccessible(page)
  await goToHistory(page, '/durations')
  await expect(page.getByRole('img', { name: /^Emptying of nodes of demo-plain over time: 1 time,/ })).toBeVisible()

  await goToHistory(page, '')
  await found.click()
  const html = await saved(page, 'HTML')
  const json = await saved(page, 'JSON')
  expect(JSON.parse(json.toString())).toMatchObject({ schema: 'lockkeeper-report/3', redacted: false })

  await goToHistory(page, '/reports')
  const chooser = page.getByLabel('Report to check', { exact: true })
  await chooser.setInputFiles({ name: 'run.html', mimeType: 'text/html', buffer: html })
  await expect(page.getByRole('heading', { name: 'run.html is unchanged' })).toBeVisible()
  await chooser.setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: json })
  await expect(page.getByRole('heading', { name: 'run.json is unchanged' })).toBeVisible()
  await expectAccessible(page)
  const changed = Buffer.from(json.toString().replace('cmp-01', 'cmp-02'))
  await chooser.setInputFiles({ name: 'changed.json', mimeType: 'application/json', buffer: changed })
  await expect(page.getByRole('heading', { name: 'changed.json was changed' })).toBeVisible()
  await expect(page.getByText('✗ no').first()).toBeVisible()

  await goToHistory(page, '/journal')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Every entry is unchanged' })).toBeVisible()
  await expectAccessible(page)
})
