import { describe, expect, it } from 'vitest'
import { type KnownTimes, progressOfUpdate } from '../../../main/windows/update-progress.ts'
import { nodesNotBack, nodesThrough, progressOfNodes } from '../../../main/windows/window-progress.ts'
import type { ListedWindow, RunSummary } from '../../../shared/contract/index.ts'
import type { FoundNodeEstimate } from '../../../shared/domain/own-estimate.ts'
import type { PlannedStep, RunKind } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { RunListState } from '../../../shared/domain/run-list-state.ts'
import { type WindowProgress, windowForecast } from '../../../shared/domain/window-forecast.ts'
import { asRolling, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, sampleSummary } from '../../fixtures/cli/sample-run.ts'

const NOW = '2026-11-22T21:00:00.000Z'
const inMinutes = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
const minutes = (count: number) => ({ lowMs: count * 60_000, highMs: count * 60_000 })

/** Evacuation 5, drain 1, work 10, way back 4: 20 minutes in all. */
function estimated(node: string, more: Partial<FoundNodeEstimate> = {}): FoundNodeEstimate {
  return {
    node,
    batch: 1,
    evacuation: minutes(5),
    drain: minutes(1),
    work: minutes(10),
    back: minutes(4),
    total: minutes(20),
    basis: { code: 'NodesMeasured', values: { nodes: 2 } },
    ...more,
  }
}

function known(nodes: readonly FoundNodeEstimate[], more: Partial<KnownTimes> = {}): KnownTimes {
  return {
    own: {
      nodes: [...nodes],
      batches: [],
      total: null,
      basis: { code: 'Measured', values: { nodes: 2, runs: 1, migrations: 0 } },
      missing: [{ code: 'PartNotMeasured', values: { part: 'drain' } }],
    },
    kept: null,
    history: { nodes: [], moves: [], phases: [] },
    movesSeen: false,
    ...more,
  }
}

/** A window of two batches, of one node each, with these runs of single nodes. */
function listed(runs: readonly RunSummary[], startsAt = inMinutes(-60)): ListedWindow {
  return {
    status: 'open',
    runs: [...runs],
    window: {
      id: 'w1',
      cluster: 'lab',
      title: 'Kernel',
      ticket: '',
      startsAt,
      endsAt: inMinutes(60),
      timeZone: 'UTC',
      plan: {
        kind: 'batches',
        scope: 'os',
        batches: [{ nodes: ['a'] }, { nodes: ['b'] }],
        work: { kind: 'person' },
        workMinutes: 10,
        pauseBetweenBatches: false,
      },
      notes: '',
      operator: 'olga',
      machine: 'bastion',
      createdAt: inMinutes(-90),
      revision: 1,
      remarks: [],
      estimate: null,
      start: null,
      closed: null,
      cancelled: null,
    },
  }
}

const PARTS = [
  { batch: 1, nodes: ['a'], atOnce: 1 },
  { batch: 2, nodes: ['b'], atOnce: 1 },
]

/** A run of one node that began and ended the given minutes from now. */
function run(kind: RunKind, node: string, state: RunListState, from: number, to: number | null = null): RunSummary {
  const endedAt = to === null ? null : inMinutes(to)
  return sampleSummary(state, { id: `${kind}-${node}-${from}`, kind, node, createdAt: inMinutes(from), endedAt })
}

function ends(progress: WindowProgress, without: readonly string[] = []): string | null {
  return progress.kind === 'ahead' ? (progress.etaWithout(new Set(without))?.highAt ?? null) : 'nothing ahead'
}

