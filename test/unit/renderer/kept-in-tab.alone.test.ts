import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const tab = new Map<string, string>()

beforeEach(() => {
  tab.clear()
  vi.resetModules()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => tab.get(name) ?? null,
    setItem: (name: string, value: string) => tab.set(name, value),
    removeItem: (name: string) => tab.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The stores of a page that was just loaded. */
async function load() {
  return import('../../../renderer/stores/topology.ts')
}

test('the view of the map is the same after a reload', async () => {
  const before = await load()
  before.useTopology.setState({ size: 0, grouping: 'rack', panelTab: 'pods' })
  before.changeFilter('east', { text: 'cmp', states: ['maintenance'], zones: [null, 'az1'] })
  vi.resetModules()
  const after = await load()
  expect(after.useTopology.getState()).toEqual(before.useTopology.getState())
  expect(after.filterOf(after.useTopology.getState(), 'east')).toMatchObject({ text: 'cmp', zones: [null, 'az1'] })
})

test.each([
  ['no JSON', '{'],
  ['no object', JSON.stringify({ state: 7, version: 1 })],
  [
    'what has no meaning',
    JSON.stringify({
      state: { size: 9, grouping: 7, panelTab: null, filters: [7, ['east', null], ['west']] },
      version: 1,
    }),
  ],
  ['another version', JSON.stringify({ state: { zoom: 'far' }, version: 99 })],
])('%s in the tab is as at first', async (_, kept) => {
  const first = (await load()).useTopology.getInitialState()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  tab.set('lockkeeper-map', kept)
  vi.resetModules()
  expect({ ...(await load()).useTopology.getState() }).toEqual({ ...first })
})

test('a list of instances has its filter, order, columns and open details after a reload, and nothing selected', async () => {
  const lists = () => import('../../../renderer/stores/instance-lists.ts')
  const before = await lists()
  before.changeList('east', { sort: { by: 'status', descending: true }, selected: new Set(['i']), open: 'i' })
  before.changeInstanceFilter('east', { text: 'db', zone: 'az1', actions: ['blocked'], odd: 'warnings' })
  before.hideColumns(new Set(['flavor']))
  vi.resetModules()
  const after = await lists()
  const list = after.listOf(after.useInstanceLists.getState(), 'east')
  expect(list.filter).toEqual(before.listOf(before.useInstanceLists.getState(), 'east').filter)
  expect(list).toMatchObject({ sort: { by: 'status', descending: true }, selected: new Set(), open: 'i' })
  expect(after.useInstanceLists.getState().hidden).toEqual(new Set(['flavor']))
})

test('windows and the search of the history stay, and meaningless values become defaults', async () => {
  const windows = () => import('../../../renderer/stores/windows-look.ts')
  const history = () => import('../../../renderer/stores/history.ts')
  const before = await windows()
  before.lookAtWindows({ view: 'month', cluster: 'east', shift: -2 })
  const { useHistory } = await history()
  const wish = { ...useHistory.getState().wish, text: 'db', from: '2026-11-01T00:00:00.000Z' }
  useHistory.setState({ wish: { ...wish, cluster: 'east', limit: 900 } })
  vi.resetModules()
  expect((await windows()).useScheduleDisplay.getState()).toEqual({
    view: 'month',
    cluster: 'east',
    shift: -2,
  })
  expect((await history()).useHistory.getState()).toMatchObject({ wish, found: { kind: 'reading' } })
  tab.set(
    'lockkeeper-windows',
    JSON.stringify({ state: { view: 'year', when: 7, cluster: 7, shift: 9e9 }, version: 1 }),
  )
  tab.set('lockkeeper-history', JSON.stringify({ state: { text: 7, from: 'soon', to: null }, version: 1 }))
  vi.resetModules()
  expect((await windows()).useScheduleDisplay.getState()).toEqual({
    view: 'week',
    cluster: null,
    shift: 0,
  })
  expect((await history()).useHistory.getState().wish).toMatchObject({ text: '', from: null, to: null })
})

test('views of runs and timelines stay, and so does the choice of the palette', async () => {
  const looks = () => import('../../../renderer/stores/looks.ts')
  const recent = () => import('../../../renderer/stores/recent.ts')
  const { useLooks } = await looks()
  useLooks.setState({ runs: { states: 'failed', text: 'cmp' }, timelineZoom: 8 })
  ;(await recent()).chose('node.east.cmp-01')
  vi.resetModules()
  expect((await looks()).useLooks.getState()).toEqual({ runs: { states: 'failed', text: 'cmp' }, timelineZoom: 8 })
  expect((await recent()).useRecent.getState().chosen).toEqual(['node.east.cmp-01'])
  tab.set('lockkeeper-looks', JSON.stringify({ state: { runs: { states: 7, text: 7 }, timelineZoom: 3 }, version: 1 }))
  tab.set('lockkeeper-recent', JSON.stringify({ state: { chosen: [7, 'a'] }, version: 1 }))
  vi.resetModules()
  expect((await looks()).useLooks.getState()).toEqual({ runs: { states: 'all', text: '' }, timelineZoom: 1 })
  expect((await recent()).useRecent.getState().chosen).toEqual(['a'])
})

test('a tab that keeps nothing works all the same', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('full')
    },
  })
  const { useTopology } = await load()
  useTopology.setState({ size: 1 })
  expect(useTopology.getState().size).toBe(1)
})
