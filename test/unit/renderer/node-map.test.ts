import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitMap, metricsOf, SIZES } from '../../../renderer/geometry/map-metrics.ts'
import { neighbour, tilesBetween, tilesWithin } from '../../../renderer/geometry/map-search.ts'
import { naturally } from '../../../renderer/geometry/natural-order.ts'
import { GROUPINGS, groupNodes, type NodePlace } from '../../../renderer/geometry/node-groups.ts'
import { layOut } from '../../../renderer/geometry/node-map.ts'
import { overlap } from '../../../renderer/geometry/rectangle.ts'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'

const nodePlace = fc.record({
  name: fc.string({ minLength: 1, maxLength: 6 }),
  roles: fc.subarray([...NodeRole.options]),
  zone: fc.constantFrom('az1', 'az2', 'az10', null),
  rack: fc.constantFrom('r1', 'r2', null, null),
  state: fc.constantFrom(...NodeState.options),
})
const nodePlaces: fc.Arbitrary<readonly NodePlace[]> = fc.uniqueArray(nodePlace, {
  selector: place => place.name,
  maxLength: 60,
  size: 'medium',
})
const grouping = fc.constantFrom(...GROUPINGS)
const metrics = fc.constantFrom(...SIZES).map(size => metricsOf(size))
const width = fc.integer({ min: 100, max: 4000 })

const mapOf = (nodes: readonly NodePlace[], by: (typeof GROUPINGS)[number] = 'zone', wide = 1000) =>
  layOut(groupNodes(nodes, by), wide, metricsOf(2))

function node(name: string, more: Partial<NodePlace> = {}): NodePlace {
  return { name, roles: ['compute'], zone: 'az1', rack: null, state: 'active', ...more }
}

describe('the map', () => {
  test('shows every node once, whatever it is divided by and however narrow it is', () => {
    fc.assert(
      fc.property(nodePlaces, grouping, width, metrics, (nodes, by, wide, sizes) => {
        const { tiles } = layOut(groupNodes(nodes, by), wide, sizes)
        expect(tiles.map(tile => tile.name).sort()).toEqual(nodes.map(place => place.name).sort())
      }),
    )
  })

  test('never lays one tile over another, nor outside its column and band', () => {
    fc.assert(
      fc.property(nodePlaces, grouping, width, metrics, (nodes, by, wide, sizes) => {
        const map = layOut(groupNodes(nodes, by), wide, sizes)
        map.tiles.forEach((tile, index) => {
          for (const other of map.tiles.slice(index + 1)) expect(overlap(tile, other)).toBe(false)
          const inside = (area: { x: number; y: number; width: number; height: number }) =>
            tile.x >= area.x &&
            tile.y >= area.y &&
            tile.x + tile.width <= area.x + area.width &&
            tile.y + tile.height <= area.y + area.height
          expect(map.columns.filter(inside)).toHaveLength(1)
          expect(map.bands.filter(inside)).toHaveLength(1)
        })
      }),
    )
  })

  test('is the same for every order of the nodes', () => {
    fc.assert(
      fc.property(nodePlaces, grouping, (nodes, by) => {
        expect(mapOf([...nodes].reverse(), by)).toEqual(mapOf(nodes, by))
      }),
    )
  })

  test('by zone moves no tile when only the state of nodes changes', () => {
    fc.assert(
      fc.property(nodePlaces, fc.constantFrom(...NodeState.options), (nodes, state) => {
        expect(mapOf(nodes.map(place => ({ ...place, state })))).toEqual(mapOf(nodes))
      }),
    )
  })

  test('keeps the order of the others when a node comes', () => {
    fc.assert(
      fc.property(nodePlaces, nodePlace, grouping, (nodes, comer, by) => {
        fc.pre(nodes.every(place => place.name !== comer.name))
        const after = mapOf([...nodes, comer], by).tiles.map(tile => tile.name)
        expect(after.filter(name => name !== comer.name)).toEqual(mapOf(nodes, by).tiles.map(tile => tile.name))
      }),
    )
  })

  test('fits the width it is given while every column has room for a tile', () => {
    const nodes = Array.from({ length: 40 }, (_, index) => node(`cmp-${index}`, { zone: `az${index % 3}` }))
    for (const wide of [900, 1280, 1920, 3840]) expect(mapOf(nodes, 'zone', wide).width).toBeLessThanOrEqual(wide)
  })

  test('has zones as columns and roles as bands; a node with several roles is in its first', () => {
    const map = mapOf([
      node('osd-1', { roles: ['storage'], zone: 'az2' }),
      node('hyper', { roles: ['compute', 'storage'] }),
      node('ctl', { roles: ['control', 'compute'] }),
      node('lost', { roles: [], zone: null }),
    ])
    expect(map.columns.map(({ key, count }) => [key, count])).toEqual([
      ['az1', 2],
      ['az2', 1],
      [null, 1],
    ])
    expect(map.bands.map(({ key, count }) => [key, count])).toEqual([
      ['control', 1],
      ['compute', 1],
      ['storage', 1],
      [null, 1],
    ])
  })

  test('keeps racks apart where they are labelled', () => {
    const map = mapOf([node('a', { rack: 'r2' }), node('b', { rack: 'r1' }), node('c')])
    expect(map.racks.map(({ key, count }) => [key, count])).toEqual([
      ['r1', 1],
      ['r2', 1],
      [null, 1],
    ])
    expect(map.tiles.map(tile => tile.name)).toEqual(['b', 'a', 'c'])
  })

  test('racks of few nodes share a row where there is room, and stand below each other where there is none', () => {
    const nodes = ['r1', 'r2', 'r3'].map(rack => node(`in-${rack}`, { rack }))
    const rowsWithin = (wide: number) => new Set(mapOf(nodes, 'zone', wide).tiles.map(tile => tile.y)).size
    expect([1000, 500, 300].map(rowsWithin)).toEqual([1, 2, 3])
  })

  test('lays no rack over another', () => {
    fc.assert(
      fc.property(nodePlaces, width, metrics, (nodes, wide, sizes) => {
        const { racks } = layOut(groupNodes(nodes, 'zone'), wide, sizes)
        racks.forEach((rack, index) => {
          for (const other of racks.slice(index + 1)) expect(overlap(rack, other)).toBe(false)
        })
      }),
    )
  })

  test('gives the width to the column that holds most', () => {
    const many = Array.from({ length: 12 }, (_, index) => node(`cmp-${index}`, { zone: 'big' }))
    const [big, small] = mapOf([...many, node('one', { zone: 'small' })], 'zone', 1600).columns
    expect(big?.width).toBeGreaterThan((small?.width ?? 0) * 2)
  })
})

