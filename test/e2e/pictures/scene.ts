import type { Locator, Page } from '@playwright/test'
import { openRun, show, tile } from '../journeys/journey.ts'
import type { Album } from './album.ts'

/** A few screens that are played to and taken, one after another. */
export interface Scene {
  readonly name: string
  /** Words of a separate demo, such as `--trouble stuck`; without them it is played on clouds that all such scenes share. */
  readonly demo?: readonly string[]
  play(page: Page, album: Album): Promise<void>
}

/** How long a run may take: a move without end asks after some minutes. */
export const MOVING_MS = 300_000

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(to => {
    location.hash = to
  }, hash)
}

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

/** The lanes of an update, or of a rolling maintenance. */
export function timeline(page: Page): Locator {
  return page.getByLabel(/: timeline$/)
}

/** Opens the newest run of a node. */
export async function showRun(page: Page, node: string, cluster = 'demo-plain'): Promise<void> {
  await openRun(page, cluster, node)
  await page.getByRole('main').getByText(node).first().waitFor()
}
