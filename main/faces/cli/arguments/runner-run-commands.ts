import type { CommandSpec } from './argument-specs.ts'
import { volumeElsewhere } from './argument-words.ts'

/** The process of a runner. */
export const runnerRunCommands: readonly CommandSpec[] = [
  {
    path: ['runner', 'run'],
    summary: 'carry out MaintenanceRuns of a namespace: the process of a runner',
    about: [
      'The engine in the cluster (docs/runner.md): watches MaintenanceRuns, drives them with its own journal, and goes on with them after a crash. Clouds are Secrets of its namespace.',
      'Logs are JSON on standard output; health and metrics are at /livez, /readyz and /metrics. SIGTERM leaves its runs at a quiet point and gives its Leases back.',
    ],
    operands: [],
    flags: [
      {
        name: 'namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where its objects, Secrets and Leases are (else POD_NAMESPACE, else that of its pod)',
      },
      {
        name: 'kubeconfig',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'outside of a pod: its current context is the Kubernetes of the runner (else the ServiceAccount of its pod)',
      },
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port of health and metrics (9464)',
      },
      {
        name: 'replicas',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 50 },
        help: 'how many runners share the clouds; which of them it is tells the number at the end of POD_NAME (1)',
      },
      {
        name: 'secrets-dir',
        value: { kind: 'text', placeholder: 'DIR' },
        help: 'where credentials from Secrets are kept as files, best a volume in memory (else below the data directory)',
      },
      volumeElsewhere,
    ],
    examples: [
      'runner run --namespace lockkeeper --data-dir /var/lib/lockkeeper',
      'runner run --kubeconfig management.yaml --namespace lockkeeper',
    ],
    needs: 'nothing',
    load: async () => (await import('../commands/runner-run.ts')).runnerRun,
  },
]
