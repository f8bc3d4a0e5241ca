import type { CommandSpec } from './argument-specs.ts'
import { cluster, volumeElsewhere } from './argument-words.ts'

/** Commands about a runner in a cluster (docs/runner.md). */
export const runnerCommands: readonly CommandSpec[] = [
  {
    path: ['runner', 'manifests'],
    summary: 'what a runner needs in a cluster, as manifests for kubectl',
    about: [
      'Prints definitions, admission policies, roles, network policy and StatefulSet, in the order in which kubectl applies them; touches nothing: `lockkeeper runner manifests | kubectl apply -f -`.',
      'The namespace is not among them: `kubectl create namespace lockkeeper` first. Nor are the Secrets of clouds.',
      'With -o json a List, which kubectl takes too. `npm run package:helm` makes the same as a Helm chart.',
    ],
    operands: [],
    flags: [
      {
        name: 'namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where the runner lives, with its Secrets of clouds and the MaintenanceRuns (lockkeeper)',
      },
      {
        name: 'image',
        value: { kind: 'text', placeholder: 'IMAGE' },
        help: 'the image, as your registry has it (lockkeeper:VERSION; `npm run package:oci` makes it)',
      },
      {
        name: 'replicas',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 50 },
        help: 'how many pods share the clouds, each with a volume of its own (1)',
      },
      {
        name: 'kubernetes',
        value: { kind: 'text', placeholder: '1.N' },
        help: 'the release of the API server, where it is older than 1.30: without what it does not know',
      },
      {
        name: 'no-admission',
        value: { kind: 'switch' },
        help: 'without the admission policies: who confirmed is then by their own word',
      },
      volumeElsewhere,
    ],
    examples: [
      'runner manifests',
      'runner manifests --namespace ops --image registry.example.org/lockkeeper:0.2.0 --replicas 2',
      'runner manifests --kubernetes 1.24',
    ],
    needs: 'nothing',
    load: async () => (await import('../commands/runner-manifests.ts')).runnerManifestsCommand,
  },
  {
    path: ['runner', 'list'],
    summary: 'the runners in clusters that this console knows',
    about: [
      "With a cluster it looks for a runner there too. Runs of a runner are in `runs` beside one's own; `run pause`, `run abort`, `run answer` and the others ask the runner.",
      'Asking a runner for a maintenance is `enter --in-cluster` and the like.',
    ],
    operands: [{ ...cluster, required: false }],
    flags: [],
    examples: ['runner list', 'runner list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/runner-list.ts')).listRunners,
  },
]
