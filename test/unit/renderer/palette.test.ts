import { describe, expect, test } from 'vitest'
import { findInPalette, type PaletteEntry, paletteEntries } from '../../../renderer/app/palette-entries.ts'
import { liveOf } from '../../../renderer/stores/views.ts'
import { clusterView, nodeView } from '../../fixtures/renderer/views.ts'

function entry(title: string, kind: PaletteEntry['kind'] = 'other'): PaletteEntry {
  const group = kind
  return { kind, id: title, title, group, keys: null, words: `${title} ${group}`.toLowerCase(), run: () => {} }
}

const titles = (found: readonly PaletteEntry[]) => found.map(({ title }) => title)
const ENTRIES = ['History of lab', 'cmp-01', 'cmp-11', 'web-03'].map(title => entry(title))

describe('what the palette finds', () => {
  test.each([
    ['cmp-01', 'cmp-01'],
    ['cmp11', 'cmp-11'],
    ['hist lab', 'History of lab'],
    ['w03', 'web-03'],
  ])('%s finds %s first', (query, first) => {
    expect(titles(findInPalette(query, ENTRIES, []))[0]).toBe(first)
  })

  test('what fits nothing finds nothing', () => {
    expect(findInPalette('zzz', ENTRIES, [])).toEqual([])
  })

  test('before anything is typed what was chosen lately comes first, and instances wait for a letter', () => {
    const found = findInPalette('', [...ENTRIES, entry('db-01', 'instance')], ['web-03', 'gone'])
    expect(titles(found)).toEqual(['web-03', 'History of lab', 'cmp-01', 'cmp-11'])
  })
})

test('a verb and a node find the action on it, and no instance whose name has those letters', () => {
  const found = findInPalette(
    'take cmp-03',
    [
      entry('batch-01', 'instance'),
      entry('cmp-03', 'node'),
      entry('Take cmp-03 of east out of service…', 'action'),
      entry('Take cmp-03 of east out, then bring it back…', 'action'),
    ],
    [],
  )
  expect(titles(found)[0]).toBe('Take cmp-03 of east out of service…')
  expect(titles(found)).not.toContain('batch-01')
})

test('opened empty it begins with what needs you, then nodes, then commands', () => {
  const run = entry('db-01 needs you', 'need')
  const found = findInPalette('', [entry('Home'), entry('cmp-01', 'node'), run], [])
  expect(titles(found)).toEqual(['db-01 needs you', 'cmp-01', 'Home'])
})

test('every screen finds nodes of every opened cloud', () => {
  const cluster = (name: string, node: string) =>
    [name, liveOf(clusterView(name, { nodes: [nodeView(node)] }), 1)] as const
  const entries = paletteEntries({
    commands: [],
    clusters: new Map([cluster('east', 'cmp-01'), cluster('west', 'osd-01')]),
    needs: [],
    runs: [],
    windows: [],
  })
  expect(titles(findInPalette('', entries, []))).toEqual(['cmp-01', 'osd-01'])
  expect(titles(findInPalette('west', entries, []))[0]).toBe('osd-01')
})

const OUT = ['Take n of east out of service…', 'Take n of east out, then bring it back…']
const DOUBTFUL = [
  'Take n of east out of service…',
  'Bring n of east back into service…',
  'Rescue the instances of n of east…',
]

test.each([
  ['active', [...OUT, 'Bring back the instances of n of east…']],
  ['maintenance', ['Bring n of east back into service…']],
  ['partial', DOUBTFUL],
  ['unknown', DOUBTFUL],
  ['entering', []],
  ['decommissioned', []],
] as const)('of a node that is %s the palette offers the plans that make sense, once one types', (state, offered) => {
  const live = liveOf(clusterView('east', { nodes: [nodeView('n', { state })] }), 1)
  const entries = paletteEntries({
    commands: [],
    clusters: new Map([['east', live]]),
    needs: [],
    runs: [],
    windows: [],
  })
  expect(titles(entries).filter(title => title.endsWith('…'))).toEqual(offered)
  expect(titles(findInPalette('', entries, []))).toEqual(['n'])
  for (const title of offered) expect(titles(findInPalette(title.slice(0, -1), entries, []))[0]).toBe(title)
})

test('a node without instances offers no bringing back of instances', () => {
  const live = liveOf(clusterView('east', { nodes: [nodeView('n', { roles: ['storage'] })] }), 1)
  const entries = paletteEntries({
    commands: [],
    clusters: new Map([['east', live]]),
    needs: [],
    runs: [],
    windows: [],
  })
  expect(titles(entries).filter(title => title.endsWith('…'))).toEqual(OUT)
})

test('equal matches are in natural order', () => {
  const nodes = ['cmp-10', 'cmp-2', 'cmp-1', 'cmp-11'].map(title => entry(title))
  expect(titles(findInPalette('cmp-', nodes, []))).toEqual(['cmp-1', 'cmp-2', 'cmp-10', 'cmp-11'])
})
