import { expect, type Page } from '@playwright/test'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { clusterView, nodeView } from '../../fixtures/renderer/views.ts'
import { runOf } from '../../fixtures/renderer/windows.ts'
import { expectAccessible, test } from './screen-test.ts'

/** Plays main: `window.lockkeeper` as the preload would expose it; `cluster.list` and what else is given is answered, the rest refused. */
async function connectMain(
  page: Page,
  clusters: unknown,
  others: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await page.addInitScript(
    given => {
      const asked: string[] = []
      const refused = { ok: false, failure: { code: 'unreachable', message: 'Not played here.', retryable: true } }
      Object.assign(globalThis, {
        asked,
        lockkeeper: {
          ask: async (name: string) => {
            asked.push(name)
            if (name === 'cluster.list') return given.clusters
            return name in given.others ? { ok: true, value: given.others[name] } : refused
          },
          listen: () => () => {},
        },
      })
    },
    { clusters, others },
  )
}

const ROLES = { control: ['a=b'], gateway: [], compute: ['c'], storage: [] }

const LAB = {
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/lab/kubeconfig'], context: 'lab-a' },
  cloud: { path: '/etc/lab/clouds.yaml', cloud: 'lab-cloud' },
  roleLabels: {},
  limits: { migrationsPerSource: 2, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 300_000 },
  openstackNamespace: 'openstack',
  leaseNamespace: 'kube-system',
  production: false,
  colour: null,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  addedAt: '2026-11-21T02:00:00.000Z',
}

