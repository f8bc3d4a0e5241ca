import { describe, expect, it } from 'vitest'
import { leftToOwnersText } from '../../../shared/words/lock-messages.ts'
import { type InstanceNames, lockTextWords } from '../../../shared/words/lock-text.ts'

const A = '0a1b2c3d-1111-4222-8333-444455556666'
const B = '1a1b2c3d-1111-4222-8333-444455556666'
const PROJECT = '18889e3c0f0a4a3f8f0d2f4c8b9e7a61'
const known: InstanceNames = id =>
  id === A ? { name: 'tenant-02', of: 'project demo' } : id === B ? { name: 'web-1', of: 'project shop' } : null
const nobody: InstanceNames = () => null
const OURS = leftToOwnersText(
  [A, B],
  [A],
  [
    `They are tenant-02 (${A}) of project ${PROJECT}, web-1 (${B}) of project ${PROJECT}.`,
    `Got error while trying to migrate server web-1 (${B}): No valid host was found.`,
  ],
)

describe('a lock’s text for people', () => {
  it.each<[rule: string, text: string, names: InstanceNames, said: string]>([
    [
      'names each instance of our list once, with its project',
      OURS,
      known,
      'Some servers are still present on the host. Notify the owners of tenant-02 (project demo, no action set), web-1 (project shop). Got error while trying to migrate server web-1 (project shop): No valid host was found.',
    ],
    [
      'takes the names that the text tells where nobody else knows them, and no id',
      OURS,
      nobody,
      'Some servers are still present on the host. Notify the owners of tenant-02 (no action set), web-1. Got error while trying to migrate server web-1: No valid host was found.',
    ],
    [
      'names those of a foreign controller, which tells ids alone',
      `Some servers are still present on the host. Notify owners of the following server: ["${A}"] Servers with unset maintenance action: []`,
      known,
      'Some servers are still present on the host. Notify the owners of tenant-02 (project demo).',
    ],
    [
      'does not say a name twice',
      `Starting migration for tenant-02 (${A})`,
      known,
      'Starting migration for tenant-02 (project demo)',
    ],
    ['names a bare id', `Starting migration for ${A}`, known, 'Starting migration for tenant-02 (project demo)'],
    [
      'keeps an id that nobody can tell a name of',
      `Starting migration for ${A}`,
      nobody,
      `Starting migration for ${A}`,
    ],
    [
      'keeps both where the name is another one now',
      `Starting migration for old-name (${A})`,
      known,
      'Starting migration for old-name (tenant-02 (project demo))',
    ],
    [
      'leaves what names no instance alone',
      'Waiting for node cmp-1 to become Ready: it is not.',
      known,
      'Waiting for node cmp-1 to become Ready: it is not.',
    ],
  ])('%s', (_rule, text, names, said) => {
    expect(lockTextWords(text, names)).toBe(said)
  })
})
