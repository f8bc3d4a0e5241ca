import { describe, expect, it } from 'vitest'
import { nextNode } from '../../../renderer/features/plan/plan-dialog.tsx'
import { liveOf } from '../../../renderer/stores/views.ts'
import { planAge } from '../../../renderer/ui/plan/plan-age.ts'
import { modesThatLift } from '../../../renderer/ui/plan/plan-blockers.tsx'
import { factsOf } from '../../../renderer/ui/plan/plan-facts.tsx'
import { markOfEffect } from '../../../renderer/ui/plan/plan-fates.tsx'
import {
  checksInOrder,
  inFirstOrder,
  instancesInOrder,
  mentions,
  podsInOrder,
} from '../../../renderer/ui/plan/plan-order.ts'
import { confirmWords, verdictOf } from '../../../renderer/ui/plan/plan-words.ts'
import { hasChanged, worldOf } from '../../../renderer/ui/plan/world-of-plan.ts'
import { saidParts, shortId } from '../../../renderer/ui/said.tsx'
import type { InstanceView, NodeView } from '../../../shared/domain/cluster-view.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import {
  blockersOf,
  effectsAfterAccepting,
  effectsOf,
  type InstanceEffect,
  instanceOf,
  openBlockers,
  type PodEffect,
} from '../../../shared/domain/plan-effects.ts'
import { checkStatusWords } from '../../../shared/words/plans.ts'
import { blocking, holding, sampleBlocker, samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'

describe('the order of a plan', () => {
  const answers = {
    'node-exists': holding('it is there'),
    'disable-compute': holding('enabled', [], ['it was disabled by hand before']),
    'drain-node': blocking(sampleBlocker('late', null)),
    'migrate-instances': blocking(sampleBlocker('liftable', 'force')),
  }

  it('blockers come first, then overridden ones, notes, and passed checks', () => {
    const checked = samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] })
    expect(checksInOrder(checked).map(({ step, status }) => [step.id, status])).toEqual([
      ['drain-node', 'blocked'],
      ['migrate-instances', 'overridden'],
      ['disable-compute', 'warning'],
      ['node-exists', 'holds'],
    ])
  })

  it('a blocker that was lifted comes after those that stand, with the flag that lifted it', () => {
    const checked = samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] })
    expect(blockersOf(checked).map(({ blocker, liftedBy }) => [blocker.code, liftedBy])).toEqual([
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
    type Status = PodEffect['budgets'][number]['status']
    const pod = (name: string, fate: PodEffect['fate'], allowed: number | null, status?: Status): PodEffect => ({
      kind: 'pod',
      namespace: 'openstack',
      name,
      uid: name,
      fate,
      reason: '',
      warnings: [],
      budgets:
        allowed === null
          ? []
          : [{ name: 'b', disruptionsAllowed: allowed, currentHealthy: 3, desiredHealthy: 2, status }],
    })
    const pods = [
      pod('free', 'evict', 1),
      pod('unready', 'evict', 0, 'passed'),
      pod('guarded', 'evict', 0),
      pod('waits', 'evict', 1, 'behind'),
      pod('naked', 'delete', null),
      pod('bad', 'block', null),
    ]
    expect(podsInOrder(pods).map(({ name }) => name)).toEqual(['bad', 'guarded', 'waits', 'naked', 'free', 'unready'])
  })

  it('search looks at every text, in any case', () => {
    expect(mentions('  WEB ', ['db-01', 'web-01'])).toBe(true)
    expect(mentions('web', ['db-01'])).toBe(false)
    expect(mentions('', [])).toBe(true)
  })
})

