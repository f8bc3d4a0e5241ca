import type { CommandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import type { RunRunner } from '../runner-process.ts'
import { volumeElsewhere } from './runner-words.ts'

export const runnerRunCommands = (runRunner: RunRunner): readonly CommandSpec[] => [
  {
    path: ['runner', 'run'],
    summary: 'run a runner: carry out the MaintenanceRuns of a namespace',
    about: [
      'The engine in the cluster (docs/runner.md): watches MaintenanceRuns, runs them with its own journal, and resumes them after a crash. Clouds are Secrets of its namespace.',
      'Logs are JSON on standard output; health and metrics are at /livez, /readyz and /metrics. On SIGTERM it stops between two steps and releases its Leases.',
    ],
    operands: [],
    flags: [
      {
        name: 'namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'namespace of its objects, Secrets and Leases (default: POD_NAMESPACE, then that of its pod)',
      },
      {
        name: 'kubeconfig',
        value: { kind: 'text', placeholder: 'FILE' },
        help: "outside of a pod: the current context is the runner's Kubernetes (default: the ServiceAccount of its pod)",
      },
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port of health and metrics (default: 9464)',
      },
      {
        name: 'replicas',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 50 },
        help: 'how many runners share the clouds (default: 1); the number at the end of POD_NAME says which one this is',
      },
      {
        name: 'secrets-dir',
        value: { kind: 'text', placeholder: 'DIR' },
        help: 'the folder for credential files from Secrets, best a volume in memory (default: below the data directory)',
      },
      volumeElsewhere,
    ],
    examples: [
      'runner run --namespace lockkeeper --data-dir /var/lib/lockkeeper',
      'runner run --kubeconfig management.yaml --namespace lockkeeper',
    ],
    needs: 'nothing',
    load: async () => (await import('../commands/runner-run.ts')).runnerRun(runRunner),
  },
]
