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
      page.on('requestfailed', request => complaints.push(`${request.url()} failed`))
      page.on('response', response => {
        if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`)
      })
      await use(undefined)
      expect(complaints, 'the console stays silent and every file loads').toEqual([])
    },
    { auto: true },
  ],
})

/** Nothing on the screen as it is now keeps anybody out. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`)).toEqual([])
}