describe('the verdict of the plan that is drawn', () => {
  const fine = samplePlan({ answers: { 'node-exists': holding('it is there') } })
  const lifted = samplePlan({
    answers: { 'drain-node': blocking(sampleBlocker('late', 'force')) },
    overrides: [{ flag: 'force', reason: 'agreed' }],
    startable: true,
  })
  const stuck = samplePlan({ answers: { 'drain-node': blocking(sampleBlocker('late', null)) } })
  const unread = samplePlan({ answers: { 'drain-node': blocking(sampleBlocker('NotRead', null)) } })

  it.each([
    ['shown, without blockers', fine, 'made', 'good', 'Safe to start'],
    ['shown, with a blocker overridden', lifted, 'made', 'caution', 'Can start'],
    ['shown, with a blocker', stuck, 'made', 'bad', '1 thing blocks this'],
    ['the last, while another is made', fine, 'making', 'good', 'Safe to start'],
    ['shown, with one that cannot be read', unread, 'made', 'caution', 'Cannot tell yet'],
    ['the last, as no other could be made', fine, 'failed', 'caution', 'Check failed'],
    ['made for choices that are others by now', fine, 'other-choices', 'open', 'Out of date'],
    ['the last with a blocker, as no other could be made', stuck, 'failed', 'caution', 'Check failed'],
  ] as const)('%s', (_what, checked, status, tone, words) => {
    expect(verdictOf(checked, status)).toEqual({ tone, words })
  })

  it('says how long it takes where that is known, and never calls safe what the operator accepted', () => {
    expect(verdictOf(fine, 'made', '45 s').words).toBe('Safe to start, about 45 s')
    expect(verdictOf(lifted, 'made', '45 s').words).toBe('Can start, about 45 s')
    expect(checkStatusWords(lifted)).toBe('3 pass, 1 accepted by you')
  })

  it('is not safe while nobody knows whether what leaves has room elsewhere', () => {
    const doubt = { code: 'RoomTogetherNotKnown', values: {}, message: 'Cannot tell.' }
    const checked = samplePlan({ answers: { 'node-exists': { ...holding('it is there'), warnings: [doubt] } } })
    expect(verdictOf(checked, 'made', '45 s')).toEqual({
      tone: 'caution',
      words: 'Can start, about 45 s, free memory unknown',
    })
  })
})

describe('how many stand in the way', () => {
  const two = [sampleBlocker('a', null), sampleBlocker('b', 'force')]
  const answers = {
    'migrate-instances': blocking(...two, sampleBlocker('a', null)),
    'drain-node': holding('goes', [], ['the budget is spent', 'the budget is spent']),
  }

  it('is counted by reason, each once, at the top and in the line of the checks alike', () => {
    const checked = samplePlan({ answers, startable: false })
    expect(openBlockers(checked)).toHaveLength(2)
    expect(verdictOf(checked, 'made').words).toBe('2 things block this')
    expect(checkStatusWords(checked)).toBe('3 checks pass, 1 fails')
  })

  it('tells apart what was overridden', () => {
    const checked = samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] })
    expect(checkStatusWords(checked)).toBe('3 pass, 1 fails, 1 accepted by you')
  })
})

describe('an instance that its owner keeps', () => {
  const id = '6f1c0000-0000-4000-8000-0000000009ab'
  const owner: InstanceEffect = {
    kind: 'instance',
    id,
    name: 'ledger-01',
    status: 'ACTIVE',
    action: 'notify',
    source: 'tag',
    reason: 'its owner acts',
    warnings: [],
  }

  it('is found by the values of a blocker, so that its mode is chosen there', () => {
    const checked = samplePlan({ answers: { 'node-exists': holding('there', [owner]) } })
    const { instances } = effectsOf(checked)
    expect(instanceOf({ values: { id, name: 'ledger-01' } }, instances)?.name).toBe('ledger-01')
    expect(instanceOf({ values: { budget: 'rabbitmq-pdb' } }, instances)).toBeNull()
    expect(instanceOf({}, instances)).toBeNull()
  })

  it('stays where it is once the operator accepts what it blocks', () => {
    const blocked = sampleBlocker('OwnerMustAct', 'force')
    const answers = {
      'node-exists': holding('there', [owner]),
      'drain-node': blocking({ ...blocked, values: { id, name: 'ledger-01' } }),
    }
    const actionOf = (checked: CheckedPlan) =>
      effectsAfterAccepting(checked).instances.find(effect => effect.id === id)?.action
    expect(actionOf(samplePlan({ answers }))).toBe('notify')
    expect(actionOf(samplePlan({ answers, overrides: [{ flag: 'force', reason: 'agreed' }] }))).toBe('ignore')
  })

  it.each([
    ['notify', 'tag', ['live_migrate', 'poweroff']],
    ['blocked', 'host-mode', ['poweroff']],
    ['blocked', 'operator', ['poweroff']],
    ['blocked', 'state', []],
  ] as const)('offers the modes that remove the blocker: %s by %s', (action, source, modes) => {
    expect(modesThatLift({ action, source })).toEqual(modes)
  })
})

