import { describe, expect, it } from 'vitest'
import { nextNode } from '../../../renderer/features/plan/plan-dialog.tsx'
import { liveOf } from '../../../renderer/stores/views.ts'
import { planAge } from '../../../renderer/ui/plan/plan-age.ts'
import {
  blockersInOrder,
  checksInOrder,
  instancesInOrder,
  mentions,
  podsInOrder,
} from '../../../renderer/ui/plan/plan-order.ts'
import { confirmWords, disruptionWords, verdictOf } from '../../../renderer/ui/plan/plan-words.ts'
import { hasChanged, worldOf } from '../../../renderer/ui/plan/world-of-plan.ts'
import type { InstanceView, NodeView } from '../../../shared/domain/cluster-view.ts'
import type { InstanceEffect, PodEffect } from '../../../shared/domain/plan-effects.ts'
import { blocking, holding, sampleBlocker, samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'

describe('the order of a plan', () => {
  const answers = {
    'node-exists': holding('it is there'),
    'disable-compute': holding('enabled', [], ['it was disabled by hand before']),
    'drain-node': blocking(sampleBlocker('late', null)),
    'migrate-instances': blocking(sampleBlocker('liftable', 'force')),
  }

  it('what stands in the way comes first, then what was overridden, warnings, and what holds', () => {
    const checked = samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] })
    expect(checksInOrder(checked).map(({ step, standing }) => [step.id, standing])).toEqual([
      ['drain-node', 'blocked'],
      ['migrate-instances', 'overridden'],
      ['disable-compute', 'warning'],
      ['node-exists', 'holds'],
    ])
  })

  it('a blocker that was lifted comes after those that stand, with the flag that lifted it', () => {
    const checked = samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] })
    expect(blockersInOrder(checked).map(({ blocker, liftedBy }) => [blocker.code, liftedBy])).toEqual([
      ['late', null],
      ['liftable', 'force'],
    ])
  })

  it('instances: what blocks, what goes nowhere, what waits for its owner, stops, moves, rests', () => {
    const effect = (name: string, action: InstanceEffect['action']): InstanceEffect => ({
      kind: 'instance',
      id: name,
      name,
      status: 'ACTIVE',
      action,
      source: 'host-mode',
      reason: '',
      warnings: [],
    })
    const forecast = (id: string, mayGoTo: string[]) => [id, { id, mayGoTo, note: null, expectedMs: null }] as const
    const ordered = instancesInOrder(
      [
        effect('rest', 'ignore'),
        effect('vm-10', 'live_migrate'),
        effect('vm-9', 'live_migrate'),
        effect('lost', 'live_migrate'),
        effect('owner', 'notify'),
        effect('off', 'poweroff'),
        effect('bad', 'blocked'),
      ],
      new Map([forecast('lost', []), forecast('vm-9', ['cmp-2'])]),
    )
    expect(ordered.map(({ name }) => name)).toEqual(['bad', 'lost', 'owner', 'off', 'vm-9', 'vm-10', 'rest'])
  })

  it('pods: what blocks, what its budget holds, what is deleted, what leaves', () => {
    const pod = (name: string, fate: PodEffect['fate'], allowed: number | null): PodEffect => ({
      kind: 'pod',
      namespace: 'openstack',
      name,
      uid: name,
      fate,
      reason: '',
      warnings: [],
      budgets:
        allowed === null ? [] : [{ name: 'b', disruptionsAllowed: allowed, currentHealthy: 3, desiredHealthy: 2 }],
    })
    const pods = [
      pod('free', 'evict', 1),
      pod('guarded', 'evict', 0),
      pod('naked', 'delete', null),
      pod('bad', 'block', null),
    ]
    expect(podsInOrder(pods).map(({ name }) => name)).toEqual(['bad', 'guarded', 'naked', 'free'])
  })

  it('search looks at every text, in any case', () => {
    expect(mentions('  WEB ', ['db-01', 'web-01'])).toBe(true)
    expect(mentions('web', ['db-01'])).toBe(false)
    expect(mentions('', [])).toBe(true)
  })
})

