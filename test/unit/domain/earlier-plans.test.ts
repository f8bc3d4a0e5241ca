import { describe, expect, test } from 'vitest'
import { Plan } from '../../../shared/domain/plan.ts'
import { asRolling, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'

const { plan: ofNode } = samplePlan()
const ofMany = asRolling(ofNode, {
  batches: [{ id: 'workers', title: 'Workers', atOnce: 2 }],
  steps: [sampleStep('drain-node', 'Drain cmp-1', { lane: { batch: 'workers', name: 'cmp-1' } })],
})

/** As the journals of earlier versions have it: an empty node, no update, and batches called blocks. */
const earlier = {
  ofNode: (({ batches, ...plan }) => ({ ...plan, update: null, blocks: batches }))(ofNode),
  ofMany: (({ batches, ...plan }) => ({
    ...plan,
    node: '',
    blocks: batches,
    steps: plan.steps.map(step => ({ ...step, lane: { block: step.lane?.batch, name: step.lane?.name } })),
  }))(ofMany),
}

describe('plans in journals of earlier versions', () => {
  test.each([
    ['of one node', earlier.ofNode, ofNode],
    ['of many nodes', earlier.ofMany, ofMany],
  ])('%s are read as they are written today', (_, written, today) => {
    expect(Plan.parse(JSON.parse(JSON.stringify(written)))).toEqual(today)
    expect(Plan.parse(JSON.parse(JSON.stringify(today)))).toEqual(today)
  })

  test('a plan about one node names it, and one about many has what was chosen', () => {
    expect(Plan.safeParse({ ...ofNode, node: '' }).success).toBe(false)
    expect(Plan.safeParse({ ...ofMany, update: null }).success).toBe(false)
    expect(Plan.safeParse({ ...ofMany, node: 'cmp-1' }).success).toBe(false)
  })
})
