import { describe, expect, it } from 'vitest'
import { makePlan } from '../../../../main/procedures/plans/node/make-plan.ts'
import type { PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { DEFAULT_RUN_OPTIONS, type RunOptions } from '../../../../shared/domain/plan.ts'
import { fakeWatcher } from '../../../fixtures/procedures/fake-watcher.ts'
import { fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { computeWorld } from '../../../fixtures/procedures/watcher-run.ts'

async function planned(kind: PlannedNodeRunKind, options: Partial<RunOptions>) {
  const world = computeWorld([fakeInstance('a', 'cmp-1')])
  const watcher = fakeWatcher(world)
  const made = await makePlan(
    { id: 'plan-of-plain', kind, node: 'cmp-1', madeAt: '', options: { ...DEFAULT_RUN_OPTIONS, ...options } },
    world.port,
  )
  if (!made.ok) throw new Error(made.failure.message)
  return { kinds: made.value.steps.map(step => step.kind), steps: made.value.steps, watcher }
}

describe('strategy watcher on a plain cloud', () => {
  it("runs Watcher's plan in place of Lockkeeper’s, before the node is cordoned", async () => {
    const { kinds, steps, watcher } = await planned('enter', { strategy: 'watcher' })
    expect(kinds).toEqual(expect.arrayContaining(['watcher-available', 'instances-status', 'run-watcher-plan']))
    expect(kinds).not.toContain('migrate-instances')
    expect(kinds).not.toContain('disable-compute')
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(steps.find(({ kind }) => kind === 'cordon-node')?.needs).toContain('run-watcher-plan')
    expect(watcher.plans).toHaveLength(1)
  })

  it('leaves Watcher alone when Nova was chosen', async () => {
    const { kinds, watcher } = await planned('enter', { strategy: 'nova' })
    expect(kinds).toContain('migrate-instances')
    expect(kinds).not.toContain('run-watcher-plan')
    expect(watcher.plans).toEqual([])
  })

  it('offers to spread instances on the way back, unless that was ruled out', async () => {
    expect((await planned('leave', { strategy: 'watcher' })).kinds.at(-2)).toBe('rebalance-instances')
    const none = await planned('leave', { strategy: 'watcher', disableInstanceRebalancing: true })
    expect(none.kinds).not.toContain('rebalance-instances')
  })
})
