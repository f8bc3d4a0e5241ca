import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Edit } from '../../../shared/domain/edit.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const open = () => here.open()

function edit(overrides: Partial<Omit<Edit, 'seq' | 'at'>> = {}): Omit<Edit, 'seq' | 'at'> {
  return {
    operator: 'eva',
    machine: 'laptop-1',
    cluster: 'lab',
    node: 'cmp-1',
    kind: 'host-mode',
    target: 'node/cmp-1',
    before: 'live',
    after: 'manual',
    refused: null,
    ...overrides,
  }
}

test('edits are listed newest first, of a cluster or one of its nodes, as many as asked for', () => {
  const { edits } = open()
  const [first, second, third] = [
    valueIn(edits.record(edit())),
    valueIn(edits.record(edit({ node: null, kind: 'cluster-settings', target: 'cluster/lab' }))),
    valueIn(edits.record(edit({ refused: 'Nova said no.' }))),
  ]
  valueIn(edits.record(edit({ cluster: 'other' })))
  expect(valueIn(edits.list({ cluster: 'lab', node: null, limit: 10 }))).toEqual([third, second, first])
  expect(valueIn(edits.list({ cluster: 'lab', node: null, limit: 2 }))).toEqual([third, second])
  expect(valueIn(edits.list({ cluster: 'lab', node: 'cmp-1', limit: 10 }))).toEqual([third, first])
})

test.each([
  ['changed', "UPDATE edits SET body = '{}'"],
  ['deleted', 'DELETE FROM edits'],
])('nobody can have an edit %s', (_what, sql) => {
  const { edits } = open()
  valueIn(edits.record(edit()))
  const other = new DatabaseSync(here.path)
  expect(() => other.exec(sql)).toThrow('append-only')
  other.close()
  expect(valueIn(edits.list({ cluster: 'lab', node: null, limit: 10 }))).toHaveLength(1)
})

test('a journal of schema version 1 opens, keeps its runs and takes edits', () => {
  placeOldJournal('schema-1', here.path)
  const old = open()
  expect(valueIn(old.rows({ cluster: 'demo-plain' }))).toHaveLength(3)
  const kept = valueIn(old.edits.record(edit()))
  expect(valueIn(old.edits.list({ cluster: 'lab', node: null, limit: 10 }))).toEqual([kept])
})
