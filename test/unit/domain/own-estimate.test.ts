import { describe, expect, it } from 'vitest'
import type { MeasuredNode } from '../../../shared/domain/history.ts'
import {
  type InstanceToMove,
  type MeasuredHistory,
  type NodeOfEstimate,
  ownEstimate,
  type WorkToEstimate,
} from '../../../shared/domain/own-estimate.ts'
import { wordedEstimate } from '../../../shared/words/estimates.ts'

const MEASURED: MeasuredNode = {
  cluster: 'east',
  node: 'cmp-1',
  runId: 'run-1',
  kind: 'update',
  at: '2026-11-20T10:00:00.000Z',
  evacuationMs: 60_000,
  instancesMoved: 1,
  movedGib: 1,
  drainMs: 10_000,
  podsLeft: 3,
  workMs: 300_000,
  returnMs: 20_000,
  totalMs: 390_000,
}

/** Drains of 1 to 10 s on ten nodes: half stay below 5 s, nine in ten below 9 s (nearest rank). */
const TEN = Array.from(
  { length: 10 },
  (_, at): MeasuredNode => ({
    ...MEASURED,
    node: `cmp-${at + 1}`,
    drainMs: (at + 1) * 1000,
    totalMs: 380_000 + (at + 1) * 1000,
  }),
)

const GIB = 1024
/** One GiB takes 10 s as a rule, and 20 s at the slowest. */
const MOVES = [
  { ms: 10_000, ramMib: GIB },
  { ms: 20_000, ramMib: 2 * GIB },
  { ms: 20_000, ramMib: GIB },
]

const live = (ramMib: number | null, at = 0): InstanceToMove => ({ name: `vm-${at}`, way: 'live', ramMib })
const compute = (node: string, ...instances: readonly InstanceToMove[]): NodeOfEstimate => ({
  node,
  isCompute: true,
  instances,
})
const GROUND = TEN.map(({ node }) => compute(node, live(GIB)))

function estimate(
  work: Partial<WorkToEstimate>,
  history: Partial<MeasuredHistory> = {},
  facts: readonly NodeOfEstimate[] = GROUND,
) {
  return ownEstimate(
    {
      parts: [{ batch: 1, nodes: ['cmp-1'], atOnce: 1 }],
      phases: [],
      workMinutes: null,
      empties: true,
      movesSeen: true,
      migrationsAtOnce: 1,
      ...work,
    },
    facts,
    { nodes: TEN, moves: MOVES, phases: [], ...history },
  )
}