test('names are ordered as people count', () => {
  expect(['cmp-10', 'cmp-2', 'CMP-3', 'cmp-02'].sort(naturally)).toEqual(['cmp-02', 'cmp-2', 'CMP-3', 'cmp-10'])
})

describe('the map takes the room there is', () => {
  const cloud = (count: number) =>
    groupNodes(
      Array.from({ length: count }, (_, index) => node(`cmp-${index}`, { zone: `az${index % 2}` })),
      'zone',
    )

  test('a larger cloud is seen from further away, a few machines by their instances', () => {
    const faces = [3, 12, 40, 200, 500].map(count => fitMap(cloud(count), { width: 1600, height: 800 }, null, 8).face)
    expect(faces).toEqual(['rows', 'names', 'names', 'row', 'far'])
  })

  test('it fits without scrolling wherever names fit, and is as large as that allows', () => {
    fc.assert(
      fc.property(nodePlaces, width, fc.integer({ min: 200, max: 2000 }), (nodes, wide, height) => {
        const { map, face } = fitMap(groupNodes(nodes, 'zone'), { width: wide, height }, null, 8)
        if (face === 'names' || face === 'rows') {
          expect(map.height).toBeLessThanOrEqual(height)
          expect(map.width).toBeLessThanOrEqual(wide)
        }
      }),
    )
  })

  test('cards grow into the height that is left', () => {
    const heights = [500, 700].map(height => fitMap(cloud(12), { width: 1600, height }, 4, 8).map.height)
    expect(heights.map(height => height > 400)).toEqual([true, true])
    expect(heights[1]).toBeGreaterThan(heights[0] ?? 0)
  })

  test('a wish is followed, also where it does not fit', () => {
    expect(fitMap(cloud(500), { width: 1000, height: 600 }, 3, 8)).toMatchObject({ size: 3, face: 'names' })
    expect(fitMap(cloud(3), { width: 1000, height: 600 }, 0, 8).face).toBe('far')
  })
})

describe('on the map', () => {
  const map = mapOf(
    Array.from({ length: 9 }, (_, index) => node(`n${index}`, { zone: index < 5 ? 'az1' : 'az2' })),
    'zone',
    1000,
  )

  test('a marquee finds what it touches', () => {
    const all = tilesWithin(map.tiles, { x: 0, y: 0, width: map.width, height: map.height })
    expect(all).toHaveLength(9)
    const [first] = map.tiles
    expect(tilesWithin(map.tiles, { x: (first?.x ?? 0) + 3, y: (first?.y ?? 0) + 3, width: 1, height: 1 })).toEqual([
      first,
    ])
  })

  test('arrows reach every tile from any other, also a lonely one that is in line with none', () => {
    fc.assert(
      fc.property(nodePlaces, width, fc.nat(), (nodes, wide, from) => {
        const { tiles } = mapOf(nodes, 'zone', wide)
        const start = tiles[from % Math.max(1, tiles.length)]
        if (start === undefined) return
        const reached = new Set([start.name])
        for (const name of reached) {
          for (const direction of ['left', 'right', 'up', 'down'] as const) {
            const next = neighbour(tiles, name, direction)
            if (next !== null) reached.add(next.name)
          }
        }
        expect(reached.size).toBe(tiles.length)
      }),
      { numRuns: 200 },
    )
  })

  test('Shift selects in reading order, from where one began, either way', () => {
    expect(tilesBetween(map.tiles, 'n1', 'n3')).toEqual(tilesBetween(map.tiles, 'n3', 'n1'))
    expect(tilesBetween(map.tiles, 'n0', 'n2')).toEqual(['n0', 'n1', 'n2'])
    expect(tilesBetween(map.tiles, 'gone', 'n2')).toEqual(['n2'])
  })
})
