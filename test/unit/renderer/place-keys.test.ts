import { describe, expect, test } from 'vitest'
import { allKeys, placeKey } from '../../../renderer/ui/place-keys.ts'

describe('the list of all keys', () => {
  const keysOf = (group: string, offered: Parameters<typeof allKeys>[0] = []) =>
    (allKeys(offered).get(group) ?? []).map(({ keys }) => keys)

  test('has those of places that are not open', () => {
    expect(keysOf('Map')).toEqual(['/', 'e', 'l', 'm', '+', '-'])
    expect(keysOf('Runs')).toEqual(['j', 'k', 'p', 'c'])
    expect(keysOf('On the map')).toContain('Space')
  })

  test('has each once, also where its place is open, and none for what no key does', () => {
    const silent = { id: 'x', title: 'By the palette only', group: 'Runs', keys: null }
    expect(keysOf('Runs', [placeKey('runs.next'), silent])).toEqual(['j', 'k', 'p', 'c'])
  })
})
