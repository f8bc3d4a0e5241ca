import { show } from '../journeys/journey.ts'
import { goTo, MOVING_MS, planOf, type Scene, startPlan } from './scene.ts'

/** Home, the places of the console and the screens of a cloud. */
export const PLACE_SCENES: readonly Scene[] = [
  {
    name: 'home',
    play: async (page, album) => {
      await goTo(page, '#/')
      await page.getByText('All in service').first().waitFor()
      await album.take(page, 'home-quiet')
      for (const place of ['clouds', 'settings'] as const) {
        await goTo(page, `#/${place}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await album.take(page, `${place}-of-console`)
      }
      await planOf(page, 'demo-plain', 'cmp-03')
      await startPlan(page)
      await goTo(page, '#/')
      await page.getByRole('heading', { name: 'Running now' }).waitFor()
      await album.take(page, 'home-running', 'moves')
      await page.getByRole('heading', { name: 'Out of service' }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'home-out')
      await page.getByRole('button', { name: /need you|Nothing needs you/ }).click()
      await album.take(page, 'bell')
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'screens',
    play: async (page, album) => {
      for (const screen of ['instances', 'history', 'settings', 'update'] as const) {
        await show(page, 'demo-plain', screen)
        await album.take(page, screen)
      }
      for (const [hash, name] of [
        ['#/history', 'history-all'],
        ['#/history/journal', 'journal'],
        ['#/clouds/add', 'add-cluster'],
      ] as const) {
        await goTo(page, hash)
        await page.waitForTimeout(800)
        await album.take(page, name)
      }
      await page.keyboard.press('Control+k')
      await album.take(page, 'palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await album.take(page, 'shortcuts')
      await page.keyboard.press('Escape')
    },
  },
]
