import type { CommandSpec } from './argument-specs.ts'
import { cluster, yes } from './argument-words.ts'

/** Commands about the definitions (CRDs) of the node maintenance API. */
export const definitionCommands: readonly CommandSpec[] = [
  {
    path: ['crds', 'diff'],
    summary: 'where the six definitions of the node maintenance API stand on a cluster',
    about: [
      'Compares what the cluster has with ours; touches nothing. Definitions of its own are used as they are.',
      'Exit 0 when none is missing, 3 when one is.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['crds diff lab', 'crds diff lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/crds.ts')).diffDefinitions,
  },
  {
    path: ['crds', 'install'],
    summary: 'install those definitions that a cluster lacks',
    about: [
      'Waits until the API server serves them. Those that are there are never changed, and none is ever removed.',
      'The same manifests, for kubectl: resources/crds.',
    ],
    operands: [cluster],
    flags: [yes],
    examples: ['crds install lab', 'crds install lab --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/crds.ts')).installDefinitions,
  },
]
