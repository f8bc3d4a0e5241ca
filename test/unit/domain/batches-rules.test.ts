import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begunNode, heldBackByLimits } from '../../../main/procedures/steps/requests/lock-limits.ts'
import type { BatchCeph, BatchFacts, BatchQuorum } from '../../../shared/domain/batch-facts.ts'
import { judgeBatches } from '../../../shared/domain/batch-judge.ts'
import { brokenRules, rulesOf } from '../../../shared/domain/batch-rules.ts'
import type { BatchOptions } from '../../../shared/domain/batches.ts'
import { DEFAULT_MAINTENANCE_API, ORIGINAL_NODE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import { DEFAULT_ROLE_LABELS, NodeRole } from '../../../shared/domain/roles.ts'
import { breachWords } from '../../../shared/words/batch-findings.ts'
import { batchRuleWords } from '../../../shared/words/batch-rules.ts'
import { batchHost, batchNode, facts, provider, vm } from '../../fixtures/batches/small-cloud.ts'

const SPREAD: BatchOptions = { zones: 'spread', atOnce: {} }
const control = (name: string, change = {}) =>
  batchNode(name, { roles: ['control'], host: null, zone: null, ...change })
const storage = (name: string, change = {}) =>
  batchNode(name, { roles: ['storage'], host: null, zone: null, ...change })

function problemsOf(cloud: BatchFacts, batches: readonly (readonly string[])[], wish = SPREAD) {
  return judgeBatches(
    cloud,
    wish,
    batches.map(nodes => ({ nodes: [...nodes] })),
  ).map(({ batch }) => batch.problems)
}

const rulesIn = (...given: Parameters<typeof problemsOf>) =>
  problemsOf(...given).map(problems => problems.map(({ rule, weight }) => `${weight} ${rule}`))

describe('the limits per role', () => {
  it('break exactly when a node of the batch would be held back by them when the others have begun', () => {
    const node = fc.record({
      roles: fc.subarray([...NodeRole.options]),
      zone: fc.constantFrom('az1', 'az2', null),
    })
    fc.assert(
      fc.property(
        fc.array(node, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('any', 'own'),
        fc.boolean(),
        (drawn, computeMax, gatewayMax, roleLimits, respectZone) => {
          const nodes = drawn.map((each, at) => batchNode(`n-${at}`, { ...each, host: null }))
          const cloud = facts(nodes, {
            limits: {
              perRole: {
                control: { most: 1, by: 'cluster-setting' },
                gateway: { most: gatewayMax, by: 'cluster-setting' },
                compute: { most: computeMax, by: 'cluster-setting' },
                storage: null,
              },
              roleLimits,
              zonesByControllers: respectZone,
            },
          })
          const settings = { computeMax, gatewayMax, roleLimits, respectZone }
          const heldBack = nodes.some(
            one =>
              heldBackByLimits(
                one,
                nodes.filter(other => other !== one),
                settings,
              ) !== null,
          )
          expect(brokenRules(rulesOf(cloud, SPREAD), nodes, new Set()).length > 0).toBe(heldBack)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('by default are the seed’s rule ("only one nodeworkloadlock object at a time in the inactive state", seed 000)', () => {
    const node = (name: string, role: 'control' | 'gateway' | 'compute') => ({ name, roles: [role], zone: null })
    for (const first of ['control', 'gateway', 'compute'] as const) {
      for (const second of ['control', 'gateway', 'compute'] as const) {
        expect(heldBackByLimits(node('b', second), [node('a', first)], DEFAULT_MAINTENANCE_API)).not.toBeNull()
      }
    }
    const raised = { ...DEFAULT_MAINTENANCE_API, computeMax: 2 }
    expect(heldBackByLimits(node('b', 'compute'), [node('a', 'compute')], raised)).toBeNull()
  })

  it('count a started node by its lock: removed labels come from the copy on the lock, and a node without a role counts in each', () => {
    const computeLabels = { 'openstack-compute-node': 'enabled' }
    const copyOf = (labels: unknown) => ({
      annotations: { [ORIGINAL_NODE_ANNOTATION]: JSON.stringify({ kind: 'Node', metadata: { name: 'a', labels } }) },
    })
    const counted = (...[lock, labels]: [Parameters<typeof begunNode>[0], Record<string, string> | null]) =>
      begunNode(lock, { name: 'a', labels }, DEFAULT_ROLE_LABELS, null).roles
    expect(counted(copyOf(computeLabels), {})).toEqual(['compute'])
    expect(counted(copyOf({ 'openstack-gateway': 'enabled' }), computeLabels)).toEqual(['gateway', 'compute'])
    expect(counted(copyOf(computeLabels), null)).toEqual(['compute'])
    for (const silent of [{ annotations: {} }, copyOf({}), copyOf(3), copyOf({ role: 'ceph-osd-node' })]) {
      expect(counted(silent, {})).toEqual(['control', 'gateway', 'compute'])
    }
    expect(counted({ annotations: { [ORIGINAL_NODE_ANNOTATION]: '{' } }, null)).toEqual([
      'control',
      'gateway',
      'compute',
    ])
  })

  it('asked for beyond the setting say what the setting is', () => {
    const cloud = facts([batchNode('a')])
    expect(batchRuleWords(cloud, { ...SPREAD, atOnce: { compute: 40 } })).toContain(
      'compute: 40 at a time (as requested; more than the 30 of cloud setting)',
    )
  })
})

describe('zones', () => {
  const nodes = [batchNode('a'), batchNode('b', { zone: 'az2' })]
  const ofControllers = { ...facts(nodes).limits, zonesByControllers: true }

  it('one at a time is a wish, and a rule where the controllers of the cluster ask for it', () => {
    expect(rulesIn(facts(nodes), [['a', 'b']], { ...SPREAD, zones: 'one-at-a-time' })).toEqual([['soft zone']])
    expect(rulesIn(facts(nodes), [['a', 'b']])).toEqual([[]])
    expect(rulesIn(facts(nodes, { limits: ofControllers }), [['a', 'b']])).toEqual([['hard zone']])
  })
})

describe("Ceph's failure domains", () => {
  const nodes = [storage('s-1'), storage('s-2'), storage('s-3', { away: 'cordoned' })]
  const known = (mayStop: readonly string[], third: string | null = 'r2'): BatchCeph => ({
    kind: 'known',
    rackOf: new Map([
      ['s-1', 'r1'],
      ['s-2', 'r1'],
      ['s-3', third],
    ]),
    unclear: new Set(),
    racksMayStop: new Set(mayStop),
  })
  it('let no host go beside one of which nobody can tell whether it has OSDs', () => {
    const bare = facts([storage('s-1'), storage('s-2'), batchNode('x')], {
      ceph: { kind: 'known', rackOf: new Map([['s-1', 'r1']]), unclear: new Set(['x']), racksMayStop: new Set() },
    })
    expect(rulesIn(bare, [['s-1', 'x']])).toEqual([['hard ceph-domain']])
    expect(rulesIn(bare, [['s-1'], ['x']])).toEqual([[], []])
  })

  const two = { ...SPREAD, atOnce: { storage: 2 } } as const
  const serving = nodes.map(node => ({ ...node, away: null }))

  it('let one host go at a time', () => {
    expect(rulesIn(facts(serving, { ceph: known(['r1']) }), [['s-1', 's-2'], ['s-3']])).toEqual([
      ['hard ceph-domain'],
      [],
    ])
  })

  it('let hosts of a rack go together on request, where Ceph lets the rack stop', () => {
    expect(rulesIn(facts(serving, { ceph: known(['r1']) }), [['s-1', 's-2']], two)).toEqual([[]])
    expect(rulesIn(facts(serving, { ceph: known([]) }), [['s-1', 's-2']], two)).toEqual([['hard ceph-domain']])
    expect(rulesIn(facts(serving, { ceph: known(['r1', 'r2']) }), [['s-2', 's-3']], two)).toEqual([
      ['hard ceph-domain'],
    ])
    expect(rulesIn(facts(serving, { ceph: known([], null) }), [['s-3', 's-1']], two)).toEqual([['hard ceph-domain']])
  })

  it('count a host that is away already, until it was in an earlier batch', () => {
    const cloud = facts(nodes, { ceph: known([]) })
    expect(rulesIn(cloud, [['s-1'], ['s-3'], ['s-2']])).toEqual([['hard ceph-domain'], [], []])
  })

  it('are taken for one a storage node where Ceph could not be asked', () => {
    expect(rulesIn(facts(serving, { ceph: { kind: 'unknown', why: 'No toolbox.' } }), [['s-1', 's-2']])).toEqual([
      ['hard ceph-domain'],
    ])
  })
})

describe('a quorum', () => {
  const nodes = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5'].map(name => control(name))
  const etcd = (count: number, change: Partial<BatchQuorum['members'][number]> = {}): BatchQuorum => ({
    what: 'etcd',
    needed: Math.floor(count / 2) + 1,
    members: nodes
      .slice(0, count)
      .map(({ name }, at) => ({ name: `etcd-${at + 1}`, node: name, serves: true, ...(at === 0 ? change : {}) })),
  })
  const five = { ...SPREAD, atOnce: { control: 5 } } as const

  it('keeps its majority of all members, those that are away counted as lost', () => {
    expect(rulesIn(facts(nodes, { quorums: [etcd(5)] }), [['c-1', 'c-2']], five)).toEqual([[]])
    expect(rulesIn(facts(nodes, { quorums: [etcd(5)] }), [['c-1', 'c-2', 'c-3']], five)).toEqual([['hard quorum']])
    const away = nodes.map(node => (node.name === 'c-5' ? { ...node, away: 'cordoned' } : node))
    expect(rulesIn(facts(away, { quorums: [etcd(5)] }), [['c-1', 'c-2'], ['c-5'], ['c-3', 'c-4']], five)).toEqual([
      ['hard quorum'],
      [],
      [],
    ])
  })

  it('of one or two has no member to spare', () => {
    expect(rulesIn(facts(nodes, { quorums: [etcd(1)] }), [['c-1']])).toEqual([['hard quorum']])
    expect(rulesIn(facts(nodes, { quorums: [etcd(2)] }), [['c-2']])).toEqual([['hard quorum']])
  })

  it('with a member that does not serve spares fewer; nodes without one do not matter to it', () => {
    const broken = facts(nodes, { quorums: [etcd(3, { serves: false })] })
    expect(rulesIn(broken, [['c-2'], ['c-4']])).toEqual([['hard quorum'], []])
    expect(problemsOf(broken, [['c-2']])[0]?.[0]?.breach).toMatchObject({
      code: 'QuorumLost',
      values: { staying: 1, needed: 2, goes: ['etcd-2'], out: ['etcd-1'] },
    })
  })

  it('with a member nobody can place takes it for one on the node', () => {
    const lost = facts([...nodes, batchNode('cmp')], { quorums: [etcd(3, { node: null })] })
    expect(rulesIn(lost, [['c-2'], ['cmp']])).toEqual([['hard quorum'], []])
  })
})

describe('nodes of a batch', () => {
  it('have to be nodes of the cluster, be there once, and report', () => {
    const cloud = facts([batchNode('a'), batchNode('b', { ready: false, away: 'not Ready' }), batchNode('c')])
    expect(rulesIn(cloud, [['a', 'z'], ['a'], ['b'], ['c', 'c'], []])).toEqual([
      ['hard unknown-node'],
      ['hard twice'],
      ['hard not-ready'],
      ['hard twice'],
      ['soft empty'],
    ])
  })
})

describe('anti-affinity', () => {
  const nodes = ['a', 'b', 'c', 'd'].map(name => batchNode(name))
  const instances = [vm('i1', 'a', 1), vm('i2', 'b', 1), vm('i3', 'c', 1)]
  const groups = [{ id: 'g', name: 'db', policy: 'anti-affinity', memberIds: ['i1', 'i2', 'i3'] }]

  it('needs a host without a member for each that moves', () => {
    const cloud = facts(nodes, { instances, groups })
    expect(rulesIn(cloud, [['a']])).toEqual([[]])
    expect(rulesIn(cloud, [['a', 'b']])).toEqual([['hard anti-affinity', 'hard capacity']])
    const [problem] = problemsOf(cloud, [['a', 'b']])[0] ?? []
    expect(breachWords(must(problem, 'it is broken').breach)).toBe(
      '2 instances of anti-affinity group db must move (vm-i1, vm-i2), but only 1 remaining host has room without another member.',
    )
  })

  it('lets as many be on a host as its rule says', () => {
    const two = groups.map(group => ({ ...group, maxPerHost: 2 }))
    expect(rulesIn(facts(nodes, { instances, groups: two }), [['a', 'b']])).toEqual([[]])
    expect(rulesIn(facts(nodes, { instances, groups: two }), [['a', 'b', 'c']])).toEqual([
      ['hard anti-affinity', 'hard capacity'],
    ])
  })

  it('is shown also where Placement was not read', () => {
    expect(rulesIn(facts(nodes, { instances, groups, providers: null }), [['a', 'b']])[0]).toContain(
      'hard anti-affinity',
    )
  })

  it('that is only wished for (soft) holds nobody back', () => {
    const soft = groups.map(group => ({ ...group, policy: 'soft-anti-affinity' }))
    expect(rulesIn(facts(nodes, { instances, groups: soft }), [['a', 'b', 'c']])).toEqual([[]])
  })
})

describe('what moves', () => {
  const nodes = [batchNode('a'), batchNode('b')]

  it('are running instances without another wish; those that stay or wait keep their room', () => {
    const stays = [
      vm('off', 'a', 8, { vmState: 'stopped', status: 'SHUTOFF', powerState: 4 }),
      vm('asked', 'a', 8, { tags: ['openstack.lcm.mirantis.com:maintenance_action=notify'] }),
      vm('down', 'a', 8, { tags: ['openstack.lcm.mirantis.com:maintenance_action=poweroff'] }),
    ]
    const instances = [...stays, vm('runs', 'a', 8), vm('other', 'b', 8)]
    const [first] = judgeBatches(facts(nodes, { instances }), SPREAD, [{ nodes: ['a'] }])
    expect(first?.batch.capacity).toEqual({ kind: 'fits', moving: 1 })
    expect(first?.witness).toEqual([{ instance: 'runs', from: 'a', to: 'b' }])
  })

  it('goes by the mode of the host it came to in an earlier batch', () => {
    const manual = [batchNode('a'), batchNode('b', { hostMode: 'manual' })]
    const verdicts = judgeBatches(facts(manual, { instances: [vm('i', 'a', 1)] }), SPREAD, [
      { nodes: ['a'] },
      { nodes: ['b'] },
    ])
    expect(verdicts.map(({ batch }) => batch.capacity)).toEqual([
      { kind: 'fits', moving: 1 },
      { kind: 'fits', moving: 0 },
    ])
  })

  it('does not go to a host that an operator disabled, nor to one in maintenance before it is back', () => {
    const instances = [vm('i', 'a', 1)]
    const hosts = [batchHost('a'), batchHost('b', { takes: false, takesWhenBack: true })]
    const away = [batchNode('a'), batchNode('b', { away: 'cordoned' })]
    expect(rulesIn(facts(away, { instances, hosts }), [['a']])).toEqual([['hard capacity']])
    expect(rulesIn(facts(away, { instances, hosts }), [['b'], ['a']])).toEqual([[], []])
    const disabled = [batchHost('a'), batchHost('b', { takes: false, takesWhenBack: false })]
    expect(rulesIn(facts(nodes, { instances, hosts: disabled }), [['b'], ['a']])).toEqual([[], ['hard capacity']])
  })

  it('finds a place by search where taking the largest first does not', () => {
    // 6+3+3 and 4+4+4 fill two hosts of twelve; largest first, on the fullest or on the emptiest host, leaves a three over.
    const instances = [6, 4, 4, 4, 3, 3].map((gib, at) => vm(`i${at}`, 'a', gib))
    const three = [batchNode('a'), batchNode('b'), batchNode('c')]
    const providers = ['a', 'b', 'c'].map(name => provider(name, name === 'a' ? 24 : 12, instances))
    const [first] = judgeBatches(facts(three, { instances, providers }), SPREAD, [{ nodes: ['a'] }])
    expect(first?.batch.capacity).toEqual({ kind: 'fits', moving: 6 })
  })
})
