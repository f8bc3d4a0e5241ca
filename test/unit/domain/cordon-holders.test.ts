import { describe, expect, it, test } from 'vitest'
import { type CordonHolder, cordonStatus, isLockkeepers, managerOfRun } from '../../../shared/domain/cordon-holders.ts'
import { cordonedByWords } from '../../../shared/words/cordons.ts'

const AT = '2026-01-01T10:00:00Z'
const by = (...managers: readonly string[]): readonly CordonHolder[] => managers.map(manager => ({ manager, at: AT }))
const OWN = managerOfRun('run-1')

describe('the cordon of a node is, for a run that cordoned it,', () => {
  test.each<[string, readonly CordonHolder[], string]>([
    ['its own while nobody else holds it', by(OWN), 'own'],
    ['of others that set it since', by('kubectl'), 'of-others'],
    ['of others that hold it beside the run', by(OWN, 'gitops'), 'of-others'],
    ['of another run of Lockkeeper that set it since', by(managerOfRun('run-2')), 'of-others'],
    ['of others where a Lockkeeper without a run holds it too', by('lockkeeper', 'kubectl'), 'of-others'],
    ['untold where the server names nobody', [], 'untold'],
    ['untold where a Lockkeeper set it that did not name its run', by('lockkeeper'), 'untold'],
    ['untold where one that did not name its run holds it too', by(OWN, 'lockkeeper'), 'untold'],
  ])('%s', (_what, holders, kind) => {
    expect(cordonStatus(holders, 'run-1').kind).toBe(kind)
  })

  it('no run’s because its name begins alike', () => {
    expect(cordonStatus(by(managerOfRun('run-12')), 'run-1').kind).toBe('of-others')
  })
})

test.each<[readonly CordonHolder[], string, boolean]>([
  [by('kubectl'), `by kubectl (it last wrote the node at 2026-01-01 10:00:00 UTC)`, false],
  [[{ manager: 'kubectl', at: null }], 'by kubectl', false],
  [by(OWN), `by run run-1 of Lockkeeper (it last wrote the node at 2026-01-01 10:00:00 UTC)`, true],
  [[{ manager: 'lockkeeper', at: null }], 'by Lockkeeper, for an unknown run', true],
  [
    [{ manager: OWN, at: null }, ...by('gitops')],
    `by run run-1 of Lockkeeper and gitops (it last wrote the node at 2026-01-01 10:00:00 UTC)`,
    false,
  ],
  [[], 'by a client that Kubernetes does not name', false],
])('the words name who cordoned a node: %j: %s', (holders, words, ours) => {
  expect(cordonedByWords(holders)).toBe(words)
  expect(isLockkeepers(holders)).toBe(ours)
})
