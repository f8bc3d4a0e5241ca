import { describe, expect, test } from 'vitest'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { segmentsOf } from '../../../../main/runs/engine/segments.ts'
import { Plan } from '../../../../shared/domain/plan.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { plannedTakingOut } from '../../../fixtures/procedures/rolling-plan.ts'
import { stepsOf } from '../../../fixtures/procedures/update-plan.ts'

const TOGETHER = { groups: [{ name: 'out', index: 1, nodes: ['cmp-1', 'cmp-2', 'osd-1'], concurrentUpdates: 3 }] }

describe('several nodes that go out and stay out', () => {
  test('are one plan, which survives JSON, with unique ids and steps that this version knows', () => {
    const plan = plannedTakingOut(TOGETHER)
    expect(Plan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan)
    expect(plan.kind).toBe('take-out')
    expect(plan.steps.filter(({ kind }) => !maintenanceSteps.has(kind))).toEqual([])
    const ids = plan.steps.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const step of plan.steps) for (const need of step.needs) expect(ids).toContain(need)
  })

  test('are all closed for new instances before the first instance moves', () => {
    const { steps, batches } = plannedTakingOut(TOGETHER)
    const parts = segmentsOf(steps, batches).map(part => (part.kind === 'batch' ? part.id : part.step.id))
    expect(parts).toEqual(['permissions-suffice', 'no-other-driver', 'batches-fit', 'closing', 'workers-out'])
    const kindsIn = (batch: string) => steps.filter(({ lane }) => lane?.batch === batch).map(({ kind }) => kind)
    expect(kindsIn('closing')).toEqual(['disable-compute', 'disable-compute'])
    expect(kindsIn('workers-out').filter(kind => kind === 'migrate-instances')).toHaveLength(2)
  })

  test('are judged together: room, quorums, and what Ceph can spare', () => {
    const { steps } = plannedTakingOut(TOGETHER)
    expect(steps.find(({ kind }) => kind === 'batches-fit')?.input).toMatchObject({
      batches: [['cmp-1', 'cmp-2', 'osd-1']],
      together: true,
    })
    expect(steps.filter(({ kind }) => kind === 'batch-can-leave').map(({ input }) => input)).toEqual([
      { node: 'cmp-1', beside: ['cmp-2', 'osd-1'] },
      { node: 'cmp-2', beside: ['cmp-1', 'osd-1'] },
      { node: 'osd-1', beside: ['cmp-1', 'cmp-2'] },
    ])
  })

  test('have no work and no way back, and a check of their end', () => {
    const own = stepsOf(plannedTakingOut(TOGETHER), 'cmp-1')
    expect(own.slice(-4)).toEqual(['migrate-instances', 'cordon-node', 'drain-node', 'node-emptied'])
    expect(own).not.toContain('node-work')
    expect(own).not.toContain('uncordon-node')
    expect(plannedTakingOut(TOGETHER).steps.every(({ holdsUntil }) => holdsUntil === null)).toBe(true)
  })

  test('of the control plane go one by one', () => {
    const plan = plannedTakingOut({ controlNodes: ['ctl-1', 'ctl-2'], groups: [] })
    expect(plan.batches).toEqual([{ id: 'control-nodes', title: 'Control-plane nodes, one by one', atOnce: 1 }])
  })

  test.each([
    ['of the control plane', { controlNodes: ['ctl-1', 'ctl-2'], groups: [] }],
    ['without moves', { ...TOGETHER, scope: 'drain' as const }],
  ])('%s are judged together by their quorums: alone, each could leave', (_which, update) => {
    const { steps } = plannedTakingOut(update)
    expect(steps.find(({ kind }) => kind === 'batches-fit')?.input).toMatchObject({ isStill: true, together: true })
  })

  test('a single node has nothing to be judged together with', () => {
    const { steps } = plannedTakingOut({ controlNodes: ['ctl-1'], groups: [] })
    expect(steps.filter(({ kind }) => kind === 'batches-fit')).toEqual([])
  })

  test('of a cloud with the node maintenance API go out by requests', () => {
    const plan = plannedTakingOut(TOGETHER, fakeCluster({ name: 'north', flavour: 'mosk' }))
    expect(stepsOf(plan, 'cmp-2')).toContain('request-node-maintenance')
  })
})
