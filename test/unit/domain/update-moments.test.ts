import { describe, expect, test } from 'vitest'
import type { Json } from '../../../shared/domain/json.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../shared/domain/plan.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import type { NodeStage, UpdatePhase, UpdateTimeline } from '../../../shared/domain/update.ts'
import { momentsOfRun } from '../../../shared/domain/update-moments.ts'
import { timelineOfRun } from '../../../shared/words/timelines.ts'

const START = Date.parse('2026-11-21T06:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

function step(id: string, phase: UpdatePhase, stage: NodeStage | null, node: string | null): PlannedStep {
  return {
    id,
    kind: id.split(':')[0] ?? id,
    role: 'general',
    risk: 'reversible',
    title: `Do ${id}`,
    why: '',
    input: node === null ? {} : { node },
    needs: [],
    verbs: ['check', 'apply'],
    verifyEarly: false,
    withinMs: 1000,
    undo: '',
    verifyFinally: true,
    holdsUntil: null,
    lane: node === null || phase === 'control-nodes' ? null : { batch: 'workers', name: node },
    phase,
    stage,
  }
}

const lane = (node: string, phase: UpdatePhase): readonly PlannedStep[] =>
  (['requested', 'locks', 'draining', 'work', 'returning'] as const).map(stage =>
    step(`${stage}:${node}`, phase, stage, node),
  )

const PLAN: Plan = {
  id: 'p',
  kind: 'update',
  cluster: 'east',
  flavour: 'mosk',
  madeAt: at(0),
  options: {
    ...DEFAULT_RUN_OPTIONS,
  },
  update: {
    scope: 'os',
    release: null,
    reason: '',
    controlNodes: ['ctl-1'],
    groups: [
      { name: 'late', index: 2, nodes: ['cmp-3'], concurrentUpdates: 1 },
      { name: 'early', index: 1, nodes: ['cmp-1', 'cmp-2'], concurrentUpdates: 2 },
    ],
    zoneAtATime: false,
    work: { kind: 'person' },
    pauseBetweenNodes: false,
    pauseBetweenPhases: false,
  },
  window: null,
  batches: [{ id: 'workers', title: 'Workers', atOnce: 2 }],
  steps: [
    step('ask', 'prepare', null, null),
    step('cluster-locks', 'applications', null, null),
    ...lane('ctl-1', 'control-nodes'),
    ...['cmp-1', 'cmp-2', 'cmp-3'].flatMap(node => lane(node, 'worker-nodes')),
    step('end', 'finalize', null, null),
  ],
}

const DRIVER = { operator: 'kay', machine: 'm', pid: 1, version: '1', id: 'driver-1', bootId: 'boot-1', epoch: 1 }
const events = (...reported: readonly (readonly [seconds: number, body: RunEventBody])[]): readonly RunEvent[] =>
  reported.map(([seconds, body], index) => ({ seq: index, runId: 'r', at: at(seconds), body }))
const started = (stepId: string, attempt = 1): RunEventBody => ({ kind: 'step-started', stepId, attempt })
const applied = (stepId: string): RunEventBody => ({ kind: 'step-applied', stepId, note: '' })
const fact = (stepId: string, name: string, subject: string, values: Record<string, Json>): RunEventBody => ({
  kind: 'fact',
  stepId,
  fact: name,
  subject,
  announces: false,
  values,
})
const timelineOf = (list: readonly RunEvent[], now = at(1000)) => timelineOfRun({ id: 'r', plan: PLAN }, list, now)
const spansOf = (timeline: Pick<UpdateTimeline, 'lanes'>, node: string) =>
  must(
    timeline.lanes.find(each => each.node === node),
    node,
  ).spans

describe('the timeline of a run', () => {
  test('has a lane a node: control nodes first, then groups by their index', () => {
    expect(timelineOf([]).lanes.map(({ node, phase, group }) => [node, phase, group])).toEqual([
      ['ctl-1', 'control-nodes', null],
      ['cmp-1', 'worker-nodes', 'early'],
      ['cmp-2', 'worker-nodes', 'early'],
      ['cmp-3', 'worker-nodes', 'late'],
    ])
  })

  test('follows the phases of the started steps', () => {
    const list = events(
      [0, started('ask')],
      [5, started('cluster-locks')],
      [9, started('requested:ctl-1')],
      [20, started('requested:cmp-1')],
      [30, started('end')],
    )
    expect(momentsOfRun(PLAN, list).flatMap(each => (each.kind === 'phase' ? [[each.at, each.phase]] : []))).toEqual([
      [at(0), 'prepare'],
      [at(5), 'applications'],
      [at(9), 'control-nodes'],
      [at(20), 'worker-nodes'],
      [at(30), 'finalize'],
    ])
  })

  test('takes a node through its stages, and says it is done when its last step is', () => {
    const list = lane('cmp-1', 'worker-nodes').flatMap(({ id }, index) => [
      [index * 10, started(id)] as const,
      [index * 10 + 9, applied(id)] as const,
    ])
    expect(spansOf(timelineOf(events(...list)), 'cmp-1').map(({ stage, fromAt }) => [stage, fromAt])).toEqual([
      ['requested', at(0)],
      ['locks', at(10)],
      ['draining', at(20)],
      ['work', at(30)],
      ['returning', at(40)],
      ['done', at(49)],
    ])
  })

  test('notes what is done now within a stage', () => {
    const plan = { ...PLAN, steps: [...PLAN.steps, step('again:cmp-1', 'worker-nodes', 'draining', 'cmp-1')] }
    const reported = timelineOfRun(
      { id: 'r', plan },
      events([0, started('draining:cmp-1')], [5, started('again:cmp-1')]),
      at(9),
    )
    expect(spansOf(reported, 'cmp-1')).toMatchObject([{ stage: 'draining', fromAt: at(0), note: 'Do again:cmp-1' }])
  })

  test('does not take a node that was passed for one that is done', () => {
    const list = lane('cmp-1', 'worker-nodes').map(
      ({ id }) => [3, { kind: 'step-skipped', stepId: id, reason: 'broken', by: 'operator' }] as const,
    )
    expect(timelineOf(events(...list)).lanes.find(({ node }) => node === 'cmp-1')?.stage).toBe('skipped')
  })

  test('keeps the reason with which a step was passed, beside the words for it', () => {
    const list = events(
      [0, started('work:cmp-1')],
      [3, { kind: 'step-skipped', stepId: 'work:cmp-1', reason: 'broken', by: 'operator' }],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')).toMatchObject([
      { stage: 'work', evidence: ['Do work:cmp-1: passed, broken'], passed: 'broken' },
    ])
  })

  test('shows a question to a person as a wait until it is answered', () => {
    const list = events(
      [0, started('work:cmp-1')],
      [
        2,
        {
          kind: 'gate-opened',
          stepId: 'work:cmp-1',
          gateId: 'g',
          question: 'Is the work done?',
          choices: ['continue'],
        },
      ],
      [8, { kind: 'gate-answered', stepId: 'work:cmp-1', gateId: 'g', choice: 'continue', reason: '', by: 'kay' }],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.waits).toEqual([
      { fromAt: at(2), toAt: at(8), what: 'an operator: Is the work done?' },
    ])
  })

  test('shows what keeps a node from starting as a wait before its turn', () => {
    const blocked: RunEventBody = {
      kind: 'gate-opened',
      stepId: 'exists:cmp-1',
      gateId: 'g',
      question: 'Gone?',
      choices: ['skip'],
    }
    const plan = { ...PLAN, steps: [step('exists:cmp-1', 'worker-nodes', 'pending', 'cmp-1'), ...PLAN.steps] }
    const reported = timelineOfRun({ id: 'r', plan }, events([1, blocked], [4, started('requested:cmp-1')]), at(9))
    expect(spansOf(reported, 'cmp-1')).toMatchObject([
      { stage: 'pending', fromAt: at(1), toAt: at(4), waits: [{ what: 'an operator: Gone?' }] },
      { stage: 'requested', fromAt: at(4) },
    ])
  })

  test('shows what a step says it waits for: of two things none hides the other', () => {
    const waits = (seconds: number, subject: string, what: string | null) =>
      [seconds, fact('locks:cmp-1', 'waits-for', subject, { what })] as const
    const list = events(
      [0, started('locks:cmp-1')],
      waits(1, 'openstack', 'openstack: 2 instances'),
      waits(2, 'ceph', 'ceph: 1 OSD'),
      waits(5, 'openstack', null),
      [9, applied('locks:cmp-1')],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.waits).toEqual([
      { fromAt: at(1), toAt: at(2), what: 'openstack: 2 instances' },
      { fromAt: at(2), toAt: at(5), what: 'openstack: 2 instances; ceph: 1 OSD' },
      { fromAt: at(5), toAt: at(9), what: 'ceph: 1 OSD' },
    ])
  })

  test('shows a blocked lock as a wait, and one that changes without help not', () => {
    const says = (seconds: number, kind: string, message: string) =>
      [
        seconds,
        fact('locks:cmp-1', 'lock-waiting', 'lock/o', { controller: 'openstack', state: 'active', kind, message }),
      ] as const
    const list = events(
      [0, started('locks:cmp-1')],
      says(1, 'progress', 'Starting migration'),
      says(2, 'blocked', 'Notify owners'),
      says(3, 'trouble', 'Got error'),
      [
        5,
        fact('locks:cmp-1', 'lock-waiting', 'lock/o', {
          controller: 'openstack',
          state: 'active',
          kind: 'progress',
          message: 'Waiting for nova-compute',
        }),
      ],
      [7, fact('locks:cmp-1', 'lock-settled', 'lock/o', {})],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')[0]).toMatchObject({
      waits: [
        { fromAt: at(2), toAt: at(3), what: 'openstack: Notify owners' },
        { fromAt: at(3), toAt: at(5), what: 'openstack: Got error' },
        { fromAt: at(5), toAt: at(7), what: 'openstack: Waiting for nova-compute' },
      ],
      retries: [{ at: at(3), what: 'openstack: Got error' }],
    })
  })

  test('names an instance that is left to its owner, not what its controller wrote', () => {
    const id = '11111111-1111-4111-8111-111111111111'
    const message = `Some servers are still present on the host. Notify owners of the following server: ["${id}"]`
    const list = events(
      [0, started('locks:cmp-1')],
      [1, fact('locks:cmp-1', 'instances-noted', 'node/cmp-1', { instances: [{ id, name: 'web-1' }] })],
      [
        2,
        fact('locks:cmp-1', 'lock-waiting', 'lock/o', {
          controller: 'openstack',
          state: 'active',
          kind: 'blocked',
          message,
        }),
      ],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.waits).toEqual([
      { fromAt: at(2), toAt: null, what: 'web-1 is still on cmp-1, left to its owner.' },
    ])
  })

  test('shows a budget that refuses as a wait until its pod leaves', () => {
    const pod = { uid: 'u' }
    const list = events(
      [0, started('draining:cmp-1')],
      [1, fact('draining:cmp-1', 'pod.eviction-refused', 'pod/a/b', { ...pod, sentence: 'budget b' })],
      [6, fact('draining:cmp-1', 'pod.eviction-refused', 'pod/a/b', { ...pod, sentence: 'budget b' })],
      [7, fact('draining:cmp-1', 'pod.eviction-accepted', 'pod/a/b', pod)],
    )
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.waits).toEqual([{ fromAt: at(1), toAt: at(7), what: 'budget b' }])
  })

  test('shows what keeps a pod that has ended as a wait until it is gone', () => {
    const pod = { uid: 'u', by: 'its finalizer x/y' }
    const list = events(
      [0, started('draining:cmp-1')],
      [1, fact('draining:cmp-1', 'pod.held', 'pod/a/b', pod)],
      [7, fact('draining:cmp-1', 'pod.left', 'pod/a/b', pod)],
    )
    const what = 'a/b has ended, but its finalizer x/y keeps it'
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.waits).toEqual([{ fromAt: at(1), toAt: at(7), what }])
  })

  test('shows a further attempt as a retry', () => {
    const list = events([0, started('draining:cmp-1')], [4, started('draining:cmp-1', 2)])
    expect(spansOf(timelineOf(list), 'cmp-1')[0]?.retries).toEqual([
      { at: at(4), what: 'Do draining:cmp-1: attempt 2' },
    ])
  })

  test('draws nothing for the time without a driver: a span ends at its last event', () => {
    const list = events(
      [0, started('work:cmp-1')],
      [50, { kind: 'run-driven', driver: DRIVER, resumed: true }],
      [51, started('work:cmp-1', 2)],
    )
    const timeline = timelineOf(list)
    expect(spansOf(timeline, 'cmp-1')).toMatchObject([
      { stage: 'work', fromAt: at(0), toAt: at(0), evidence: ['its console stopped answering'] },
      { stage: 'work', fromAt: at(50), toAt: null, evidence: ['accepted by kay'] },
    ])
    expect(timeline.phases[3]).toMatchObject({ state: 'running', fromAt: at(0) })
  })

  test('counts instances that moved', () => {
    const moved = (seconds: number) => [seconds, fact('locks:cmp-1', 'instance-moved', 'server/1', {})] as const
    const samples = timelineOf(events([0, started('locks:cmp-1')], moved(1), moved(2))).samples
    expect(samples.map(({ migrationsDone }) => migrationsDone)).toEqual([1, 2])
  })

  test('ends with the run', () => {
    const list = events(
      [0, started('work:cmp-1')],
      [9, { kind: 'run-finished', outcome: 'aborted', summary: 'enough', leftBehind: [] }],
    )
    expect(timelineOf(list)).toMatchObject({ endedAt: at(9), phase: null })
  })

  test('is open again once a runner refused to continue it, and says that it has no driver', () => {
    const to = { by: 'mgmt', namespace: 'lockkeeper', object: 'update-east' }
    type Reported = readonly [number, RunEventBody]
    const before: readonly Reported[] = [
      [0, started('requested:cmp-1')],
      [10, { kind: 'run-finished', outcome: 'failed', summary: 'Failed.', leftBehind: [] }],
      [20, { kind: 'run-driven', driver: DRIVER, resumed: true }],
      [30, { kind: 'driver-left', why: 'eva left it', handsOver: true }],
      [31, { kind: 'hand-over-announced', by: 'eva', to, storyHash: 'f'.repeat(64) }],
    ]
    const handed: Reported = [32, { kind: 'run-finished', outcome: 'handed-over', summary: 'There.', leftBehind: [] }]
    const refused: Reported = [40, { kind: 'hand-over-failed', why: 'Another plan.' }]
    const overs = (...list: readonly Reported[]) =>
      momentsOfRun(PLAN, events(...list)).flatMap(each => (each.kind === 'over' ? [each.note] : []))
    expect(overs(...before, handed)).toEqual(['Failed.', 'There.'])
    expect(overs(...before, handed, refused)).toEqual(['Failed.'])
    expect(overs(...before, refused), 'refused before its end: what ended earlier stays').toEqual(['Failed.'])
    const reported = momentsOfRun(PLAN, events(...before, handed, refused))
    expect(reported.filter(({ kind }) => kind === 'wait').at(-1)).toMatchObject({
      what: [{ code: 'NotHandedOver', cause: 'Another plan.' }],
    })
  })

  test('does not advance because a step was read ahead of its turn', () => {
    const list = events([
      0,
      {
        kind: 'step-checked',
        stepId: 'end',
        answer: { kind: 'ready', reason: '', evidence: [], warnings: [], effects: [] },
      },
    ])
    expect(momentsOfRun(PLAN, list)).toEqual([])
  })
})
