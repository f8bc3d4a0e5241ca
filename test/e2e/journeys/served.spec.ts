import { openRun, out, show, tile, WHOLE_RUN } from './journey.ts'
import { expect, test } from './served-journey.ts'

test('a page that is reloaded in the middle of a run, and a second tab, show the same run', async ({
  journey: { page },
}) => {
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'Going out', 'cmp-01')).toBeVisible()
  await page.reload()
  await expect(out(page, 'Going out', 'cmp-01')).toBeVisible()
  // A separate tab has no key, and says how to get one; a tab opened by this page has its key.
  const unknownNode = await page.context().newPage()
  await unknownNode.goto(page.url())
  await expect(unknownNode.getByText(/This tab has no access any more/)).toBeVisible()
  await unknownNode.close()
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void window.open(window.location.href))
  const second = await opening
  await expect(out(second, 'Going out', 'cmp-01')).toBeVisible()
  await Promise.all([
    expect(out(page, 'In maintenance', 'cmp-01')).toBeVisible(WHOLE_RUN),
    expect(out(second, 'In maintenance', 'cmp-01')).toBeVisible(WHOLE_RUN),
  ])
  await second.close()
})

test('a console that is killed in the middle of a run is started again, and the run is driven on to its end @core', async ({
  journey,
}) => {
  const { page, complaints } = journey
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'Going out', 'cmp-01')).toBeVisible()
  await journey.console.kill()
  await expect(page.getByText(/The connection to the console broke/)).toBeVisible()
  const again = await journey.restart()
  await expect(page.getByText(/This tab has no access any more/)).toBeVisible({ timeout: 30_000 })
  // Chromium itself reports each connection that could not be made.
  complaints.length = 0
  await page.goto(again.url)
  await openRun(page, 'demo-plain', 'cmp-01')
  await expect(page.getByRole('main')).toContainText('Interrupted')
  await page.getByRole('button', { name: 'Resume' }).first().click()
  await expect(page.getByRole('main')).toContainText('cmp-01 is empty but for cache-01.', WHOLE_RUN)
})
