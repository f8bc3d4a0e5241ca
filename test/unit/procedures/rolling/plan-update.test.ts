import { describe, expect, it } from 'vitest'
import { planUpdate } from '../../../../main/procedures/plans/rolling/plan-update.ts'
import { proposeUpdate } from '../../../../main/procedures/plans/rolling/propose-update.ts'
import { factsOf } from '../../../../main/procedures/plans/rolling/update-node.ts'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { segmentsOf } from '../../../../main/runs/engine/segments.ts'
import { DEFAULT_MAINTENANCE_API, NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import { Plan } from '../../../../shared/domain/plan.ts'
import { fakeCluster, fakeNode } from '../../../fixtures/procedures/fake-world.ts'
import { nodeLock } from '../../../fixtures/procedures/node-lock.ts'
import {
  MOSK_CLUSTER,
  placeOf,
  plannedUpdate,
  refusedUpdate,
  stepsOf,
  UPDATE_NODES,
  UPDATE_OPTIONS,
  updateNode,
  updateRequest,
} from '../../../fixtures/procedures/update-plan.ts'

describe('the plan of an update is data', () => {
  it('survives JSON as it is, and every step of it is known to this version', () => {
    const plan = plannedUpdate({ pauseBetweenNodes: true, pauseBetweenPhases: true })
    expect(Plan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan)
    const known = new Set(maintenanceSteps.keys())
    expect(plan.steps.filter(({ kind }) => !known.has(kind))).toEqual([])
    expect(new Set(plan.steps.map(({ id }) => id)).size).toBe(plan.steps.length)
  })

  it('is of kind update, about the cluster, with the choices it was made from', () => {
    expect(plannedUpdate()).toMatchObject({ kind: 'update', cluster: 'east', update: UPDATE_OPTIONS })
    expect(plannedUpdate({ scope: 'drain' }).options).toMatchObject({ scope: 'drain', reason: 'CHG-7' })
  })

  it('has its phases in their order', () => {
    const phases = plannedUpdate().steps.map(({ phase }) => phase)
    expect([...new Set(phases)]).toEqual(['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize'])
    expect(phases).toEqual(phases.toSorted((a, b) => ORDER.indexOf(a ?? '') - ORDER.indexOf(b ?? '')))
  })

  it('carries the release and the operator on its requests', () => {
    for (const id of ['request-cluster-maintenance', 'request-node-maintenance@cmp-1']) {
      expect(plannedUpdate().steps[placeOf(plannedUpdate(), id)]?.input).toMatchObject({
        scope: 'os',
        release: '26.1',
        operator: 'olga',
      })
    }
  })

  it('what it makes so for a while is not expected at the end', () => {
    const lasting = plannedUpdate().steps.filter(step => step.verbs.includes('verify') && step.verifyFinally)
    expect([...new Set(lasting.map(({ kind }) => kind))]).toEqual([
      'uncordon-node',
      'remove-node-request',
      'node-locks-active',
      'instances-return',
      'remove-cluster-request',
      'cluster-locks-active',
      'whole-cluster-verified',
    ])
  })
})

const ORDER = ['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize']

describe('nodes of an update', () => {
  it('control-plane nodes go one by one, in the order given', () => {
    const segments = segmentsOf(plannedUpdate().steps, plannedUpdate().batches).filter(
      segment => segment.kind === 'batch',
    )
    expect(segments[0]).toMatchObject({ id: 'control-nodes', atOnce: 1 })
    expect(segments[0]?.lanes.map(({ name }) => name)).toEqual(['mst-1', 'ctl-2'])
  })

  it('a control-plane node starts only when the control plane keeps its quorum without it', () => {
    expect(stepsOf(plannedUpdate(), 'mst-1')).toEqual(expect.arrayContaining(['other-control-node', 'control-quorum']))
    expect(stepsOf(plannedUpdate(), 'cmp-1')).not.toContain('control-quorum')
  })

  it('a control-plane node gets a request only when it does something besides', () => {
    expect(stepsOf(plannedUpdate(), 'mst-1')).not.toContain('request-node-maintenance')
    expect(stepsOf(plannedUpdate(), 'mst-1')).toEqual(
      expect.arrayContaining(['cordon-node', 'drain-node', 'node-work', 'uncordon-node']),
    )
    expect(stepsOf(plannedUpdate(), 'ctl-2')).toContain('request-node-maintenance')
  })

  it('a control-plane node on which an application holds a lock does something besides', () => {
    const plan = planUpdate({
      ...updateRequest(),
      facts: {
        nodes: UPDATE_NODES.map(known => (known.name === 'mst-1' ? { ...known, controllers: ['openstack'] } : known)),
        clusterControllers: [],
      },
    })
    expect(plan.ok && stepsOf(plan.value, 'mst-1')).toContain('request-node-maintenance')
  })

  it('seed 003: of masters only those with collocated roles get a request: by a label of OpenStack’s or by any lock, not by Kubernetes’ own label', () => {
    const master = { 'node-role.kubernetes.io/control-plane': '' }
    const nodes = [
      fakeNode('mst-1', { labels: master }),
      fakeNode('mst-2', { labels: { ...master, 'openstack-control-plane': 'enabled' } }),
      fakeNode('mst-3', { labels: master }),
    ]
    const objects = { ...NO_MAINTENANCE_OBJECTS, nodeLocks: [nodeLock('stacklight', 'mst-3')] }
    const facts = factsOf(MOSK_CLUSTER, nodes, objects, [])
    const asked = updateRequest({ controlNodes: ['mst-1', 'mst-2', 'mst-3'], groups: [] })
    const plan = planUpdate({ ...asked, facts })
    const requested = (node: string) => plan.ok && stepsOf(plan.value, node).includes('request-node-maintenance')
    expect(['mst-1', 'mst-2', 'mst-3'].map(requested)).toEqual([false, true, true])
  })

  it('a worker goes its whole way, and no step before its time', () => {
    expect(stepsOf(plannedUpdate(), 'cmp-1')).toEqual([
      'node-exists',
      'roles-agree',
      'no-other-run',
      'ceph-can-spare',
      'replicas-redundancy',
      'request-node-maintenance',
      'node-locks-inactive',
      'note-node',
      'cordon-node',
      'drain-node',
      'node-work',
      'node-ready-again',
      'uncordon-node',
      'remove-node-request',
      'node-locks-active',
      'instances-return',
    ])
    const stages = plannedUpdate()
      .steps.filter(step => step.lane?.name === 'cmp-1')
      .map(({ stage }) => stage)
    expect([...new Set(stages)]).toEqual(['pending', 'requested', 'locks', 'draining', 'work', 'returning'])
  })

  it('groups run by ascending index, each as many at once as it says (docs/domain.md A.4)', () => {
    const segments = segmentsOf(plannedUpdate().steps, plannedUpdate().batches).filter(
      segment => segment.kind === 'batch',
    )
    expect(segments.slice(1).map(({ id, atOnce, lanes }) => [id, atOnce, lanes.map(({ name }) => name)])).toEqual([
      ['workers-early', 2, ['cmp-1', 'cmp-2', 'cmp-3']],
      ['workers-late', 1, ['osd-1']],
    ])
  })

  it('zone at a time: no node of a second zone starts before the first zone is done', () => {
    const plan = plannedUpdate({ zoneAtATime: true })
    const segments = segmentsOf(plan.steps, plan.batches).filter(segment => segment.kind === 'batch')
    expect(segments.slice(1).map(({ id, lanes }) => [id, lanes.map(({ name }) => name)])).toEqual([
      ['workers-early-az1', ['cmp-1', 'cmp-3']],
      ['workers-early-az2', ['cmp-2']],
      ['workers-late-none', ['osd-1']],
    ])
  })

  it('pause between nodes asks before every next batch, never before the first', () => {
    const plan = plannedUpdate({ pauseBetweenNodes: true })
    const order = plan.steps.flatMap(step =>
      step.kind === 'pause-here' ? [step.title] : step.kind === 'node-exists' ? [step.lane?.name ?? ''] : [],
    )
    expect(order).toEqual([
      'mst-1',
      'Ask before ctl-2',
      'ctl-2',
      'Ask before cmp-1, cmp-2',
      'cmp-1',
      'cmp-2',
      'Ask before cmp-3',
      'cmp-3',
      'Ask before osd-1',
      'osd-1',
    ])
  })

  it('pause between phases asks before every phase but the first', () => {
    const asked = plannedUpdate({ pauseBetweenPhases: true }).steps.filter(({ kind }) => kind === 'pause-here')
    expect(asked.map(({ phase }) => phase)).toEqual(['applications', 'control-nodes', 'worker-nodes', 'finalize'])
  })
})

describe('what cannot be planned says why', () => {
  it('a node the cluster does not have', () => {
    expect(refusedUpdate({ controlNodes: ['ctl-9'] })).toBe(
      'east has no node ctl-9. `lockkeeper nodes east` lists its nodes.',
    )
  })

  it('a node twice', () => {
    expect(refusedUpdate({ controlNodes: ['cmp-1'] })).toContain(
      'cmp-1 is in the update of east more than once (control-plane nodes, group "early")',
    )
  })

  it('no node at all', () => {
    expect(refusedUpdate({ controlNodes: [], groups: [] })).toContain('Put at least one node into a group')
  })

  it('two groups of one name', () => {
    const group = { name: 'a', index: 1, concurrentUpdates: 1 }
    expect(
      refusedUpdate({
        groups: [
          { ...group, nodes: ['cmp-1'] },
          { ...group, nodes: ['cmp-2'] },
        ],
      }),
    ).toContain('Two groups have the name "a"')
  })

  it('more nodes of a role at once than may be in maintenance (docs/domain.md A.4)', () => {
    const reported =
      'Group "early" takes 2 nodes at a time, and 3 of its nodes are compute nodes. At most 1 of these may be in maintenance together. Take 1 at a time, put the compute nodes into a separate group, or raise the limit: `lockkeeper cluster set east --compute-max N`.'
    for (const computeMax of [null, 1]) {
      const cluster = { ...MOSK_CLUSTER, maintenanceApi: { ...DEFAULT_MAINTENANCE_API, computeMax } }
      expect(refusedUpdate({}, cluster)).toBe(reported)
    }
  })

  it.each([
    ['two controllers that take one node at a time hold both', ['ceph', 'tungstenfabric'], 'az1', false, true],
    ['one does, and OpenStack holds back another zone', ['openstack', 'tungstenfabric'], 'az2', false, true],
    ['one does, and OpenStack lets both', ['openstack', 'tungstenfabric'], 'az1', false, false],
    ['only OpenStack holds back another zone', ['openstack'], 'az2', false, false],
    ['the zones go one after the other', ['openstack', 'tungstenfabric'], 'az2', true, false],
  ])(
    'nodes asked for at once that would wait for each other for ever: %s',
    (_, controllers, zone, zoneAtATime, stands) => {
      const nodes = [updateNode('cmp-1', { controllers }), updateNode('cmp-2', { controllers, zone })]
      const group = { name: 'all', index: 1, nodes: ['cmp-1', 'cmp-2'], concurrentUpdates: 2 }
      const asked = updateRequest({ controlNodes: [], groups: [group], zoneAtATime })
      const plan = planUpdate({ ...asked, facts: { nodes, clusterControllers: [] } })
      expect(plan.ok ? '' : plan.failure.message).toMatch(stands ? /Group "all" may deadlock:/ : /^$/)
      const single = { ...asked.update, groups: [{ ...group, concurrentUpdates: 1 }] }
      expect(planUpdate({ ...asked, update: single, facts: { nodes, clusterControllers: [] } }).ok).toBe(true)
    },
  )

  it('a manifest that is not a Job', () => {
    const work = { kind: 'job', namespace: 'ops', manifest: 'kind: Pod\napiVersion: v1\n' } as const
    expect(refusedUpdate({ work })).toContain('it is Pod of v1')
  })

  it('a cloud without the node maintenance API', () => {
    expect(refusedUpdate({}, fakeCluster())).toContain('has flavour plain')
  })
})

describe('the proposal', () => {
  it('control-plane nodes first, every other node in one group, one by one, zone by zone', () => {
    expect(
      proposeUpdate([
        updateNode('cmp-10'),
        updateNode('cmp-9'),
        updateNode('cmp-1', { zone: 'az2' }),
        ...UPDATE_NODES.slice(0, 2),
      ]),
    ).toMatchObject({
      options: {
        scope: 'os',
        controlNodes: ['ctl-2', 'mst-1'],
        groups: [{ name: 'default', nodes: ['cmp-9', 'cmp-10', 'cmp-1'], concurrentUpdates: 1 }],
        work: { kind: 'person' },
      },
      left: [],
    })
  })

  it('a node that does not report is left out and named', () => {
    const { options, left } = proposeUpdate([updateNode('cmp-1', { isReady: false })])
    expect(options.groups).toEqual([])
    expect(left).toEqual([{ node: 'cmp-1', why: expect.stringContaining('does not report') }])
  })

  it('can be planned as it is', () => {
    expect(plannedUpdate(proposeUpdate(UPDATE_NODES).options).steps.length).toBeGreaterThan(0)
  })
})
