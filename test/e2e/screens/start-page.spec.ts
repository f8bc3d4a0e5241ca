import { expect, type Page, test } from '@playwright/test'
import { type RendererServer, serveBuiltRenderer } from './renderer-server.ts'

let server: RendererServer
let complaints: string[]

test.beforeAll(async () => {
  server = await serveBuiltRenderer()
})
test.afterAll(() => server.close())

test.beforeEach(({ page }) => {
  complaints = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('requestfailed', request => complaints.push(`${request.url()} failed`))
  page.on('response', response => {
    if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`)
  })
})
test.afterEach(() => {
  expect(complaints, 'the console stays silent and every file loads').toEqual([])
})

/** Plays main: `window.lockkeeper` as the preload would expose it, answering `cluster.list`. */
async function connectMain(page: Page, answer: unknown): Promise<void> {
  await page.addInitScript(given => {
    const asked: unknown[] = []
    Object.assign(globalThis, {
      asked,
      lockkeeper: {
        ask: async (...request: unknown[]) => {
          asked.push(request)
          return given
        },
        listen: () => () => {},
      },
    })
  }, answer)
}

const LAB = {
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/lab/kubeconfig'], context: 'lab-a' },
  cloud: { path: '/etc/lab/clouds.yaml', cloud: 'lab-cloud' },
  roleLabels: {},
  limits: { migrationsPerSource: 2, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 1 },
  openstackNamespace: 'openstack',
  leaseNamespace: 'kube-system',
  production: false,
  colour: null,
  addedAt: '2026-11-21T02:00:00.000Z',
}

test('without a main process the start page says so plainly', async ({ page }) => {
  await page.goto(server.url)
  await expect(page).toHaveTitle('Lockkeeper')
  await expect(page.getByRole('heading', { level: 1, name: 'Clusters' })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('Not connected')
  await expect(page.getByRole('alert')).toContainText('No main process is connected to this page')
})

test('with no cluster registered it says how to add one', async ({ page }) => {
  await connectMain(page, { ok: true, value: [] })
  await page.goto(server.url)
  await expect(page.getByRole('status')).toHaveText('Connected')
  await expect(page.getByRole('region', { name: 'No cluster is registered yet' })).toContainText(
    'lockkeeper cluster add',
  )
})

test('registered clusters are listed by name, with the names they are reached by', async ({ page }) => {
  await connectMain(page, { ok: true, value: [LAB, { ...LAB, name: 'no-cloud', cloud: null }] })
  await page.goto(server.url)
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('article', { name: 'lab', exact: true })).toContainText('lab-cloud')
  await expect(page.getByRole('article', { name: 'no-cloud' })).toContainText('none: Kubernetes only')
})

test('a failure of main is shown in its own words, and reading again asks again', async ({ page }) => {
  const message = 'The registry of clusters cannot be read: /data/clusters.json is damaged.'
  await connectMain(page, { ok: false, failure: { code: 'damaged', message, retryable: false } })
  await page.goto(server.url)
  await expect(page.getByRole('alert')).toContainText(message)
  const askedBefore = await page.evaluate('asked.length')
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect.poll(() => page.evaluate('asked.length')).toBe(Number(askedBefore) + 1)
})

test('the page is drawn in the scheme the operator prefers, and its text stands out from its ground', async ({ page }, {
  project,
}) => {
  await page.goto(server.url)
  await expect(page.getByRole('alert')).toBeVisible()
  const ground = await brightness(page, 'backgroundColor')
  const ink = await brightness(page, 'color')
  if (project.name === 'dark') expect(ground).toBeLessThan(60)
  else expect(ground).toBeGreaterThan(200)
  expect(Math.abs(ink - ground)).toBeGreaterThan(150)
})

async function brightness(page: Page, property: 'backgroundColor' | 'color'): Promise<number> {
  const colour = String(await page.evaluate(`getComputedStyle(document.documentElement).${property}`))
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}
