import { show, tile } from '../journeys/journey.ts'
import { closePlan, MOVING_MS, planOf, type Scene, startPlan, timeline } from './scene.ts'

/** Plans of one node and of several. */
export const PLAN_SCENES: readonly Scene[] = [
  {
    name: 'plan',
    play: async (page, album) => {
      for (const [node, name] of [
        ['cmp-02', 'plan-clean'],
        ['cmp-01', 'plan-exceptions'],
        ['cmp-04', 'plan-blocked'],
      ] as const) {
        await planOf(page, 'demo-plain', node)
        await album.take(page, name)
        await closePlan(page)
      }
      await planOf(page, 'demo-edge', 'edge-1')
      await album.take(page, 'plan-production')
      await closePlan(page)
    },
  },
  {
    name: 'several',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-05').click()
      for (const node of ['cmp-02', 'cmp-08']) await tile(page, node).click({ modifiers: ['Control'] })
      await page.keyboard.press('e')
      await page.getByRole('button', { name: /^All out now/ }).waitFor()
      await album.take(page, 'several-question')
      await page.getByRole('button', { name: /^All out now/ }).click()
      await page
        .getByRole('heading', { name: /^((Safe to|Can) start|\d things? block)/ })
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'several-out')
      await page.getByText('One by one, and back').click()
      await page
        .getByRole('heading', { name: /^((Safe to|Can) start|\d things? block)/ })
        .waitFor({ timeout: MOVING_MS })
      await page.waitForTimeout(1500)
      await album.take(page, 'several-back')
      await startPlan(page)
      await show(page, 'demo-plain', 'topology')
      const left = page.getByText(/^[1-5] left$/).first()
      await left.waitFor({ timeout: MOVING_MS })
      await album.take(page, 'map-several-moving', 'moves')
      await show(page, 'demo-plain', 'update')
      await timeline(page).waitFor()
      await album.take(page, 'timeline-moving', 'moves')
    },
  },
]
