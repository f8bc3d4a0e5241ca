import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followViews, showCluster, watchCluster } from '../../../renderer/bridge/views.ts'
import { lastOf, useViews } from '../../../renderer/stores/views.ts'
import type { ViewChange } from '../../../shared/domain/cluster-view.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'

type Listener = (payload: never) => void

/** A main that answers `view.open` when the test says so, sends what the test says, and notes which clouds are shown. */
const main = vi.hoisted(() => ({
  shown: [] as (readonly string[])[],
  listeners: new Map<string, Listener>(),
  again: () => {},
  opened: [] as { readonly cluster: string; readonly answer: (value: unknown) => void }[],
}))

vi.mock('../../../renderer/bridge/transport.ts', () => ({
  askMain: (name: string, { cluster, clusters }: { cluster: string; clusters: readonly string[] }) =>
    name === 'view.shown'
      ? main.shown.push(clusters)
      : new Promise(resolve => main.opened.push({ cluster, answer: resolve })),
  listen: (name: string, listener: Listener) => {
    main.listeners.set(name, listener)
    return () => main.listeners.delete(name)
  },
  onResync: (again: () => void) => {
    main.again = again
    return () => {}
  },
}))

let frames: (() => void)[] = []
let stop: () => void
let page: { hidden: boolean; readonly changed: () => void }
const hides: (() => void)[] = []

beforeEach(() => {
  frames = []
  main.opened.length = 0
  main.shown.length = 0
  const changes: (() => void)[] = []
  page = { hidden: false, changed: () => changes.map(change => change()) }
  vi.stubGlobal(
    'document',
    Object.assign(page, {
      addEventListener: (_name: string, change: () => void) => changes.push(change),
      removeEventListener: () => {},
    }),
  )
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  vi.stubGlobal('cancelAnimationFrame', () => {})
  useViews.setState({ byCluster: new Map() })
  stop = followViews()
})
afterEach(() => {
  for (const hide of hides.splice(0)) hide()
  stop()
  vi.unstubAllGlobals()
})

const settle = () => new Promise(resolve => setImmediate(resolve))
const nextFrame = () => {
  for (const draw of frames.splice(0)) draw()
}
const send = (name: string, payload: unknown) => main.listeners.get(name)?.(payload as never)
const patch = (fromSeq: number, toSeq: number, ...changes: ViewChange[]) =>
  send('view.patch', { cluster: 'east', fromSeq, toSeq, changes })
const state = () => useViews.getState().byCluster.get('east')
const names = () => [...(lastOf(state())?.nodes.keys() ?? [])]

async function opened(seq: number, ...nodes: string[]) {
  hides.push(showCluster('east'))
  main.opened.at(-1)?.answer({
    ok: true,
    value: { seq, view: clusterView('east', { nodes: nodes.map(name => nodeView(name)) }) },
  })
  await settle()
}

test('the clouds that a visible page shows are named at once, while it shows them, and when it comes back to front', () => {
  const east = showCluster('east')
  const west = showCluster('west')
  const again = showCluster('west')
  expect(main.shown.at(-1)).toEqual(['east', 'west'])
  east()
  west()
  page.hidden = true
  page.changed()
  expect(main.shown).toHaveLength(3)
  page.hidden = false
  page.changed()
  expect(main.shown.at(-1)).toEqual(['west'])
  again()
  page.changed()
  expect(main.shown).toHaveLength(4)
})