describe('the state of nodes that go one by one', () => {
  it.each<readonly [string, readonly RunSummary[], unknown]>([
    ['nothing happened to it', [], undefined],
    ['it is being entered', [run('enter', 'a', 'running', -3)], { kind: 'entering', sinceAt: inMinutes(-3) }],
    ['it waits while it is entered', [run('enter', 'a', 'waiting', -3)], { kind: 'entering', sinceAt: inMinutes(-3) }],
    ['it is in maintenance', [run('enter', 'a', 'done', -9, -5)], { kind: 'in-maintenance', sinceAt: inMinutes(-5) }],
    ['it could not be entered', [run('enter', 'a', 'checks-failed', -9, -8)], undefined],
    [
      'it returns',
      [run('leave', 'a', 'running', -1), run('enter', 'a', 'done', -9, -5)],
      { kind: 'returning', sinceAt: inMinutes(-1) },
    ],
    [
      'its way back failed',
      [run('leave', 'a', 'failed', -3, -1), run('enter', 'a', 'done', -9, -5)],
      { kind: 'in-maintenance', sinceAt: inMinutes(-1) },
    ],
    ['it is back', [run('leave', 'a', 'done', -3, -1), run('enter', 'a', 'done', -9, -5)], undefined],
    [
      'it is back, and was taken out under a clock that was years ahead',
      [run('leave', 'a', 'done', -3, -1), run('enter', 'a', 'done', 9_999_999, 9_999_999)],
      undefined,
    ],
  ])('%s', (_what, runs, status) => {
    expect(nodesNotBack(listed(runs), []).get('a')).toEqual(status)
  })

  it.each([
    [[], 'entering'],
    [['move'], 'entering'],
    [['move', 'work'], 'in-maintenance'],
    [['move', 'work', 'back'], 'returning'],
  ] as const)('of a run that does both, by what it began: %j is %s', (begun, kind) => {
    const steps = [
      sampleStep('move', 'Move', { stage: 'draining' }),
      sampleStep('work', 'Work', { stage: 'work' }),
      sampleStep('back', 'Back', { stage: 'returning' }),
    ]
    const checked = samplePlan({ kind: 'maintain' })
    const sample = createSampleRun({ ...checked, plan: { ...checked.plan, steps }, checks: [] })
    sample.created()
    for (const id of begun) sample.started(id)
    const summary = run('maintain', 'a', 'running', -9)
    const view = { summary, view: foldRun(sample.events), events: sample.events, interrupted: false }
    expect(nodesNotBack(listed([summary]), [view]).get('a')?.kind).toBe(kind)
  })

  // What keeps work off it then is nobody's of this window.
  it.each(['done', 'not-reached'] as const)('a node of the plan whose way back is %s has finished', state => {
    const back = [run('leave', 'a', state, -3, -1), run('enter', 'a', 'done', -9, -5)]
    expect([...nodesThrough(listed(back), [])]).toEqual(['a'])
  })
})

