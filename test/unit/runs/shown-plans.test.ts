import { expect, test } from 'vitest'
import { createShownPlans } from '../../../main/runs/shown-plans.ts'
import { DEFAULT_RUN_OPTIONS, type Plan } from '../../../shared/domain/plan.ts'

function planned(id: string): Plan {
  return {
    id,
    cluster: 'lab',
    flavour: 'plain',
    kind: 'enter',
    node: 'cmp-1',
    madeAt: '2026-01-01T00:00:00.000Z',
    options: DEFAULT_RUN_OPTIONS,
    window: null,
    batches: [],
    steps: [],
  }
}

function shownPlans() {
  const takenBack: string[] = []
  const plans = createShownPlans(async ({ id }) => void takenBack.push(id))
  return { plans, takenBack }
}

test('what was made for plans is taken back when nobody can confirm them any more, but for those that are runs', async () => {
  const { plans, takenBack } = shownPlans()
  for (const id of ['a', 'b', 'c']) plans.keep(planned(id))
  plans.forget('b')
  await plans.close()
  expect(takenBack).toEqual(['a', 'c'])
  await plans.close()
  expect(takenBack).toEqual(['a', 'c'])
})

test('a plan whose checks ended after the console did is taken back at once', async () => {
  const { plans, takenBack } = shownPlans()
  await plans.close()
  plans.keep(planned('late'))
  expect([plans.find('late'), takenBack]).toEqual([null, ['late']])
})

test('their number has a limit: the oldest has to be made again', () => {
  const { plans, takenBack } = shownPlans()
  for (let n = 0; n <= 50; n += 1) plans.keep(planned(`p${n}`))
  expect([plans.find('p0'), plans.find('p1')?.id, plans.find('p50')?.id]).toEqual([null, 'p1', 'p50'])
  expect(takenBack).toEqual(['p0'])
})
