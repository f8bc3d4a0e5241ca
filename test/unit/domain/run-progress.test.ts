import { describe, expect, it } from 'vitest'
import {
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_ASKS,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  POD_HELD,
  POD_LEFT,
  STOP_REQUESTED,
  WATCHER_ACTION,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { evictionsOf, gettingOn, migrationsOf, talliesOf, unseenEnds } from '../../../shared/domain/run-progress.ts'
import { unseenEndWords } from '../../../shared/words/unseen-ends.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'

const fact = (name: string, second: number, values: Record<string, string | number>, subject = 'server/a') =>
  fakeFact(name, subject, values, { at: `2026-11-21T10:00:${String(second).padStart(2, '0')}.000Z` })

describe('migrations', () => {
  it('by Watcher follow its actions: each instance separately, services not at all', () => {
    const action = (second: number, subject: string, type: string, state: string, why = '') =>
      fact(WATCHER_ACTION, second, { name: 'web', type, state, why, to: 'cmp-2' }, subject)
    const facts = [
      action(1, 'nova-compute/cmp-1', 'disable-service', 'SUCCEEDED'),
      action(2, 'server/a', 'live-migrate', 'ONGOING'),
      action(2, 'server/b', 'cold-migrate', 'ONGOING'),
      action(5, 'server/a', 'live-migrate', 'SUCCEEDED'),
      action(6, 'server/b', 'cold-migrate', 'FAILED', 'no room'),
      action(7, 'server/c', 'stop', 'SUCCEEDED'),
      action(8, 'server/d', 'live-migrate', 'ONGOING'),
    ]
    expect(migrationsOf({ facts }).map(({ subject, state, note }) => [subject, state, note])).toEqual([
      ['server/a', 'moved', 'cmp-2'],
      ['server/b', 'again', 'no room'],
      ['server/c', 'stopped', ''],
      ['server/d', 'running', ''],
    ])
  })

  it('tell when something was decided last, and whether this attempt moves it stopped', () => {
    const facts = [
      fact(MIGRATION_REQUESTED, 1, { name: 'web-1', attempt: 1 }),
      fact(INSTANCE_DECIDED, 2, { name: 'web-1', choice: 'cold' }),
      fact(MIGRATION_FAILED, 3, { why: 'aborted' }),
      fact(MIGRATION_REQUESTED, 4, { name: 'web-1', attempt: 2, how: 'cold' }),
    ]
    const [, decided] = facts
    expect(migrationsOf({ facts: facts.slice(0, 1) })).toMatchObject([{ decidedAt: null, isCold: false }])
    expect(migrationsOf({ facts: facts.slice(0, 2) })).toMatchObject([{ decidedAt: decided?.at, isCold: false }])
    expect(migrationsOf({ facts })).toMatchObject([{ decidedAt: decided?.at, isCold: true }])
  })

  it('tell from where to where, how much was copied, and how long the last attempt took', () => {
    const facts = [
      fact(MIGRATION_REQUESTED, 1, { name: 'web-1', attempt: 1, source: 'cmp-1' }),
      fact(MIGRATION_PROGRESS, 2, { memoryTotal: 400, memoryRemaining: 100 }),
      fact(MIGRATION_FAILED, 3, { why: 'no room' }),
      fact(MIGRATION_REQUESTED, 4, { name: 'web-1', attempt: 2, source: 'cmp-1' }),
    ]
    expect(migrationsOf({ facts: facts.slice(0, 2) })).toMatchObject([
      { percent: 75, bytes: { copied: 300, total: 400 } },
    ])
    expect(migrationsOf({ facts })).toMatchObject([
      { state: 'running', attempt: 2, from: 'cmp-1', percent: null, bytes: null, endedAt: null },
    ])
    const moved = fact(INSTANCE_MOVED, 9, { name: 'web-1', from: 'cmp-1', to: 'cmp-2', attempt: 2 })
    expect(migrationsOf({ facts: [...facts, moved] })).toMatchObject([
      { state: 'moved', note: 'cmp-2', startedAt: facts[3]?.at, endedAt: moved.at },
    ])
  })

  it('make progress unless they are stuck, or queued by Nova behind one that is', () => {
    const facts = [
      ...['a', 'b', 'c'].map(id =>
        fact(MIGRATION_REQUESTED, 1, { name: `web-${id}`, attempt: 1, source: 'cmp-1' }, `server/${id}`),
      ),
      fact(MIGRATION_PROGRESS, 2, { name: 'web-b', behind: 'web-a' }, 'server/b'),
      fact(MIGRATION_PROGRESS, 2, { name: 'web-c', behind: 'web-x' }, 'server/c'),
      fact(MIGRATION_ASKS, 3, { name: 'web-a', cause: 'its destination is down', since: '2026-11-21T10:00:03.000Z' }),
    ]
    const names = (of: typeof facts) =>
      gettingOn(migrationsOf({ facts: of }), ({ asks }) => asks !== null).map(({ name }) => name)
    expect(names(facts)).toEqual(['web-c'])
    expect(names(facts.slice(0, -1))).toEqual(['web-a', 'web-b', 'web-c'])
    const turn = fact(MIGRATION_PROGRESS, 9, { name: 'web-b', memoryTotal: 4, memoryRemaining: 2 }, 'server/b')
    expect(names([...facts, turn])).toEqual(['web-b', 'web-c'])
  })

  it('are behind an instance by its id where the journal has it: another may have the same name', () => {
    const asked = (id: string, name: string) =>
      fact(MIGRATION_REQUESTED, 1, { name, attempt: 1, source: 'cmp-1' }, `server/${id}`)
    const facts = [
      ...[asked('a', 'web'), asked('b', 'web'), asked('c', 'db'), asked('d', 'mq')],
      fact(MIGRATION_PROGRESS, 2, { name: 'db', behind: 'web', behindId: 'b' }, 'server/c'),
      fact(MIGRATION_PROGRESS, 2, { name: 'mq', behind: 'web', behindId: 'a' }, 'server/d'),
      fact(MIGRATION_ASKS, 3, { name: 'web', cause: 'its destination is down', since: '2026-11-21T10:00:03.000Z' }),
    ]
    const on = gettingOn(migrationsOf({ facts }), ({ asks }) => asks !== null)
    expect(on.map(({ subject }) => subject)).toEqual(['server/b', 'server/c'])
  })

  it('whose end nobody saw are named when a run ends, those that came to one are not', () => {
    const facts = [
      fact(MIGRATION_REQUESTED, 1, { name: 'web-1', attempt: 1, source: 'cmp-1' }),
      fact(STOP_REQUESTED, 2, { name: 'db-1' }, 'server/b'),
      fact(MIGRATION_REQUESTED, 3, { name: 'web-2', attempt: 1, source: 'cmp-1' }, 'server/c'),
      fact(INSTANCE_MOVED, 4, { name: 'web-2', from: 'cmp-1', to: 'cmp-2' }, 'server/c'),
    ]
    expect(unseenEnds({ facts }).map(unseenEndWords)).toEqual([
      'The run ended before the move off cmp-1 of web-1 did, so Nova continues it. `openstack server show a` shows where it is.',
      'The run ended before the stop of db-1 did, so Nova continues it. `openstack server show b` shows where it is.',
    ])
  })
})

describe('evictions', () => {
  const pod = (name: string, second: number, values: Record<string, string | number> = {}) =>
    fact(name, second, { uid: 'u1', ...values }, 'pod/openstack/a')

  it('a pod that is asked again under a budget still waits, since the first refusal', () => {
    const facts = [
      pod(EVICTION_REQUESTED, 1, { attempt: 1 }),
      pod(EVICTION_REFUSED, 2, { sentence: 'the budget refuses' }),
      pod(EVICTION_REQUESTED, 7, { attempt: 2 }),
    ]
    expect(evictionsOf({ facts })).toMatchObject([
      { state: 'refused', attempt: 2, refusedSince: facts[1]?.at, startedAt: facts[0]?.at, note: 'the budget refuses' },
    ])
    const left = [...facts, pod(EVICTION_ACCEPTED, 8), pod(POD_LEFT, 9)]
    expect(evictionsOf({ facts: left })).toMatchObject([{ state: 'left', refusedSince: null, endedAt: left[4]?.at }])
  })

  it('a pod that has ended is kept since it was first seen so, until it leaves', () => {
    const facts = [
      pod(EVICTION_REQUESTED, 1, { attempt: 1 }),
      pod(EVICTION_ACCEPTED, 2),
      pod(POD_HELD, 30, { by: 'its finalizer a/b' }),
      pod(POD_HELD, 50, { by: 'its finalizer c/d' }),
    ]
    expect(evictionsOf({ facts })).toMatchObject([
      { state: 'held', heldSince: facts[2]?.at, note: 'its finalizer c/d', endedAt: null },
    ])
    expect(evictionsOf({ facts: [...facts, pod(POD_LEFT, 60)] })).toMatchObject([{ state: 'left', heldSince: null }])
  })
})

describe('how far a run is', () => {
  it('is counted against what its checks found to move, before anything has begun', () => {
    const sample = createSampleRun()
    sample.created()
    expect(talliesOf(foldRun(sample.events))).toMatchObject({
      ...{ moves: { moved: 0, total: 1 }, pods: { done: 0, total: 1 } },
    })
    sample.fact('migrate-instances', INSTANCE_SETTLED, 'server/id-web', { name: 'web-1', why: 'it is gone' })
    expect(talliesOf(foldRun(sample.events)).moves).toMatchObject({ done: 1, moved: 0, settled: 1, total: 1 })
  })

  it('an instance that came later counts too', () => {
    const sample = createSampleRun()
    sample.created()
    for (const id of ['x', 'y']) sample.fact('migrate-instances', MIGRATION_REQUESTED, `server/${id}`, { name: id })
    expect(talliesOf(foldRun(sample.events)).moves).toMatchObject({ done: 0, total: 3 })
  })

  it('one that moved before the checks were made again counts beside those they still found', () => {
    const sample = createSampleRun()
    sample.created()
    sample.fact('migrate-instances', INSTANCE_MOVED, 'server/id-earlier', { name: 'earlier', to: 'cmp-2' })
    expect(talliesOf(foldRun(sample.events)).moves).toMatchObject({ moved: 1, total: 2 })
  })
})
