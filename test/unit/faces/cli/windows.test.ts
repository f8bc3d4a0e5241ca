import { describe, expect, it } from 'vitest'
import type { ListedWindow } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { WindowPlan } from '../../../../shared/domain/window.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const when = (start: string, zone: string) => [
  ...['--title', 'Kernel', '--start', start, '--end', '2026-11-23 04:00', '--zone', zone],
]
const WHEN = when('2026-11-22 22:00', 'Europe/Berlin')
const BATCHES: WindowPlan = {
  kind: 'batches',
  scope: 'os',
  batches: [{ nodes: ['cmp-1', 'cmp-2'] }, { nodes: ['cmp-3'] }],
  work: { kind: 'boot-id' },
  workMinutes: 20,
  pauseBetweenBatches: false,
}

function written(more: Partial<ListedWindow['window']> = {}) {
  const listed = sampleWindow()
  return { ...listed, window: { ...listed.window, ...more }, warnings: ['lab has no node cmp-9 now.'] }
}

async function created(...words: string[]) {
  const fake = createFakeContract({
    'window.create': ({ draft }) => ok(written(draft)),
    'batches.plan': ({ cluster, nodes }) =>
      ok({
        cluster,
        readAt: '2026-11-22T20:00:00.000Z',
        batches: nodes.slice(1).map(node => ({
          nodes: [node],
          zones: [],
          problems: [],
          capacity: { kind: 'fits', moving: 0 },
        })),
        left: nodes.slice(0, 1).map(node => ({ node, why: 'its kubelet does not report' })),
        rules: [],
        unreachable: [],
      }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  const code = await terminal.run('window', 'create', 'lab', ...words)
  return { code, terminal, draft: fake.inputsOf('window.create')[0]?.draft, asked: fake.inputsOf('batches.plan') }
}

describe('window create', () => {
  it('reads its times on the clocks of its zone, and tells what is to be looked at', async () => {
    const { code, draft, terminal } = await created(...WHEN, '--ticket', 'CHG-1')
    expect(code).toBe(0)
    expect(draft).toEqual({
      cluster: 'lab',
      title: 'Kernel',
      ticket: 'CHG-1',
      notes: '',
      startsAt: '2026-11-22T21:00:00.000Z',
      endsAt: '2026-11-23T03:00:00.000Z',
      timeZone: 'Europe/Berlin',
      plan: { kind: 'open' },
    })
    expect(terminal.out()).toContain('2026-11-22 22:00 +01:00 Europe/Berlin')
    expect(terminal.err()).toContain('lab has no node cmp-9 now.')
  })

  it('takes batches as they are said, in their order', async () => {
    const { draft } = await created(
      ...[...WHEN, '--batch', 'cmp-1,cmp-2', '--batch', 'cmp-3', '--work', 'boot-id', '--work-minutes', '20'],
    )
    expect(draft?.plan).toEqual(BATCHES)
  })

  it('has batches made of nodes by the rules, and names those that are in none', async () => {
    const { draft, asked, terminal } = await created(
      ...WHEN,
      '--nodes',
      'cmp-1,cmp-2',
      '--batches',
      'auto',
      '--zones',
      'spread',
    )
    expect(asked).toEqual([{ cluster: 'lab', nodes: ['cmp-1', 'cmp-2'], wish: { zones: 'spread', atOnce: {} } }])
    expect(draft?.plan).toMatchObject({ kind: 'batches', batches: [{ nodes: ['cmp-2'] }], work: { kind: 'person' } })
    expect(terminal.err()).toContain('cmp-1 is in no batch: its kubelet does not report')
  })
})

describe('window change', () => {
  it('changes what is given, from the revision that was read', async () => {
    const before = sampleWindow({ plan: BATCHES })
    const fake = createFakeContract({
      'window.show': () => ok(before),
      'window.change': ({ draft }) => ok(written(draft)),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(
      await terminal.run('window', 'change', 'window', '--end', '2026-11-23 06:00', '--pause-between-batches'),
    ).toBe(0)
    const [{ id, revision, draft } = { id: '', revision: 0, draft: null }] = fake.inputsOf('window.change')
    expect({ id, revision }).toEqual({ id: 'window0001', revision: 7 })
    expect(draft).toMatchObject({
      title: before.window.title,
      startsAt: before.window.startsAt,
      endsAt: '2026-11-23T05:00:00.000Z',
      plan: { ...BATCHES, pauseBetweenBatches: true },
    })
  })
})

describe('window list and show', () => {
  const shown = sampleWindow({ plan: BATCHES })
  const full: ListedWindow = {
    ...shown,
    window: {
      ...shown.window,
      remarks: [{ at: '2026-11-22T22:00:00.000Z', kind: 'incident', text: 'a fan', by: 'olga' }],
    },
  }
  const fake = createFakeContract({ 'window.list': () => ok([full]), 'window.show': () => ok(full) })

  it('the list has one line a window, with its times in its own zone', async () => {
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('window', 'list')).toBe(0)
    expect(terminal.out()).toMatch(
      /window00\S*\s+lab\s+open\s+2026-11-22 22:00\s+2026-11-23 04:00\s+Europe\/Berlin\s+3 nodes in 2 batches/,
    )
  })

  it('the window has its batches and what was noted', async () => {
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('window', 'show', 'window')).toBe(0)
    for (const text of [
      'Batch 1: cmp-1, cmp-2',
      'Batch 2: cmp-3',
      'until it was rebooted',
      'incident by olga: a fan',
    ]) {
      expect(terminal.out()).toContain(text)
    }
  })

  it('with -o json both are what the console answered', async () => {
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('window', 'show', 'window', '-o', 'json')
    expect(terminal.json()).toEqual(full)
  })
})

describe('window note, close and cancel', () => {
  it.each([
    [['note', 'w', '--incident', 'a fan'], 'window.note', { id: 'w', note: 'incident', text: 'a fan' }],
    [['note', 'w', '--remark', 'quiet'], 'window.note', { id: 'w', note: 'remark', text: 'quiet' }],
    [['close', 'w', '--summary', 'fine'], 'window.close', { id: 'w', summary: 'fine' }],
    [['cancel', 'w', '--why', 'rain'], 'window.cancel', { id: 'w', why: 'rain' }],
  ] as const)('%j', async (words, name, input) => {
    const fake = createFakeContract({ [name]: () => ok(sampleWindow()) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('window', ...words)).toBe(0)
    expect(fake.inputsOf(name)).toEqual([input])
  })
})

describe('window start', () => {
  const checked = {
    plan: { ...plannedBatches(), window: { kind: 'in' as const, id: 'window0001', title: 'Kernel of rack 1' } },
    checkedAt: '2026-11-22T21:00:00.000Z',
    checks: [],
    startable: true,
  }

  it('shows the window and its batches, asks, and starts the plan that was shown, which belongs to the window', async () => {
    const fake = createFakeContract({
      'window.show': () => ok(sampleWindow({ plan: BATCHES })),
      'window.plan': () => ok(checked),
      'run.start': () => failed(failure('held', 'olga on laptop updates lab: run other.')),
    })
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['y'] })
    expect(await terminal.run('window', 'start', 'window', '--concurrency', '4')).toBe(3)
    expect(fake.inputsOf('window.plan')).toEqual([{ id: 'window0001', choices: { concurrency: 4 } }])
    expect(fake.inputsOf('run.start')).toEqual([{ planId: checked.plan.id }])
    expect(terminal.out()).toContain('1. Batch 1: 2 at once: cmp-1, cmp-2')
    expect(terminal.out()).toContain('Work on the nodes of west, batch by batch')
    expect(terminal.err()).toContain('updates lab: run other')
  })
})

describe('a run and the windows of its cluster', () => {
  const doneAtOnce = (clusters: Parameters<typeof createFakeRun>[2] = []) => {
    const run = createFakeRun(undefined, [], clusters)
    void run.asked('run.show').then(() => run.end('done'))
    return run
  }
  /** The contract of a run on a cluster with these windows. */
  const withWindows = (run: ReturnType<typeof doneAtOnce>, windows: readonly ListedWindow[]) => ({
    ...run.fake.contract,
    ask: (async (name: string, input: never) =>
      name === 'window.list'
        ? ok([...windows])
        : run.fake.contract.ask(name as 'cluster.list', input)) as typeof run.fake.contract.ask,
  })

  it('with one open at the terminal it is named, and nothing more is asked', async () => {
    const run = doneAtOnce()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: run.fake.contract, answers: ['y'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(0)
    expect(terminal.out()).toContain('It belongs to the maintenance window "Kernel of rack 1" (window0001).')
  })

  it('with none open the terminal asks why, and the reason is passed on', async () => {
    const run = doneAtOnce()
    const contract = withWindows(run, [sampleWindow({ standing: 'planned' })])
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract, answers: ['the fan is loud', 'y'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(0)
    expect(terminal.out()).toContain('No maintenance window is open on lab.')
    expect(run.fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1', outsideWindow: 'the fan is loud' }])
  })

  it.each(['', null])('with none open the answer %j touches nothing', async answer => {
    const run = createFakeRun()
    const contract = withWindows(run, [])
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract, answers: [answer] })
    expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(4)
    expect(run.fake.inputsOf('run.start')).toEqual([])
  })

  it('--yes answers it, --outside-window says why, --window says which', async () => {
    for (const [words, input] of [
      [['--yes'], { outsideWindow: '--yes was given' }],
      [['--yes', '--outside-window', 'an outage'], { outsideWindow: 'an outage' }],
      [['--yes', '--window', 'w1'], { windowId: 'w1' }],
    ] as const) {
      const run = doneAtOnce()
      const terminal = createFakeTerminal({ contract: run.fake.contract })
      expect(await terminal.run('enter', 'lab', 'cmp-1', ...words)).toBe(0)
      expect(run.fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1', ...input }])
    }
  })

  it('on a production cluster --yes is no reason', async () => {
    const production = fakeCluster({ name: 'lab', production: true })
    const run = doneAtOnce([production])
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--yes', '--confirm-cluster', 'lab')
    const said = run.fake.inputsOf('run.start').map(({ outsideWindow }) => outsideWindow)
    expect(said).toEqual([undefined])
  })

  it('the way back asks for none', async () => {
    const run = createFakeRun(samplePlan({ kind: 'leave' }))
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: withWindows(run, []), answers: ['n'] })
    expect(await terminal.run('leave', 'lab', 'cmp-1')).toBe(4)
    expect(terminal.out()).not.toContain('No maintenance window is open')
  })
})
