import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { type Clouds, type Console, freePort, freshFolder, startClouds, startConsole } from './processes.ts'

/** A console with both embedded clouds, and a browser that was let in. */
export interface Journey {
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
  /** Registers both clouds over the contract before the page opens; false for the journey that does it by hand. */
  readonly registered: boolean
}

export const test = base.extend<Fixtures>({
  registered: [true, { option: true }],
  journey: async ({ page, registered }, use) => {
    const folder = await freshFolder()
    const clouds = await startClouds()
    const port = await freePort()
    let console = await startConsole(folder.path, port)
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    try {
      await page.goto(console.url)
      if (registered) await register(page, clouds)
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

/** Registers both clouds as the add page would, through the page's own socket. */
async function register(page: Page, clouds: Clouds): Promise<void> {
  await page.evaluate(async clusters => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`)
    const answers: unknown[] = []
    await new Promise<void>((done, fail) => {
      socket.onerror = () => fail(new Error('no socket'))
      socket.onopen = () => {
        for (const [id, cluster] of clusters.entries()) {
          const input = {
            name: cluster.name,
            flavour: 'plain',
            kubeconfig: { paths: [cluster.kubeconfigPath], context: cluster.context },
            cloud: { path: cluster.cloudsYamlPath, cloud: cluster.cloud },
            production: cluster.name === 'demo-edge',
          }
          socket.send(JSON.stringify({ id, ask: 'cluster.add', input }))
        }
      }
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data)
        if (message.id === undefined) return
        if (!message.answer.ok) fail(new Error(message.answer.failure.message))
        answers.push(message.answer)
        if (answers.length === clusters.length) done()
      }
    })
    socket.close()
  }, clouds.clusters)
}

/** Goes to a screen of a cluster. */
export async function show(page: Page, cluster: string, screen: 'topology' | 'instances' | 'runs' | 'settings') {
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/c/${cluster}/${screen}`)
  await expect(page).toHaveTitle(new RegExp(`^${cluster} · `))
}

/** The tile of a node on the map. */
export function tile(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name},`) })
}

/** A column of the dock. */
export function column(page: Page, name: 'Queue' | 'Entering' | 'In maintenance' | 'Leaving'): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** A node's card in a column of the dock. */
export function card(page: Page, name: Parameters<typeof column>[1], node: string): Locator {
  return column(page, name).getByRole('article', { name: node })
}

/** Drags by the mouse, as a hand does. */
export async function drag(page: Page, what: Locator, where: Locator): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  await page.mouse.move(...(await centre(what)))
  await page.mouse.down()
  await page.mouse.move(...(await centre(where)), { steps: 8 })
  await page.mouse.up()
}

async function centre(place: Locator): Promise<readonly [number, number]> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it is not on the screen')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** Nothing on the screen as it is now keeps anybody out. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`)).toEqual([])
}

export { expect }