describe('what a plan does', () => {
  const effect = (name: string, action: InstanceEffect['action'], status = 'ACTIVE'): InstanceEffect => ({
    kind: 'instance',
    id: name,
    name,
    status,
    action,
    source: 'host-mode',
    reason: '',
    warnings: [],
  })
  const { plan } = samplePlan({ answers: {} })

  it('is three or four facts: few instances by their names, many by their number', () => {
    const instances = [
      ...['a', 'b', 'c'].map(name => effect(name, 'live_migrate')),
      effect('cache', 'poweroff'),
      effect('old', 'ignore', 'SHUTOFF'),
    ]
    const place = (host: string, ramAfter: number) => ({ host, gains: [], ramBefore: 1, ramAfter })
    const places = { hostOf: new Map(), places: [place('x', 40), place('y', 63)] }
    expect(factsOf({ plan, node: 'cmp-01', instances, places })).toEqual([
      { kind: 'moves', words: '3 instances move to 2 nodes', more: 'RAM there: 63 % at most afterwards' },
      { kind: 'stops', words: 'cache stops with the node', more: 'You can start it again when cmp-01 is back.' },
      { kind: 'off', words: 'old is off and stays off', more: null },
    ])
  })

  it('has no mark for an instance that runs on where it is', () => {
    expect(markOfEffect(effect('a', 'ignore'))).toBeNull()
    expect(markOfEffect(effect('a', 'ignore', 'SHUTOFF'))).toBe('off')
    expect(markOfEffect(effect('a', 'evacuate'))).toBe('moves')
  })

  it('keeps the rows of the first plan in their places; what is new comes last', () => {
    const rows = [effect('new', 'blocked'), effect('b', 'live_migrate'), effect('a', 'live_migrate')]
    expect(inFirstOrder(rows, ['a', 'b']).map(({ name }) => name)).toEqual(['a', 'b', 'new'])
  })
})

describe('a sentence of main', () => {
  it('keeps names, sets commands apart and takes the middle out of ids', () => {
    const [uuid, project] = ['6f1c0000-0000-4000-8000-0000000009ab', '0123456789abcdef0123456789abcdef']
    expect(saidParts(`ledger-01 (${uuid}) of ${project}: run \`ceph osd tree\`.`)).toEqual([
      { kind: 'words', text: 'ledger-01 (' },
      { kind: 'id', text: uuid },
      { kind: 'words', text: ') of ' },
      { kind: 'id', text: project },
      { kind: 'words', text: ': run ' },
      { kind: 'code', text: 'ceph osd tree' },
      { kind: 'words', text: '.' },
    ])
    expect(shortId(uuid)).toBe('6f1c…09ab')
  })
})

describe('what is confirmed', () => {
  it('says exactly what the button does', () => {
    expect(confirmWords({ kind: 'enter', node: 'cmp-03', cluster: 'demo-plain' }, 1)).toBe('Take cmp-03 out of service')
    expect(confirmWords({ kind: 'rolling-maintenance', cluster: 'demo-plain' }, 2)).toBe(
      'Maintain 2 nodes one after another',
    )
    expect(confirmWords({ kind: 'take-out', cluster: 'demo-plain' }, 3)).toBe('Take 3 nodes out of service')
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

  it('a late picture of an instance that no host takes is not a change: it weighs no places', () => {
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('blocked'))).toBe(false)
  })

  it('a late picture that equals the plan is not a change', () => {
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('live_migrate'))).toBe(false)
    expect(hasChanged(world({}, { action: 'notify' }), world(), planned('poweroff'))).toBe(true)
  })

  it('one that the picture calls migrating is the one that blocks the plan: no change', () => {
    const under = world({}, { action: 'migrating' })
    expect(hasChanged(world(), under, planned('blocked', 'state'))).toBe(false)
    expect(hasChanged(world(), under, planned('live_migrate'))).toBe(true)
  })

  it('is unknown without a picture', () => {
    expect(worldOf(null, 'cmp-01')).toBeNull()
    expect(hasChanged(null, world(), [])).toBe(false)
  })
})
