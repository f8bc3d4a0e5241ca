import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Cluster, ClusterColour, coloursOf, freeColour } from '../../../shared/domain/cluster.ts'

const named = (name: string, colour: ClusterColour | null = null, addedAt = `2026-11-21T02:00:00.000Z`) => ({
  name,
  colour,
  addedAt,
})

describe('the colours of clusters', () => {
  test('no two clusters have one colour while there are enough, whatever the operator chose for some', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...ClusterColour.options), { maxLength: 4 }),
        fc.integer({ min: 0, max: 4 }),
        (chosen, others) => {
          const clusters = [
            ...chosen.map((colour, at) => named(`chosen-${at}`, colour)),
            ...Array.from({ length: others }, (_, at) => named(`other-${at}`)),
          ]
          const colours = coloursOf(clusters)
          expect(new Set(colours.values()).size).toBe(clusters.length)
          for (const { name, colour } of clusters) if (colour !== null) expect(colours.get(name)).toBe(colour)
        },
      ),
    )
  })

  test('a cluster keeps its colour when another is registered after it', () => {
    const first = named('first', null, '2026-11-20T02:00:00.000Z')
    const later = named('a-later-one', null, '2026-11-22T02:00:00.000Z')
    expect(coloursOf([later, first]).get('first')).toBe(coloursOf([first]).get('first'))
  })

  test('with more clusters than colours every colour is worn about as often', () => {
    const colours = [...coloursOf(Array.from({ length: 20 }, (_, at) => named(`c-${at}`))).values()]
    const times = ClusterColour.options.map(colour => colours.filter(each => each === colour).length)
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1)
    expect(freeColour([])).toBe(ClusterColour.options[0])
  })

  test.each([
    ['teal', 'sky'],
    ['blue', 'indigo'],
    ['magenta', 'magenta'],
    ['red', 'brown'],
    [null, null],
  ])('a stored %s is read as %s', (stored, read) => {
    expect(Cluster.shape.colour.parse(stored)).toBe(read)
  })
})
