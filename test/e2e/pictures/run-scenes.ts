import { openRun, show, tile } from '../journeys/journey.ts'
import { closePlan, MOVING_MS, planOf, type Scene, showRun, startPlan } from './scene.ts'

/** A run that moves, and how runs end: with an empty node, and stopped by a person. */
export const RUN_SCENES: readonly Scene[] = [
  {
    name: 'run',
    play: async (page, album) => {
      await planOf(page, 'demo-plain', 'cmp-01')
      await startPlan(page)
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-01')
        .getByText(/^[234] left$/)
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'map-moving', 'moves')
      await showRun(page, 'cmp-01')
      await album.take(page, 'run-moving', 'moves')
      await page.getByRole('heading', { name: /^cmp-01 is (not )?empty/i }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'run-done')
      await show(page, 'demo-plain', 'topology')
      await album.take(page, 'map-maintenance')
      await planOf(page, 'demo-plain', 'cmp-01', 'l')
      await album.take(page, 'plan-leave')
      await closePlan(page)
    },
  },

  {
    name: 'ends',
    play: async (page, album) => {
      const dialog = page.getByRole('dialog')
      const end = page.getByRole('region', { name: 'How it ended' })
      const chosen = (node: string) => openRun(page, 'demo-plain', node)
      await planOf(page, 'demo-plain', 'cmp-05')
      await startPlan(page)
      await chosen('cmp-05')
      await end.waitFor({ timeout: MOVING_MS })
      await album.take(page, 'end-empty')
      await planOf(page, 'demo-plain', 'cmp-02')
      await startPlan(page)
      await chosen('cmp-02')
      await page.getByRole('button', { name: 'Stop…' }).click()
      await dialog.getByLabel('Reason').fill('wrong node')
      await dialog.getByRole('button', { name: /^Stop: / }).click()
      await end.waitFor({ timeout: MOVING_MS })
      await album.take(page, 'end-stopped')
    },
  },
]
