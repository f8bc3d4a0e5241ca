import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  dismissRefusals,
  followEdits,
  markInstances,
  setHostMode,
  undoEdit,
} from '../../../renderer/bridge/instances.ts'
import { markStatesOf, undoOf, useEdits } from '../../../renderer/stores/edits.ts'
import { applyChanges, lastOf, liveOf, putLive, useViews } from '../../../renderer/stores/views.ts'
import { markingWords } from '../../../renderer/ui/instances/set-marks.ts'
import type { ViewChange } from '../../../shared/domain/cluster-view.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'

interface Asked {
  readonly name: string
  readonly input: never
  readonly answer: (value: unknown) => void
}

const main = vi.hoisted(() => ({ asked: [] as Asked[] }))

vi.mock('../../../renderer/bridge/transport.ts', () => ({
  askMain: (name: string, input: never) => new Promise(resolve => main.asked.push({ name, input, answer: resolve })),
  listen: () => () => {},
  onResync: () => () => {},
}))

const CLUSTER = 'c'
const REFUSED = failure('conflict', 'vm-b takes no mode while it is in ERROR.')
let stop: () => void

beforeEach(() => {
  main.asked.length = 0
  useEdits.setState({ marks: new Map(), hosts: new Map(), undo: new Map() })
  const view = clusterView(CLUSTER, {
    nodes: [nodeView('n', { migrationMode: 'live', migrationAttempts: '3' })],
    instances: [instanceView('a', { name: 'vm-a', marks: ['notify'] }), instanceView('b', { name: 'vm-b', marks: [] })],
  })
  putLive(CLUSTER, { kind: 'open', live: liveOf(view, 1) })
  stop = followEdits()
})
afterEach(() => stop())

function patch(...changes: readonly ViewChange[]): void {
  const live = lastOf(useViews.getState().byCluster.get(CLUSTER))
  if (live !== null) putLive(CLUSTER, { kind: 'open', live: applyChanges(live, changes, live.seq + 1) })
}

function seen(id: string, marks: readonly ('poweroff' | 'notify' | 'live_migrate')[]): void {
  patch({ kind: 'instance', value: instanceView(id, { name: `vm-${id}`, marks: [...marks] }) })
}

const stateOf = (id: string) => markStatesOf(useEdits.getState(), CLUSTER).get(id)?.kind
const done = (id: string, before: readonly string[], after: readonly string[]) => ({
  id,
  name: `vm-${id}`,
  before,
  after,
  failure: null,
})

describe('marking instances', () => {
  test('a mark is requested until main and the live view both show it', async () => {
    const marking = markInstances(CLUSTER, [{ id: 'a', actions: ['poweroff'] }])
    expect(stateOf('a')).toBe('requested')
    main.asked[0]?.answer({ ok: true, value: { results: [done('a', ['notify'], ['poweroff'])] } })
    await marking
    expect(stateOf('a')).toBe('confirmed')
    seen('a', ['poweroff'])
    expect(stateOf('a')).toBeUndefined()
  })
  test('a view that is faster than the answer leaves nothing waiting', async () => {
    const marking = markInstances(CLUSTER, [{ id: 'a', actions: ['poweroff'] }])
    seen('a', ['poweroff'])
    main.asked[0]?.answer({ ok: true, value: { results: [done('a', ['notify'], ['poweroff'])] } })
    await marking
    expect(stateOf('a')).toBeUndefined()
  })
  test('the picture is not touched before a patch says so', () => {
    void markInstances(CLUSTER, [{ id: 'a', actions: ['poweroff'] }])
    expect(lastOf(useViews.getState().byCluster.get(CLUSTER))?.instances.get('a')?.marks).toEqual(['notify'])
  })
  test('of a selection each answers for itself; a refusal stays until it is dismissed', async () => {
    const marking = markInstances(CLUSTER, [
      { id: 'a', actions: ['poweroff'] },
      { id: 'b', actions: ['poweroff'] },
    ])
    main.asked[0]?.answer({
      ok: true,
      value: { results: [done('a', ['notify'], ['poweroff']), { ...done('b', [], []), failure: REFUSED }] },
    })
    const outcome = await marking
    expect(markingWords(outcome, null, 'set to “Stop with node”')).toBe(
      '1 instance set to “Stop with node”, 1 refused.',
    )
    const refused = outcome.refused.flatMap(each => [each, each])
    expect(markingWords({ ...outcome, set: 0, refused }, null, 'set to “Stop with node”')).toBe(
      '2 instances not set to “Stop with node”.',
    )
    seen('b', [])
    expect(stateOf('b')).toBe('refused')
    dismissRefusals(CLUSTER, ['a', 'b'])
    expect(stateOf('b')).toBeUndefined()
    expect(stateOf('a')).toBe('confirmed')
  })
  test('when main does not answer at all every row says why, and there is nothing to take back', async () => {
    const marking = markInstances(CLUSTER, [{ id: 'a', actions: [] }])
    main.asked[0]?.answer({ ok: false, failure: REFUSED })
    const outcome = await marking
    expect(outcome.refused.map(({ name }) => name)).toEqual(['vm-a'])
    expect(outcome.undo).toBeNull()
  })
  test('more than a thousand are requested in parts', async () => {
    const marks = Array.from({ length: 1500 }, (_, index) => ({ id: `i${index}`, actions: [] as const }))
    void markInstances(CLUSTER, marks)
    main.asked[0]?.answer({ ok: true, value: { results: marks.slice(0, 1000).map(({ id }) => done(id, [], [])) } })
    await vi.waitFor(() => expect(main.asked).toHaveLength(2), { timeout: 10_000 })
  })
})

