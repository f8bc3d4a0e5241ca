import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The windows every screen has to live in. `zoomed` is 1280x800 at 150 %. */
const SIZES = [
  { name: '1280x800', width: 1280, height: 800 },
  { name: '1920x1080', width: 1920, height: 1080 },
  { name: '900x800', width: 900, height: 800 },
  { name: 'zoomed', width: 853, height: 533 },
] as const

const THEMES = ['light', 'dark'] as const

/** How long what changes with the size of the window may take to settle. */
const SETTLED_MS = 350

/** A folder of pictures, each of a screen in one state, in every window and both themes. */
export interface Album {
  /**
   * Takes the screen as it is now, in forced colours too; `moves`: it changes while it is drawn, so only the first size is taken. Axe looks at the
   * first size in both themes.
   */
  take(page: Page, name: string, moves?: 'moves'): Promise<void>
  /** How many pictures it has. */
  readonly count: number
  /** What keeps somebody out, by picture. */
  readonly faults: readonly string[]
}

/** An album in a folder, which is made. */
export function albumIn(folder: string): Album {
  mkdirSync(folder, { recursive: true })
  const faults: string[] = []
  let count = 0
  const shoot = async (page: Page, name: string) => {
    await page.screenshot({ path: join(folder, `${name}.png`) })
    count += 1
  }
  return {
    get count() {
      return count
    },
    faults,
    take: async (page, name, moves) => {
      for (const { name: size, width, height } of moves === undefined ? SIZES : SIZES.slice(0, 1)) {
        await page.setViewportSize({ width, height })
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.waitForTimeout(SETTLED_MS)
          await shoot(page, `${name}-${size}-${colorScheme}`)
          if (size === '1280x800')
            faults.push(...(await seriousOn(page)).map(text => `${name}, ${colorScheme}: ${text}`))
        }
      }
      await page.setViewportSize({ width: SIZES[0].width, height: SIZES[0].height })
      if (moves !== undefined) return
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
      await page.waitForTimeout(SETTLED_MS)
      await shoot(page, `${name}-1280x800-forced`)
      await page.emulateMedia({ forcedColors: 'none' })
    },
  }
}

async function seriousOn(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