describe('a view with more instances than one message has', () => {
  const page = (seq: number, ids: readonly string[], more?: string) =>
    main.opened.at(-1)?.answer({
      ok: true,
      value: { instances: ids.map(id => instanceView(id, { name: `${id}-${seq}` })), seq, ...(more ? { more } : {}) },
    })
  const ids = () => [...(lastOf(state())?.instances.keys() ?? [])]
  const nameOf = (id: string) => lastOf(state())?.instances.get(id)?.name
  const source = () => lastOf(state())?.sources.get('instances')?.state.kind
  const live = {
    name: 'instances',
    state: { kind: 'live', lastAnswerAt: '2026-01-01T00:00:00Z' },
    everyMs: 5000,
  } as const

  async function begun() {
    hides.push(showCluster('east'))
    await answered()
  }
  async function answered() {
    const view = clusterView('east', { nodes: [nodeView('a')], instances: [instanceView('i1')] })
    const sources = [...view.sources.filter(({ name }) => name !== 'instances'), live]
    main.opened.at(-1)?.answer({ ok: true, value: { seq: 4, view: { ...view, sources }, more: 'i1' } })
    await settle()
  }

  test('is catching up until the last page came, whatever main says about the source meanwhile', async () => {
    await begun()
    expect(source()).toBe('catching-up')
    patch(4, 5, { kind: 'source', value: live })
    page(5, ['i2'], 'i2')
    await settle()
    nextFrame()
    expect([ids(), source()]).toEqual([['i1', 'i2'], 'catching-up'])
    page(5, ['i3'])
    await settle()
    nextFrame()
    expect([ids(), source()]).toEqual([['i1', 'i2', 'i3'], 'live'])
  })

  test('shows of an instance what came last: a page does not undo a newer patch', async () => {
    await begun()
    patch(
      4,
      5,
      { kind: 'instance-gone', id: 'i2' },
      { kind: 'instance', value: instanceView('i3', { name: 'by patch' }) },
    )
    page(4, ['i2', 'i3'])
    await settle()
    nextFrame()
    expect([ids(), nameOf('i3')]).toEqual([['i1', 'i3'], 'by patch'])
  })

  test('that is opened again keeps the old picture until all pages came', async () => {
    await begun()
    page(4, ['i2'])
    await settle()
    nextFrame()
    main.again()
    await answered()
    expect([state()?.kind, ids()]).toEqual(['opening', ['i1', 'i2']])
    page(4, ['i3'])
    await settle()
    expect([state()?.kind, ids(), source()]).toEqual(['open', ['i1', 'i3'], 'live'])
  })

  test.each([
    ['main ended it meanwhile', () => send('view.ended', { cluster: 'east', failure: null }), 4],
    ['a page is of a view that began later', () => {}, 0],
  ])('is read from the beginning when %s: it never joins pages of two views', async (_, ends, seqOfPage) => {
    await begun()
    page(4, ['i2'])
    await settle()
    nextFrame()
    main.again()
    await answered()
    ends()
    const asked = main.opened.length
    page(seqOfPage, [])
    await settle()
    expect([main.opened.length, state()?.kind]).toEqual([asked + 1, 'opening'])
    await answered()
    page(4, ['i2', 'i3'])
    await settle()
    expect([state()?.kind, ids()]).toEqual(['open', ['i1', 'i2', 'i3']])
  })

  test('is the last known picture when a page cannot be read', async () => {
    await begun()
    main.opened.at(-1)?.answer({ ok: false, failure: failure('unreachable', 'no answer') })
    await settle()
    expect([state()?.kind, ids(), source()]).toEqual(['failed', ['i1'], 'catching-up'])
  })
})

