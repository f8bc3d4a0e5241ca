import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CLUSTER_SCREENS,
  clusterRoute,
  HISTORY_PARTS,
  hashOf,
  type Route,
  routeOf,
} from '../../../renderer/stores/route.ts'

const text = fc.string({ minLength: 1, maxLength: 12 })
const place: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ kind: 'home' }),
  fc.constant<Route>({ kind: 'clouds' }),
  fc.constant<Route>({ kind: 'add-cluster' }),
  fc.constant<Route>({ kind: 'settings' }),
  fc.constant<Route>({ kind: 'windows' }),
  fc.constant<Route>({ kind: 'campaigns' }),
  fc.record({ by: text, namespace: text, name: text }).map((given): Route => ({ kind: 'campaign', ...given })),
  fc
    .record({
      by: fc.option(text, { nil: null }),
      namespace: fc.option(text, { nil: null }),
      name: fc.option(text, { nil: null }),
    })
    .map((given): Route => ({ kind: 'new-campaign', ...given })),
  fc
    .record({ part: fc.constantFrom(...HISTORY_PARTS), cluster: fc.option(text, { nil: null }) })
    .map((given): Route => ({ kind: 'history', ...given })),
  fc.constant<Route>({ kind: 'new-window', cluster: null }),
  text.map((cluster): Route => ({ kind: 'new-window', cluster })),
  fc.record({ startsAt: text, endsAt: text }).map((times): Route => ({ kind: 'new-window', cluster: null, times })),
  text.filter(id => id !== 'new').map((id): Route => ({ kind: 'window', id })),
  text.filter(id => id !== 'new').map((id): Route => ({ kind: 'window', id, starts: true })),
  fc
    .record({
      cluster: text,
      screen: fc.constantFrom(...CLUSTER_SCREENS),
      node: fc.option(text, { nil: null }),
      runId: fc.option(text, { nil: null }),
    })
    .map(({ cluster, screen, node, runId }) =>
      clusterRoute(cluster, screen, { node, runId: screen === 'history' || screen === 'update' ? runId : null }),
    ),
)

describe('the address', () => {
  test('names every place so that a reload comes back to it, whatever names clusters and nodes have', () => {
    fc.assert(
      fc.property(place, given => {
        expect(routeOf(hashOf(given))).toEqual(given)
      }),
    )
  })

  test.each(['', '#', '#/nowhere', '#/c/', '#/c/east/kitchen', '#/c/%E0%A4%A/topology'])(
    'that names no place (%s) leads to Home',
    hash => expect(routeOf(hash)).toEqual({ kind: 'home' }),
  )

  test('of a run that an earlier version wrote leads to it', () => {
    expect(routeOf('#/c/east/runs/r1')).toEqual(clusterRoute('east', 'history', { runId: 'r1' }))
  })

  test('of a cluster alone leads to its topology', () => {
    expect(routeOf('#/c/east')).toEqual(clusterRoute('east', 'topology'))
  })
})
