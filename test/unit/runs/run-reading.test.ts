import { expect, test } from 'vitest'
import type { ListedRow } from '../../../main/journal/run-reader.ts'
import type { RunRow } from '../../../main/ports/journal.ts'
import { nodesDrainedOnly } from '../../../main/runs/active-runs.ts'
import { createRunReading, type RunReading } from '../../../main/runs/run-reading.ts'
import { type MirroredRuns, withMirrored } from '../../../main/wings/runner/attach/mirrored-runs.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { atOnce } from '../../../shared/domain/pieces.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const DAMAGED = failed(failure('damaged', 'Event 3 cannot be read.'))

/** A journal whose runs cannot be read, of these nodes. */
function torn(...nodes: readonly (string | null)[]): RunReading {
  const rows = nodes.map((node, at) => ({ id: `torn-${at}`, kind: 'enter', node, createdAt: '2026-01-01', lastSeq: 1 }))
  return createRunReading({
    journal: {
      events: () => DAMAGED,
      *eventsInPieces() {
        yield
        return DAMAGED
      },
      row: () => null,
      rows: () => ok(rows as unknown as readonly ListedRow[]),
      idsBeginningWith: () => [],
    },
    hasLostDriver: () => false,
    whyRefused: () => undefined,
    clock: createVirtualClock(),
  })
}

test('a damaged run may have done anything with its node, and one of several nodes with any', () => {
  expect(valueIn(torn('cmp-1', null).takenOut('east'))).toMatchObject([
    { id: 'torn-0', nodes: new Map([['cmp-1', 'unknown']]) },
    { id: 'torn-1', nodes: null },
  ])
})

test('no node counts as drained by events older than a damaged run of it, here or at a runner', () => {
  const clock = createVirtualClock()
  const createdAt = new Date(clock.now() - 3_600_000).toISOString()
  const older = ['cmp-1', 'cmp-2'].map(node => ({
    id: `r-${node}`,
    createdAt,
    nodes: new Map([[node, 'drain']] as const),
  }))
  const reported = (reading: RunReading) => ({ ...reading, takenOut: () => ok(older), idOf: () => null })
  const drained = (...nodes: readonly (string | null)[]) => {
    const own = torn(...nodes)
    const listed = valueIn(own.takenOut('east')).map(run => ({
      ...run,
      createdAt: new Date(clock.now()).toISOString(),
    }))
    const mirrors = [reported(own)] as unknown as MirroredRuns[]
    const runs = withMirrored({ ...own, takenOut: () => ok(listed) }, () => mirrors, clock)
    return [...nodesDrainedOnly(runs, 'east')]
  }
  expect(drained()).toEqual([
    ['cmp-1', 'r-cmp-1'],
    ['cmp-2', 'r-cmp-2'],
  ])
  expect(drained('cmp-1')).toEqual([['cmp-2', 'r-cmp-2']])
  expect(drained(null)).toEqual([])
})

test('runs of several journals are placed by their times, but for a time that is still to come', () => {
  const clock = createVirtualClock()
  const at = (minutes: number) => new Date(clock.now() - minutes * 60_000).toISOString()
  const run = (id: string, createdAt: string) => ({ id, createdAt, nodes: new Map([[id, 'drain']] as const) })
  const own: RunReading = {
    ...torn(),
    takenOut: () => ok([run('b', at(30)), run('future', '2099-01-01'), run('a', at(50))]),
  }
  const other = { ...torn(), takenOut: () => ok([run('d', at(20)), run('c', at(40))]), idOf: () => null }
  const runs = withMirrored(own, () => [other] as unknown as MirroredRuns[], clock)
  expect(valueIn(runs.takenOut('east')).map(({ id }) => id)).toEqual(['d', 'b', 'c', 'future', 'a'])
})

test('a run that is viewed again is read again only after a new event; four runs on, it is forgotten', () => {
  const written = new Map<string, ReturnType<typeof createSampleRun>>()
  for (const id of ['run-0', 'run-1', 'run-2', 'run-3']) {
    const run = createSampleRun(samplePlan(), id)
    run.created()
    written.set(id, run)
  }
  const reads: string[] = []
  const eventsOf = (id: string) => written.get(id)?.events ?? []
  const reading = createRunReading({
    journal: {
      events: id => {
        reads.push(id)
        return ok([...eventsOf(id)])
      },
      *eventsInPieces(id) {
        reads.push(id)
        yield
        return ok([...eventsOf(id)])
      },
      row: id => ({ id, cluster: 'east', node: 'cmp-1' }) as RunRow,
      rows: () =>
        ok(
          [...written.keys()].map(id => ({ id, kind: 'enter', lastSeq: eventsOf(id).length }) as unknown as ListedRow),
        ),
      idsBeginningWith: prefix => [prefix],
    },
    hasLostDriver: () => false,
    whyRefused: () => undefined,
    clock: createVirtualClock(),
  })
  const first = valueIn(reading.view('run-0'))
  expect(valueIn(reading.view('run-0')).view).toBe(first.view)
  expect(reads).toEqual(['run-0'])
  written.get('run-0')?.add({ kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] })
  expect(valueIn(reading.view('run-0')).view.state.kind).toBe('finished')
  expect(reads).toEqual(['run-0', 'run-0'])
  written.get('run-0')?.add({ kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] })
  atOnce(reading.readAhead('run-0'))
  expect(reads.splice(2)).toEqual(['run-0'])
  expect(valueIn(reading.view('run-0')).events).toEqual(eventsOf('run-0'))
  atOnce(reading.readAhead('run-0'))
  expect(reads).toHaveLength(2)
  for (const id of ['run-1', 'run-2', 'run-3', 'run-0']) reading.view(id)
  expect(reads.slice(2)).toEqual(['run-1', 'run-2', 'run-3', 'run-0'])
})
