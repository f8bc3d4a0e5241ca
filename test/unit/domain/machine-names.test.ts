import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  claimsOf,
  firstLabel,
  indexedRecords,
  isSameMachine,
  namesOfNode,
  recordNamed,
  recordsOf,
} from '../../../shared/domain/machine-names.ts'

const FQDN = 'cmp-1.cloud.example.org'
const host = (name: string) => name

describe('names of one machine', () => {
  it.each<[one: string, other: string, same: boolean]>([
    ['cmp-1', 'cmp-1', true],
    ['cmp-1', FQDN, true],
    [FQDN, 'cmp-1', true],
    ['cmp-1.old.example.org', FQDN, true],
    ['cmp-1', 'cmp-10', false],
    ['cmp-1', 'cmp-10.cloud.example.org', false],
    ['cmp-1.cloud', 'cmp-2.cloud', false],
  ])('%s and %s: %s', (one, other, same) => expect(isSameMachine(one, other)).toBe(same))

  test('the first label is the text before the first dot', () => {
    expect([firstLabel('cmp-1'), firstLabel(FQDN), firstLabel('')]).toEqual(['cmp-1', 'cmp-1', ''])
  })

  test('a node goes by its name and its hostname label', () => {
    const labels = { 'kubernetes.io/hostname': 'cmp-1' }
    expect(namesOfNode({ name: 'ip-10-0-0-1', labels })).toEqual(['ip-10-0-0-1', 'cmp-1'])
    expect(namesOfNode({ name: 'cmp-1', labels })).toEqual(['cmp-1'])
    expect(namesOfNode({ name: 'cmp-1', labels: {} })).toEqual(['cmp-1'])
  })
})

describe('records of a node', () => {
  it.each<[what: string, records: string[], others: string[], found: string[]]>([
    ['all that fit', ['cmp-1', FQDN, 'cmp-10'], [], ['cmp-1', FQDN]],
    ['none of another node of that very name', ['cmp-1', FQDN], [FQDN], ['cmp-1']],
    ['its own name is its own, even if another one claims it', ['cmp-1'], ['cmp-1'], ['cmp-1']],
    ['none', ['cmp-2'], [], []],
  ])('%s', (_, records, others, found) => expect(recordsOf(['cmp-1'], records, host, others)).toEqual(found))

  it.each<[what: string, records: string[], found: string | null]>([
    ['the exact one', [FQDN, 'cmp-1'], 'cmp-1'],
    ['the only one that fits', [FQDN], FQDN],
    ['several and none exactly: none of them', [FQDN, 'cmp-1.old'], null],
    ['none', ['cmp-2'], null],
  ])('the record that counts where one name is wanted: %s', (_, records, found) =>
    expect(recordNamed(['cmp-1'], records, host)).toBe(found),
  )
})

describe('what the records of one machine amount to', () => {
  const record = (name: string, alive: boolean) => ({ name, alive })
  const [live, other, dead, gone] = [record('a', true), record('b', true), record('c', false), record('d', false)]
  it.each([
    ['none', [], { kind: 'none' }],
    ['one', [live], { kind: 'one', record: live, leftovers: [] }],
    ['one that is dead', [dead], { kind: 'one', record: dead, leftovers: [] }],
    ['renamed, with a dead leftover', [dead, live, gone], { kind: 'one', record: live, leftovers: [dead, gone] }],
    ['two live', [live, dead, other], { kind: 'several', records: [live, dead, other] }],
    ['two dead', [dead, gone], { kind: 'several', records: [dead, gone] }],
  ])('%s', (_, records, claims) => expect(claimsOf(records, ({ alive }) => alive)).toEqual(claims))
})

test('an index finds what a search of the whole list finds, in its order', () => {
  const name = fc.constantFrom('cmp-1', 'cmp-1.east', 'cmp-1.west', 'cmp-10', 'ctl-1', 'ctl-1.east')
  const find = indexedRecords<{ readonly host: string }>(({ host: named }) => named)
  fc.assert(
    fc.property(fc.array(name), fc.array(name), fc.array(fc.record({ host: name })), (names, others, records) => {
      expect(find(names, records, others)).toEqual(recordsOf(names, records, ({ host: named }) => named, others))
      expect(find(names, records)).toEqual(recordsOf(names, records, ({ host: named }) => named))
    }),
  )
})
