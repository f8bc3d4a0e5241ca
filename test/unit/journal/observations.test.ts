import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { registerChainFunctions } from '../../../main/journal/chain-functions.ts'
import type { Observation } from '../../../shared/domain/observation.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const open = () => here.open()

const begun: Observation = {
  kind: 'begun',
  since: '2026-01-01T00:00:00.000Z',
  nodes: [{ node: 'cmp-1', phase: 'worker-nodes', group: null, atOnce: 1 }],
}
const over = (note: string): Observation => ({
  kind: 'moment',
  moment: { kind: 'over', at: '2026-01-01T00:00:05.000Z', note },
})

test('what was observed of an update is there again after a restart, in its order', () => {
  const { observations } = open()
  expect(observations.lastUpdate('east')).toBeNull()
  for (const each of [begun, over('a'), over('b')]) valueIn(observations.record('east', 'u1', each))
  valueIn(observations.record('west', 'u2', begun))
  here.close()
  const again = open().observations
  expect(again.lastUpdate('east')).toBe('u1')
  expect(valueIn(again.of('east', 'u1'))).toEqual([begun, over('a'), over('b')])
  expect(valueIn(again.of('east', 'u2'))).toEqual([])
})

test('an observation that cannot be read hides none of the others', () => {
  const { observations } = open()
  valueIn(observations.record('east', 'u1', begun))
  const other = new DatabaseSync(here.path)
  registerChainFunctions(other)
  other.exec("INSERT INTO observations (at, cluster, update_id, body) VALUES ('', 'east', 'u1', '{')")
  other.close()
  valueIn(observations.record('east', 'u1', over('a')))
  expect(valueIn(observations.of('east', 'u1'))).toEqual([begun, over('a')])
})

test.each([
  ['changed', "UPDATE observations SET body = '{}'"],
  ['deleted', 'DELETE FROM observations'],
])('nobody can have an observation %s', (_what, sql) => {
  valueIn(open().observations.record('east', 'u1', begun))
  const other = new DatabaseSync(here.path)
  expect(() => other.exec(sql)).toThrow('append-only')
  other.close()
})

test('a journal of schema version 2 opens, keeps its edits and takes observations', () => {
  placeOldJournal('schema-2', here.path)
  const { edits, observations } = open()
  expect(valueIn(edits.list({ cluster: 'demo-plain', node: null, limit: 9 }))).toHaveLength(2)
  valueIn(observations.record('east', 'u1', begun))
  expect(observations.lastUpdate('east')).toBe('u1')
})

test('figures are found by when they were taken, on one cluster alone', () => {
  const { observations } = open()
  const sample = { kind: 'sample', at: '', instancesRemaining: 1, migrationsDone: null, locksInactive: 2 } as const
  const first = new Date(here.clock.now()).toISOString()
  const [later, latest] = ['2040-01-01T00:00:00.000Z', '2041-01-01T00:00:00.000Z']
  valueIn(observations.record('east', 'u1', begun))
  valueIn(observations.record('east', 'u1', over('a')))
  valueIn(observations.record('east', 'u1', { kind: 'moment', moment: sample }))
  valueIn(observations.record('west', 'u2', { kind: 'moment', moment: sample }))
  expect(observations.samples('east', first, later)).toEqual([sample])
  expect(observations.samples('east', later, latest)).toEqual([])
})