describe('where a window is heading by its estimate', () => {
  const progress = (
    runs: readonly RunSummary[],
    startsAt?: string,
    times = known([estimated('a'), estimated('b')]),
  ) => {
    const window = listed(runs, startsAt)
    return progressOfNodes(window, PARTS, times, nodesThrough(window, []), [], NOW)
  }

  it('nothing begun: the whole plan from now', () => {
    expect(ends(progress([]))).toBe(inMinutes(40))
    expect(ends(progress([]), ['b'])).toBe(inMinutes(20))
  })

  it('not open yet: the whole plan from its beginning', () => {
    expect(ends(progress([], inMinutes(30)))).toBe(inMinutes(70))
  })

  it.each<readonly [string, readonly RunSummary[], number]>([
    ['entered for three minutes', [run('enter', 'a', 'running', -3)], 17 + 20],
    ['in maintenance for five minutes', [run('enter', 'a', 'done', -12, -5)], 9 + 20],
    ['on its way back for a minute', [run('leave', 'a', 'running', -1), run('enter', 'a', 'done', -20, -15)], 3 + 20],
    ['back', [run('leave', 'a', 'done', -3, -1), run('enter', 'a', 'done', -20, -15)], 20],
  ])('a node %s: what is left of it, then the others', (_what, runs, expected) => {
    expect(ends(progress(runs))).toBe(inMinutes(expected))
  })

  it('a node that is being entered where moves are seen: what is still on it, and its way back', () => {
    const times = known([estimated('a', { evacuation: minutes(2) }), estimated('b')], { movesSeen: true })
    expect(ends(progress([run('enter', 'a', 'running', -3)], undefined, times))).toBe(inMinutes(2 + 1 + 10 + 4 + 20))
  })

  it('a started node can no longer be left out', () => {
    const found = progress([run('enter', 'a', 'running', -3)])
    expect(found).toMatchObject({ kind: 'ahead', underWay: true, notBegun: ['b'] })
  })

  it('a node outside the plan has to be back by then as well, and the text says that its work does not count', () => {
    const times = known([estimated('a'), estimated('b'), estimated('x')])
    const found = progress([run('enter', 'x', 'done', -9, -5)], undefined, times)
    expect(found).toMatchObject({ notes: [{ code: 'WorkNotCounted', values: { nodes: ['x'] } }] })
    expect(ends(found, ['a', 'b'])).toBe(inMinutes(4))
    expect(ends(found)).toBe(inMinutes(40))
  })

  it('everything back: nothing is ahead', () => {
    const runs = ['a', 'b'].flatMap(node => [run('leave', node, 'done', -3, -1), run('enter', node, 'done', -9, -5)])
    expect(progress(runs)).toEqual({ kind: 'nothing-ahead', endedAt: inMinutes(-1) })
  })

  it('an unknown time leaves the end open, with the reason', () => {
    const found = progress([], undefined, known([estimated('a', { total: null }), estimated('b')]))
    expect(ends(found)).toBeNull()
    expect(found).toMatchObject({ whyNotKnown: { code: 'PartNotMeasured', values: { part: 'drain' } } })
  })
})

