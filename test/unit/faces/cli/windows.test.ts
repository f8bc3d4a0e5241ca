import type { ListedWindow, RequestName } from '../../../../shared/contract/index.ts'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { Estimate, TimeVerdict } from '../../../../shared/domain/estimate.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { ownersByProject, ownersCsv } from '../../../../shared/domain/owners.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { vendorEstimate } from '../../../../shared/domain/vendor-estimate.ts'
import type { WindowPlan } from '../../../../shared/domain/window.ts'
import { messageToOwners } from '../../../../shared/words/owner-messages.ts'
import { wordedVendorEstimate } from '../../../../shared/words/vendor-estimates.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'
import { type Asked, playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'

const BATCHES: Extract<WindowPlan, { kind: 'batches' }> = {
  kind: 'batches',
  scope: 'os',
  batches: [{ nodes: ['cmp-1', 'cmp-2'] }, { nodes: ['cmp-3'] }],
  work: { kind: 'boot-id' },
  workMinutes: 20,
  pauseBetweenBatches: false,
}
const PLANNED = sampleWindow({ plan: BATCHES })
const { startsAt, endsAt, timeZone } = PLANNED.window
const REMARKED: ListedWindow = {
  ...PLANNED,
  window: {
    ...PLANNED.window,
    remarks: [{ at: '2026-11-22T22:00:00.000Z', kind: 'incident', text: 'a fan', by: 'olga' }],
  },
}
const DRAFT = {
  ...{ cluster: 'lab', title: 'Kernel', ticket: '', notes: '', startsAt, endsAt, timeZone },
  plan: { kind: 'open' },
}
const CHANGED = {
  ...{ ...DRAFT, title: 'Kernel of rack 1', ticket: 'CHG-4711', endsAt: '2026-11-23T05:00:00.000Z' },
  plan: { ...BATCHES, pauseBetweenBatches: true },
}
/** One batch, whose work a person does. */
const byHand = (node: string) => ({
  ...{ ...BATCHES, batches: [{ nodes: [node] }], work: { kind: 'person' }, workMinutes: null },
})
const span = (lowMs: number, highMs: number) => ({ lowMs, highMs })
const ESTIMATE: Estimate = {
  madeAt: '2026-11-22T20:00:00.000Z',
  vendor: null,
  own: {
    nodes: [
      {
        ...{ node: 'cmp-1', batch: 1, evacuation: span(120_000, 300_000), drain: span(0, 0) },
        ...{ work: span(600_000, 600_000), back: null, total: null, basis: '2 nodes measured' },
      },
    ],
    batches: [{ batch: 1, span: null }],
    total: null,
    basis: '2 nodes measured on this cloud in 1 run, 4 migrations.',
    missing: ['The duration of the way back was not measured on this cloud yet.'],
  },
}
const VENDOR = wordedVendorEstimate(
  vendorEstimate(
    { instancesPerCompute: 20, computes: 10, gateways: 2, controlPlaneNodes: 3, workers: 15, reboots: true },
    'scope',
  ),
)
const PROJECTS = ownersByProject(
  [
    {
      ...{ id: 'id-1', name: '=cmd', projectId: 'p1', node: 'cmp-1', batch: 1, status: 'ACTIVE' },
      ...{ action: 'notify', reason: 'its owner has to move or stop it' },
    },
  ],
  () => 'shop',
).map(project => ({ ...project, message: messageToOwners(project, 'lab', null) }))

function console(verdict: TimeVerdict = 'in-time', estimate = ESTIMATE) {
  const written = (window: Partial<ListedWindow['window']>) =>
    ok({ ...PLANNED, window: { ...PLANNED.window, ...window }, warnings: ['lab has no node cmp-9 now.'] })
  return createFakeContract({
    'window.list': () => ok([REMARKED]),
    'window.show': () => ok(REMARKED),
    'window.create': ({ draft }) => written(draft),
    'window.change': ({ draft }) => written(draft),
    'window.note': () => ok(REMARKED),
    'window.close': () => ok(REMARKED),
    'window.cancel': () => ok(REMARKED),
    'window.plan': () => {
      const plan = { ...plannedBatches(), window: { kind: 'in', id: 'window0001', title: 'Kernel of rack 1' } as const }
      return ok({ plan, checkedAt: '2026-11-22T21:00:00.000Z', checks: [], startable: true })
    },
    'run.start': () => failed(failure('held', 'olga on laptop updates lab: run other.')),
    'batches.plan': ({ cluster, nodes: [left = '', ...nodes] }) =>
      ok({
        ...{ cluster, readAt: '2026-11-22T20:00:00.000Z', rules: [], unreachable: [] },
        batches: nodes.map(node => ({
          ...{ nodes: [node], zones: [], problems: [], capacity: { kind: 'fits', moving: 0 } },
        })),
        left: [{ node: left, reasons: [], why: 'its kubelet does not report' }],
      }),
    'estimate.make': () => ok(estimate),
    'owners.list': ({ cluster }) =>
      ok({
        ...{ cluster, readAt: '', projects: [...PROJECTS] },
        ...{ unreachable: ['Keystone is away.'], csv: ownersCsv(PROJECTS) },
      }),
    'window.forecast': () =>
      ok({
        ...{ windowId: '4f1c', readAt: '2026-11-22T22:00:00.000Z', endsAt, verdict, leaveOut: [] },
        eta: { lowAt: '2026-11-22T23:00:00.000Z', highAt: '2026-11-22T23:30:00.000Z', basis: '2 nodes measured' },
        words: 'It will be over between 00:00 and 00:30.',
      }),
  })
}

const BERLIN = '--title Kernel --start "2026-11-22 22:00" --end "2026-11-23 04:00" --zone Europe/Berlin'
const note = (words: string, name: RequestName, input: object): Scene => ({
  says: `window ${words}`,
  asks: [[name, { id: 'w', ...input }]],
})
const forecast = (verdict: TimeVerdict, exit: 0 | 3): Scene => ({
  says: 'window forecast 4f1c',
  fake: () => console(verdict),
  exit,
})

playScenes('a maintenance window', 'transcripts/windows.txt', console, {
  'is created on the clocks of its zone': {
    says: `window create lab ${BERLIN} --ticket CHG-1`,
    asks: [['window.create', { draft: { ...DRAFT, ticket: 'CHG-1' } }]],
  },
  'is created from batches as given, in their order': {
    says: `window create lab ${BERLIN} --batch cmp-1,cmp-2 --batch cmp-3 --work boot-id --work-minutes 20`,
    asks: [['window.create', { draft: { ...DRAFT, plan: BATCHES } }]],
  },
  'has batches made of nodes by the rules, and names those outside all batches': {
    says: `window create lab ${BERLIN} --nodes cmp-1,cmp-2 --batches auto --zones spread`,
    asks: [
      ['batches.plan', { cluster: 'lab', nodes: ['cmp-1', 'cmp-2'], wish: { zones: 'spread', atOnce: {} } }],
      ['window.create', { draft: { ...DRAFT, plan: byHand('cmp-2') } }],
    ],
  },
  'is changed in what is given, from the revision that was read': {
    says: 'window change window --end "2026-11-23 06:00" --pause-between-batches',
    asks: [['window.change', { id: 'window0001', revision: 7, draft: CHANGED }]],
  },
  'is a line of the list': 'window list',
  'is shown with its batches and what was noted': 'window show window',
  'is as JSON what the console answered': {
    says: 'window show window -o json',
    json: REMARKED,
  },
  'takes an incident': note('note w --incident "a fan"', 'window.note', { note: 'incident', text: 'a fan' }),
  'takes a remark': note('note w --remark quiet', 'window.note', { note: 'remark', text: 'quiet' }),
  'is closed': note('close w --summary fine', 'window.close', { summary: 'fine' }),
  'is cancelled': note('cancel w --why rain', 'window.cancel', { why: 'rain' }),
  'is started as the plan that was shown': {
    says: 'window start window --concurrency 4',
    answers: ['y'],
    exit: 3,
    asks: [
      ['window.plan', { id: 'window0001', choices: { concurrency: 4 } }],
      ['run.start', { planId: plannedBatches().id }],
    ],
  },
  'is estimated, and what is unknown is shown as unknown': 'window estimate 4f1c',
  'is estimated beside the figure of the vendor': {
    says: 'window estimate 4f1c',
    fake: () => console('in-time', { ...ESTIMATE, vendor: VENDOR }),
  },
  'is estimated for another plan': {
    says: 'window estimate 4f1c --batch cmp-7,cmp-8 -o json',
    json: ESTIMATE,
    asks: [['estimate.make', { cluster: 'lab', plan: { ...BATCHES, batches: [{ nodes: ['cmp-7', 'cmp-8'] }] } }]],
  },
  'is estimated where there is none': {
    says: 'window estimate --cluster east --batch cmp-9 -o json',
    json: ESTIMATE,
    asks: [['estimate.make', { cluster: 'east', plan: byHand('cmp-9') }]],
  },
  'has owners, with a note about unreadable instances': {
    says: 'window owners 4f1c',
    asks: [['owners.list', { cluster: 'lab', plan: BATCHES, announced: { startsAt, endsAt, timeZone } }]],
  },
  'has messages to its owners, ready to send': 'window owners 4f1c --message',
  'has owners as CSV': 'window owners 4f1c --csv',
  'is in time': forecast('in-time', 0),
  'may end in time or not': forecast('not-known', 0),
  'may end late': forecast('may-overrun', 3),
  overruns: forecast('overruns', 3),
})

/** A run that ends at once, on lab with these windows. */
const running =
  (
    windows: readonly ListedWindow[] = [sampleWindow()],
    kind: 'enter' | 'leave' = 'enter',
    clusters: readonly Cluster[] = [],
  ) =>
  () => {
    const run = createFakeRun(samplePlan({ kind }), [], clusters, { 'window.list': () => ok([...windows]) })
    void run.asked('run.show').then(() => run.end('done'))
    return run.fake
  }
const begun = (why: object): Asked => [['run.start', { planId: 'plan-1', ...why }]]
const PRODUCTION = fakeCluster({ name: 'lab', production: true })

playScenes('a run and the windows of its cluster', 'transcripts/runs-and-windows.txt', running(), {
  'one is open: it is named, and nothing more is asked': { says: 'enter lab cmp-1', answers: ['y'], asks: begun({}) },
  'none is open: nothing more is asked': {
    says: 'enter lab cmp-1',
    fake: running([sampleWindow({ status: 'planned' })]),
    answers: ['y'],
    asks: begun({}),
  },
  'none is open on production: the terminal asks why, and the reason is passed on': {
    says: 'enter lab cmp-1',
    fake: running([sampleWindow({ status: 'planned' })], 'enter', [PRODUCTION]),
    answers: ['the fan is loud', 'lab'],
    asks: begun({ outsideWindow: 'the fan is loud', typedCluster: 'lab' }),
  },
  'on production no reason touches nothing': {
    says: 'enter lab cmp-1',
    fake: running([], 'enter', [PRODUCTION]),
    answers: [''],
    exit: 4,
  },
  'on production the end of the input touches nothing': {
    says: 'enter lab cmp-1',
    fake: running([], 'enter', [PRODUCTION]),
    answers: [null],
    exit: 4,
  },
  '--yes starts': { says: 'enter lab cmp-1 --yes', asks: begun({}) },
  '--outside-window says why': {
    says: 'enter lab cmp-1 --yes --outside-window "an outage"',
    asks: begun({ outsideWindow: 'an outage' }),
  },
  '--window says which': { says: 'enter lab cmp-1 --yes --window w1', asks: begun({ windowId: 'w1' }) },
  'on a production cluster --yes is no reason': {
    says: 'enter lab cmp-1 --yes --confirm-cluster lab',
    fake: running([sampleWindow()], 'enter', [PRODUCTION]),
    asks: begun({ typedCluster: 'lab' }),
  },
  'the way back needs none': { says: 'leave lab cmp-1', fake: running([], 'leave'), answers: ['n'], exit: 4 },
})
