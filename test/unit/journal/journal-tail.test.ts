import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { createJournalTail, type JournalTail } from '../../../main/journal/journal-tail.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { Edit } from '../../../shared/domain/edit.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

let directory: string
let clock: ReturnType<typeof createVirtualClock>
let journals: Journal[]
let reported: RunEvent[]
let edits: string[]
let windows: string[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-tail-'))
  clock = createVirtualClock()
  journals = []
  reported = []
  edits = []
  windows = []
})
afterEach(() => {
  for (const journal of journals) journal.close()
  rmSync(directory, { recursive: true, force: true })
})

/** A process with the journal open and one run that it drives. */
function processWith(runId: string): { readonly journal: Journal; write(): RunEvent } {
  const journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock }))
  journals.push(journal)
  journal.createRun(runId, { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
  return { journal, write: () => journal.append(runId, { kind: 'paused' }, DRIVER) }
}

function tailOf(journal: Journal, onEvent: (event: RunEvent) => void = event => reported.push(event)): JournalTail {
  const reopened = valueIn(openJournal({ path: journal.path, clock }))
  journals.push(reopened)
  return createJournalTail({
    journal: reopened,
    clock,
    log: silentLogger,
    onEvent,
    onEdit: edit => edits.push(edit.target),
    onWindow: ({ id, cluster }) => windows.push(`${cluster}/${id}`),
  })
}

test('what happened before the journal was opened is history, not news', async () => {
  const ours = processWith('ours')
  ours.write()
  const stop = new AbortController()
  const following = tailOf(ours.journal).follow(stop.signal)
  await clock.advance(5_000)
  stop.abort()
  await following
  expect(reported).toEqual([])
})

test('what another process writes arrives within two seconds, once', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  const stop = new AbortController()
  const following = tailOf(ours.journal).follow(stop.signal)
  const written = [other.write(), other.write()]
  await clock.advance(2_000)
  expect(reported).toEqual(written)
  await clock.advance(10_000)
  expect(reported).toEqual(written)
  stop.abort()
  await following
})

test('an own event arrives at once, after earlier ones of others, and never again', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  const tail = tailOf(ours.journal)
  const before = other.write()
  const own = ours.write()
  tail.wrote(own)
  expect(reported).toEqual([before, own])
  const after = other.write()
  const stop = new AbortController()
  const following = tail.follow(stop.signal)
  await clock.advance(2_000)
  stop.abort()
  await following
  expect(reported).toEqual([before, own, after])
})

test('who writes during the delivery of another event gets both once, in order', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  let answered = false
  const tail = tailOf(ours.journal, event => {
    reported.push(event)
    if (answered || event.runId !== 'other') return
    answered = true
    tail.wrote(ours.write())
  })
  const written = [other.write(), other.write(), other.write()]
  const stop = new AbortController()
  const following = tail.follow(stop.signal)
  await clock.advance(2_000)
  stop.abort()
  await following
  expect(reported.map(({ seq }) => seq)).toEqual([...written.map(({ seq }) => seq), Number(written[2]?.seq) + 1])
})

test('more than one reading holds arrives completely', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  const tail = tailOf(ours.journal)
  const before = Array.from({ length: 1_203 }, other.write)
  const own = ours.write()
  tail.wrote(own)
  expect(reported).toEqual([...before, own])
})

test('an event that cannot be read does not hold up the others', () => {
  const ours = processWith('ours')
  const events = [
    { seq: 7, event: null },
    { seq: 8, event: { ...ours.write(), seq: 8 } },
  ]
  const tail = createJournalTail({
    journal: {
      seqWhenOpened: 6,
      eventsAfter: seq => events.filter(each => each.seq > seq),
      writesOfOthers: () => 1,
      edits: { seqWhenOpened: 0, after: () => [] },
      windows: { seqWhenOpened: 0, after: () => [] },
    },
    onEdit: () => {},
    onWindow: () => {},
    clock,
    log: silentLogger,
    onEvent: event => reported.push(event),
  })
  // 9 was never there.
  tail.wrote({ ...ours.write(), seq: 10 })
  expect(reported.map(({ seq }) => seq)).toEqual([8, 10])
})

