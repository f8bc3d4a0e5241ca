import { describe, expect, test } from 'vitest'
import { gib, percentOf, tileName } from '../../../renderer/features/topology/node-words.ts'
import { byCause, oldSources } from '../../../renderer/features/topology/old-sources.ts'
import { scrollStep } from '../../../renderer/geometry/auto-scroll.ts'
import { isNarrowed, passes } from '../../../renderer/stores/map-filter.ts'
import { type MapFilter, NO_FILTER } from '../../../renderer/stores/topology.ts'
import type { SourceState } from '../../../shared/domain/cluster-view.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'

const counts = { total: 2, live_migrate: 1, migrating: 0, poweroff: 0, notify: 0, ignore: 0, blocked: 1 }

describe('the filter of the map', () => {
  const node = nodeView('cmp-01', { zone: 'az1', rack: 'r7', instances: counts, internalIp: '10.0.0.5' })

  test.each([
    [{}, true],
    [{ text: 'CMP az1' }, true],
    [{ text: 'cmp az2' }, false],
    [{ text: '10.0.0.5' }, true],
    [{ states: ['active'] }, true],
    [{ states: ['maintenance', 'partial'] }, false],
    [{ roles: ['storage'] }, false],
    [{ roles: ['storage', 'compute'] }, true],
    [{ zones: [null] }, false],
    [{ zones: ['az1', null] }, true],
    [{ conditions: ['instances', 'blocked'] }, true],
    [{ conditions: ['not-known'] }, false],
  ] as const)('%j lets a compute node pass: %s', (change, expected) => {
    expect(passes(node, { ...NO_FILTER, ...change })).toBe(expected)
  })

  test('finds nodes of which something could not be asked', () => {
    const filter = { ...NO_FILTER, conditions: ['not-known'] as const }
    expect(passes(nodeView('a', { instances: null }), filter)).toBe(true)
    expect(passes(nodeView('a', { state: 'unknown' }), filter)).toBe(true)
    expect(passes(nodeView('ctl', { roles: ['control'], instances: null, computeService: null }), filter)).toBe(false)
  })

  test('knows whether it leaves anything out', () => {
    expect(
      [NO_FILTER, { ...NO_FILTER, text: ' ' }, { ...NO_FILTER, roles: ['compute'] as const }].map(isNarrowed),
    ).toEqual([false, false, true])
  })
})

describe('facts are old', () => {
  const now = Date.parse('2026-11-21T06:00:30Z')
  const old = (state: SourceState, everyMs: number | null) => oldSources([{ name: 'instances', state, everyMs }], now)

  test.each([
    ['when its source is offline', { kind: 'offline', since: '2026-11-21T05:00:00Z', why: 'no route' }, null, 1],
    ['when they may not be read', { kind: 'not-permitted', why: 'forbidden' }, null, 1],
    ['while they are read', { kind: 'catching-up' }, null, 1],
    ['when three rounds brought no answer', { kind: 'live', lastAnswerAt: '2026-11-21T06:00:14Z' }, 5000, 1],
    ['not after two rounds', { kind: 'live', lastAnswerAt: '2026-11-21T06:00:20Z' }, 5000, 0],
    ['not when changes are pushed', { kind: 'live', lastAnswerAt: '2026-11-21T05:00:00Z' }, null, 0],
    ['not where there are none', { kind: 'absent', why: 'no cloud' }, null, 0],
  ] as const)('%s', (_when, state, everyMs, amount) => {
    expect(old(state, everyMs)).toHaveLength(amount)
  })

  test('in one line for each cause, as old as the oldest; what was never read is separate', () => {
    const gone = 'the API server refuses connections.'
    const [early, late] = ['2026-11-21T06:00:00Z', '2026-11-21T06:00:09Z']
    const reported = byCause([
      { name: 'nodes', since: late, why: `Could not watch nodes: ${gone}` },
      { name: 'pods', since: early, why: `Could not watch pods: ${gone}` },
      { name: 'leases', since: null, why: `Could not watch leases: ${gone}` },
      { name: 'instances', since: late, why: 'Could not list the instances: Nova answered 503.' },
    ])
    expect(reported).toEqual([
      { names: ['nodes', 'pods'], since: early, why: gone },
      { names: ['leases'], since: null, why: `Could not watch leases: ${gone}` },
      { names: ['instances'], since: late, why: 'Could not list the instances: Nova answered 503.' },
    ])
  })
})

describe('a tile', () => {
  test('a screen reader reads its name first, then its state and its instances', () => {
    expect(tileName(nodeView('cmp-01', { schedulable: false, instances: counts }))).toBe(
      'cmp-01, compute, zone az1, active, ready, cordoned, 2 instances',
    )
    expect(
      tileName(
        nodeView('cmp-02', {
          ready: 'unknown',
          state: 'unknown',
          zone: null,
          instances: null,
          computeService: { status: 'disabled', state: 'down', disabledReason: null },
        }),
      ),
    ).toBe('cmp-02, compute, no zone, unknown, contact lost, compute disabled, compute down, instances unknown')
  })

  test('says what others do to a node that is in service otherwise', () => {
    const taints = [
      { taint: 'medik8s.io/drain:NoSchedule', owner: 'medik8s' },
      { taint: 'gpu=a100:NoSchedule', owner: 'unknown' },
    ] as const
    const maintainedBy = [{ node: 'cmp-01', code: 'NodeMaintenance', object: 'fix-disk', reason: '' }] as const
    expect(
      tileName(nodeView('cmp-01', { instances: counts, taints: [...taints], maintainedBy: [...maintainedBy] })),
    ).toBe(
      'cmp-01, compute, zone az1, active, medik8s: maintenance, taint of medik8s, taint gpu=a100:NoSchedule, ready, 2 instances',
    )
  })

  test('of a machine outside of Kubernetes claims no contact that was lost: nobody expects any, and everything of it is known', () => {
    const machine = nodeView('sun-9', { ready: 'none', schedulable: null, zone: null, instances: counts })
    expect(tileName(machine)).toBe('sun-9, compute, no zone, active, not a node of Kubernetes, 2 instances')
    const unknown: MapFilter = { ...NO_FILTER, conditions: ['not-known'] }
    expect(passes(machine, unknown)).toBe(false)
    expect(passes({ ...machine, ready: 'unknown' }, unknown)).toBe(true)
  })

  test('never divides by nothing', () => {
    expect([percentOf(1, 0), percentOf(3, 4)]).toEqual([null, 75])
  })

  test('tells memory in GiB', () => {
    expect([gib(1536), gib(131_072), gib(2048)]).toEqual(['1.5', '128', '2'])
  })
})

test('the map scrolls faster the nearer the edge, and not from the middle', () => {
  const view = { x: 0, y: 0, width: 800, height: 600 }
  expect(scrollStep(view, { x: 400, y: 300 })).toEqual({ x: 0, y: 0 })
  const near = scrollStep(view, { x: 400, y: 590 }).y
  const nearer = scrollStep(view, { x: 400, y: 600 }).y
  expect(nearer).toBeGreaterThan(near)
  expect(scrollStep(view, { x: 10, y: 300 }).x).toBeLessThan(0)
})
