import { describe, expect, it } from 'vitest'
import {
  type AwayInstance,
  awayFrom,
  type LocatedAway,
  located,
  movedSince,
  needsActions,
} from '../../../shared/domain/home.ts'
import type { Migration } from '../../../shared/domain/openstack.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCES_NOTED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  WATCHER_ACTION,
} from '../../../shared/domain/run-facts.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

function reported(fact: string, subject: string, values: RunFact['values']): RunFact {
  return { at: '2026-01-01T00:00:00.000Z', fact, subject, announces: false, values }
}
const moved = (id: string, from: string, to: string) => reported(INSTANCE_MOVED, `server/${id}`, { name: id, from, to })
const run = (...facts: readonly RunFact[]) => ({ byControllers: false, facts })
const places = (aways: readonly AwayInstance[]) => aways.map(({ id, home, from, to }) => [id, home, from, to])

describe('who is away from a host', () => {
  it('is who a run moved off it, until a run brings it back', () => {
    const enter = run(moved('a', 'one', 'two'), moved('b', 'one', 'three'))
    expect(places(awayFrom('one', [enter]))).toEqual([
      ['a', 'one', 'one', 'two'],
      ['b', 'one', 'one', 'three'],
    ])
    expect(places(awayFrom('one', [enter, run(moved('a', 'two', 'one'))]))).toEqual([['b', 'one', 'one', 'three']])
  })

  it('follows one that our own next maintenance moved on', () => {
    const runs = [run(moved('a', 'one', 'two')), run(moved('a', 'two', 'three'))]
    expect(places(awayFrom('one', runs))).toEqual([['a', 'one', 'two', 'three']])
    expect(places(awayFrom('two', runs))).toEqual([['a', 'two', 'two', 'three']])
  })

  it('leaves out one that somebody moved between two runs', () => {
    expect(awayFrom('one', [run(moved('a', 'one', 'two')), run(moved('a', 'five', 'six'))])).toEqual([])
  })

  it('counts a requested move without an arrival, until the journal says that it failed', () => {
    const asked = reported(MIGRATION_REQUESTED, 'server/a', { name: 'a', source: 'one', knownMigrationId: 4 })
    expect(awayFrom('one', [run(asked)])).toEqual([
      { id: 'a', name: 'a', home: 'one', from: 'one', to: null, after: 4 },
    ])
    expect(places(awayFrom('one', [run(asked, moved('a', 'one', 'two'))]))).toEqual([['a', 'one', 'one', 'two']])
    expect(awayFrom('one', [run(asked, reported(MIGRATION_FAILED, 'server/a', { why: 'no host' }))])).toEqual([])
  })

  it('knows what Watcher moved, once its action is done', () => {
    const action = (state: string) =>
      reported(WATCHER_ACTION, 'server/a', { name: 'a', state, source: 'one', to: 'two', type: 'migrate' })
    expect(awayFrom('one', [run(action('ONGOING'))])).toEqual([])
    expect(places(awayFrom('one', [run(action('SUCCEEDED'))]))).toEqual([['a', 'one', 'one', 'two']])
  })

  it('takes one that was seen elsewhere for moved only where the controllers move', () => {
    const facts = [
      reported(INSTANCES_NOTED, 'node/n', { host: 'one', ids: ['a'] }),
      reported(INSTANCE_SEEN, 'server/a', { name: 'a', host: 'two' }),
    ]
    expect(awayFrom('one', [{ byControllers: false, facts }])).toEqual([])
    expect(places(awayFrom('one', [{ byControllers: true, facts }]))).toEqual([['a', 'one', 'one', 'two']])
  })

  it('follows the order of the events, also where the clock was set back between them', () => {
    const at = (time: string, fact: RunFact): RunFact => ({ ...fact, at: `2026-01-01T${time}:00.000Z` })
    const noted = at(
      '10:00',
      reported(INSTANCES_NOTED, 'node/n', { host: 'one', ids: ['a'], instances: [{ id: 'a', name: 'a' }] }),
    )
    const seen = at('09:00', reported(INSTANCE_SEEN, 'server/a', { name: 'a', host: 'two' }))
    expect(places(awayFrom('one', [{ byControllers: true, facts: [noted, seen] }]))).toEqual([
      ['a', 'one', 'one', 'two'],
    ])
    const asked = (time: string, values: RunFact['values']) =>
      at(time, reported(MIGRATION_REQUESTED, 'server/a', { name: 'a', ...values }))
    const there = [asked('10:00', { source: 'one', knownMigrationId: 4 }), at('09:00', moved('a', 'one', 'two'))]
    expect(awayFrom('one', [run(...there)])).toEqual([
      { ...{ id: 'a', name: 'a', home: 'one' }, from: 'one', to: 'two', after: 4 },
    ])
    const home = [asked('09:01', { source: 'two', to: 'one' }), at('08:59', moved('a', 'two', 'one'))]
    expect(awayFrom('two', [run(moved('a', 'two', 'three')), run(...there, ...home)])).toEqual([])
  })

  it('counts who was asked to leave once more after it had come back', () => {
    const asked = reported(MIGRATION_REQUESTED, 'server/a', { name: 'a', source: 'one', knownMigrationId: 4 })
    const back = [asked, moved('a', 'one', 'two'), moved('a', 'two', 'one'), asked]
    expect(places(awayFrom('one', [run(...back)]))).toEqual([['a', 'one', 'one', null]])
  })

  it('for a run killed before it read their new hosts, Nova reports the recorded ones', () => {
    const instances = [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
    ]
    const facts = [
      reported(INSTANCES_NOTED, 'node/n', { host: 'one', ids: ['a', 'b'], instances }),
      reported(INSTANCE_SEEN, 'server/a', { name: 'a', host: 'one' }),
    ]
    expect(places(awayFrom('one', [{ byControllers: true, facts }]))).toEqual([['b', 'one', 'one', null]])
    expect(awayFrom('one', [{ byControllers: false, facts }])).toEqual([])
    const seenLater = [...facts, reported(INSTANCE_SEEN, 'server/b', { name: 'b', host: 'two' })]
    expect(places(awayFrom('one', [{ byControllers: true, facts: seenLater }]))).toEqual([['b', 'one', 'one', 'two']])
  })
})