test('what others changed by hand is reported once; while nobody else writes, nothing is read', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  let looks = 0
  const reopened = valueIn(openJournal({ path: ours.journal.path, clock }))
  journals.push(reopened)
  const counted: Journal = {
    ...reopened,
    eventsAfter: (seq, limit) => {
      looks += 1
      return reopened.eventsAfter(seq, limit)
    },
  }
  const onEdit = (edit: Edit) => edits.push(edit.target)
  const stop = new AbortController()
  const following = createJournalTail({
    journal: counted,
    clock,
    log: silentLogger,
    onEvent: () => {},
    onEdit,
    onWindow: () => {},
  }).follow(stop.signal)
  await clock.advance(60_000)
  expect(looks).toBe(1)
  valueIn(
    other.journal.edits.record({
      operator: 'eva',
      machine: 'laptop-1',
      cluster: 'lab',
      node: null,
      kind: 'cluster-settings',
      target: 'cluster/lab',
      before: 'production: no',
      after: 'production: yes',
      refused: null,
    }),
  )
  await clock.advance(60_000)
  expect(edits).toEqual(['cluster/lab'])
  expect(looks).toBe(2)
  stop.abort()
  await following
})

test('a look that fails is made up for by the next one, with our own event where it belongs', async () => {
  const ours = processWith('ours')
  const other = processWith('other')
  const reopened = valueIn(openJournal({ path: ours.journal.path, clock }))
  journals.push(reopened)
  let failures = 1
  const failing: Journal = {
    ...reopened,
    eventsAfter: (seq, limit) => {
      if (failures > 0) {
        failures -= 1
        throw new Error('database is locked')
      }
      return reopened.eventsAfter(seq, limit)
    },
  }
  const tail = createJournalTail({
    journal: failing,
    clock,
    log: silentLogger,
    onEvent: event => reported.push(event),
    onEdit: () => {},
    onWindow: () => {},
  })
  const written = [other.write(), ours.write()]
  for (const event of written.slice(1)) tail.wrote(event)
  expect(reported).toEqual([])
  const stop = new AbortController()
  const following = tail.follow(stop.signal)
  await clock.advance(2_000)
  expect(reported).toEqual(written)
  stop.abort()
  await following
})

test('a listener that fails stops neither who wrote nor the events after', () => {
  const ours = processWith('ours')
  const tail = tailOf(ours.journal, event => {
    reported.push(event)
    throw new Error('a listener failed')
  })
  const written = [ours.write(), ours.write()]
  for (const event of written) tail.wrote(event)
  expect(reported).toEqual(written)
})

test('a window that another process changed is reported once for each reading', async () => {
  const other = processWith('theirs').journal
  const tail = tailOf(other)
  const stop = new AbortController()
  const following = tail.follow(stop.signal)
  await clock.advance(1_500)
  for (const text of ['one', 'two']) {
    valueIn(
      other.windows.record({ id: 'w1', cluster: 'east' }, { kind: 'noted', note: 'remark', text, by: 'bo' }, null),
    )
  }
  await clock.advance(2_000)
  expect(windows).toEqual(['east/w1'])
  await clock.advance(5_000)
  expect(windows).toEqual(['east/w1'])
  stop.abort()
  await following
})

test('what is imported from another journal is history, not news; later events arrive', async () => {
  const other = processWith('theirs')
  const file = join(directory, 'old.db')
  placeOldJournal('schema-3', file)
  const stop = new AbortController()
  const following = tailOf(other.journal).follow(stop.signal)
  await clock.advance(1_500)
  const by = { operator: 'bo', machine: 'm' }
  expect(valueIn(other.journal.care.importFrom({ file, by })).runs).toBe(2)
  const after = other.write()
  await clock.advance(2_000)
  expect(reported).toEqual([after])
  stop.abort()
  await following
})
