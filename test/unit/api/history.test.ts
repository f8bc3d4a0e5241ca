import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { historyHandlers } from '../../../main/api/history.ts'
import { registerChainFunctions } from '../../../main/journal/chain-functions.ts'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import type { RunEngine } from '../../../main/runs/engine/run-engine.ts'
import { createRunService } from '../../../main/runs/run-service.ts'
import type { RequestInput } from '../../../shared/contract/index.ts'
import type { PlanWindow } from '../../../shared/domain/plan.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const HOUR = 3_600_000
let directory: string
let clock: ReturnType<typeof createVirtualClock>
let journal: Journal
let history: ReturnType<typeof historyHandlers>

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-history-'))
  clock = createVirtualClock()
  journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock }))
  const runs = createRunService({
    // Nothing is driven in these tests.
    engine: {} as RunEngine<MaintenanceWorld>,
    journal,
    driver: DRIVER,
    liveness: { clock, self: DRIVER, pidAlive: () => true, heartbeats: new Map() },
    clock,
    onRested: () => {},
  })
  history = historyHandlers({ others: { begin: () => {} }, runs, windows: journal.windows, clock })
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Reported {
  readonly node?: string
  readonly cluster?: string
  readonly reason?: string
  readonly window?: PlanWindow
}

/** A run that takes an hour and is done; the next begins afterwards. */
async function run(
  runId: string,
  { node = 'cmp-1', cluster = 'east', reason = '', window }: Reported = {},
): Promise<void> {
  const plan = { ...toyPlan([switchStep('first')], { options: { reason } }), node, cluster, window: window ?? null }
  journal.createRun(runId, { kind: 'run-created', plan, driver: DRIVER })
  await clock.advance(HOUR)
  journal.append(runId, { kind: 'run-finished', outcome: 'done', summary: `${node} is done.`, leftBehind: [] }, DRIVER)
}

function announce(id: string, title: string, ticket: string, afterMs: number): void {
  const at = (ms: number) => new Date(clock.now() + ms).toISOString()
  const draft = {
    cluster: 'east',
    title,
    ticket,
    startsAt: at(afterMs),
    endsAt: at(afterMs + 2 * HOUR),
    timeZone: 'UTC',
    plan: { kind: 'open' as const },
    notes: '',
  }
  valueIn(
    journal.windows.record({ id, cluster: 'east' }, { kind: 'created', draft, by: 'olga', machine: 'laptop-2' }, null),
  )
}

async function found(wish: Partial<RequestInput<'history.search'>>): Promise<readonly string[]> {
  const all = { cluster: null, text: '', from: null, to: null, limit: 100, ...wish }
  const { runs, windows } = valueIn(await history['history.search'](all))
  return [...runs.map(({ id }) => id), ...windows.map(({ window }) => window.id)]
}

test('a run is found by its node, operator, machine, reason, beginning of its id, and by the ticket of its window', async () => {
  announce('w1', 'Firmware of rack 4', 'CHG-20417', 0)
  await run('aaa1', { reason: 'broken fan', window: { kind: 'in', id: 'w1', title: 'Firmware of rack 4' } })
  await run('bbb2', { node: 'cmp-22', window: { kind: 'outside', reason: 'urgent leak' } })
  expect(await found({ text: 'cmp-22' })).toEqual(['bbb2'])
  expect(await found({ text: 'EVA laptop-1' })).toEqual(['bbb2', 'aaa1'])
  expect(await found({ text: 'fan' })).toEqual(['aaa1'])
  expect(await found({ text: 'leak' })).toEqual(['bbb2'])
  expect(await found({ text: 'bbb' })).toEqual(['bbb2'])
  expect(await found({ text: 'chg-20417' })).toEqual(['aaa1', 'w1'])
  expect(await found({ text: 'chg-20417 olga' })).toEqual(['w1'])
  expect(await found({ text: 'fan leak' })).toEqual([])
})

test('days find what was under way in them, whenever it began', async () => {
  const began = clock.now()
  await run('early')
  await run('late')
  const at = (ms: number) => new Date(began + ms).toISOString()
  expect(await found({ from: at(HOUR / 2), to: at(HOUR / 2) })).toEqual(['early'])
  expect(await found({ from: at(HOUR) })).toEqual(['late', 'early'])
  expect(await found({ from: at(HOUR + 1) })).toEqual(['late'])
  expect(await found({ to: at(HOUR - 1) })).toEqual(['early'])
})

test('the newest of runs and windows together are given, as many as asked for, and whether there are older ones', async () => {
  await run('a')
  announce('w1', 'One', '', 30 * 60_000)
  await run('b')
  await run('c')
  const search = async (limit: number) => {
    const answer = valueIn(await history['history.search']({ cluster: null, text: '', from: null, to: null, limit }))
    return [answer.runs.map(({ id }) => id), answer.windows.map(({ window }) => window.id), answer.more]
  }
  expect(await search(4)).toEqual([['c', 'b', 'a'], ['w1'], false])
  expect(await search(2)).toEqual([['c'], ['w1'], true])
  expect(await search(1)).toEqual([['c'], [], true])
})

test('a cluster has its own history alone', async () => {
  await run('a')
  await run('b', { cluster: 'west' })
  expect(await found({ cluster: 'west' })).toEqual(['b'])
})

test('a run that cannot be read is named, is in the list, and hides no other', async () => {
  await run('good')
  await run('torn')
  const other = new DatabaseSync(journal.path)
  registerChainFunctions(other)
  other.exec(`INSERT INTO events (run_id, at, body) VALUES ('torn', '2026-01-01', '{"kind":"pau')`)
  other.close()
  expect(await found({})).toEqual(['torn', 'good'])
  const { unreadable } = valueIn(await history['history.durations']({ cluster: null }))
  expect(unreadable).toEqual([expect.stringMatching(/^Event \d+ of run torn in .* cannot be read/)])
})

test('what was added to a run after it was first read is there the next time', async () => {
  await run('a')
  expect(valueIn(await history['history.blockers']({ cluster: null }))).toEqual([])
  const blocker = { code: 'stuck', message: 'It is stuck.', remedy: '', override: { kind: 'never' as const, why: '' } }
  await run('b')
  for (const id of ['a', 'b']) {
    await clock.advance(1)
    journal.append(
      id,
      {
        kind: 'step-checked',
        stepId: 'first',
        answer: { kind: 'blocked', blockers: [blocker], evidence: [], warnings: [], effects: [] },
      },
      DRIVER,
    )
  }
  expect(valueIn(await history['history.blockers']({ cluster: null }))).toMatchObject([
    { code: 'stuck', times: 2, runIds: ['b', 'a'] },
  ])
})