describe('taking back', () => {
  test('an edit is taken back once, to the earlier value', async () => {
    const marking = markInstances(CLUSTER, [{ id: 'a', actions: ['poweroff'] }])
    main.asked[0]?.answer({ ok: true, value: { results: [done('a', ['notify', 'live_migrate'], ['poweroff'])] } })
    const { undo } = await marking
    if (undo === null) throw new Error('there is a change to take back')
    expect(undoOf(useEdits.getState(), CLUSTER)).toEqual([undo])
    void undoEdit(CLUSTER, undo)
    expect(main.asked[1]).toMatchObject({
      name: 'instance.mark',
      input: { marks: [{ id: 'a', actions: ['notify', 'live_migrate'] }] },
    })
    expect(await undoEdit(CLUSTER, undo)).toBeNull()
    expect(main.asked).toHaveLength(2)
  })
  test('what was so already is not remembered', async () => {
    const marking = markInstances(CLUSTER, [{ id: 'a', actions: ['notify'] }])
    main.asked[0]?.answer({ ok: true, value: { results: [done('a', ['notify'], ['notify'])] } })
    await marking
    expect(undoOf(useEdits.getState(), CLUSTER)).toEqual([])
    expect(stateOf('a')).toBeUndefined()
  })
  test("a host's mode goes back to any earlier text", async () => {
    const setting = setHostMode(CLUSTER, 'n', { mode: 'skip' })
    main.asked[0]?.answer({
      ok: true,
      value: { before: { mode: 'bogus', attempts: '3' }, after: { mode: 'skip', attempts: '3' } },
    })
    const answer = await setting
    if (!answer.ok || answer.value.undo === null) throw new Error('there is a change to take back')
    void undoEdit(CLUSTER, answer.value.undo)
    expect(main.asked[1]).toMatchObject({
      name: 'node.set-mode',
      input: { node: 'n', restore: { mode: 'bogus', attempts: '3' } },
    })
  })
})

describe("a host's mode", () => {
  test('is requested until the node shows it', async () => {
    const setting = setHostMode(CLUSTER, 'n', { attempts: 5 })
    const stateNow = () => useEdits.getState().hosts.get(CLUSTER)?.get('n')
    expect(stateNow()).toEqual({ kind: 'requested', wanted: { mode: 'live', attempts: '5' } })
    main.asked[0]?.answer({
      ok: true,
      value: { before: { mode: 'live', attempts: '3' }, after: { mode: 'live', attempts: '5' } },
    })
    await setting
    expect(stateNow()?.kind).toBe('confirmed')
    patch({ kind: 'node', value: nodeView('n', { migrationMode: 'live', migrationAttempts: '5' }) })
    expect(stateNow()).toBeUndefined()
  })
  test('that was refused says so until it is dismissed', async () => {
    const setting = setHostMode(CLUSTER, 'n', { mode: 'skip' })
    main.asked[0]?.answer({ ok: false, failure: REFUSED })
    await setting
    expect(useEdits.getState().hosts.get(CLUSTER)?.get('n')).toMatchObject({ kind: 'refused', failure: REFUSED })
  })
})
