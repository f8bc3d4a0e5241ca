import { expect, type Locator, type Page } from '@playwright/test'
import { Cluster } from '../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API, type MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import { PLAYED_SECONDS, playedTimeline } from '../../fixtures/renderer/timelines.ts'
import { PLAYED_OPTIONS, playedCheckedPlan, playedUpdateEvents } from '../../fixtures/renderer/update-run.ts'
import { clusterView, nodeView } from '../../fixtures/renderer/views.ts'
import { listedWindow, runOf } from '../../fixtures/renderer/windows.ts'
import { expectAccessible, test } from './screen-test.ts'

const NODES = [
  ...PLAYED_OPTIONS.controlNodes.map(name => nodeView(name, { roles: ['control'], instances: null })),
  ...PLAYED_OPTIONS.groups.flatMap(group => group.nodes).map(name => nodeView(name)),
]

const CLUSTER = Cluster.parse({
  name: 'east',
  flavour: 'mosk',
  kubeconfig: { paths: ['/etc/kube/config'], context: 'east' },
  cloud: null,
  roleLabels: DEFAULT_ROLE_LABELS,
  limits: { migrationsPerSource: 1, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 1000 },
  openstackNamespace: 'openstack',
  leaseNamespace: 'default',
  production: true,
  maintenanceApi: {
    ...DEFAULT_MAINTENANCE_API,
    controllers: { openstack: 'console', ceph: 'cluster', tungstenfabric: 'none', stacklight: 'none' },
  },
  addedAt: '2026-01-01T00:00:00Z',
})

const kinds = [
  'ClusterMaintenanceRequest',
  'NodeMaintenanceRequest',
  'ClusterWorkloadLock',
  'NodeWorkloadLock',
  'NodeDisableNotification',
  'NodeDeletionRequest',
] as const

const DEFINITIONS = kinds.map((kind, index) => ({
  name: `${kind.toLowerCase()}s.lcm.mirantis.com`,
  kind,
  state: index === 0 ? 'missing' : index === 3 ? 'differs' : 'same',
  differences: index === 3 ? ['spec.versions[0].schema: status.progress is not there'] : [],
}))

/** Main's answers; a function in them would not reach the page. */
type Played = Readonly<Record<string, unknown>>

function quietMain(): Played {
  return {
    'cluster.list': [CLUSTER],
    'run.list': [],
    'edit.list': [],
    'view.open': { view: clusterView('east', { nodes: NODES }), seq: 1 },
    'update.observe': { cluster: 'east', timeline: null, drivenBy: null, plans: [], readAt: '2026-11-21T06:00:00Z' },
    'controllers.status': {
      cluster: 'east',
      state: 'here',
      heldBy: null,
      trouble: null,
      controllers: [{ controller: 'openstack', choice: 'console', busyWith: ['cmp-01: waiting for 2 instances'] }],
    },
    'controllers.detect': [
      { controller: 'openstack', choice: 'console', why: 'No pod of Rockoon runs in osh-system.' },
      { controller: 'ceph', choice: 'cluster', why: 'ceph-request-controller runs in ceph-lcm-mirantis.' },
      { controller: 'tungstenfabric', choice: 'none', why: 'No vRouter runs in tf.' },
    ],
    'definitions.status': DEFINITIONS,
    'definitions.install': DEFINITIONS.map(each => ({ ...each, state: 'same', differences: [] })),
    'update.propose': { options: PLAYED_OPTIONS, left: [], batches: [] },
    'update.plan': playedCheckedPlan('east', null),
    'run.answer': {},
    'run.pause-after-node': {},
    'run.skip-node': {},
  }
}

function drivingMain(): Played {
  const startMs = Date.now() - PLAYED_SECONDS * 1000
  const startedAt = new Date(startMs).toISOString()
  const summary = runOf({ id: 'upd-1', state: 'waiting', createdAt: startedAt, summary: 'Waits for somebody.' })
  return {
    ...quietMain(),
    'run.list': [summary],
    'run.show': { summary, events: playedUpdateEvents('upd-1', 'east', startedAt) },
    'update.timeline': playedTimeline(startMs),
  }
}

