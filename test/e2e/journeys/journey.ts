import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import type { Contract } from '../../../shared/contract/index.ts'
import { expect, test as onEveryWay } from '../ways.ts'
import { type Clouds, startClouds } from './processes.ts'

/** A console on one of the ways, with the embedded clouds. */
interface Journey {
  readonly page: Page
  readonly clouds: Clouds
}

interface Fixtures {
  readonly journey: Journey
  /** Registers them before the journey begins; false for the one that does it by hand. */
  readonly registered: boolean
  /** True: somebody else updates demo-mosk. */
  readonly updating: boolean
  /** How many times as fast as real clouds; 1 where the test has to see something while it happens. */
  readonly speed: number
}

/** How long a whole run of one node may take on a busy machine. */
export const WHOLE_RUN = { timeout: 60_000 }

/** For journeys on separate clouds: `test.use({ demo: false })` starts the console without demo clouds. */
export const test = onEveryWay.extend<Fixtures>({
  registered: [true, { option: true }],
  updating: [false, { option: true }],
  speed: [4, { option: true }],
  journey: async ({ console: running, registered, updating, speed }, use) => {
    const { page } = running
    const clouds = await startClouds(speed, updating)
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    try {
      if (registered) await register(page, clouds)
      await use({ page, clouds })
      expect(complaints, 'the page stays silent').toEqual([])
    } finally {
      await clouds.stop()
    }
  },
})

/** Registers the clouds as the add page would, the way the page itself does. */
export async function register(page: Page, clouds: Clouds): Promise<void> {
  // A served page changes the token of its address for a key of its tab first.
  await page.waitForFunction(() => 'lockkeeper' in globalThis || sessionStorage.getItem('lockkeeper-key') !== null)
  await page.evaluate(async clusters => {
    const inputs = clusters.map(cluster => ({
      name: cluster.name,
      flavour: cluster.flavour,
      kubeconfig: { paths: [cluster.kubeconfigPath], context: cluster.context },
      cloud: { path: cluster.cloudsYamlPath, cloud: cluster.cloud },
      production: cluster.name === 'demo-edge',
      roleMaintenance: cluster.roleMaintenance,
    }))
    const desktop = (globalThis as unknown as { lockkeeper?: Contract }).lockkeeper
    if (desktop !== undefined) {
      for (const input of inputs) {
        const added = await desktop.ask('cluster.add', input)
        if (!added.ok) throw new Error(added.failure.message)
      }
      return
    }
    const key = sessionStorage.getItem('lockkeeper-key') ?? ''
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`, ['lockkeeper.v1', `key.${key}`])
    const answers: unknown[] = []
    await new Promise<void>((done, fail) => {
      socket.onerror = () => fail(new Error('no socket'))
      socket.onopen = () => {
        for (const [id, input] of inputs.entries()) socket.send(JSON.stringify({ id, ask: 'cluster.add', input }))
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
export async function show(
  page: Page,
  cluster: string,
  screen: 'topology' | 'instances' | 'update' | 'history' | 'settings',
) {
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/c/${cluster}/${screen}`)
  await expect(page).toHaveTitle(new RegExp(`^${cluster} · `))
}

/** Opens the newest run of a node from the list of its cloud. */
export async function openRun(page: Page, cluster: string, node: string): Promise<void> {
  await show(page, cluster, 'history')
  await page.getByRole('region', { name: 'Runs' }).getByRole('link').filter({ hasText: node }).first().click()
  await expect(page.getByRole('region', { name: `Run on ${node}` })).toBeVisible()
}

/** The tile of a node on the map. */
export function tile(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name},`) })
}

/** A zone of the map; it is there during a drag. */
export function zone(page: Page, name: 'Take out' | 'Bring back'): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** The nodes in the strip below the map with this badge, or one of them. */
export function out(page: Page, badge: 'Going out' | 'In maintenance' | 'Coming back', node?: string): Locator {
  const strip = page.getByRole('region', { name: 'Nodes out of service' })
  return strip.getByRole('article', node === undefined ? {} : { name: node }).filter({ hasText: badge })
}

/** Presses on one thing and carries it over another, without letting go; a zone appears once the drag begins. */
export async function carry(page: Page, what: Locator, where: Locator): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  const [x, y] = await centre(what)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 12, y + 12, { steps: 2 })
  await page.mouse.move(...(await centre(where)), { steps: 8 })
}

/** Drags by the mouse, as a hand does. */
export async function drag(page: Page, what: Locator, where: Locator): Promise<void> {
  await carry(page, what, where)
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
