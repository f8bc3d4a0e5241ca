import type { DemoCloud } from '../../../main/wings/simulators/demo-cloud.ts'
import { show, tile } from '../journeys/journey.ts'
import { MOVING_MS, planOf, type Scene, showRun, startPlan } from './scene.ts'
import { LONG_HOSTS } from './troubled-cloud.ts'

/** Long names, a migration that fails, a run that was aborted, and a cloud that falls silent. */
export function troubled(cloud: DemoCloud): Scene {
  const { name } = cloud.cluster
  const [first, second] = LONG_HOSTS
  return {
    name: 'troubled',
    play: async (page, album) => {
      await show(page, name, 'topology')
      await tile(page, second).hover()
      await album.take(page, 'long-map')
      await planOf(page, name, first)
      await album.take(page, 'long-plan')
      await startPlan(page)
      await page.getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: MOVING_MS })
      await album.take(page, 'failed-map')
      await showRun(page, first, name)
      await album.take(page, 'failed-run-asks')
      await page.evaluate("location.hash = '#/'")
      await album.take(page, 'failed-fleet')
      await showRun(page, first, name)
      await page.getByRole('button', { name: 'Stop…' }).first().click()
      await page.getByLabel('Reason').fill('The instance does not move')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Stop: / })
        .click()
      await page.getByText('Stopped.').first().waitFor({ timeout: MOVING_MS })
      await album.take(page, 'failed-run-aborted')
      await show(page, name, 'topology')
      await album.take(page, 'failed-map-partial')
      await show(page, name, 'instances')
      await album.take(page, 'long-instances')
      await cloud.stop()
      await show(page, name, 'topology')
      await page.waitForTimeout(20_000)
      await album.take(page, 'stale-map')
      await page.evaluate("location.hash = '#/'")
      await album.take(page, 'stale-fleet')
    },
  }
}
