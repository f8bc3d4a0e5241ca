import { describe, expect, it, test } from 'vitest'
import { isSilenceOfEarlier, leftOfEarlier } from '../../../shared/domain/earlier-texts.ts'
import { RunLeft } from '../../../shared/domain/run-left.ts'
import { leftWords } from '../../../shared/words/run-left.ts'

describe('why a run was left, as journals of earlier versions say it', () => {
  test.each<[why: string, left: RunLeft]>([
    ['root left it', { code: 'Detached', by: 'root' }],
    ['olga of ops left it', { code: 'Detached', by: 'olga of ops' }],
    ['eva hands it over', { code: 'HandingOver', by: 'eva' }],
    [
      'The lease of cmp-01 was lost, so nothing more was begun. runner-0 holds it.',
      { code: 'LeaseLost', node: 'cmp-01', cause: 'runner-0 holds it.' },
    ],
    [
      'The lease of cmp-01 could not be taken: eva holds it',
      { code: 'LeaseNotTaken', node: 'cmp-01', cause: 'eva holds it' },
    ],
    ['eva closed the console', { code: 'Other', text: 'eva closed the console' }],
    ['', { code: 'Other', text: '' }],
  ])('%j', (why, left) => {
    expect(leftOfEarlier(why)).toEqual(left)
    expect(leftWords(left), 'it is said as it was then').toBe(why)
  })
})

it('every code that this version writes is read again from its text, as an earlier version wrote it', () => {
  const written: readonly RunLeft[] = [
    { code: 'Detached', by: 'eva' },
    { code: 'HandingOver', by: 'eva' },
    { code: 'LeaseLost', node: 'cmp-01', cause: 'It ran out.\nLook at it.' },
    { code: 'LeaseNotTaken', node: 'cmp-01', cause: 'eva: holds it' },
  ]
  for (const left of written) {
    expect(leftOfEarlier(leftWords(left))).toEqual(left)
    expect(RunLeft.parse(left)).toEqual(left)
  }
})

test.each([
  ['it says nothing; it has not moved for 30 s', true],
  ['it says nothing; it has not moved for 30 s (its pod does not run)', true],
  ['Its controller says that it says nothing; it has not moved', false],
  ['', false],
])('a lock whose controller is told to say nothing: %j', (message, isSilent) => {
  expect(isSilenceOfEarlier(message)).toBe(isSilent)
})
