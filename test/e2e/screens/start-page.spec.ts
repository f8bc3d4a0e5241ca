import { expect, type Page } from '@playwright/test'
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

test('registered clusters are listed by name, with the names they are reached by @core', async ({ page }) => {
  await connectMain(page, { ok: true, value: [LAB, { ...LAB, name: 'no-cloud', cloud: null, production: true }] })
  await page.goto('')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('article', { name: 'lab', exact: true })).toContainText('lab-cloud')
  await expect(page.getByRole('article', { name: 'no-cloud' })).toContainText('Kubernetes only')
  await expect(page.getByRole('article', { name: 'no-cloud' })).toContainText('PRODUCTION')
  // None of the clouds answers here: no figure stands for what nobody knows.
  await expect(page.getByText('Not read yet: 2 clouds')).toBeVisible()
  await expectAccessible(page)
})

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

test('the demo leads to an ordinary cloud, whatever history it has, until something was run here or the hint put away', async ({
  page,
}) => {
  const clusters = { ok: true, value: [{ ...LAB, name: 'edge', production: true }, LAB] }
  const history = runOf({ machine: 'demo', state: 'done', endedAt: '2026-11-20T03:00:00.000Z' })
  await connectMain(page, clusters, { 'console.describe': DEMO, 'run.list': [history] })
  await page.goto('')
  const hint = page.getByRole('complementary', { name: 'First steps' })
  await expect(hint.getByRole('link', { name: 'lab' })).toHaveAttribute('href', '#/c/lab/topology')
  await expectAccessible(page)
  await hint.getByRole('button', { name: 'Skip' }).click()
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(hint).toHaveCount(0)
  await page.evaluate('localStorage.clear()')
  await connectMain(page, clusters, { 'console.describe': DEMO, 'run.list': [{ ...history, machine: 'laptop' }] })
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(hint).toHaveCount(0)
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
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to Runs of lab')
  // The list has keys of places that are not open, too.
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Bring the selected nodes back into service',
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A command, node, instance, run, window or cloud').fill('go runs')
  await expect(page.getByRole('option', { name: /Go to Runs of lab/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('lab · Runs · Lockkeeper')
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
