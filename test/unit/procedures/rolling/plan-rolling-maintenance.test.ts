import { describe, expect, it } from 'vitest'
import { batchesAsUpdate } from '../../../../main/procedures/plans/rolling/batches-as-update.ts'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { segmentsOf } from '../../../../main/runs/engine/segments.ts'
import { Plan } from '../../../../shared/domain/plan.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { plannedBatches, refusedBatches } from '../../../fixtures/procedures/rolling-plan.ts'
import { stepsOf, UPDATE_NODES } from '../../../fixtures/procedures/update-plan.ts'

const WATCHED = fakeCluster({
  name: 'west',
  roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, strategy: 'watcher', ceph: 'toolbox' },
})
const batch = (nodes: readonly string[], concurrentUpdates = nodes.length) => ({
  groups: [{ name: 'batch-1', index: 1, nodes: [...nodes], concurrentUpdates }],
})

describe('batches without the node maintenance API are one plan', () => {
  it('of kind rolling-maintenance, which survives JSON, with unique ids and steps that this version knows', () => {
    const plan = plannedBatches({ pauseBetweenNodes: true }, WATCHED)
    expect(Plan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan)
    expect(plan).toMatchObject({ kind: 'rolling-maintenance', flavour: 'plain', cluster: 'west' })
    const known = new Set(maintenanceSteps.keys())
    expect(plan.steps.filter(({ kind }) => !known.has(kind))).toEqual([])
    const ids = plan.steps.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const step of plan.steps) for (const need of step.needs) expect(ids).toContain(need)
  })

  it('takes batches in their order, the nodes of one side by side, and asks between them only where the plan says so', () => {
    expect(plannedBatches().batches).toEqual([
      { id: 'workers-batch-1', title: 'Batch 1: 2 at a time', atOnce: 2 },
      { id: 'workers-batch-2', title: 'Batch 2: one by one', atOnce: 1 },
    ])
    expect(plannedBatches().steps.some(({ kind }) => kind === 'pause-here')).toBe(false)
    const asked = plannedBatches({ pauseBetweenNodes: true })
    expect(
      segmentsOf(asked.steps, asked.batches).flatMap(part => (part.kind === 'batch' ? part.id : part.step.id)),
    ).toEqual([
      'permissions-suffice',
      'no-other-driver',
      'batches-fit',
      'workers-batch-1',
      'pause-here@cmp-3',
      'workers-batch-2',
    ])
  })

  it('takes each node through its own way in, the work, and its own way back', () => {
    expect(stepsOf(plannedBatches(), 'cmp-1')).toEqual([
      ...[
        'node-exists',
        'node-state-known',
        'roles-agree',
        'already-out-of-service',
        'not-last-node',
        'no-other-run',
        'compute-service-found',
      ],
      ...['instances-classified', 'instances-quiet', 'destinations-exist', 'replicas-redundancy', 'batch-can-leave'],
      ...['note-node', 'disable-compute', 'migrate-instances', 'cordon-node', 'drain-node'],
      ...['node-work', 'node-ready-again', 'uncordon-node', 'compute-returns', 'enable-compute'],
      'instances-return',
    ])
    expect(stepsOf(plannedBatches(batch(['net-1'])), 'net-1').slice(-7)).toEqual([
      ...['replicas-redundancy', 'note-node', 'cordon-node', 'drain-node'],
      ...['node-work', 'node-ready-again', 'uncordon-node'],
    ])
  })

  it('what the way back undoes is not expected at the end; what it makes so is', () => {
    const { steps } = plannedBatches(batch(['all-1']), WATCHED)
    const lasting = steps.filter(step => step.verbs.includes('verify') && step.verifyFinally).map(({ kind }) => kind)
    expect(lasting).toEqual([
      ...['uncordon-node', 'start-osds', 'unset-noout', 'ceph-clean', 'compute-returns', 'enable-compute'],
      'instances-return',
    ])
    for (const [made, undone] of [
      ['disable-compute', 'enable-compute'],
      ['migrate-instances', 'enable-compute'],
      ['set-noout', 'unset-noout'],
      ['cordon-node', 'uncordon-node'],
      ['drain-node', 'uncordon-node'],
    ]) {
      expect(steps.find(({ id }) => id === `${made}@all-1`)?.holdsUntil).toBe(`${undone}@all-1`)
    }
  })

  it('checks for all nodes of a batch together what each alone might pass', () => {
    const { steps } = plannedBatches()
    expect(steps.filter(({ kind }) => kind === 'batch-can-leave').map(({ input }) => input)).toEqual([
      { node: 'cmp-1', beside: ['cmp-2'] },
      { node: 'cmp-2', beside: ['cmp-1'] },
    ])
  })

  it('asks for the Lease of the cluster once, and for each node only whether another run holds it', () => {
    const { steps } = plannedBatches()
    expect(steps.filter(({ kind }) => kind === 'no-other-driver')).toHaveLength(1)
    for (const { input } of steps.filter(({ kind }) => kind === 'no-other-run')) expect(input.ofUpdate).toBe(true)
  })

  it('empties nodes through Nova where Watcher would do it one by one, and says so', () => {
    const plan = plannedBatches(batch(['cmp-1']), WATCHED)
    expect(plan.options.strategy).toBe('nova')
    expect(plan.steps.map(({ kind }) => kind)).toContain('emptied-by-nova')
    expect(plan.steps.map(({ kind }) => kind)).not.toContain('rebalance-instances')
    expect(plannedBatches(batch(['cmp-1'])).steps.map(({ kind }) => kind)).not.toContain('emptied-by-nova')
    const still = plannedBatches({ ...batch(['cmp-1']), scope: 'drain' }, WATCHED)
    expect(still.steps.map(({ kind }) => kind)).not.toContain('emptied-by-nova')
  })

  it('a batch of control nodes only is shown in their phase', () => {
    const { steps } = plannedBatches({
      groups: [
        { name: 'batch-1', index: 1, nodes: ['ctl-1'], concurrentUpdates: 1 },
        { name: 'batch-2', index: 2, nodes: ['all-1', 'cmp-1'], concurrentUpdates: 2 },
      ],
    })
    expect(steps.find(({ id }) => id === 'cordon-node@ctl-1')?.phase).toBe('control-nodes')
    expect(steps.find(({ id }) => id === 'cordon-node@all-1')?.phase).toBe('worker-nodes')
  })

  it('stages follow each other as on the timeline of an update', () => {
    const stages = plannedBatches()
      .steps.filter(({ lane, verbs }) => lane?.name === 'cmp-1' && verbs.includes('apply'))
      .map(({ stage }) => stage)
    expect([...new Set(stages)]).toEqual(['draining', 'work', 'returning'])
  })

  it.each([
    ['two control nodes at once', batch(['ctl-1', 'ctl-2']), 'At most 1 of these may be in maintenance together'],
    ['a node it does not have', batch(['cmp-7']), 'west has no node cmp-7'],
    [
      'a node twice',
      { groups: [...batch(['cmp-1']).groups, { ...batch(['cmp-1']).groups[0], name: 'b' }] },
      'more than once',
    ],
    ['no node', { groups: [] }, 'Put at least one node into a group'],
    ['some of several storage nodes', batch(['osd-1', 'osd-2', 'osd-3'], 2), 'known to be out together'],
  ])('%s is refused in words', (_what, update, words) => {
    expect(refusedBatches(update as Parameters<typeof refusedBatches>[0])).toContain(words)
  })
})

