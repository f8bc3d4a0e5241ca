import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type RendererServer, serveBuiltRenderer } from './renderer-server.ts'

interface OfWorker {
  readonly renderer: RendererServer
}

interface OfTest {
  readonly silentConsole: undefined
}

/** A test of a screen: the built renderer is behind `page.goto('#/…')`, and whatever the page complains about fails the test. */
export const test = base.extend<OfTest, OfWorker>({
  renderer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture leans on from this very pattern.
    async ({}, use) => {
      const server = await serveBuiltRenderer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ renderer }, use) => use(renderer.url),
  silentConsole: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(error.message))
      page.on('requestfailed', request => {
        // A page that is left cancels what it fetches ahead: that is not a file that fails to load.
        const why = request.failure()?.errorText ?? ''
        if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed: ${why}`)
      })
      page.on('response', response => {
        if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`)
      })
      await use(undefined)
      expect(complaints, 'the console stays silent and every file loads').toEqual([])
    },
    { auto: true },
  ],
})

/** What axe judges by colours; everything else on a screen is the same in both themes. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block']

/** Nothing on the screen as it is now keeps anybody out, in the theme it is drawn in and in the other one. */
export async function expectAccessible(page: Page): Promise<void> {
  const own = test.info().project.use.colorScheme === 'dark' ? 'dark' : 'light'
  const other = own === 'light' ? 'dark' : 'light'
  expect(await seriousOf(new AxeBuilder({ page })), own).toEqual([])
  await drawnIn(page, other)
  expect(await seriousOf(new AxeBuilder({ page }).withRules(BY_COLOUR)), other).toEqual([])
  await drawnIn(page, own)
}

/** Waits for what fades as well: halfway between two themes nothing can be read. */
async function drawnIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  const facts = () =>
    page.evaluate(() =>
      [document.documentElement, document.body].map(element => getComputedStyle(element).backgroundColor).join(),
    )
  const before = await facts()
  await page.emulateMedia({ colorScheme })
  await expect.poll(facts, 'the page has a theme').not.toBe(before)
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )
}

async function seriousOf(axe: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`)
}
