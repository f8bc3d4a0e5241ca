import { openRun } from '../journeys/journey.ts'
import { MOVING_MS, planOf, type Scene, startPlan } from './scene.ts'

/** How runs end: with an empty node, and stopped by a person. */
export const END_SCENES: readonly Scene[] = [
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
