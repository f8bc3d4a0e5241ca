import { test as base, expect, type Page } from '@playwright/test'
import { freePort } from '../../fixtures/free-port.ts'
import { register } from './journey.ts'
import { type Clouds, type Console, freshFolder, startClouds, startConsole } from './processes.ts'

/** A served console on clouds that survive it, and a browser with access. */
interface Journey {
  readonly page: Page
  readonly clouds: Clouds
  readonly console: Console
  /** Starts the console again, as it was, after it was killed or stopped. */
  restart(): Promise<Console>
  /** What the page complained about on its console; expected to be nothing at the end. */
  readonly complaints: string[]
}

interface Fixtures {
  readonly journey: Journey
}

export const test = base.extend<Fixtures>({
  journey: async ({ page }, use) => {
    const folder = await freshFolder()
    // At a real cloud's pace: a run has to be under way while its page or its console goes.
    const clouds = await startClouds(1)
    const port = await freePort()
    let console = await startConsole(folder.path, port)
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    try {
      await page.goto(console.url)
      await register(page, clouds)
      await use({
        page,
        clouds,
        get console() {
          return console
        },
        restart: async () => {
          console = await startConsole(folder.path, port)
          return console
        },
        complaints,
      })
      expect(complaints, 'the page stays silent').toEqual([])
    } finally {
      await console.stop()
      await clouds.stop()
      await folder.remove()
    }
  },
})

export { expect }