test('with no cluster registered it says how to add one', async ({ page }) => {
  await connectMain(page, { ok: true, value: [] })
  await page.goto('')
  await expect(page).toHaveTitle('Home · Lockkeeper')
  await expect(page.getByRole('heading', { name: 'No cloud is registered yet' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Add a cloud' }).last().click()
  await expect(page).toHaveTitle('Add a cloud · Lockkeeper')
  await expectAccessible(page)
})

test('registered clouds are listed by name, with the names they are reached by @core', async ({ page }) => {
  await connectMain(page, { ok: true, value: [LAB, { ...LAB, name: 'no-cloud', cloud: null, production: true }] })
  await page.goto('#/clouds')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('OpenStack lab-cloud')
  await expect(page.getByRole('main').getByRole('listitem').last()).toContainText('no OpenStack')
  await expect(page.getByRole('article', { name: 'no-cloud' })).toContainText('Production')
  // None of the clouds answers here: no figure stands for what nobody knows.
  await expect(page.getByRole('article', { name: 'lab' })).toContainText('No answer')
  await expect(page.getByRole('article', { name: 'lab' })).not.toContainText('0 of')
  await expectAccessible(page)
})

test('nothing is called quiet before every cloud answered', async ({ page }) => {
  const quiet = { 'run.list': [], 'window.list': [], 'runner.list': [] }
  await connectMain(page, { ok: true, value: [LAB] }, quiet)
  await page.goto('')
  await expect(page.getByRole('heading', { name: '1 of 1 cloud does not answer' })).toBeVisible()
  const view = clusterView('lab', { nodes: [nodeView('cmp-07')], sources: [LIVE_NODES] })
  await connectMain(page, { ok: true, value: [LAB] }, { ...quiet, 'view.open': { view, seq: 1 } })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Nothing needs you' })).toBeVisible()
  await expect(page.getByText('1 cloud, 1 node, all in service')).toBeVisible()
  await expect(page.getByText('No window planned')).toBeVisible()
  await expectAccessible(page)
})

test('Home says what needs you, what is out of service since when, who took it out, and the way back', async ({
  page,
}) => {
  const verdict = { at: '2026-11-21T03:00:00.000Z', looked: [], declined: [] }
  const left = { id: 'i4', name: 'web-04', code: 'StillRuns' as const, status: 'ACTIVE', decided: null }
  const view = clusterView('lab', {
    sources: [LIVE_NODES],
    nodes: [
      nodeView('cmp-01', { state: 'maintenance', verdict: { kind: 'Empty', off: [], ...verdict } }),
      nodeView('cmp-02', {
        state: 'partial',
        verdict: { kind: 'NotEmpty', instances: [left], pods: [], unread: [], ...verdict },
      }),
      nodeView('cmp-03'),
    ],
  })
  const out = runOf({
    cluster: 'lab',
    kind: 'enter',
    node: 'cmp-01',
    operator: 'ada',
    state: 'done',
    endedAt: '2026-11-20T03:00:00.000Z',
  })
  await connectMain(
    page,
    { ok: true, value: [LAB] },
    { 'run.list': [out], 'window.list': [], 'runner.list': [], 'view.open': { view, seq: 1 } },
  )
  await page.goto('')
  await expect(page.getByRole('heading', { name: '1 thing needs you' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home' })).toContainText('1')
  await expect(page.getByRole('list', { name: 'Needs you' })).toContainText('cmp-02 is not empty')
  const rows = page.getByRole('region', { name: 'Out of service' }).getByRole('listitem')
  await expect(rows.first()).toContainText('Empty, safe to power off')
  await expect(rows.first()).toContainText('by ada')
  await expect(rows.last()).toContainText('Not empty: 1')
  await expectAccessible(page)
  await rows.first().getByRole('button', { name: 'Bring back cmp-01' }).click()
  await expect(page.getByRole('dialog')).toContainText('cmp-01')
})

const LIVE_NODES = {
  name: 'nodes' as const,
  state: { kind: 'live' as const, lastAnswerAt: '2026-11-21T06:00:00Z' },
  everyMs: null,
}

const DEMO = {
  version: '0.2.0',
  face: 'serve',
  demo: true,
  operator: 'anna',
  machine: 'laptop',
  pid: 1,
  driverId: 'laptop/1',
  dataDirectory: '/tmp/demo',
  picksFiles: false,
  secrets: { kind: 'file', words: 'A file that only you may read.' },
}

test('the guide of the demo leads to an ordinary cloud, whatever history it has, until it is skipped', async ({
  page,
}) => {
  const clusters = { ok: true, value: [{ ...LAB, name: 'edge', production: true }, LAB] }
  const history = runOf({ machine: 'demo', state: 'done', endedAt: '2026-11-20T03:00:00.000Z' })
  await connectMain(page, clusters, { 'console.describe': DEMO, 'run.list': [history] })
  await page.goto('')
  const guide = page.getByRole('region', { name: 'Five steps, two minutes' })
  await expect(guide.getByRole('listitem')).toHaveCount(5)
  await expect(guide.getByRole('link', { name: 'Show me' })).toHaveAttribute('href', '#/c/lab/topology')
  await expectAccessible(page)
  await page.goto('#/windows')
  await expect(page.getByRole('complementary', { name: 'First steps' })).toContainText('Open lab')
  await page.goto('#/home')
  await guide.getByRole('button', { name: 'Skip the guide' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Done before' })).toBeVisible()
  await expect(guide).toHaveCount(0)
})

test('who has run something before this browser saw the demo gets no guide', async ({ page }) => {
  const own = runOf({ machine: 'laptop', state: 'done', endedAt: '2026-11-20T03:00:00.000Z' })
  await connectMain(page, { ok: true, value: [LAB] }, { 'console.describe': DEMO, 'run.list': [own] })
  await page.goto('')
  await expect(page.getByRole('heading', { name: 'Done before' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Five steps, two minutes' })).toHaveCount(0)
})

test('a failure of main is shown in its own words, and trying again asks again', async ({ page }) => {
  const message = 'The registry of clusters cannot be read: /data/clusters.json is damaged.'
  await connectMain(page, { ok: false, failure: { code: 'damaged', message, retryable: false } })
  await page.goto('')
  await expect(page.getByRole('alert')).toContainText(message)
  const lists = () => page.evaluate("asked.filter(name => name === 'cluster.list').length")
  const before = Number(await lists())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(lists).toBe(before + 1)
})

test('the settings of a cluster, what can be found, and the shortcuts keep nobody out', async ({ page }) => {
  await connectMain(page, { ok: true, value: [{ ...LAB, roleLabels: ROLES }] })
  await page.goto('#/c/lab/settings')
  await expect(page.getByRole('heading', { name: 'Settings of lab' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('History of lab')
  // The list has keys of places that are not open, too.
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Bring back into service')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A command, node, instance, run, window or cloud').fill('history lab')
  await expect(page.getByRole('option', { name: /History of lab/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('lab · History · Lockkeeper')
})

test('every screen finds nodes of a cloud that nobody opened, with their actions', async ({ page }) => {
  const view = clusterView('lab', { nodes: [nodeView('cmp-07')] })
  await connectMain(page, { ok: true, value: [LAB] }, { 'view.open': { view, seq: 1 } })
  await page.goto('#/windows')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A command, node, instance, run, window or cloud').fill('take cmp07')
  await expect(page.getByRole('option', { name: /^Take cmp-07 of lab out of service…/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('cmp-07')
  await expect.poll(() => page.evaluate("asked.includes('plan.make')")).toBe(true)
})

test('the page is drawn in the scheme the operator prefers, and its text has enough contrast', async ({ page }) => {
  await connectMain(page, { ok: true, value: [] })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('')
    await expect(page.getByRole('heading', { name: 'No cloud is registered yet' })).toBeVisible()
    const facts = await brightness(page, 'backgroundColor')
    const ink = await brightness(page, 'color')
    if (colorScheme === 'dark') expect(facts).toBeLessThan(60)
    else expect(facts).toBeGreaterThan(200)
    expect(Math.abs(ink - facts)).toBeGreaterThan(150)
  }
})

async function brightness(page: Page, property: 'backgroundColor' | 'color'): Promise<number> {
  const colour = String(await page.evaluate(`getComputedStyle(document.documentElement).${property}`))
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}
