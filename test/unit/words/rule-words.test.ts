import { expect, test } from 'vitest'
import { noTemplateWords } from '../../../shared/wings/notify/words/silences.ts'
import { tooLargeWords } from '../../../shared/wings/runner/words/run-sizes.ts'
import { makerWords } from '../../../shared/words/makers.ts'
import { unseenEndWords } from '../../../shared/words/unseen-ends.ts'
import { passingWords } from '../../../shared/words/waits.ts'

test('a template of silences that is refused says what is wrong with it', () => {
  const names = ['INSTANCE_NAME', 'INSTANCE_ID']
  expect(noTemplateWords({ code: 'NameMissing', template: 'a="x"', names })).toBe(
    'a="x" has no INSTANCE_NAME or INSTANCE_ID, so it would silence alerts of other nodes.',
  )
  expect(noTemplateWords({ code: 'NameExcluded', template: 'a!="NODE"', names: ['NODE'] })).toBe(
    'a!="NODE" has NODE in a matcher that excludes.',
  )
  expect(noTemplateWords({ code: 'NoMatchers', template: 'x' })).toMatch(
    /x is not a list of matchers such as instance=~"NODE\(:\[0-9\]\+\)\?"/,
  )
  expect(noTemplateWords({ code: 'MatchesOthers', template: 'x' })).toMatch(/^x matches other names/)
  expect(noTemplateWords({ code: 'NoRegularExpression', template: 'x' })).toMatch(
    /^x contains an invalid regular expression/,
  )
})

test('a command that is left under way says where to look for it', () => {
  const left = { code: 'CommandUnseen', application: null, machine: 'bastion' } as const
  expect(unseenEndWords({ ...left, hasBegun: true, group: 71 })).toBe(
    'The command of the work may still run and change the node: the run ended before it. On bastion, `pgrep -a -g 71` shows it, and `kill -- -71` ends it.',
  )
  expect(unseenEndWords({ ...left, hasBegun: false, group: null })).toBe(
    'The run ended before it could see whether the command of the work started. It may be running. Look for its process on bastion: its number was not recorded.',
  )
  expect(unseenEndWords({ ...left, application: 'ceph', hasBegun: true, group: 71 })).toMatch(
    /The command that updates ceph may still run and change the cloud:/,
  )
})

test('what may pass says whether a Lease is away, or something is not seen yet', () => {
  const wait = { stepId: 's', lease: null, reason: 'One is left.', since: '', asksAt: null, failsAt: null }
  expect(passingWords(wait)).toBe('One is left.')
  expect(passingWords({ ...wait, failsAt: '2026-11-21T10:05:00.000Z' })).toBe('Not verified yet: One is left.')
  expect(passingWords({ ...wait, stepId: null, lease: 'cmp-1' })).toBe('The Lease of cmp-1 is lost. One is left.')
})

test('who made a request follows `made`', () => {
  expect(makerWords({ code: 'OwnRun', run: 'r-1', operator: 'kay' })).toBe('by Lockkeeper run r-1 of kay')
  expect(makerWords({ code: 'OwnRun', run: 'r-1', operator: null })).toBe('by Lockkeeper run r-1')
  expect(makerWords({ code: 'FirstWriter', manager: 'kubectl-create' })).toBe('by kubectl-create')
  expect(makerWords({ code: 'MakerNotTold' })).toBe('by LCM or manually')
})

test('a run that is too large for the cluster says how large, and what to do', () => {
  const size = { bytes: 2_000_000, most: 1_300_000 }
  expect(tooLargeWords({ code: 'PlanTooLarge', ...size })).toBe(
    'The plan needs 2.0 MB in the cloud, but etcd stores no object larger than 1.5 MB (1.3 MB of it are available for them). Plan fewer nodes at a time, or run it here.',
  )
  expect(tooLargeWords({ code: 'StoryTooLarge', ...size })).toMatch(
    /The plan and the history of its run need 2\.0 MB in the cloud/,
  )
})