describe('whether somebody moved an instance since', () => {
  const away: LocatedAway = { id: 'a', name: 'a', home: 'one', from: 'one', to: 'two', after: 0 }
  const record = (id: number, sourceHost: string, destHost: string, status = 'completed'): Migration =>
    fakeMigration({ id, status, sourceHost, destHost, updatedAt: '2026-01-01T00:10:00Z' })
  const on = (host: string, launchedAt: string | null = '2025-12-01T00:00:00Z') =>
    fakeInstance('a', host, { launchedAt })
  const own = record(1, 'one', 'two')

  it('takes from Nova where one went that nobody saw arrive, by its record after those that were known', () => {
    const asked: AwayInstance = { ...away, to: null, after: 1 }
    expect(located(asked, [own])).toBe(null)
    expect(located(asked, [own, record(2, 'one', 'five')])?.to).toBe('five')
    expect(located(asked, [own, record(2, 'one', 'five', 'failed')])).toBe(null)
  })

  it.each([
    ['our own move was the last', on('two'), [own], null],
    ['a later one failed', on('two'), [own, record(2, 'two', 'three', 'failed')], null],
    ['it is elsewhere', on('three'), [own], { kind: 'elsewhere', host: 'three', to: 'two' }],
    [
      'it went away and came back',
      on('two'),
      [own, record(2, 'two', 'three'), record(3, 'three', 'two')],
      { kind: 'moved', from: 'three', to: 'two' },
    ],
    ['Nova has no record of our move', on('two'), [], { kind: 'no-record', from: 'one', to: 'two' }],
  ] as const)('%s', (_case, instance, records, why) => {
    expect(movedSince(away, { instance, records, actions: null })).toEqual(why)
  })

  it('reads the log of actions only where the instance was launched after the move, or that is unknown', () => {
    expect(needsActions(away, { instance: on('two'), records: [own] })).toBe(false)
    expect(needsActions(away, { instance: on('two', '2026-01-01T00:11:00Z'), records: [own] })).toBe(true)
    expect(needsActions(away, { instance: on('two', null), records: [own] })).toBe(true)
  })

  it('leaves alone what was unshelved after our move, and not what was before', () => {
    const action = (startedAt: string) => ({ action: 'unshelve', requestId: 'r', startedAt, message: null })
    const seen = { instance: on('two', null), records: [own] }
    expect(movedSince(away, { ...seen, actions: [action('2026-01-01T00:11:00Z')] })).toEqual({
      kind: 'placed-anew',
      action: 'unshelve',
      at: '2026-01-01T00:11:00Z',
    })
    expect(movedSince(away, { ...seen, actions: [action('2026-01-01T00:09:00Z')] })).toBe(null)
  })
})
