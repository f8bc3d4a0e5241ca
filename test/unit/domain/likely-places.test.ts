import { expect, it } from 'vitest'
import { likelyPlaces } from '../../../shared/domain/likely-places.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'

const GIB = 1024
const node = (name: string, usedGib: number) =>
  nodeView(name, { load: { vcpusUsed: 0, vcpusTotal: 16, ramUsedMib: usedGib * GIB, ramTotalMib: 64 * GIB } })
const mover = (id: string, ramGib: number | null, ...mayGoTo: readonly string[]) => ({
  id,
  mayGoTo,
  flavor: ramGib === null ? null : { vcpus: 1, ramMib: ramGib * GIB },
})

it('the largest goes first, each to the possible host with the most free memory', () => {
  const { hostOf, places } = likelyPlaces(
    [mover('small', 4, 'cmp-02', 'cmp-03'), mover('large', 16, 'cmp-02', 'cmp-03'), mover('bound', 4, 'cmp-03')],
    [node('cmp-02.example', 16), node('cmp-03', 24)],
  )
  expect(Object.fromEntries(hostOf)).toEqual({ large: 'cmp-02', small: 'cmp-03', bound: 'cmp-03' })
  expect(places).toEqual([
    { host: 'cmp-03', gains: ['bound', 'small'], ramBefore: 38, ramAfter: 50 },
    { host: 'cmp-02', gains: ['large'], ramBefore: 25, ramAfter: 50 },
  ])
})

it('claims no place where it cannot compare: without a flavor, or without the load of a host', () => {
  const unknown = likelyPlaces(
    [mover('a', null, 'cmp-02', 'cmp-03'), mover('b', 4, 'cmp-04', 'cmp-05')],
    [node('cmp-02', 1)],
  )
  expect(unknown).toEqual({ hostOf: new Map(), places: [] })
  // The only host is the place in any case.
  expect(likelyPlaces([mover('a', null, 'cmp-09')], []).places).toEqual([
    { host: 'cmp-09', gains: ['a'], ramBefore: null, ramAfter: null },
  ])
})
