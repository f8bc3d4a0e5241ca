import { describe, expect, test } from 'vitest'
import { draftOf, nodesLeftOut, readDraft, type UpdateDraft } from '../../../renderer/ui/plan/update-draft.ts'
import { phasesOf } from '../../../renderer/ui/plan/update-plan-view.tsx'
import { type CheckedPlan, DEFAULT_RUN_OPTIONS, PlannedStep } from '../../../shared/domain/plan.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'

const OPTIONS: UpdateOptions = {
  scope: 'os',
  release: null,
  reason: 'OS-4711',
  controlNodes: ['ctl-2', 'ctl-1'],
  groups: [
    { name: 'second', index: 7, nodes: ['cmp-3'], concurrentUpdates: 1 },
    { name: 'first', index: 2, nodes: ['cmp-1', 'cmp-2'], concurrentUpdates: 2 },
  ],
  zoneAtATime: true,
  work: { kind: 'boot-id' },
  pauseBetweenNodes: false,
  pauseBetweenPhases: true,
}
const NODES = ['ctl-1', 'ctl-2', 'cmp-1', 'cmp-2', 'cmp-3']

const problems = (change: Partial<UpdateDraft>, nodes: readonly string[] | null = NODES) => {
  const reading = readDraft({ ...draftOf(OPTIONS), ...change }, nodes)
  return reading.kind === 'unfinished' ? reading.problems : []
}
const groupsWith = (...names: readonly (readonly [string, string])[]) =>
  names.map(([name, nodes], at) => ({ key: `${at}`, name, nodes, concurrentUpdates: 1 }))

describe('the choices of an update', () => {
  test('come back as they were proposed, groups in the order in which they run', () => {
    expect(readDraft(draftOf(OPTIONS), NODES)).toEqual({
      kind: 'ready',
      options: {
        ...OPTIONS,
        groups: [
          { name: 'first', index: 0, nodes: ['cmp-1', 'cmp-2'], concurrentUpdates: 2 },
          { name: 'second', index: 1, nodes: ['cmp-3'], concurrentUpdates: 1 },
        ],
      },
    })
  })

  test('take names however they are parted, and an empty release as none', () => {
    const reading = readDraft({ ...draftOf(OPTIONS), controlNodes: ' ctl-1, ctl-2;\n', release: ' ' }, NODES)
    expect(reading).toMatchObject({ options: { controlNodes: ['ctl-1', 'ctl-2'], release: null } })
  })

  test('give no node two places', () => {
    expect(problems({ controlNodes: 'ctl-1 cmp-1' })).toEqual(['cmp-1 is listed twice.'])
    expect(problems({ groups: groupsWith(['a', 'cmp-1'], ['b', 'cmp-1']) })).toEqual(['cmp-1 is listed twice.'])
  })

  test('name only nodes of the cluster, where those are known', () => {
    expect(problems({ controlNodes: 'ctl-9 ctl-8' })).toEqual(['The cloud has no nodes ctl-9 and ctl-8.'])
    expect(problems({ controlNodes: 'ctl-9' }, null)).toEqual([])
  })

  test('have no group without name or node, and no two of one name', () => {
    expect(problems({ groups: groupsWith(['', 'cmp-1']) })).toEqual(['Group 1 has no name.'])
    expect(problems({ groups: groupsWith(['rack', '']) })[0]).toContain('Group rack has no node')
    expect(problems({ groups: groupsWith(['rack', 'cmp-1'], ['rack', 'cmp-2']) })).toEqual([
      'Two groups are named rack.',
    ])
  })

  test('are about one node at least', () => {
    expect(problems({ controlNodes: '', groups: [] })).toEqual(['No node is chosen.'])
  })

  test('say how Lockkeeper learns that the work has ended', () => {
    expect(problems({ work: { kind: 'kubelet-version', version: ' ' } })).toHaveLength(1)
    expect(problems({ work: { kind: 'job', manifest: '', namespace: '' } })).toHaveLength(2)
    expect(problems({ work: { kind: 'job', manifest: 'kind: Job', namespace: 'default' } })).toEqual([])
  })

  test('tell which nodes they leave out', () => {
    expect(nodesLeftOut(draftOf({ ...OPTIONS, groups: [] }), NODES)).toEqual(['cmp-1', 'cmp-2', 'cmp-3'])
  })
})

const step = (id: string, more: Partial<PlannedStep>): PlannedStep =>
  PlannedStep.parse({
    id,
    kind: 'x',
    role: 'general',
    risk: 'none',
    title: id,
    why: '',
    input: {},
    needs: [],
    verbs: ['check', 'apply'],
    verifyEarly: false,
    withinMs: 1000,
    undo: '',
    ...more,
  })

describe('the plan of an update', () => {
  const lane = (name: string) => ({ batch: 'workers', name })
  const checked: CheckedPlan = {
    plan: {
      id: 'p1',
      kind: 'update',
      cluster: 'east',
      flavour: 'mosk',
      madeAt: '2026-11-21T06:00:00Z',
      options: {
        ...DEFAULT_RUN_OPTIONS,
      },
      update: OPTIONS,
      window: null,
      batches: [{ id: 'workers', title: 'rack-1', atOnce: 2 }],
      steps: [
        step('drain cmp-1', { phase: 'worker-nodes', lane: lane('cmp-1') }),
        step('drain cmp-2', { phase: 'worker-nodes', lane: lane('cmp-2') }),
        step('look at cmp-1', { phase: 'worker-nodes', lane: lane('cmp-1'), verbs: ['check'] }),
        step('request', { phase: 'prepare' }),
      ],
    },
    checkedAt: '2026-11-21T06:00:00Z',
    checks: [
      {
        stepId: 'look at cmp-1',
        overriddenBy: null,
        answer: {
          kind: 'blocked',
          blockers: [{ code: 'a', message: '', remedy: '', override: { kind: 'never', why: '' } }],
          evidence: [],
          warnings: [{ code: 'Sample', values: {}, message: 'w' }],
          effects: [],
        },
      },
    ],
    startable: false,
  }

  test('is shown phase by phase, each node with its work and its blockers', () => {
    const reported = phasesOf(checked)
    expect(reported.map(({ phase }) => phase)).toEqual(['prepare', 'worker-nodes'])
    expect(reported[1]?.batches).toMatchObject([
      {
        title: 'rack-1',
        lanes: [
          { node: 'cmp-1', steps: [{ id: 'drain cmp-1' }], blockers: 1, warnings: 1 },
          { node: 'cmp-2', steps: [{ id: 'drain cmp-2' }], blockers: 0, warnings: 0 },
        ],
      },
    ])
  })

  test('leaves no acting step untold', () => {
    const reported = phasesOf(checked).flatMap(({ batches }) =>
      batches.flatMap(({ lanes }) => lanes.flatMap(({ steps }) => steps.map(({ id }) => id))),
    )
    const acting = checked.plan.steps.filter(({ verbs }) => verbs.includes('apply')).map(({ id }) => id)
    expect([...reported].sort()).toEqual([...acting].sort())
  })
})