/** Opens a screen over a played main, which keeps what it was asked. */
async function open(page: Page, answers: Played, hash = '#/c/east/update'): Promise<void> {
  await page.addInitScript(given => {
    const asked: (readonly [string, unknown])[] = []
    const ask = async (name: string, input: unknown) => {
      asked.push([name, input])
      return name in given
        ? { ok: true, value: given[name] }
        : { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
    }
    Object.assign(globalThis, { asked, lockkeeper: { ask, listen: () => () => {} } })
  }, answers)
  await page.goto(hash)
}

function asked(page: Page, name: string): Promise<readonly unknown[]> {
  return page.evaluate(
    wanted =>
      (globalThis as unknown as { asked: (readonly [string, unknown])[] }).asked
        .filter(([given]) => given === wanted)
        .map(([, input]) => input),
    name,
  )
}

const timeline = (page: Page) => page.getByRole('grid', { name: 'Update of east: timeline' })

test('an update under way shows phases, lanes, the night cut short, and is open to everybody @core', async ({
  page,
}) => {
  await open(page, drivingMain())
  await expect(timeline(page).getByText(/^Workers · 4 of 12: /)).toBeAttached()
  await expect(timeline(page).getByRole('row', { name: /cmp-05/ })).toBeVisible()
  await expect(timeline(page).locator('.tl-break').first()).toHaveText(/9 h/)
  await expect(page.getByText('7 of 15 nodes done')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Report', exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('several nodes ask at once: one list, and each is answered separately', async ({ page }) => {
  await open(page, drivingMain())
  const questions = page.getByRole('alert', { name: 'Your work on the nodes' })
  await expect(questions).toContainText('2 nodes wait for your work')
  const node = (name: string) => questions.getByRole('listitem').filter({ hasText: name })
  const done = { name: 'Work is done, bring it back' }
  await node('cmp-02').getByRole('button', done).click()
  await expect.poll(() => asked(page, 'run.answer')).toMatchObject([{ gateId: 'gate-cmp-02', choice: 'continue' }])
  await expect(node('cmp-01').getByRole('button', done)).toBeVisible()
})

test('the keys walk from span to span and open the evidence; Escape leads back', async ({ page }) => {
  await open(page, drivingMain())
  await timeline(page).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Home')
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toContainText('requested')
  await page.keyboard.press('ArrowRight')
  await expect(tooltip).toContainText('locks')
  await page.keyboard.press('Enter')
  const details = page.getByRole('region', { name: /details/ })
  await expect(details).toContainText('Evidence')
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  await expect(timeline(page)).toBeFocused()
})

test('a lane opens into its steps, and the whole cloud comes first', async ({ page }) => {
  await open(page, drivingMain())
  const rows = timeline(page).getByRole('rowheader')
  await expect(rows.first()).toHaveText(/^Whole cloud/)
  await rows.first().getByRole('button').click()
  await expect(timeline(page).getByText('Request the maintenance of the cluster')).toBeVisible()
  await expect(timeline(page).getByText('Drain cmp-01', { exact: true })).toHaveCount(0)
  await rows.first().getByRole('button').click()
  await timeline(page).getByRole('button', { name: 'cmp-01', exact: true }).click()
  await expect(timeline(page).getByText('Drain cmp-01', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await timeline(page).getByRole('button', { name: 'cmp-01', exact: true }).click()
  await expect(timeline(page).getByText('Drain cmp-01', { exact: true })).toHaveCount(0)
})

test('zoom keeps the present where it is', async ({ page }) => {
  await open(page, drivingMain())
  const now = timeline(page).locator('.tl-now').first()
  const left = async () => (await now.boundingBox())?.x ?? 0
  const before = await left()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  expect(Math.abs((await left()) - before)).toBeLessThan(40)
})

test('the knob of the present, drawn back, dims what came later and erases nothing', async ({ page }) => {
  await open(page, drivingMain())
  const later = timeline(page).locator('[role="gridcell"][data-later="true"]')
  const cells = timeline(page).getByRole('gridcell')
  await expect(cells.first()).toBeVisible()
  await expect(later).toHaveCount(0)
  const all = await cells.count()
  await page.getByRole('slider', { name: 'Time shown' }).fill('20')
  await expect(later.first()).toBeVisible()
  expect(await cells.count()).toBe(all)
  // The future stays where it is, and the night that was cut out is still as long as it was.
  await expect(timeline(page).locator('.tl-ghost').first()).toBeVisible()
  await expect(timeline(page).locator('.tl-break').first()).toHaveText(/9 h/)
  await expect(timeline(page).getByRole('rowheader', { name: 'cmp-01, not started' })).toBeVisible()
  // Head and groups are of the same moment.
  await expect(page.getByText(/^at \d/)).toBeVisible()
  await expect(page.getByText(/^0 of \d+ nodes done$/).first()).toBeAttached()
  await expect(page.getByText(/if it continued now| late: /)).toHaveCount(0)
  await page.getByRole('slider', { name: 'Time shown' }).press('ArrowRight')
  await page.getByRole('button', { name: 'To now' }).click()
  await expect(later).toHaveCount(0)
  await expect(timeline(page).getByRole('rowheader', { name: 'cmp-01, done' })).toBeVisible()
})

test('the future is shown: nodes in their order, the phase after them, and who the update waits for', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open(page, drivingMain())
  await expect(timeline(page).getByText(/^6 more( nodes)?, two at a time$/)).toBeVisible()
  await expect(timeline(page).getByText(/^Finish: to come; time unknown/)).toBeAttached()
  const lane = (node: string) => timeline(page).getByRole('row').filter({ hasText: node })
  const ghosts = ['cmp-07', 'cmp-09', 'cmp-11'].map(node => lane(node).locator('.tl-ghost'))
  const lefts = await Promise.all(ghosts.map(async ghost => (await ghost.boundingBox())?.x ?? 0))
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
  expect(new Set(lefts).size).toBe(3)
  await expect(lane('cmp-05')).toContainText('waits: the lock of openstack: vm-17 has to be moved by hand')
  await expect(page.getByText(/if it continued now/)).toBeVisible()
  await expect(page.getByText(/ late: an open question$/)).toBeVisible()
  await expect(page.getByRole('img', { name: /^Instances still to move: 1\d$/ })).toBeVisible()
})

test('before the start the order is shown, and that its length is unknown', async ({ page }) => {
  const played = playedTimeline(Date.now())
  await open(page, {
    ...drivingMain(),
    'update.timeline': {
      ...played,
      phase: null,
      startedAt: null,
      eta: null,
      samples: [],
      phases: played.phases.map(each => ({ ...each, state: 'pending', fromAt: null, toAt: null, note: '' })),
      lanes: played.lanes.map(lane => ({ ...lane, stage: 'pending', spans: [] })),
    },
  })
  await expect(timeline(page).getByText('next · no estimate yet')).toBeVisible()
  await expect(timeline(page).getByText('2nd in turn')).toBeVisible()
  await expect(timeline(page).getByText('Applications', { exact: true })).toBeVisible()
  await expect(timeline(page).locator('.tl-ghost')).toHaveCount(0)
  await expect(page.getByText('not started yet')).toBeVisible()
  await expectAccessible(page)
})

test('done: a seal says what was verified, who was left out and why, and offers the report', async ({ page }) => {
  const startMs = Date.now() - PLAYED_SECONDS * 1000
  const at = new Date(startMs).toISOString()
  const endedAt = new Date().toISOString()
  const played = playedTimeline(startMs)
  const lanes = played.lanes.map((lane, index) => {
    const fromAt = lane.spans[0]?.fromAt ?? endedAt
    const stage = index === 5 ? ('skipped' as const) : ('done' as const)
    const evidence = index === 5 ? ['Work on it: passed, it is being repaired'] : []
    const passed = index === 5 ? { passed: 'it is being repaired' } : {}
    return {
      ...lane,
      stage,
      spans: [{ stage, fromAt, toAt: fromAt, note: '', evidence, ...passed, waits: [], retries: [] }],
    }
  })
  const held = { kind: 'holds' as const, reason: 'It is Ready.', evidence: [] }
  await open(
    page,
    {
      ...drivingMain(),
      'run.list': [runOf({ id: 'upd-1', state: 'done', createdAt: at, summary: 'Done.' })],
      'run.show': {
        summary: runOf({ id: 'upd-1', state: 'done', createdAt: at, summary: 'Done.' }),
        events: [
          ...playedUpdateEvents('upd-1', 'east', at),
          ...['Drain cmp-01', 'Drain cmp-02'].map((stepId, index) => ({
            seq: 50 + index,
            runId: 'upd-1',
            at: endedAt,
            body: { kind: 'step-verified', stepId, round: 'final', answer: held },
          })),
          {
            seq: 60,
            runId: 'upd-1',
            at: endedAt,
            body: { kind: 'run-finished', outcome: 'done', summary: 'It is updated.', leftBehind: [] },
          },
        ],
      },
      'update.timeline': { ...played, lanes, phase: null, endedAt, eta: null },
    },
    '#/c/east/update/upd-1',
  )
  const seal = page.getByRole('region', { name: 'How it ended' })
  await expect(seal).toContainText('14 of 15 nodes are back in service; 2 checks passed at the end')
  await expect(seal.getByRole('button', { name: 'Report' })).toBeVisible()
  await expect(timeline(page).getByText('left out: it is being repaired')).toBeVisible()
  await expectAccessible(page)
})

test('the end of the open window is a line, with the time to spare', async ({ page }) => {
  const startMs = Date.now() - PLAYED_SECONDS * 1000
  const observed = playedTimeline(startMs, { source: { kind: 'observed', since: new Date(startMs).toISOString() } })
  const endsAt = new Date(Date.now() + 2 * 3_600_000).toISOString()
  await open(page, {
    ...quietMain(),
    'window.list': [listedWindow({ startsAt: new Date(startMs - 60_000).toISOString(), endsAt })],
    'update.observe': {
      cluster: 'east',
      timeline: observed,
      drivenBy: 'LCM',
      plans: [],
      readAt: new Date().toISOString(),
    },
  })
  await expect(page.getByRole('link', { name: 'CHG-4711' })).toBeVisible()
  await expect(page.getByText(/, 1 h \d+ min to spare$/)).toBeVisible()
  await expect(timeline(page).getByText(/^window ends \d\d:\d\d$/)).toBeVisible()
  const end = await timeline(page).locator('.tl-window-end').boundingBox()
  const last = await timeline(page).locator('.tl-ghost').last().boundingBox()
  expect(end?.x ?? 0).toBeGreaterThan((last?.x ?? 0) + (last?.width ?? 0))
  // Nobody but its driver knows the order.
  await expect(timeline(page).getByText('6 more nodes, order unknown').first()).toBeAttached()
})

test('rows and legend speak with the same marks', async ({ page }) => {
  await open(page, drivingMain())
  const markOf = (place: Locator) => place.locator('svg').first().innerHTML()
  const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem')
  const shape = (html: string) => html.replaceAll(/style="[^"]*"/g, '')
  for (const [node, words] of [
    ['cmp-01, done', 'done'],
    ['ctl-1, done', 'done'],
  ] as const) {
    const row = timeline(page).getByRole('rowheader', { name: node })
    expect(shape(await markOf(row))).toBe(shape(await markOf(legend.filter({ hasText: words }))))
  }
  await timeline(page).evaluate(grid => grid.parentElement?.scrollTo({ top: 9999 }))
  const ahead = timeline(page).getByRole('rowheader', { name: 'cmp-12, not started' })
  expect(shape(await markOf(ahead))).toBe(shape(await markOf(legend.filter({ hasText: 'not started' }))))
})

test('a node that has not started can be skipped with a reason', async ({ page }) => {
  await open(page, drivingMain())
  await page.getByRole('button', { name: 'Skip a node…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /^Skip ctl-1/ })).toBeDisabled()
  await dialog.getByLabel('Node').selectOption('cmp-06')
  await dialog.getByLabel(/^Reason/).fill('it is being repaired')
  await dialog.getByRole('button', { name: 'Skip cmp-06 of east' }).click()
  await expect
    .poll(() => asked(page, 'run.skip-node'))
    .toEqual([{ runId: 'upd-1', node: 'cmp-06', reason: 'it is being repaired' }])
})

test('five hundred lanes are drawn where they are in sight alone', async ({ page }) => {
  const startMs = Date.now() - PLAYED_SECONDS * 1000
  const { lanes, ...rest } = playedTimeline(startMs)
  const many = Array.from({ length: 500 }, (_, index) => ({ ...lanes[3 + (index % 12)], node: `node-${index}` }))
  await open(page, { ...drivingMain(), 'update.timeline': { ...rest, lanes: many } })
  await expect(timeline(page).getByRole('rowheader', { name: /^node-0,/ })).toBeVisible()
  expect(await timeline(page).getByRole('row').count()).toBeLessThan(60)
  await timeline(page).evaluate(grid => grid.parentElement?.scrollTo({ top: grid.scrollHeight }))
  await expect(
    timeline(page)
      .getByRole('rowheader', { name: /^node-49\d,/ })
      .first(),
  ).toBeVisible()
})

test('an update that somebody else drives is read from the objects, with who seems to drive it', async ({ page }) => {
  const startMs = Date.now() - PLAYED_SECONDS * 1000
  const observed = playedTimeline(startMs, { source: { kind: 'observed', since: new Date(startMs).toISOString() } })
  await open(page, {
    ...quietMain(),
    'update.observe': {
      cluster: 'east',
      timeline: observed,
      drivenBy: 'LCM',
      plans: ['ClusterUpdatePlan east-17-4: step 3 of 5, InProgress'],
      readAt: new Date().toISOString(),
    },
  })
  await expect(page.getByText('run by LCM')).toBeVisible()
  await page.getByText('What LCM says').click()
  await expect(page.getByText('ClusterUpdatePlan east-17-4')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop…' })).toHaveCount(0)
  await expectAccessible(page)
})

test('while somebody does not answer, the page says who, and everything about the controllers is open', async ({
  page,
}) => {
  await open(page, quietMain())
  await expect(page.getByText(/^east lacks 1 definition\./)).toBeVisible()
  await expect(page.getByText("Lockkeeper's controllers run in this console.")).toBeVisible()
  await expect(page.getByText('cmp-01: waiting for 2 instances')).toBeVisible()
  await expect(page.getByText('east lacks 1 kind of the node maintenance API')).toBeVisible()
  await expectAccessible(page)
})

test('controllers that answer are one line', async ({ page }) => {
  const lock = (controller: string) => ({
    uid: controller,
    name: controller,
    controller,
    state: 'active',
    errorMessage: '',
    resourceVersion: '1',
    createdAt: '2026-11-21T06:00:00Z',
    deletingSince: null,
    finalizers: [],
    writers: [],
    faults: [],
    annotations: {},
    release: null,
    innerState: null,
    progress: null,
  })
  const maintenance = {
    clusterLocks: [lock('openstack'), lock('ceph')],
    clusterRequests: [],
    disableNotifications: [],
    deletionRequests: [],
    nodeRequests: [],
    nodeLocks: [],
  }
  await open(page, {
    ...quietMain(),
    'definitions.status': DEFINITIONS.map(each => ({ ...each, state: 'same', differences: [] })),
    'view.open': { view: clusterView('east', { nodes: NODES, maintenance: maintenance as never }), seq: 1 },
  })
  await expect(page.getByText('2 controllers answer: OpenStack and Ceph')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Definitions' })).toBeHidden()
  await page.getByText('2 controllers answer: OpenStack and Ceph').click()
  await expect(page.getByText('east has all six kinds of the node maintenance API.')).toBeVisible()
})

test('definitions are installed only after what would be created and what differs was shown', async ({ page }) => {
  await open(page, quietMain())
  await page.getByRole('button', { name: 'Install definitions…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('+ ClusterMaintenanceRequest')
  await expect(dialog).toContainText('NodeWorkloadLock')
  await expect(dialog).toContainText('1 difference')
  expect(await asked(page, 'definitions.install')).toEqual([])
  await dialog.getByRole('button', { name: 'Install 1 definition on east' }).click()
  await expect(page.getByText(/^east lacks 1 definition\./)).toHaveCount(0)
})

test('an update is planned and checked on one page, and on production starts only with the name typed @core', async ({
  page,
}) => {
  await open(page, { ...quietMain(), 'run.start': { id: 'upd-1' } })
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Update east' })).toBeVisible()
  await expect(main.getByText('Safe to start')).toBeVisible()
  await expectAccessible(page)
  await main.getByLabel('Done when').selectOption('job')
  await main.getByLabel('Manifest of the Job').fill('kind: Job')
  await main.getByRole('button', { name: 'More choices' }).click()
  await page.getByText('Nodes and groups as text').click()
  await expect(page.getByLabel('Nodes of az1, one per line')).toHaveValue('cmp-01\ncmp-02\ncmp-03')
  await page.getByRole('textbox', { name: 'Control-plane nodes' }).fill('ctl-1\nctl-2\ncmp-01')
  await expect(main.getByText('cmp-01 is listed twice.')).toBeVisible()
  await expect(main.getByRole('button', { name: /^Update \d+ nodes of east$/ })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Control-plane nodes' }).fill('ctl-1\nctl-2\nctl-3')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Nodes and groups as text')).toHaveCount(0)
  await expect
    .poll(async () => (await asked(page, 'update.plan')).at(-1))
    .toMatchObject({
      cluster: 'east',
      update: { work: { kind: 'job', manifest: 'kind: Job' }, controlNodes: ['ctl-1', 'ctl-2', 'ctl-3'] },
    })
  const start = main.getByRole('button', { name: 'Update 9 nodes of east' })
  await expect(start).toBeDisabled()
  await main.getByLabel('Type east to confirm').fill('east')
  await main.getByLabel('Why now?').fill('announced by telephone')
  await start.click()
  await expect
    .poll(() => asked(page, 'run.start'))
    .toEqual([{ planId: 'plan-1', typedCluster: 'east', outsideWindow: 'announced by telephone' }])
  await expect(page).toHaveURL(/#\/c\/east\/update\/upd-1$/)
})

test('what blocks an update has its remedies beside it, and its lane says so', async ({ page }) => {
  await open(page, { ...quietMain(), 'update.plan': playedCheckedPlan('east', 'cmp-02') })
  const verdict = page.getByRole('region', { name: 'Whether it can start' })
  await expect(verdict).toContainText('1 thing blocks this')
  const order = page.getByRole('region', { name: 'Order of the nodes' })
  await expect(order.locator('[data-blocked="true"]')).toHaveCount(1)
  await expect(order.locator('[data-blocked="true"]')).toContainText('cmp-02')
  await expectAccessible(page)
  await verdict.getByRole('button', { name: 'Leave cmp-02 out' }).click()
  await expect(order.getByRole('region', { name: 'Left out' })).toContainText('cmp-02')
  await expect
    .poll(async () => (await asked(page, 'update.plan')).at(-1))
    .toMatchObject({ update: { groups: [{ nodes: ['cmp-01', 'cmp-03'] }, { nodes: ['cmp-04', 'cmp-05', 'cmp-06'] }] } })
  await order.getByRole('button', { name: 'Put back' }).click()
  await expect(order.getByRole('region', { name: 'Left out' })).toHaveCount(0)
})

test('the order of an update is drawn as it lies ahead: lanes are dragged, or moved by keys, and each is drawn as long as it takes', async ({
  page,
}) => {
  const nodes = [...PLAYED_OPTIONS.controlNodes, ...PLAYED_OPTIONS.groups.flatMap(group => group.nodes)]
  const span = { lowMs: 600_000, highMs: 900_000 }
  const own = {
    nodes: nodes.map(node => ({
      node,
      batch: 1,
      evacuation: span,
      drain: span,
      work: span,
      back: span,
      total: span,
      basis: '',
    })),
    batches: [],
    total: span,
    basis: '9 nodes measured.',
    missing: [],
  }
  await open(page, { ...quietMain(), 'estimate.make': { madeAt: '2026-11-21T06:00:00Z', vendor: null, own } })
  const order = page.getByRole('region', { name: 'Order of the nodes' })
  const group = (name: string) => order.getByRole('region', { name: `Workers, ${name}` })
  const lane = (name: string) => order.getByRole('button', { name, exact: true })
  // Three control-plane nodes one by one, then twice three workers, two at a time: seven lengths of ten minutes to a quarter of an hour.
  await expect(page.getByRole('main')).toContainText('1 h 10 min')
  await expect(order.locator('.tl-ghost')).toHaveCount(nodes.length)
  await expectAccessible(page)
  const [from, to] = [await lane('cmp-03').boundingBox(), await lane('cmp-05').boundingBox()]
  if (from === null || to === null) throw new Error('both are on the screen')
  await page.mouse.move(from.x + 40, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 12, { steps: 6 })
  await page.mouse.up()
  await expect(group('az2').getByRole('button', { name: /^cmp-/ })).toHaveText(['cmp-04', 'cmp-03', 'cmp-05', 'cmp-06'])
  await lane('cmp-03').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(lane('cmp-03')).toBeFocused()
  await expect(group('az2').getByRole('button', { name: /^cmp-/ })).toHaveText(['cmp-03', 'cmp-04', 'cmp-05', 'cmp-06'])
  await page.keyboard.press('Delete')
  await expect(order.getByRole('region', { name: 'Left out' }).getByRole('button')).toHaveText(['cmp-03', 'Put back'])
  await expect
    .poll(async () => (await asked(page, 'update.plan')).at(-1))
    .toMatchObject({ update: { groups: [{ nodes: ['cmp-01', 'cmp-02'] }, { nodes: ['cmp-04', 'cmp-05', 'cmp-06'] }] } })
})

test('a plan whose choices were changed is checked again before it can start', async ({ page }) => {
  await open(page, { ...quietMain(), 'cluster.list': [{ ...CLUSTER, production: false }] })
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Update 9 nodes of east' })).toBeEnabled()
  await main.getByRole('button', { name: 'More choices' }).click()
  await page.getByText('Ask before every next node').click()
  await expect(main.getByRole('button', { name: 'Update 9 nodes of east' })).toBeDisabled()
  await expect
    .poll(async () => (await asked(page, 'update.plan')).at(-1))
    .toMatchObject({ update: { pauseBetweenNodes: true } })
  await expect(main.getByRole('button', { name: 'Update 9 nodes of east' })).toBeEnabled()
})

test('an unreadable estimate does not count as a missing measurement', async ({ page }) => {
  await open(page, quietMain())
  await expect(page.getByRole('main')).toContainText('The estimate could not be read: estimate.make is not answered.')
})

test('the panel of a node tells its request, its locks in words and whom its return waits for', async ({ page }) => {
  const head = {
    resourceVersion: '1',
    createdAt: new Date(Date.now() - 600_000).toISOString(),
    deletingSince: null,
    finalizers: [],
    writers: [],
    faults: [],
    annotations: {},
  }
  const lock = {
    ...head,
    nodeName: 'cmp-01.kaas.local',
    release: null,
    innerState: null,
    progress: null,
    nodeDeletionRequestSupported: true,
  }
  const maintenance: MaintenanceObjects = {
    clusterLocks: [],
    clusterRequests: [],
    disableNotifications: [],
    deletionRequests: [],
    nodeRequests: [
      {
        ...head,
        uid: 'r1',
        name: 'lockkeeper-cmp-01',
        nodeName: 'cmp-01',
        scope: 'os',
        release: null,
        deletingSince: new Date(Date.now() - 60_000).toISOString(),
        finalizers: ['lcm.mirantis.com/lockkeeper-openstack-finalizer'],
        annotations: { 'lockkeeper.dev/operator': 'eva', 'lockkeeper.dev/reason': 'OS-4711' },
      },
    ],
    nodeLocks: [
      {
        ...lock,
        uid: 'l1',
        name: 'a',
        controller: 'openstack',
        state: 'inactive',
        errorMessage: '2026-11-21 06:00:00.000000 Waiting servers migration is completed (2 out of 8)',
      },
      { ...lock, uid: 'l2', name: 'b', controller: 'ceph', state: 'active', errorMessage: '' },
      {
        ...lock,
        uid: 'l3',
        name: 'c',
        controller: 'stacklight',
        state: 'unknown',
        errorMessage: '',
        faults: ['status.state says "resting".'],
      },
    ],
  }
  await open(
    page,
    { ...quietMain(), 'view.open': { view: clusterView('east', { nodes: NODES, maintenance }), seq: 1 } },
    '#/c/east/topology?node=cmp-01',
  )
  const section = page.getByRole('region', { name: 'Maintenance requests and locks' })
  await expect(section).toContainText('by eva: OS-4711')
  await expect(section).toContainText('waits for openstack and stacklight')
  await expect(section).toContainText('2 out of 8')
  await expect(section).toContainText('continues automatically')
  await expect(section).toContainText('Unexpected: status.state says "resting".')
  await expectAccessible(page)
})

test('the settings of flavour mosk show what was found beside each choice', async ({ page }) => {
  await open(page, quietMain(), '#/c/east/settings')
  const form = page.getByRole('region', { name: 'Node maintenance API' })
  await expect(form.getByText(/ceph-request-controller runs/)).toBeVisible()
  await form.getByLabel('Ceph', { exact: true }).selectOption('none')
  await expect(form.getByText('Different from what was found: Ceph.')).toBeVisible()
  await form.getByRole('button', { name: 'Use what was found' }).click()
  await expect(form.getByText('Different from what was found: Ceph.')).toHaveCount(0)
  await expectAccessible(page)
})
