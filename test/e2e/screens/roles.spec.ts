import { expect, type Locator, type Page } from '@playwright/test'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { isCordoned, isEmptied, isProtected } from '../../../shared/domain/node-conditions.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { Effect } from '../../../shared/domain/step-answers.ts'
import { conditionOf } from '../../../shared/words/node-conditions.ts'
import { holding, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'
import { clusterView, nodeView } from '../../fixtures/renderer/views.ts'
import { expectAccessible, test } from './screen-test.ts'

const ROLES: NodeView['roles'] = ['control', 'compute', 'storage']

const NODES: readonly NodeView[] = [
  nodeView('sun-1', { roles: ROLES }),
  nodeView('sun-2', {
    roles: ROLES,
    state: 'partial',
    stateReason: 'It is cordoned and its nova-compute is disabled. OSD 1 of sun-2: up, and not covered by noout.',
    schedulable: false,
    conditions: [
      conditionOf('control', isCordoned({ name: 'sun-2', unschedulable: true })),
      conditionOf('compute', isEmptied('sun-2', null)),
      conditionOf('storage', isProtected('sun-2', [fakeOsd(1, 'sun-2')], false)),
    ],
  }),
  nodeView('sun-9', {
    roles: ['compute'],
    state: 'decommissioned',
    stateReason: 'It is not a node of Kubernetes; Nova still has its nova-compute (disabled, down).',
    schedulable: null,
    ready: 'none',
    computeService: { status: 'disabled', state: 'down', disabledReason: null },
    instances: null,
  }),
]

function instance(id: string, name: string, more: Partial<Extract<Effect, { kind: 'instance' }>> = {}): Effect {
  return {
    kind: 'instance',
    id,
    name,
    status: 'ACTIVE',
    action: 'live_migrate',
    source: 'watcher',
    reason: 'moves to another node by live migration',
    warnings: [],
    ...more,
  }
}

const STEPS: readonly PlannedStep[] = [
  sampleStep('run-watcher-plan', "Run Watcher's plan that empties sun-1", { role: 'compute', risk: 'disruptive' }),
  sampleStep('set-noout', 'Set noout for sun-1', { role: 'storage' }),
]

const base = samplePlan()
const PLAN = {
  ...base,
  plan: {
    ...base.plan,
    cluster: 'sun',
    node: 'sun-1',
    flavour: 'sunbeam',
    options: { ...base.plan.options, strategy: 'watcher' },
    steps: [...STEPS],
  },
  checks: [
    {
      stepId: 'run-watcher-plan',
      answer: holding("3 actions of Watcher's plan", [
        instance('4fecf62a-ad28', 'worker'),
        instance('789a8f0d-ffdd', 'worker', { action: 'cold_migrate', status: 'SHUTOFF' }),
        instance('5719766f-e348', 'mail', { action: 'stop' }),
      ]),
      overriddenBy: null,
    },
  ],
}

/** Plays main with one cluster: a plan has the choices it was asked with. */
async function open(page: Page): Promise<void> {
  await page.addInitScript(
    played => {
      const { view, plan, cluster } = JSON.parse(played) as {
        readonly view: object
        readonly plan: typeof PLAN
        readonly cluster: object
      }
      const asked: (readonly [string, unknown])[] = []
      const answers: Record<string, (input: { readonly kind: string; readonly choices: object }) => unknown> = {
        'cluster.list': () => [cluster],
        'cluster.update': () => cluster,
        'run.list': () => [],
        'edit.list': () => [],
        'view.open': () => ({ view, seq: 1 }),
        'plan.make': ({ kind, choices }) => ({
          ...plan,
          plan: { ...plan.plan, kind, options: { ...plan.plan.options, ...choices } },
        }),
        'plan.forecast': () => ({
          planId: plan.plan.id,
          readAt: plan.checkedAt,
          instances: [],
          evacuationMs: null,
          basis: 'Nothing was measured on this cluster yet.',
          unreachable: [],
        }),
      }
      const ask = async (name: string, input: { readonly kind: string; readonly choices: object }) => {
        asked.push([name, input])
        if (name === 'plan.make') await held.plan
        const answer = answers[name]
        return answer === undefined
          ? { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
          : { ok: true, value: answer(input) }
      }
      /** What a requested plan waits for. */
      const held: { plan: Promise<void> | null } = { plan: null }
      const listeners = new Set<readonly [string, (payload: unknown) => void]>()
      const listen = (name: string, received: (payload: unknown) => void) => {
        const listener = [name, received] as const
        listeners.add(listener)
        return () => listeners.delete(listener)
      }
      const report = (name: string, payload: unknown) => {
        for (const [wanted, received] of listeners) if (wanted === name) received(payload)
      }
      Object.assign(globalThis, { asked, held, report, lockkeeper: { ask, listen } })
    },
    // As text: Playwright's types of what may be passed give up on a plan.
    JSON.stringify({
      view: clusterView('sun', {
        nodes: [...NODES],
        sources: [{ name: 'nodes', state: { kind: 'live', lastAnswerAt: '2026-11-21T06:00:00Z' }, everyMs: null }],
      }),
      plan: PLAN,
      cluster: fakeCluster({ name: 'sun', flavour: 'sunbeam' }),
    }),
  )
  await page.goto('#/c/sun/topology')
  await expect(tile(page, 'sun-1')).toBeVisible()
}

function tile(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name},`) })
}

/** Lays a plan before the operator, and waits until the dialog has given the focus to Cancel: what is focused before loses it. */
async function openSheet(page: Page, node: string, key: 'e' | 'l'): Promise<Locator> {
  await tile(page, node).focus()
  await page.keyboard.press(key)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: 'Cancel' })).toBeFocused()
  return sheet
}

/** What main was asked under a name. */
function asked(page: Page, name: string): Promise<readonly { readonly choices?: unknown }[]> {
  return page.evaluate(
    wanted =>
      (globalThis as unknown as { asked: (readonly [string, { readonly choices?: unknown }])[] }).asked
        .filter(([given]) => given === wanted)
        .map(([, input]) => input),
    name,
  )
}

const lastChoices = async (page: Page) => (await asked(page, 'plan.make')).at(-1)?.choices

test('a partial node says role by role what maintenance asks of it, by words and not by colour alone @core', async ({
  page,
}) => {
  await open(page)
  await expect(tile(page, 'sun-2')).toHaveAccessibleName(/partly in maintenance.*compute unknown.*storage not met/)
  await tile(page, 'sun-2').focus()
  await page.keyboard.press('Enter')
  const asks = page.getByRole('region', { name: 'Conditions of its roles in maintenance' })
  await expect(asks.getByRole('listitem')).toHaveText([
    /Control met.*sun-2 is unschedulable\./,
    /Compute unknown.*does not know the instances on sun-2\./,
    /Storage not met.*not covered by noout\./,
  ])
  await expectAccessible(page)
  // A node in service asks no question.
  await tile(page, 'sun-1').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Node sun-1' })).toContainText('takes new pods')
  await expect(asks).toHaveCount(0)
})

test('while a plan is made, its page says what the checks watch, once and of this node alone', async ({ page }) => {
  await open(page)
  await page.evaluate('void (held.plan = new Promise(resolve => { globalThis.release = resolve }))')
  const sheet = await openSheet(page, 'sun-1', 'e')
  const report = (node: string, words: string) =>
    page.evaluate(`report('plan.watches', ${JSON.stringify({ cluster: 'sun', node, words })})`)
  await report('sun-1', 'Watching the Lease of sun-1 for up to 60 s.')
  await report('sun-1', 'Watching the Lease of sun-1 for up to 60 s.')
  await report('sun-2', 'Watching the Lease of sun-2 for up to 60 s.')
  const making = sheet.getByRole('status')
  await expect(making.getByText('Watching the Lease of sun-1 for up to 60 s.')).toHaveCount(1)
  await expect(sheet.getByText('Watching the Lease of sun-2')).toHaveCount(0)
  await expectAccessible(page)
  await page.evaluate('release()')
  await expect(sheet.getByText('Watching the Lease of sun-1')).toHaveCount(0)
})

test('a name without a node is shown as such, and gets no plan', async ({ page }) => {
  await open(page)
  await expect(tile(page, 'sun-9')).toHaveAccessibleName(/decommissioned/)
  await tile(page, 'sun-9').focus()
  await page.keyboard.press('e')
  await expect(page.getByText('sun-9 is no longer in the cloud.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tile(page, 'sun-9').focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Node sun-9' })
  await expect(panel).toContainText('It is not a node of Kubernetes')
  await expect(panel.getByRole('button', { name: /Enter|Leave/ })).toHaveCount(0)
  await expectAccessible(page)
})

/** Opens a part of the plan that is folded to a line. */
async function unfold(sheet: Locator, line: string): Promise<void> {
  await sheet.locator('summary', { hasText: line }).click()
}

test('the plan offers the choices of its roles, and each choice makes a new plan', async ({ page }) => {
  await open(page)
  const sheet = await openSheet(page, 'sun-1', 'e')
  await expect(sheet.getByRole('row', { name: /^worker \(789a8f0d\)/ })).toContainText('Moves with downtime')
  await expect(sheet.getByRole('row', { name: /^mail/ })).toContainText('Stops')
  await expect(sheet.getByRole('list', { name: 'What it does' })).toContainText('2 instances move')
  await expectAccessible(page)
  await unfold(sheet, 'Options')
  await sheet.getByLabel('Backup node').selectOption('sun-2')
  await expect.poll(() => lastChoices(page)).toEqual({ backupNode: 'sun-2' })
  await expect(sheet.getByLabel('Backup node').getByRole('option')).toHaveText(['none: Nova chooses', 'sun-2'])
  await sheet.getByLabel('Mode of worker (4fecf62a)').selectOption('Leave it out · yours')
  await expect.poll(() => lastChoices(page)).toMatchObject({ excludedInstances: ['4fecf62a-ad28'] })
  await sheet.getByRole('checkbox', { name: /Stop its OSDs/ }).focus()
  await page.keyboard.press('Space')
  await sheet.getByRole('checkbox', { name: /Move stopped instances too/ }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => lastChoices(page)).toMatchObject({ stopOsds: true, coldMigration: true })
  await sheet.getByLabel('Not allowed').selectOption('cold')
  await expect.poll(() => lastChoices(page)).toMatchObject({ disableMigration: 'cold', coldMigration: false })
  await expect(sheet.getByRole('checkbox', { name: /Move stopped instances too/ })).toBeDisabled()
})

test('choosing Nova takes back what only Watcher knows', async ({ page }) => {
  await open(page)
  const sheet = await openSheet(page, 'sun-1', 'e')
  await unfold(sheet, 'Options')
  await sheet.getByLabel('Backup node').selectOption('sun-2')
  await sheet.getByLabel('Emptied by').selectOption('nova')
  await expect
    .poll(() => lastChoices(page))
    .toEqual({ strategy: 'nova', backupNode: null, excludedInstances: [], novaForRest: false })
  await expect(sheet.getByLabel('Backup node')).toHaveCount(0)
  await expect(sheet.getByLabel('Live migrations at a time')).toBeVisible()
  await expectAccessible(page)
})

test('on the way back the operator may refuse to spread instances, and to wait for Ceph', async ({ page }) => {
  await open(page)
  const sheet = await openSheet(page, 'sun-2', 'l')
  await sheet.getByRole('checkbox', { name: /Offer to spread instances again/ }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => lastChoices(page)).toEqual({ home: true, disableInstanceRebalancing: true })
  await sheet.getByRole('checkbox', { name: /Wait until Ceph is clean/ }).focus()
  await page.keyboard.press('Space')
  await expect
    .poll(() => lastChoices(page))
    .toEqual({ home: true, disableInstanceRebalancing: true, waitForClean: false })
  await expectAccessible(page)
})

test("a cluster's settings say how its roles are maintained, and are saved once the controller is named in full", async ({
  page,
}) => {
  await open(page)
  await page.goto('#/c/sun/settings')
  const settings = page.getByRole('region', { name: 'Maintenance by roles' })
  const save = page.getByRole('region', { name: 'Changes that are not saved' }).getByRole('button', { name: 'Save' })
  await expect(settings).toContainText('without a controller, it cannot maintain storage nodes')
  await expect(save).toHaveCount(0)
  await settings.getByLabel('Compute nodes are emptied by').selectOption('nova')
  await settings.getByRole('radio', { name: "From the Juju client's files" }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Changes that are not saved' })).toContainText(
    'Not saved: Maintenance by roles. Enter the full path',
  )
  await settings.getByLabel('Directory of the files').fill('/home/anna/juju')
  await settings.getByLabel('Controller', { exact: true }).fill('sun')
  await expect(save).toBeDisabled()
  await settings.getByLabel('Model with the machines').fill('admin/machines')
  await expectAccessible(page)
  await save.click()
  await expect
    .poll(() => asked(page, 'cluster.update'))
    .toEqual([
      {
        name: 'sun',
        change: {
          roleMaintenance: {
            strategy: 'nova',
            ceph: null,
            cephServicesRule: null,
            juju: { kind: 'client-files', directory: '/home/anna/juju', controller: 'sun', model: 'admin/machines' },
          },
        },
      },
    ])
})
