import { goTo, MOVING_MS, type Scene } from './scene.ts'

/** The Schedule: empty, the form of a window with its batches, its page, and the calendar with it. */
export const WINDOW_SCENES: readonly Scene[] = [
  {
    name: 'schedule',
    play: async (page, album) => {
      await goTo(page, '#/windows')
      await page.getByRole('region', { name: 'Windows of all clouds in a week' }).waitFor()
      await album.take(page, 'schedule-empty')
      await goTo(page, '#/windows/new?cluster=demo-plain')
      await page.getByLabel('Name', { exact: true }).fill('Kernel update, compute')
      await page.getByLabel('Ticket').fill('CHG-4718')
      await album.take(page, 'window-new')
      await page.getByRole('radio', { name: 'Lockkeeper goes through these nodes' }).check({ force: true })
      await page.getByLabel('Role').selectOption('compute')
      await page.getByRole('button', { name: /^Choose these/ }).click()
      await page.getByRole('button', { name: 'Suggest batches' }).click()
      await page
        .getByText(/ of \d+ nodes, /)
        .first()
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'window-batches')
      await page.locator('[data-card="cmp-04"]').focus()
      await page.keyboard.press('n')
      await page.getByText('cmp-04 cannot go out').first().waitFor({ timeout: MOVING_MS })
      await album.take(page, 'window-blocked')
      await page.keyboard.press('Delete')
      await page.getByRole('button', { name: 'Save window' }).click()
      await page.getByRole('heading', { level: 1, name: 'Kernel update, compute' }).waitFor()
      await page
        .getByText(/ of \d+ nodes, /)
        .first()
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'window-page')
      await goTo(page, '#/windows')
      await album.take(page, 'schedule')
      await page.getByRole('radio', { name: 'Month' }).click()
      await album.take(page, 'schedule-month')
    },
  },
]
