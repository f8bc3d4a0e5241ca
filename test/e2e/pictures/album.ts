import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** The windows every screen has to live in. `zoomed` is 1280x800 at 200 %: half of the pixels, each drawn double. */
const SIZES = [
  { name: '1280x800', width: 1280, height: 800 },
  { name: '1920x1080', width: 1920, height: 1080 },
  { name: '900x800', width: 900, height: 800 },
  { name: 'zoomed', width: 640, height: 400 },
] as const

const THEMES = ['dark', 'light'] as const

/** How long what changes with the size of the window may take to settle. */
const SETTLED_MS = 350

/** A folder of pictures, each of a screen in one state, in every window and both themes. */
export interface Album {
  /** Takes the screen as it is now; `moves`: the screen changes by itself while it is drawn, so only two sizes are taken. */
  take(page: Page, name: string, moves?: 'moves'): Promise<void>
  /** How many pictures it has. */
  readonly count: number
}

/** An album in a folder, which is made. */
export function albumIn(folder: string): Album {
  mkdirSync(folder, { recursive: true })
  let count = 0
  return {
    get count() {
      return count
    },
    take: async (page, name, moves) => {
      for (const { name: size, width, height } of moves === undefined ? SIZES : SIZES.slice(0, 1)) {
        await page.setViewportSize({ width, height })
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.waitForTimeout(SETTLED_MS)
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) })
          count += 1
        }
      }
      await page.setViewportSize({ width: SIZES[0].width, height: SIZES[0].height })
    },
  }
}