describe('batches as the choices of an update', () => {
  const plan = {
    kind: 'batches',
    scope: 'os',
    batches: [{ nodes: ['cmp-1', 'ctl-2'] }, { nodes: ['mst-1'] }, { nodes: ['cmp-2', 'cmp-3'] }],
    work: { kind: 'person' },
    workMinutes: null,
    pauseBetweenBatches: true,
  } as const
  const batches = { ...plan, batches: plan.batches.map(({ nodes }) => ({ nodes: [...nodes] })) }

  it('under flavour mosk control-plane nodes are a separate phase, one by one', () => {
    const update = batchesAsUpdate(batches, { nodes: UPDATE_NODES, hasControlPhase: true, reason: 'CHG-9' })
    expect(update.controlNodes).toEqual(['ctl-2', 'mst-1'])
    expect(update.groups).toEqual([
      { name: 'batch-1', index: 1, nodes: ['cmp-1'], concurrentUpdates: 1 },
      { name: 'batch-3', index: 3, nodes: ['cmp-2', 'cmp-3'], concurrentUpdates: 2 },
    ])
    expect(update).toMatchObject({ pauseBetweenNodes: true, reason: 'CHG-9', scope: 'os' })
  })

  it('elsewhere each batch is what it says', () => {
    const update = batchesAsUpdate(batches, { nodes: UPDATE_NODES, hasControlPhase: false, reason: '' })
    expect(update.controlNodes).toEqual([])
    expect(update.groups.map(({ nodes }) => nodes)).toEqual([['cmp-1', 'ctl-2'], ['mst-1'], ['cmp-2', 'cmp-3']])
  })
})
