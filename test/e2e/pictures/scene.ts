import type { Page } from '@playwright/test'
import { show, tile } from '../journeys/journey.ts'
import type { Album } from './album.ts'

/** A few screens that are played to and taken, one after another. */
export interface Scene {
  readonly name: string
  play(page: Page, album: Album): Promise<void>
}

/** How long a run may take. */
export const MOVING_MS = 120_000

/** Opens the plan of a node by keys: `e` to take it out of service, `l` to bring it back. */
export async function planOf(page: Page, cluster: string, node: string, key: 'e' | 'l' = 'e'): Promise<void> {
  await show(page, cluster, 'topology')
  await tile(page, node).focus()
  await page.keyboard.press(key)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Take|Bring) / })
    .waitFor({ timeout: MOVING_MS })
}

export async function closePlan(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Starts the open plan. */
export async function startPlan(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^(Take .* out of service|Maintain .* one after another)/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}
