import { describe, expect, test } from 'vitest'
import { Plan } from '../../../shared/domain/plan.ts'
import { CheckAnswer } from '../../../shared/domain/step-answers.ts'
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

describe('answers of checks in journals of earlier versions', () => {
  const found = { evidence: [], effects: [] }

  test('a warning that is a text alone is read as one without a code', () => {
    expect(CheckAnswer.parse({ kind: 'ready', reason: 'It holds.', warnings: ['Two members.'], ...found })).toEqual({
      kind: 'ready',
      reason: 'It holds.',
      warnings: [{ code: 'Untold', values: {}, message: 'Two members.' }],
      ...found,
    })
  })

  test('a blocker without values is read as it is', () => {
    const blocker = { code: 'quorum-lost', message: 'One.', remedy: 'Two.', override: { kind: 'flag', flag: 'force' } }
    const answer = { kind: 'blocked', blockers: [blocker], warnings: [], ...found }
    expect(CheckAnswer.parse(answer)).toEqual(answer)
  })
})

test('the budgets of a pod are read under their earlier name', () => {
  const budget = { name: 'rabbitmq', disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3 }
  const podWith = (budgets: readonly object[]) => ({
    kind: 'pod',
    namespace: 'openstack',
    name: 'rabbitmq-0',
    uid: 'uid-1',
    fate: 'evict',
    reason: '',
    warnings: [],
    budgets,
  })
  const answer = (budgets: readonly object[]) => ({
    kind: 'ready',
    reason: '',
    warnings: [],
    evidence: [],
    effects: [podWith(budgets)],
  })
  const today = answer([{ ...budget, status: 'refuses' }])
  expect(CheckAnswer.parse(today)).toEqual(today)
  expect(CheckAnswer.parse(answer([{ ...budget, standing: 'refuses' }]))).toEqual(today)
})