describe('the verdict of the plan that is drawn', () => {
  const fine = samplePlan({ answers: { 'node-exists': holding('it is there') } })
  const stuck = samplePlan({ answers: { 'drain-node': blocking(sampleBlocker('late', null)) } })

  it.each([
    ['in hand, nothing in its way', fine, 'made', 'good', 'Ready to start'],
    ['in hand, something in its way', stuck, 'made', 'bad', '1 blocker in the way'],
    ['the last, while another is made', fine, 'making', 'open', 'Being checked again'],
    ['the last, as no other could be made', fine, 'failed', 'caution', 'Could not be checked again'],
    ['made for choices that are others by now', fine, 'other-choices', 'open', 'Of other choices'],
    ['the last with a blocker, as no other could be made', stuck, 'failed', 'caution', 'Could not be checked again'],
  ] as const)('%s', (_what, checked, standing, tone, words) => {
    expect(verdictOf(checked, standing)).toEqual({ tone, words })
  })
})

describe('what is confirmed', () => {
  it('names the node and the cluster, and counts what is disruptive', () => {
    expect(confirmWords('enter', 'cmp-03', 'demo-plain')).toBe('Take cmp-03 of demo-plain out of service')
    expect(
      disruptionWords({
        moving: 7,
        movingCold: 0,
        stopped: 0,
        goingDown: 1,
        waiting: 2,
        blocked: 0,
        evicted: 8,
        deleted: 1,
        changes: 2,
      }),
    ).toBe('7 instances move, 1 instance stops with the node, 2 instances wait for their owners and 9 pods leave')
    expect(
      disruptionWords({
        moving: 0,
        movingCold: 0,
        stopped: 0,
        goingDown: 0,
        waiting: 0,
        blocked: 0,
        evicted: 0,
        deleted: 0,
        changes: 2,
      }),
    ).toContain('no instance')
  })

  it.each([
    [59_999, 'fresh'],
    [60_000, 'old'],
    [299_999, 'old'],
    [300_000, 'too-old'],
  ])('a plan of %d ms is %s', (ms, age) => {
    expect(planAge(1_000, 1_000 + ms)).toBe(age)
  })

  it('the next node is the first after this one whose run is not started', () => {
    expect(nextNode(['a', 'b', 'c'], 0, new Set(['a']))).toBe(1)
    expect(nextNode(['a', 'b', 'c'], 2, new Set(['a', 'c']))).toBe(1)
    expect(nextNode(['a', 'b'], 1, new Set(['a', 'b']))).toBeNull()
  })
})

describe('whether the world has changed since a plan was made', () => {
  const world = (node: Partial<NodeView> = {}, instance: Partial<InstanceView> = {}) =>
    worldOf(
      liveOf(
        clusterView('c', {
          nodes: [nodeView('cmp-01', node), nodeView('cmp-02')],
          instances: [instanceView('a', instance), instanceView('z', { node: 'cmp-02' })],
        }),
        1,
      ),
      'cmp-01',
    )
  const planned = (
    action: InstanceEffect['action'],
    source: InstanceEffect['source'] = 'tag',
  ): readonly InstanceEffect[] => [
    { kind: 'instance', id: 'a', name: 'a', status: 'ACTIVE', action, source, reason: '', warnings: [] },
  ]

  it.each<[string, Partial<NodeView>, Partial<InstanceView>]>([
    ['the node is cordoned', { schedulable: false }, {}],
    ['its mode is another', { migrationMode: 'skip' }, {}],
    ['an instance left', {}, { node: 'cmp-02' }],
    ['an instance does otherwise', {}, { action: 'notify' }],
    ['an instance has another status', {}, { status: 'ERROR' }],
  ])('changes when %s', (_what, node, instance) => {
    expect(hasChanged(world(), world(node, instance), planned('live_migrate'))).toBe(true)
  })

  it('does not change with its load or its pods, nor with instances elsewhere', () => {
    const busy = world({ pods: 9, load: { vcpusUsed: 1, vcpusTotal: 2, ramUsedMib: 1, ramTotalMib: 2 } })
    expect(hasChanged(world(), busy, planned('live_migrate'))).toBe(false)
  })

  it('a picture that comes late to an instance that no host takes is no change: it weighs no places', () => {
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('blocked'))).toBe(false)
  })

  it('a picture that comes late to what the plan found is no change', () => {
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('live_migrate'))).toBe(false)
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('poweroff'))).toBe(true)
  })

  it('one that the picture calls migrating is the one that blocks the plan: no change', () => {
    const under = world({}, { action: 'migrating' })
    expect(hasChanged(world(), under, planned('blocked', 'state'))).toBe(false)
    expect(hasChanged(world(), under, planned('live_migrate'))).toBe(true)
  })

  it('is not known without a picture', () => {
    expect(worldOf(null, 'cmp-01')).toBeNull()
    expect(hasChanged(null, world(), [])).toBe(false)
  })
})
