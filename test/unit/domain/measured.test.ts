import { describe, expect, it } from 'vitest'
import type { MeasuredNode } from '../../../shared/domain/history.ts'
import { measuredIn } from '../../../shared/domain/measured.ts'
import { isNodeRun, type PlannedStep, type RunKind } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import { INSTANCE_MOVED, MIGRATION_REQUESTED, POD_LEFT, WATCHER_ACTION } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { asRolling, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { DRIVER } from '../../fixtures/driver.ts'

const BEGAN = Date.parse('2026-11-21T10:00:00.000Z')

type Reported = readonly [second: number, body: RunEventBody]

/** What a run with these events measured, each event at its second. */
function measured(
  kind: Exclude<RunKind, 'undo'>,
  steps: readonly PlannedStep[],
  reported: readonly Reported[],
): readonly MeasuredNode[] {
  const { plan } = samplePlan()
  const created: Reported = [
    0,
    {
      kind: 'run-created',
      plan: isNodeRun(kind) ? { ...plan, kind, steps: [...steps] } : asRolling(plan, { kind, steps: [...steps] }),
      driver: DRIVER,
    },
  ]
  const events = [created, ...reported].map(
    ([second, body], at): RunEvent => ({
      seq: at + 1,
      runId: 'run-1',
      at: new Date(BEGAN + second * 1000).toISOString(),
      body,
    }),
  )
  return measuredIn(foldRun(events), events)
}

const started = (second: number, stepId: string): Reported => [second, { kind: 'step-started', stepId, attempt: 1 }]
const applied = (second: number, stepId: string): Reported => [second, { kind: 'step-applied', stepId, note: '' }]
const fact = (
  second: number,
  stepId: string,
  name: string,
  subject: string,
  values: Extract<RunEventBody, { kind: 'fact' }>['values'],
): Reported => [second, { kind: 'fact', stepId, fact: name, subject, announces: false, values }]

const ENTER = ['migrate-instances', 'cordon-node', 'drain-node'].map(kind => sampleStep(kind, kind))
const ENTERED: readonly Reported[] = [
  started(10, 'migrate-instances'),
  fact(10, 'migrate-instances', MIGRATION_REQUESTED, 'server/a', { name: 'a', ramMib: 2048 }),
  fact(30, 'migrate-instances', INSTANCE_MOVED, 'server/a', { name: 'a' }),
  fact(30, 'migrate-instances', MIGRATION_REQUESTED, 'server/b', { name: 'b', ramMib: 1024 }),
  fact(40, 'migrate-instances', INSTANCE_MOVED, 'server/b', { name: 'b' }),
  applied(50, 'migrate-instances'),
  started(51, 'cordon-node'),
  applied(52, 'cordon-node'),
  started(55, 'drain-node'),
  fact(60, 'drain-node', POD_LEFT, 'pod/ns/p', { uid: 'u1' }),
  fact(61, 'drain-node', POD_LEFT, 'pod/ns/p', { uid: 'u2' }),
  applied(75, 'drain-node'),
]

describe('what a run measured of a node', () => {
  it('its evacuation, what moved, its drain and the whole, from when it was first touched', () => {
    expect(measured('enter', ENTER, ENTERED)).toEqual([
      {
        cluster: 'lab',
        node: 'cmp-1',
        runId: 'run-1',
        kind: 'enter',
        at: '2026-11-21T10:00:10.000Z',
        evacuationMs: 40_000,
        instancesMoved: 2,
        movedGib: 3,
        drainMs: 20_000,
        podsLeft: 2,
        workMs: null,
        returnMs: null,
        totalMs: 65_000,
      },
    ])
  })

  it('nothing for a node that was only read', () => {
    expect(measured('enter', ENTER, [])).toEqual([])
  })

  it('neither a part that still runs nor the whole', () => {
    expect(measured('enter', ENTER, ENTERED.slice(0, -1))).toMatchObject([
      { evacuationMs: 40_000, drainMs: null, totalMs: null },
    ])
  })

  it('neither a part that the operator passed nor the whole', () => {
    const passed: Reported = [75, { kind: 'step-skipped', stepId: 'drain-node', reason: 'no', by: 'operator' }]
    expect(measured('enter', ENTER, [...ENTERED.slice(0, -1), passed])).toMatchObject([
      { evacuationMs: 40_000, drainMs: null, totalMs: null },
    ])
  })

  it('no memory where the memory of one instance is unknown', () => {
    const reported = ENTERED.map(
      ([at, body]): Reported =>
        body.kind === 'fact' && body.subject === 'server/b' ? [at, { ...body, values: { name: 'b' } }] : [at, body],
    )
    expect(measured('enter', ENTER, reported)).toMatchObject([{ instancesMoved: 2, movedGib: null }])
  })

  it.each<readonly [string, readonly Reported[]]>([
    [
      'in which a person was asked',
      [
        [12, { kind: 'gate-opened', stepId: 'migrate-instances', gateId: 'g', question: '?', choices: ['retry'] }],
        [
          27,
          { kind: 'gate-answered', stepId: 'migrate-instances', gateId: 'g', choice: 'retry', reason: '', by: 'olga' },
        ],
      ],
    ],
    [
      'in which it was paused',
      [
        [12, { kind: 'paused' }],
        [27, { kind: 'resume-requested', by: 'olga' }],
      ],
    ],
    [
      'in which it had no driver',
      [
        [12, { kind: 'driver-left', why: 'detached' }],
        [27, { kind: 'run-driven', driver: DRIVER, resumed: true }],
      ],
    ],
    [
      'after the last word of a driver that was killed',
      [
        [12, { kind: 'pause-after-node-requested', by: 'olga' }],
        [27, { kind: 'run-driven', driver: DRIVER, resumed: true }],
      ],
    ],
  ])('without the time %s', (_what, idle) => {
    const reported = [...ENTERED.slice(0, 2), ...idle, ...ENTERED.slice(2)]
    expect(measured('enter', ENTER, reported)).toMatchObject([
      { evacuationMs: 25_000, drainMs: 20_000, totalMs: 50_000 },
    ])
  })

  it('the way back of a node that returned', () => {
    const steps = ['uncordon-node', 'compute-returns', 'enable-compute'].map(kind => sampleStep(kind, kind))
    const reported = [
      started(5, 'uncordon-node'),
      applied(6, 'uncordon-node'),
      started(7, 'compute-returns'),
      applied(20, 'compute-returns'),
      started(21, 'enable-compute'),
      applied(25, 'enable-compute'),
    ]
    expect(measured('leave', steps, reported)).toMatchObject([
      { evacuationMs: null, drainMs: null, returnMs: 20_000, totalMs: 20_000 },
    ])
  })

  it("Watcher's moves by what it says of its actions", () => {
    const steps = [sampleStep('run-watcher-plan', 'run-watcher-plan')]
    const action = (at: number, id: string, type: string, state: string) =>
      fact(at, 'run-watcher-plan', WATCHER_ACTION, `server/${id}`, { type, state, action: `${id}-1` })
    const reported = [
      started(0, 'run-watcher-plan'),
      action(1, 'a', 'live-migrate', 'ONGOING'),
      action(9, 'a', 'live-migrate', 'SUCCEEDED'),
      action(9, 'b', 'stop', 'SUCCEEDED'),
      applied(10, 'run-watcher-plan'),
    ]
    expect(measured('enter', steps, reported)).toMatchObject([
      { instancesMoved: 1, movedGib: null, evacuationMs: 10_000 },
    ])
  })
})

describe('what an update measured', () => {
  const lane = (node: string) =>
    ['node-locks-inactive', 'drain-node', 'node-work', 'node-ready-again', 'uncordon-node', 'node-locks-active'].map(
      kind =>
        sampleStep(kind, kind, { id: `${kind}@${node}`, lane: { batch: 'w', name: node }, phase: 'worker-nodes' }),
    )
  const way = (node: string, from: number): readonly Reported[] => [
    started(from, `node-locks-inactive@${node}`),
    applied(from + 30, `node-locks-inactive@${node}`),
    started(from + 30, `drain-node@${node}`),
    applied(from + 40, `drain-node@${node}`),
    started(from + 40, `node-work@${node}`),
    applied(from + 90, `node-work@${node}`),
    started(from + 90, `node-ready-again@${node}`),
    applied(from + 100, `node-ready-again@${node}`),
    started(from + 100, `uncordon-node@${node}`),
    applied(from + 101, `uncordon-node@${node}`),
    started(from + 101, `node-locks-active@${node}`),
    applied(from + 110, `node-locks-active@${node}`),
  ]

  it('every node separately: what emptied it, the work up to the way back, the way back', () => {
    const found = measured('update', [...lane('w1'), ...lane('w2')], [...way('w1', 0), ...way('w2', 200).slice(0, 4)])
    expect(found).toMatchObject([
      {
        node: 'w1',
        evacuationMs: 30_000,
        movedGib: null,
        drainMs: 10_000,
        workMs: 60_000,
        returnMs: 10_000,
        totalMs: 110_000,
      },
      { node: 'w2', evacuationMs: 30_000, drainMs: 10_000, workMs: null, returnMs: null, totalMs: null },
    ])
  })

  it("a person's answer is the work's end; the work that nobody watched was not measured", () => {
    const asked: readonly Reported[] = [
      [50, { kind: 'gate-opened', stepId: 'node-work@w1', gateId: 'g', question: '?', choices: ['continue'] }],
      [80, { kind: 'gate-answered', stepId: 'node-work@w1', gateId: 'g', choice: 'continue', reason: '', by: 'o' }],
    ]
    const reported = way('w1', 0)
    expect(measured('update', lane('w1'), [...reported.slice(0, 5), ...asked, ...reported.slice(5)])).toMatchObject([
      { workMs: 60_000, totalMs: 110_000 },
    ])
    const left: readonly Reported[] = [
      [50, { kind: 'driver-left', why: 'detached' }],
      [80, { kind: 'run-driven', driver: DRIVER, resumed: true }],
    ]
    expect(measured('update', lane('w1'), [...reported.slice(0, 5), ...left, ...reported.slice(5)])).toMatchObject([
      { drainMs: 10_000, workMs: null, returnMs: 10_000, totalMs: null },
    ])
  })
})