describe('our own estimate', () => {
  it('goes from the median to what nine in ten stayed below, part by part', () => {
    expect(estimate({}).nodes).toMatchObject([
      {
        node: 'cmp-1',
        batch: 1,
        evacuation: { lowMs: 10_000, highMs: 20_000 },
        drain: { lowMs: 5_000, highMs: 9_000 },
        work: { lowMs: 300_000, highMs: 300_000 },
        back: { lowMs: 20_000, highMs: 20_000 },
        total: { lowMs: 335_000, highMs: 349_000 },
      },
    ])
  })

  it.each([
    [1, 60_000],
    [2, 40_000],
    [3, 30_000],
    [8, 30_000],
  ])('moves instances of 1, 2 and 3 GiB, %i at once, in that time per GiB', (migrationsAtOnce, lowMs) => {
    const facts = [compute('cmp-1', live(GIB), live(2 * GIB), live(3 * GIB))]
    expect(estimate({ migrationsAtOnce }, {}, facts).nodes[0]?.evacuation?.lowMs).toBe(lowMs)
  })

  it('a batch lasts as long as the longest of its nodes, and batches follow each other', () => {
    const facts = GROUND.map(({ node }, at) => compute(node, live(GIB * ([1, 4, 2][at] ?? 1))))
    const parts = [
      { batch: 1, nodes: ['cmp-1', 'cmp-2'], atOnce: 2 },
      { batch: 2, nodes: ['cmp-3'], atOnce: 1 },
    ]
    const { batches, total } = estimate({ parts }, {}, facts)
    expect(batches.map(({ span }) => span?.lowMs)).toEqual([365_000, 345_000])
    expect(total?.lowMs).toBe(710_000)
  })

  it('sequential parts of a batch add up to the batch', () => {
    const parts = [
      { batch: 1, nodes: ['cmp-1'], atOnce: 1 },
      { batch: 1, nodes: ['cmp-2'], atOnce: 1 },
    ]
    expect(estimate({ parts }).batches).toEqual([{ batch: 1, span: { lowMs: 670_000, highMs: 698_000 } }])
  })

  it('where the limit is smaller than the group, the next begins when one has finished', () => {
    const parts = [{ batch: 1, nodes: ['cmp-1', 'cmp-2', 'cmp-3'], atOnce: 2 }]
    expect(estimate({ parts }).total?.lowMs).toBe(2 * 335_000)
  })

  it('what whole nodes took beyond their parts is in the whole, and in no part', () => {
    const nodes = TEN.map(measured => ({ ...measured, drainMs: 10_000, totalMs: 397_000 }))
    const [node] = estimate({}, { nodes }).nodes
    expect([node?.evacuation, node?.drain, node?.work, node?.back].map(span => span?.lowMs)).toEqual([
      10_000, 10_000, 300_000, 20_000,
    ])
    expect(node?.total?.lowMs).toBe(347_000)
  })

  it("the operator's figure for the work replaces the measured one", () => {
    expect(estimate({ workMinutes: 10 }).nodes[0]?.work).toEqual({ lowMs: 600_000, highMs: 600_000 })
  })

  it('without any history nothing is invented: every part is null, and the text says so', () => {
    const { nodes, batches, total, basis, missing } = estimate({}, { nodes: [], moves: [] })
    expect(nodes).toMatchObject([{ evacuation: null, drain: null, work: null, back: null, total: null }])
    expect([batches[0]?.span, total]).toEqual([null, null])
    expect(basis.code).toBe('NothingMeasured')
    expect(missing).toHaveLength(4)
  })

  it('a measured part of a node is shown, although the whole is unknown while one part is', () => {
    const nodes = TEN.map(measured => ({ ...measured, workMs: null }))
    const { nodes: estimated, total, missing } = estimate({}, { nodes })
    expect(estimated[0]).toMatchObject({ drain: { lowMs: 5_000, highMs: 9_000 }, work: null, total: null })
    expect(total).toBeNull()
    expect(missing).toEqual([{ code: 'PartNotMeasured', values: { part: 'work' } }])
  })

  it('nodes that compute are not measured by those that do not', () => {
    const control: MeasuredNode = { ...MEASURED, node: 'ctl-1', drainMs: 90_000 }
    const facts = [...GROUND, { node: 'ctl-1', isCompute: false, instances: [] }]
    const parts = [{ batch: 1, nodes: ['ctl-1', 'cmp-1'], atOnce: 1 }]
    const { nodes } = estimate({ parts }, { nodes: [...TEN, control] }, facts)
    expect(nodes.map(({ drain }) => drain?.lowMs)).toEqual([90_000, 5_000])
  })

  it('while none of its kind was measured, the others are what there is', () => {
    const facts = [...GROUND, { node: 'ctl-1', isCompute: false, instances: [] }]
    expect(estimate({ parts: [{ batch: 1, nodes: ['ctl-1'], atOnce: 1 }] }, {}, facts).nodes[0]).toMatchObject({
      evacuation: { lowMs: 0, highMs: 0 },
      drain: { lowMs: 5_000 },
    })
  })

  it('a controller that tells only when it is through is measured by the whole of its preparation', () => {
    expect(estimate({ movesSeen: false }, { moves: [] }).nodes[0]?.evacuation).toEqual({
      lowMs: 60_000,
      highMs: 60_000,
    })
  })

  it('with scope drain no instance moves', () => {
    expect(estimate({ empties: false }, { moves: [] }).nodes[0]?.evacuation).toEqual({ lowMs: 0, highMs: 0 })
  })

  it.each<readonly [string, InstanceToMove, string]>([
    ['waits for its owner', { name: 'vm', way: 'owner', ramMib: GIB }, 'InstancesWaitForOwner'],
    ['moves cold', { name: 'vm', way: 'other', ramMib: GIB }, 'InstancesNotLive'],
  ])('an instance that %s is named and not counted', (_what, instance, code) => {
    const { nodes, missing } = estimate({}, {}, [compute('cmp-1', instance)])
    expect(nodes[0]?.evacuation).toEqual({ lowMs: 0, highMs: 0 })
    expect(missing).toContainEqual({ code, values: { node: 'cmp-1', total: 1 } })
  })

  it('unreadable instances do not count as zero', () => {
    const { nodes, missing } = estimate({}, {}, [{ node: 'cmp-1', isCompute: true, instances: null }])
    expect(nodes[0]?.evacuation).toBeNull()
    expect(missing).toEqual([{ code: 'InstancesNotRead', values: { node: 'cmp-1' } }])
  })

  it('a phase besides the nodes is in the whole; the whole is unknown where it was never measured', () => {
    const phases = [{ phase: 'applications' as const, ms: 100_000 }]
    expect(estimate({ phases: ['applications'] }, { phases }).total?.lowMs).toBe(435_000)
    const { total, missing } = estimate({ phases: ['applications', 'finalize'] }, { phases })
    expect(total).toBeNull()
    expect(missing).toEqual([{ code: 'PhaseNotMeasured', values: { phase: 'finalize' } }])
  })

  it('says of how many nodes, runs and migrations it is', () => {
    const { basis, nodes } = wordedEstimate(estimate({}))
    expect(basis).toBe('10 nodes measured on this cloud in 1 run, 3 migrations.')
    expect(nodes[0]?.basis).toBe('10 nodes measured; 1 instance of 1 GiB by 3 migrations, 1 at a time')
  })
})