describe('a live view', () => {
  test('shows the snapshot, then what the patches say, once a frame', async () => {
    await opened(4, 'a')
    patch(4, 5, { kind: 'node', value: nodeView('b') })
    patch(5, 6, { kind: 'node-gone', name: 'a' })
    expect(names()).toEqual(['a'])
    expect(frames).toHaveLength(1)
    nextFrame()
    expect(names()).toEqual(['b'])
    expect(state()).toMatchObject({ kind: 'open', live: { seq: 6 } })
  })

  test('draws many changes in several frames, in their order', async () => {
    await opened(0)
    for (let seq = 0; seq < 10; seq += 1) {
      patch(
        seq,
        seq + 1,
        ...Array.from({ length: 200 }, (_, at) => ({ kind: 'node', value: nodeView(`${seq}-${at}`) }) as const),
      )
    }
    const counts = []
    for (let frame = 0; frame < 6; frame += 1) {
      counts.push(names().length)
      nextFrame()
    }
    expect(counts).toEqual([0, 400, 800, 1200, 1600, 2000])
    expect(state()).toMatchObject({ kind: 'open', live: { seq: 10 } })
  })

  test('applies what piles up in a hidden page, and asks for nothing', async () => {
    await opened(0)
    for (let seq = 0; seq < 300; seq += 1) {
      patch(
        seq,
        seq + 1,
        ...Array.from({ length: 250 }, (_, at) => ({ kind: 'node', value: nodeView(`${at}`) }) as const),
      )
    }
    expect(names()).toHaveLength(250)
    expect(main.opened).toHaveLength(1)
  })

  test('asks for a snapshot again when a number is missing, and keeps the old picture until it is there', async () => {
    await opened(4, 'a')
    patch(6, 7, { kind: 'node', value: nodeView('b') })
    expect(main.opened).toHaveLength(2)
    expect(state()?.kind).toBe('opening')
    expect(names()).toEqual(['a'])
  })

  test('does not lose a patch that comes while the snapshot is on its way', async () => {
    showCluster('east')
    patch(8, 9, { kind: 'node', value: nodeView('late') })
    main.opened[0]?.answer({ ok: true, value: { seq: 8, view: clusterView('east') } })
    await settle()
    nextFrame()
    expect(names()).toEqual(['late'])
  })

  test('does not apply twice what the snapshot has already', async () => {
    showCluster('east')
    patch(7, 8, { kind: 'node', value: nodeView('old') })
    main.opened[0]?.answer({ ok: true, value: { seq: 8, view: clusterView('east') } })
    await settle()
    nextFrame()
    expect(names()).toEqual([])
    expect(main.opened).toHaveLength(1)
  })

  test('keeps the last picture when it cannot be opened, and tries again when it is shown again', async () => {
    await opened(1, 'a')
    main.again()
    main.opened.at(-1)?.answer({ ok: false, failure: { code: 'unreachable', message: 'gone', retryable: true } })
    await settle()
    expect(state()).toMatchObject({ kind: 'failed', failure: { message: 'gone' } })
    expect(names()).toEqual(['a'])
    showCluster('east')
    expect(main.opened).toHaveLength(3)
  })

  test('that could not be opened is tried again each minute, and says meanwhile why', async () => {
    stop()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    stop = followViews()
    hides.push(showCluster('east'))
    main.opened.at(-1)?.answer({ ok: false, failure: failure('unreachable', 'No connection.') })
    await settle()
    vi.advanceTimersByTime(60_000)
    expect(main.opened).toHaveLength(2)
    expect(state()).toMatchObject({ kind: 'failed' })
    // Only its turn, or a page that shows it, tries again.
    watchCluster('east')
    expect(main.opened).toHaveLength(2)
    main.opened.at(-1)?.answer({ ok: true, value: { seq: 1, view: clusterView('east', { nodes: [nodeView('a')] }) } })
    await settle()
    expect(state()).toMatchObject({ kind: 'open' })
    vi.useRealTimers()
  })

  test('says why main keeps it no longer', async () => {
    await opened(1, 'a')
    send('view.ended', { cluster: 'east', failure: { code: 'not-found', message: 'removed', retryable: false } })
    expect(state()).toMatchObject({ kind: 'failed', failure: { message: 'removed' } })
  })

  test('leaves alone the maps in which nothing changed', async () => {
    await opened(1, 'a')
    const before = lastOf(state())
    patch(1, 2, { kind: 'instance', value: instanceView('i1') })
    nextFrame()
    const after = lastOf(state())
    expect(after?.nodes).toBe(before?.nodes)
    expect(after?.instances.get('i1')?.name).toBe('vm-i1')
  })
})
