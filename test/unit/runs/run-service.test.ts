import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerChainFunctions } from '../../../main/journal/chain-functions.ts'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { activeNodeRuns } from '../../../main/runs/active-runs.ts'
import { SILENT_AFTER_MS } from '../../../main/runs/engine/liveness.ts'
import type { RunEngine } from '../../../main/runs/engine/run-engine.ts'
import { createRunService, type RunService } from '../../../main/runs/run-service.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const SELF = { ...DRIVER, id: 'another', pid: 8 }

let directory: string
let clock: ReturnType<typeof createVirtualClock>
let journal: Journal
let histories: string[]
let runs: RunService

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-runs-'))
  clock = createVirtualClock()
  journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock }))
  histories = []
  const counted: Journal = {
    ...journal,
    events: runId => {
      histories.push(runId)
      return journal.events(runId)
    },
  }
  runs = createRunService({
    // Nothing is driven in these tests.
    engine: {} as RunEngine<MaintenanceWorld>,
    journal: counted,
    // Another process of this machine drives what these tests create.
    driver: SELF,
    liveness: { clock, self: SELF, pidAlive: () => true, heartbeats: new Map() },
    clock,
    onRested: () => {},
  })
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

function create(runId: string, more: { readonly node?: string; readonly cluster?: string } = {}): void {
  const plan = { ...toyPlan([switchStep('first')]), node: more.node ?? 'cmp-1', cluster: more.cluster ?? 'test' }
  journal.createRun(runId, { kind: 'run-created', plan, driver: DRIVER })
}

function finish(runId: string): void {
  journal.append(runId, { kind: 'run-finished', outcome: 'done', summary: 'All holds.', leftBehind: [] }, DRIVER)
}

const idsOf = (filter: Parameters<RunService['list']>[0]) => valueIn(runs.list(filter)).map(({ id }) => id)

test('runs are listed newest first, of one cluster, of one node, as many as asked for', () => {
  create('a')
  create('b', { node: 'cmp-2' })
  create('c', { cluster: 'other' })
  create('d')
  expect(idsOf({ cluster: null })).toEqual(['d', 'c', 'b', 'a'])
  expect(idsOf({ cluster: 'test' })).toEqual(['d', 'b', 'a'])
  expect(idsOf({ cluster: 'test', node: 'cmp-1' })).toEqual(['d', 'a'])
  expect(idsOf({ cluster: null, limit: 2 })).toEqual(['d', 'c'])
})

test('a history is read again only when something was added to it', () => {
  for (const id of ['a', 'b', 'c']) create(id)
  for (const id of ['a', 'b']) finish(id)
  idsOf({ cluster: null })
  expect(histories.splice(0)).toEqual(['c', 'b', 'a'])
  idsOf({ cluster: null })
  expect(histories).toEqual([])
  finish('c')
  expect(valueIn(runs.list({ cluster: null })).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(histories).toEqual(['c'])
})

test('a run whose driver fell silent is interrupted, though nothing was added to its history', async () => {
  create('a')
  expect(valueIn(runs.list({ cluster: null }))[0]?.state).toBe('created')
  await clock.advance(SILENT_AFTER_MS + 1)
  expect(valueIn(runs.list({ cluster: null }))[0]?.state).toBe('interrupted')
  expect(valueIn(runs.unfinished('test'))[0]?.interrupted).toBe(true)
})

test('a run that this very process left without a word, as on a full disk, is interrupted at once', () => {
  const plan = toyPlan([switchStep('first')])
  journal.createRun('a', { kind: 'run-created', plan, driver: { ...DRIVER, id: 'another' } })
  expect(valueIn(runs.list({ cluster: null }))[0]?.state).toBe('interrupted')
  expect(valueIn(runs.view('a'))).toMatchObject({ interrupted: true, summary: { state: 'interrupted' } })
})

test('a run whose history is damaged is listed with why, and the others are not affected', async () => {
  for (const id of ['a', 'torn', 'c']) create(id)
  await clock.advance(2000)
  journal.heartbeat('torn', DRIVER)
  const receivedOf = new Date(clock.now()).toISOString()
  const other = new DatabaseSync(journal.path)
  registerChainFunctions(other)
  other.exec(`INSERT INTO events (run_id, at, body) VALUES ('torn', '2026-01-01', '{"kind":"pau')`)
  other.close()
  const listed = valueIn(runs.list({ cluster: null }))
  expect(listed.map(({ id, state }) => [id, state])).toEqual([
    ['c', 'created'],
    ['torn', 'interrupted'],
    ['a', 'created'],
  ])
  expect(listed[1]).toMatchObject({ kind: 'enter', node: 'cmp-1', summary: expect.stringContaining('cannot be read') })
  expect(listed[1]?.condition, 'it was driven for two seconds').toMatchObject({
    kind: 'interrupted',
    since: receivedOf,
  })
  expect(valueIn(runs.unfinished('test')).map(({ id, view }) => [id, view !== null])).toEqual([
    ['c', true],
    ['torn', false],
    ['a', true],
  ])
  const active = () => activeNodeRuns(runs, 'test').map(({ runId, node, isDriven }) => [runId, node, isDriven])
  expect(active(), 'its driver lives').toContainEqual(['torn', 'cmp-1', true])
  await clock.advance(SILENT_AFTER_MS + 1)
  expect(
    active().map(([runId]) => runId),
    'no console can resume it',
  ).toEqual(['a', 'c'])
})

test('a run that was undone says so, also where a later undo of its node is unfinished or unreadable', () => {
  const undo = (runId: string, undoes: string) => {
    const plan: Plan = { ...toyPlan([switchStep('first')]), kind: 'undo', undoes }
    journal.createRun(runId, { kind: 'run-created', plan, driver: DRIVER })
  }
  const said = () => {
    const listed = valueIn(runs.list({ cluster: null, node: 'cmp-1' })).find(({ id }) => id === 'a')
    return [listed?.summary, valueIn(runs.view('a')).summary.summary]
  }
  create('a')
  finish('a')
  expect(said()).toEqual(['All holds.', 'All holds.'])
  undo('u1', 'a')
  expect(said(), 'an unfinished undo undid nothing').toEqual(['All holds.', 'All holds.'])
  finish('u1')
  const undone = 'All holds. Undone by run u1.'
  expect(said()).toEqual([undone, undone])
  create('b')
  undo('u2', 'b')
  expect(said(), 'another undo is unfinished').toEqual([undone, undone])
  const other = new DatabaseSync(journal.path)
  registerChainFunctions(other)
  other.exec(`INSERT INTO events (run_id, at, body) VALUES ('u2', '2026-01-01', '{"kind":"pau')`)
  other.close()
  expect(said(), 'the other one is damaged').toEqual([undone, undone])
})

test('the runs that are not over are found without reading the histories of those that are', () => {
  for (const id of ['a', 'b', 'c']) create(id)
  for (const id of ['a', 'c']) finish(id)
  expect(valueIn(runs.unfinished('test')).map(({ id }) => id)).toEqual(['b'])
  expect(histories).toEqual(['b'])
})
