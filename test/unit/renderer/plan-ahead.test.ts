import { describe, expect, test } from 'vitest'
import { planAhead, stretchOf } from '../../../renderer/geometry/plan-ahead.ts'
import { lanesAhead } from '../../../renderer/ui/plan/lane-order.ts'
import type { Estimate } from '../../../shared/domain/estimate.ts'

const MINUTE = 60_000
const ORDER = lanesAhead({
  controlNodes: 'ctl-1\nctl-2',
  groups: [{ key: '0', name: 'default', concurrentUpdates: 2, nodes: 'cmp-1\ncmp-2\ncmp-3' }],
})
const OWN: Estimate['own'] = { nodes: [], batches: [], total: null, basis: '', missing: [] }

function measured(minutes: Readonly<Record<string, number>>): Estimate {
  const nodes = Object.entries(minutes).map(([node, amount]) => {
    const span = { lowMs: amount * MINUTE, highMs: 2 * amount * MINUTE }
    return { node, batch: 1, evacuation: null, drain: null, work: null, back: null, total: span, basis: '' }
  })
  return { madeAt: '', vendor: null, own: { ...OWN, nodes } }
}

describe('a plan as it lies ahead', () => {
  test('measured nodes follow each other, as many at a time as their group has', () => {
    const ahead = planAhead(ORDER, measured({ 'ctl-1': 1, 'ctl-2': 1, 'cmp-1': 5, 'cmp-2': 5, 'cmp-3': 5 }), 0)
    expect(ahead.times).toEqual({ from: 'measured', missing: [] })
    expect(stretchOf(['ctl-1', 'ctl-2'], ahead)).toEqual({ fromMs: 0, toMs: 2 * MINUTE })
    expect(stretchOf(['cmp-1', 'cmp-2'], ahead)).toEqual({ fromMs: 2 * MINUTE, toMs: 7 * MINUTE })
    expect(ahead.end).toEqual({ lowMs: 12 * MINUTE, highMs: 24 * MINUTE })
  })

  test('a node without a measured time is drawn as long as the longest, and named', () => {
    const ahead = planAhead(ORDER, measured({ 'ctl-1': 1, 'cmp-1': 5 }), 0)
    expect(ahead.times.missing).toEqual(['ctl-2', 'cmp-2', 'cmp-3'])
    expect(stretchOf(['ctl-2'], ahead)).toEqual({ fromMs: MINUTE, toMs: 6 * MINUTE })
  })

  test('without measurements the formula of the vendor gives the phases and each node its share', () => {
    const stage = (code: string, minutes: number) => ({ stage: code, code, minutes })
    const reading = (ceph: number) => ({
      reading: '',
      stages: [
        stage('LcmModules', 45),
        stage('OpenStackComponents', 60),
        stage('Ceph', ceph),
        stage('HostOsOnMasters', 30),
        stage('KubernetesOnMasters', 40),
        stage('HostOsAndKubernetesOnWorkers', 120),
      ],
      totalMinutes: 0,
    })
    const vendor = { inputs: { NKC: 2, NKM: 3 }, readings: [reading(50), reading(85)], source: '', notes: [] }
    const ahead = planAhead(ORDER, { madeAt: '', vendor, own: OWN }, 0)
    expect(ahead.times.from).toBe('vendor')
    expect(ahead.prepare).toEqual({ fromMs: 0, toMs: 45 * MINUTE })
    expect(ahead.applications).toEqual({ fromMs: 45 * MINUTE, toMs: 155 * MINUTE })
    expect(stretchOf(['ctl-1', 'ctl-2'], ahead)).toEqual({ fromMs: 155 * MINUTE, toMs: 225 * MINUTE })
    // Two workers at a time, 40 min each; the second reading about Ceph ends 35 min later.
    expect(ahead.end).toEqual({ lowMs: 305 * MINUTE, highMs: 340 * MINUTE })
  })

  test('without any time only the order is drawn, every node alike', () => {
    const ahead = planAhead(ORDER, null, 0)
    expect(ahead.times.from).toBe('order')
    expect(ahead.ghosts.size).toBe(5)
    expect(stretchOf([], ahead)).toBeNull()
  })
})
