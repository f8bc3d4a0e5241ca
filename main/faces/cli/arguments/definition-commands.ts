import type { CommandSpec } from './argument-specs.ts'
import { cluster, yes } from './argument-words.ts'

/** Commands about the CRDs of the node maintenance API. */
export const definitionCommands: readonly CommandSpec[] = [
  {
    path: ['crds', 'diff'],
    summary: 'compare the six CRDs of the node maintenance API with the CRDs of a cluster',
    about: [
      "Compares the cluster's CRDs with Lockkeeper's; changes nothing. Lockkeeper uses the cluster's own CRDs as they are.",
      'Exit code 0 when all are installed, 3 when one is missing.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['crds diff lab', 'crds diff lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/crds.ts')).diffDefinitions,
  },
  {
    path: ['crds', 'install'],
    summary: 'install the CRDs that a cluster lacks',
    about: [
      'Waits until the API server serves them. Existing CRDs are never changed or removed.',
      'resources/crds has the same manifests for kubectl.',
    ],
    operands: [cluster],
    flags: [yes],
    examples: ['crds install lab', 'crds install lab --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/crds.ts')).installDefinitions,
  },
]