describe('where a run over many nodes is heading', () => {
  const lane = (node: string, batch: string): readonly PlannedStep[] =>
    (['note-node', 'uncordon-node'] as const).map((kind, at) =>
      sampleStep(kind, kind, {
        id: `${kind}@${node}`,
        lane: { batch, name: node },
        phase: 'worker-nodes',
        stage: at === 0 ? 'draining' : 'returning',
        verifyEarly: false,
      }),
    )
  const LANES = [...lane('a', 'batch-1'), ...lane('b', 'batch-2'), ...lane('c', 'batch-3')]
  const begun = (at: number, stepId: string) => [at, { kind: 'step-started', stepId, attempt: 1 }] as const
  const done = (at: number, stepId: string) => [at, { kind: 'step-applied', stepId, note: '' }] as const
  const through = (node: string, from: number, to: number) => [
    begun(from, `note-node@${node}`),
    done(from, `note-node@${node}`),
    begun(to, `uncordon-node@${node}`),
    done(to, `uncordon-node@${node}`),
  ]

  function progress(
    reported: readonly (readonly [number, RunEventBody])[],
    { steps = LANES, times = known(['a', 'b', 'c'].map(name => estimated(name))), interrupted = false } = {},
  ) {
    const group = (name: string, index: number) => ({
      name: `batch-${index}`,
      index,
      nodes: [name],
      concurrentUpdates: 1,
    })
    const driver = {
      operator: 'olga',
      machine: 'bastion',
      pid: 1,
      version: '1',
      id: 'driver-1',
      bootId: 'boot-1',
      epoch: 1,
    }
    const { plan } = samplePlan()
    const update = {
      ...{ scope: 'os' as const, release: null, reason: '', controlNodes: [], zoneAtATime: false },
      groups: ['a', 'b', 'c'].map((name, at) => group(name, at + 1)),
      ...{ work: { kind: 'person' as const }, pauseBetweenNodes: false, pauseBetweenPhases: false },
    }
    const created: RunEventBody = { kind: 'run-created', plan: asRolling(plan, { update, steps: [...steps] }), driver }
    const driven: RunEventBody = { kind: 'run-driven', driver, resumed: false }
    const events = [[-60, created] as const, [-60, driven] as const, ...reported].map(
      ([at, body], index): RunEvent => ({ seq: index + 1, runId: 'r1', at: inMinutes(at), body }),
    )
    return progressOfUpdate({ view: foldRun(events), events, interrupted }, times, NOW)
  }

  it('until the first node has finished, by earlier measures, from the start of each', () => {
    const found = progress([begun(-5, 'note-node@a')])
    expect(ends(found)).toBe(inMinutes(15 + 20 + 20))
    expect(found.notBegun).toEqual(['b', 'c'])
  })

  it('a node under way is compared with its load at the start', () => {
    const kept = known([estimated('a', { total: minutes(30) })]).own
    const times = known([estimated('a', { total: minutes(2) }), estimated('b'), estimated('c')], { kept })
    expect(ends(progress([begun(-5, 'note-node@a')], { times }))).toBe(inMinutes(25 + 20 + 20))
  })

  it('where moves are seen, what is still on a node that is being emptied is all that is left of it', () => {
    const times = known([estimated('a', { total: minutes(16) }), estimated('b'), estimated('c')], { movesSeen: true })
    expect(ends(progress([begun(-5, 'note-node@a')], { times }))).toBe(inMinutes(16 + 20 + 20))
  })

  it('by the nodes that are through in it, as its timeline says', () => {
    const found = progress(through('a', -20, -8))
    expect(ends(found)).toBe(inMinutes(12 + 12))
    expect(ends(found, ['c'])).toBe(inMinutes(12))
  })

  it('the forecast names the nodes to leave out, last first, and only those not begun', () => {
    const found = progress([...through('a', -70, -10), begun(-10, 'note-node@b')])
    expect(windowForecast(listed([]).window, found, NOW)).toMatchObject({
      verdict: 'overruns',
      eta: { highAt: inMinutes(50 + 60) },
      leaveOut: ['c'],
    })
  })

  it('a last node that takes longer than all before it leaves the end open, and that is the reason', () => {
    const late = progress([...through('a', -50, -48), ...through('b', -48, -46), begun(-46, 'note-node@c')])
    expect(ends(late)).toBeNull()
    expect(late.whyNotKnown.code).toBe('LeftTakesLongerThanNodesThrough')
  })

  it('an only node that takes longer than was expected leaves the end open, and that is the reason', () => {
    const times = known([estimated('a'), estimated('b'), estimated('c')])
    const { own } = times
    const gap = { code: 'VendorOtherFlavour', values: {} } as const
    const missing = { ...times, own: { ...own, missing: [gap] } }
    const late = progress([begun(-200, 'note-node@a'), begun(-200, 'note-node@b'), begun(-200, 'note-node@c')], {
      times: missing,
    })
    expect(ends(late)).toBeNull()
    expect(late.whyNotKnown.code).toBe('LeftTakesLongerThanMeasured')
  })

  it('every node through: what follows the last one is all there is', () => {
    const found = progress([...through('a', -20, -8), ...through('b', -8, -5), ...through('c', -5, -1)])
    expect(ends(found)).toBe(NOW)
  })

  it('phases that belong to no node are counted, and unknown ones leave the end open', () => {
    const steps = [...LANES, sampleStep('remove', 'remove', { phase: 'finalize' })]
    const reported = [begun(-5, 'note-node@a')]
    expect(ends(progress(reported, { steps }))).toBeNull()
    const history = { nodes: [], moves: [], phases: [{ phase: 'finalize' as const, ms: 180_000 }] }
    const times = known(
      ['a', 'b', 'c'].map(name => estimated(name)),
      { history },
    )
    expect(ends(progress(reported, { steps, times }))).toBe(inMinutes(15 + 20 + 20 + 3))
  })

  it.each([
    ['it has no driver', { reported: [], interrupted: true }, 'RunInterrupted'],
    ['it is paused', { reported: [[-1, { kind: 'paused' }] as const], interrupted: false }, 'RunPaused'],
  ])('says when %s', (_what, { reported, interrupted }, code) => {
    expect(progress(reported, { interrupted }).notes).toEqual([{ code, values: { node: null } }])
  })
})
