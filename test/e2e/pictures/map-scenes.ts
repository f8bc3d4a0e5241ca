import { carry, show, tile, zone } from '../journeys/journey.ts'
import type { Scene } from './scene.ts'

/** The map while nothing moves, with a selection, of each kind of cloud; and with nodes in the hand. */
export const MAP_SCENES: readonly Scene[] = [
  {
    name: 'map',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-01').waitFor()
      await album.take(page, 'map-idle')
      await tile(page, 'cmp-02').hover()
      await album.take(page, 'map-hover', 'moves')
      await tile(page, 'cmp-01').click()
      await tile(page, 'cmp-02').click({ modifiers: ['Control'] })
      await album.take(page, 'map-selected')
      await page.keyboard.press('Escape')
      await tile(page, 'cmp-07').click()
      await album.take(page, 'map-panel')
      await page.keyboard.press('Escape')
      await show(page, 'demo-edge', 'topology')
      await tile(page, 'edge-1').waitFor()
      await album.take(page, 'map-production')
      await show(page, 'demo-mosk', 'topology')
      await tile(page, 'mosk-cmp-01').waitFor()
      await album.take(page, 'map-mosk')
      await show(page, 'demo-sunbeam', 'topology')
      await tile(page, 'sun-1').waitFor()
      await album.take(page, 'map-roles')
    },
  },
  {
    name: 'drag',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await carry(page, tile(page, 'cmp-01'), zone(page, 'Take out'))
      await album.take(page, 'drag-over-take-out', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await carry(page, tile(page, 'cmp-05'), tile(page, 'cmp-03'))
      await album.take(page, 'drag-in-hand', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      for (const node of ['cmp-02', 'cmp-05', 'cmp-08']) await tile(page, node).click({ modifiers: ['Control'] })
      await carry(page, tile(page, 'cmp-08'), zone(page, 'Take out'))
      await album.take(page, 'drag-several', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await page.keyboard.press('Escape')
      await tile(page, 'cmp-03').focus()
      await page.keyboard.press('m')
      await page.keyboard.press('ArrowRight')
      await album.take(page, 'drag-by-keys')
      await page.keyboard.press('Escape')
    },
  },
]
