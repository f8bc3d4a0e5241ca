import type { CommandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import { cluster } from '../../../../faces/cli/arguments/argument-words.ts'
import { volumeElsewhere } from './runner-words.ts'

/** Commands about a runner in a cluster (docs/runner.md). */
export const runnerCommands: readonly CommandSpec[] = [
  {
    path: ['runner', 'manifests'],
    summary: 'print the manifests of a runner for kubectl',
    about: [
      'Prints CRDs, admission policies, roles, network policy and StatefulSet in the order to apply; changes nothing: `lockkeeper runner manifests | kubectl apply -f -`.',
      'Create the namespace first: `kubectl create namespace lockkeeper`. The Secrets of clouds are not included either.',
      '-o json prints a List, which kubectl also accepts. `npm run package:helm` makes the same as a Helm chart.',
    ],
    operands: [],
    flags: [
      {
        name: 'namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'namespace of the runner, its Secrets of clouds and the MaintenanceRuns (default: lockkeeper)',
      },
      {
        name: 'image',
        value: { kind: 'text', placeholder: 'IMAGE' },
        help: 'the image in your registry (default: lockkeeper:VERSION; `npm run package:oci` builds it)',
      },
      {
        name: 'replicas',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 50 },
        help: 'how many pods share the clouds, each with its own volume (default: 1)',
      },
      {
        name: 'kubernetes',
        value: { kind: 'text', placeholder: '1.N' },
        help: 'the release of the API server if older than 1.30; leaves out what it does not support',
      },
      {
        name: 'no-admission',
        value: { kind: 'switch' },
        help: 'leave out the admission policies; nothing then proves who confirmed a run',
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
    summary: 'list the runners that this console knows',
    about: [
      'Given a cluster, it also looks for a runner there. `runs` includes runs of a runner; `run pause`, `run abort`, `run answer` and the others ask the runner.',
      'To request a maintenance from a runner, use --in-cluster, as in `enter --in-cluster`.',
    ],
    operands: [{ ...cluster, required: false }],
    flags: [],
    examples: ['runner list', 'runner list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/runner-list.ts')).listRunners,
  },
]
