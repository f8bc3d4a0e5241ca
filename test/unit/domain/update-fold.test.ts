import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import { NodeStage, type UpdateMoment, UpdatePhase, UpdateTimeline } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { applyMoment, beginTimeline, foldTimeline } from '../../../shared/domain/update-fold.ts'
import { wordedTimeline } from '../../../shared/words/forecasts.ts'

const START = Date.parse('2026-11-21T06:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const SOURCE = { kind: 'run', runId: 'r1' } as const
const NODES: readonly TimelineNode[] = [
  { node: 'ctl-1', phase: 'control-nodes', group: null, atOnce: 1 },
  ...['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'].map(node => ({
    node,
    phase: 'worker-nodes' as const,
    group: 'rack-1',
    atOnce: 2,
  })),
]

const fold = (moments: readonly UpdateMoment[], now = at(10_000)) =>
  foldTimeline({ source: SOURCE, nodes: NODES, moments, now })
const phase = (seconds: number, name: UpdatePhase): UpdateMoment => ({
  kind: 'phase',
  at: at(seconds),
  phase: name,
  note: '',
})
const stage = (seconds: number, node: string, name: NodeStage, evidence: readonly string[] = []): UpdateMoment => ({
  kind: 'stage',
  at: at(seconds),
  node,
  stage: name,
  note: '',
  evidence: [...evidence],
})
const wait = (seconds: number, subject: string, what: string | null): UpdateMoment => ({
  kind: 'wait',
  at: at(seconds),
  subject,
  what,
})
const laneOf = (timeline: Pick<UpdateTimeline, 'lanes'>, node: string) =>
  must(
    timeline.lanes.find(lane => lane.node === node),
    node,
  )
const through = (node: string, from: number, to: number): readonly UpdateMoment[] => [
  stage(from, node, 'requested'),
  stage(from + 1, node, 'work'),
  stage(to, node, 'done'),
]

const time = fc.nat(20_000).map(at)
const subject = fc.constantFrom('cluster', 'ctl-1', 'cmp-1', 'cmp-2', 'nobody-counted-on')
const momentArbitrary: fc.Arbitrary<UpdateMoment> = fc.oneof(
  fc.record({
    kind: fc.constant('phase' as const),
    at: time,
    phase: fc.constantFrom(...UpdatePhase.options),
    note: fc.string(),
  }),
  fc.record({ kind: fc.constant('over' as const), at: time, note: fc.string() }),
  fc.record({
    kind: fc.constant('stage' as const),
    at: time,
    node: subject,
    stage: fc.constantFrom(...NodeStage.options),
    note: fc.string(),
    evidence: fc.array(fc.string()),
  }),
  fc.record({ kind: fc.constant('wait' as const), at: time, subject, what: fc.option(fc.string()) }),
  fc.record({ kind: fc.constant('retry' as const), at: time, subject, what: fc.string() }),
  fc.record({
    kind: fc.constant('sample' as const),
    at: time,
    instancesRemaining: fc.option(fc.nat()),
    migrationsDone: fc.option(fc.nat()),
    locksInactive: fc.option(fc.nat()),
  }),
)
const momentsArbitrary = fc.array(momentArbitrary, { maxLength: 60 })

describe('whatever happens in an update, in whatever order', () => {
  test('every beginning of it is a timeline', () => {
    fc.assert(
      fc.property(momentsArbitrary, fc.nat(60), (moments, length) => {
        expect(UpdateTimeline.safeParse(wordedTimeline(fold(moments.slice(0, length)))).success).toBe(true)
      }),
    )
  })

  test('spans of a node never overlap, only the last still runs, and waits lie within their span', () => {
    fc.assert(
      fc.property(momentsArbitrary, moments => {
        for (const { spans } of fold(moments).lanes) {
          spans.forEach((span, index) => {
            const before = spans[index - 1]
            if (before !== undefined) expect(span.fromAt >= (before.toAt ?? 'never')).toBe(true)
            if (span.toAt !== null) expect(span.toAt >= span.fromAt).toBe(true)
            for (const each of span.waits) {
              expect(each.fromAt >= span.fromAt).toBe(true)
              expect((each.toAt ?? '') <= (span.toAt ?? '~')).toBe(true)
              if (span.toAt !== null) expect(each.toAt).not.toBeNull()
            }
          })
        }
      }),
    )
  })

  test('at most one phase runs, and it is the one the timeline names', () => {
    fc.assert(
      fc.property(momentsArbitrary, moments => {
        const timeline = fold(moments)
        const running = timeline.phases.filter(({ state }) => state === 'running').map(each => each.phase)
        expect(running).toEqual(timeline.phase === null ? [] : [timeline.phase])
      }),
    )
  })

  test('folding from any beginning leads to the same timeline', () => {
    fc.assert(
      fc.property(momentsArbitrary, fc.nat(60), (moments, length) => {
        const begun = moments.slice(0, length).reduce(applyMoment, beginTimeline(SOURCE, NODES))
        const reported = moments.slice(length).reduce(applyMoment, begun)
        expect({ ...fold(moments), eta: null }).toEqual(reported)
      }),
    )
  })
})

describe('phases', () => {
  test('one begins where the one before it ends', () => {
    const { phases } = fold([phase(0, 'prepare'), phase(60, 'applications')])
    expect(phases[0]).toMatchObject({ state: 'done', fromAt: at(0), toAt: at(60) })
    expect(phases[1]).toMatchObject({ state: 'running', fromAt: at(60), toAt: null })
    expect(phases[2]?.state).toBe('pending')
  })

  test('those before the observer came are finished, at an unknown time', () => {
    const { phases } = fold([phase(0, 'worker-nodes')])
    expect(phases[1]).toMatchObject({ state: 'done', fromAt: null, toAt: null })
  })

  test('the running phase shows what the cloud waits for', () => {
    const running = fold([phase(0, 'applications'), wait(5, 'cluster', 'ceph')]).phases[1]
    expect(running?.note).toBe('ceph')
    const after = fold([phase(0, 'applications'), wait(5, 'cluster', 'ceph'), wait(9, 'cluster', null)]).phases[1]
    expect(after?.note).toBe('')
  })
})

describe('a node', () => {
  test('has a span a stage, with its waits and retries inside it', () => {
    const reported = fold([
      stage(0, 'cmp-1', 'requested'),
      stage(10, 'cmp-1', 'locks'),
      wait(12, 'cmp-1', 'instance vm-1'),
      { kind: 'retry', at: at(14), subject: 'cmp-1', what: 'again' },
      wait(20, 'cmp-1', null),
      stage(30, 'cmp-1', 'draining'),
    ])
    expect(laneOf(reported, 'cmp-1').spans).toEqual([
      { stage: 'requested', fromAt: at(0), toAt: at(10), note: '', evidence: [], waits: [], retries: [] },
      {
        stage: 'locks',
        fromAt: at(10),
        toAt: at(30),
        note: '',
        evidence: [],
        waits: [{ fromAt: at(12), toAt: at(20), what: 'instance vm-1' }],
        retries: [{ at: at(14), what: 'again' }],
      },
      { stage: 'draining', fromAt: at(30), toAt: null, note: '', evidence: [], waits: [], retries: [] },
    ])
  })

  test('the same stage twice continues, with the new facts', () => {
    const { spans } = laneOf(fold([stage(0, 'cmp-1', 'work', ['a']), stage(9, 'cmp-1', 'work', ['a', 'b'])]), 'cmp-1')
    expect(spans).toHaveLength(1)
    expect(spans[0]).toMatchObject({ fromAt: at(0), toAt: null, evidence: ['a', 'b'] })
  })

  test('that is done takes no more time', () => {
    const lane = laneOf(fold(through('cmp-1', 0, 50)), 'cmp-1')
    expect(lane.stage).toBe('done')
    expect(lane.spans.at(-1)).toMatchObject({ stage: 'done', fromAt: at(50), toAt: at(50) })
  })

  test('nobody counted on has a lane from then on', () => {
    expect(laneOf(fold([stage(0, 'cmp-9', 'requested')]), 'cmp-9')).toMatchObject({ stage: 'requested', group: null })
  })
})

test('when it has ended nothing still runs', () => {
  const timeline = fold([
    phase(0, 'worker-nodes'),
    stage(1, 'cmp-1', 'work'),
    wait(2, 'cmp-1', 'a person'),
    { kind: 'over', at: at(5), note: '' },
  ])
  expect(timeline).toMatchObject({ phase: null, endedAt: at(5), eta: null })
  expect(laneOf(timeline, 'cmp-1').spans[0]).toMatchObject({ toAt: at(5), waits: [{ toAt: at(5) }] })
})

test('a long update keeps the first and the newest of its figures', () => {
  const sample = (seconds: number): UpdateMoment => ({
    kind: 'sample',
    at: at(seconds),
    instancesRemaining: seconds,
    migrationsDone: null,
    locksInactive: null,
  })
  const { samples } = fold(Array.from({ length: 5000 }, (_, index) => sample(index)))
  expect(samples.length).toBeLessThanOrEqual(960)
  expect(samples[0]?.instancesRemaining).toBe(0)
  expect(must(samples.at(-1), 'samples').instancesRemaining).toBeGreaterThan(4990)
})

describe('the estimate', () => {
  test('is not invented before a node has finished', () => {
    expect(fold([phase(0, 'worker-nodes'), stage(1, 'cmp-1', 'work')]).eta).toBeNull()
  })

  test('counts those that are left over those at once, less what was done of them', () => {
    const begun = [phase(0, 'worker-nodes'), ...through('cmp-1', 0, 100), stage(100, 'cmp-2', 'requested')]
    const done = [stage(0, 'ctl-1', 'skipped')]
    // Two at once: 50 s of cmp-2 and then 100 s of a third, beside 100 s of the other.
    expect(fold([...begun, ...done], at(150)).eta).toMatchObject({ lowAt: at(150 + 150), highAt: at(150 + 150) })
  })

  test('ranges from the middle of what was seen to its slowest tenth', () => {
    const moments = [...through('cmp-1', 0, 100), ...through('cmp-2', 0, 100), ...through('cmp-3', 0, 400)]
    const eta = must(fold([...moments, stage(0, 'ctl-1', 'skipped')], at(400)).eta, 'nodes have finished')
    expect(eta).toMatchObject({ lowAt: at(500), highAt: at(800) })
    expect(eta.reasonsGiven).toEqual([
      {
        code: 'NodesThroughTook',
        values: { through: 3, middleMs: 100_000, slowMs: 400_000, left: 1, overdue: [] },
      },
    ])
  })

  test('leaves out the time of a finished node without a driver', () => {
    const moments: readonly UpdateMoment[] = [
      stage(0, 'cmp-1', 'requested'),
      stage(10, 'cmp-1', 'locks'),
      { kind: 'rest', at: at(40), node: 'cmp-1', why: 'it had no driver' },
      stage(1040, 'cmp-1', 'locks'),
      stage(1100, 'cmp-1', 'done'),
    ]
    // 40 s until its driver was gone, 60 s after it was taken up again.
    expect(fold(moments, at(1100)).eta?.reasonsGiven).toMatchObject([
      { values: { middleMs: 100_000, slowMs: 100_000 } },
    ])
    expect(wordedTimeline(fold(moments, at(1100))).eta?.basis).toContain('took about 1 min 40 s;')
  })

  test('does not count a node that takes longer than those before it, and says so', () => {
    const begun = [...through('cmp-1', 0, 100), stage(100, 'cmp-2', 'requested'), stage(0, 'ctl-1', 'skipped')]
    const { eta } = wordedTimeline(fold(begun, at(900)))
    expect(eta).toMatchObject({ lowAt: at(1000), highAt: at(1000) })
    expect(eta?.reasonsGiven).toMatchObject([{ values: { overdue: ['cmp-2'] } }])
    expect(eta?.basis).toContain('cmp-2, which takes longer')
    const rest = ['cmp-3', 'cmp-4'].map(name => stage(0, name, 'skipped'))
    expect(fold([...begun, ...rest], at(900)).eta).toBeNull()
  })

  test('ends with the last node', () => {
    const all = NODES.flatMap(({ node }) => through(node, 0, 10))
    expect(fold([...all], at(11)).eta).toBeNull()
  })

  test('counts control nodes by themselves as soon as one has finished', () => {
    const moments = [...through('ctl-1', 0, 1000), ...through('cmp-1', 1000, 1100), ...through('cmp-2', 1000, 1100)]
    expect(fold(moments, at(1100)).eta).toMatchObject({ highAt: at(1200) })
  })
})
