import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CLUSTER_SCREENS,
  clusterPlace,
  HISTORY_PARTS,
  hashOf,
  type Place,
  placeOf,
} from '../../../renderer/stores/place.ts'

const text = fc.string({ minLength: 1, maxLength: 12 })
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ kind: 'clusters' }),
  fc.constant<Place>({ kind: 'add-cluster' }),
  fc.constant<Place>({ kind: 'windows' }),
  fc
    .record({ part: fc.constantFrom(...HISTORY_PARTS), cluster: fc.option(text, { nil: null }) })
    .map((given): Place => ({ kind: 'history', ...given })),
  fc.constant<Place>({ kind: 'new-window', cluster: null }),
  text.map((cluster): Place => ({ kind: 'new-window', cluster })),
  text.filter(id => id !== 'new').map((id): Place => ({ kind: 'window', id })),
  fc
    .record({
      cluster: text,
      screen: fc.constantFrom(...CLUSTER_SCREENS),
      node: fc.option(text, { nil: null }),
      runId: fc.option(text, { nil: null }),
    })
    .map(({ cluster, screen, node, runId }) =>
      clusterPlace(cluster, screen, { node, runId: screen === 'runs' || screen === 'update' ? runId : null }),
    ),
)

describe('the address', () => {
  test('names every place so that a reload comes back to it, whatever names clusters and nodes have', () => {
    fc.assert(
      fc.property(place, given => {
        expect(placeOf(hashOf(given))).toEqual(given)
      }),
    )
  })

  test.each(['', '#', '#/nowhere', '#/c/', '#/c/east/kitchen', '#/c/%E0%A4%A/topology'])(
    'that names no place (%s) leads to the list of clusters',
    hash => expect(placeOf(hash)).toEqual({ kind: 'clusters' }),
  )

  test('of a cluster alone leads to its topology', () => {
    expect(placeOf('#/c/east')).toEqual(clusterPlace('east', 'topology'))
  })
})
