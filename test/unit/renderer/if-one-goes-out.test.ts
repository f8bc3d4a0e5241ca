import { expect, test } from 'vitest'
import { type FewMachines, ifOneGoesOut } from '../../../renderer/features/topology/if-one-goes-out.ts'

const THREE: FewMachines = { controls: 3, controlsUp: 3, stores: 3, stuck: [] }
const titles = (more: Partial<FewMachines>) => ifOneGoesOut({ ...THREE, ...more }).map(({ title }) => title)

test('three machines that all work lose nothing', () => {
  expect(titles({})).toEqual(['Control keeps working', 'Instances can move', 'Storage is asked first'])
  expect(ifOneGoesOut(THREE).every(({ good }) => good)).toBe(true)
})

test.each<[Partial<FewMachines>, string]>([
  [{ controlsUp: 2 }, 'Control would stop'],
  [{ controls: 1, controlsUp: 1 }, 'Control would stop'],
  [{ controls: 5, controlsUp: 4 }, 'Control keeps working'],
  [{ stuck: null }, 'Instances: cannot tell'],
  [{ stuck: ['pair-01'] }, 'Not every instance can move'],
])('%j: %s', (more, title) => {
  expect(titles(more)).toContain(title)
})

test('what was not read is not called good', () => {
  expect(ifOneGoesOut({ ...THREE, stuck: null })[1]).toMatchObject({ good: false })
})

test('a role that no machine has is left out', () => {
  expect(titles({ controls: 0, controlsUp: 0, stores: 0 })).toEqual(['Instances can move'])
})
