import { ClusterColour, type ClusterFlavour } from '../../../../shared/domain/cluster.ts'
import { maintenanceApiFlagSpecs } from '../maintenance-api-flags.ts'
import { roleMaintenanceFlagSpecs } from '../role-maintenance-flags.ts'
import type { CommandSpec, FlagSpec } from './argument-specs.ts'
import { attempts, concurrency, drainTimeout, name, yes } from './argument-words.ts'

const FLAVOURS = ['plain', 'mosk', 'sunbeam'] as const satisfies readonly ClusterFlavour[]

const COLOURS = ClusterColour.options

const returnTimeout: FlagSpec = {
  name: 'return-timeout',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: 'how long to wait for a returning node to report, such as 5m',
}
const roleLabel: FlagSpec = {
  name: 'role-label',
  value: { kind: 'text', placeholder: 'ROLE=KEY[=VALUE]' },
  repeatable: true,
  help: "the node label of a role (control, gateway, compute, storage); replaces the role's earlier label",
}
const production: FlagSpec = {
  name: 'production',
  value: { kind: 'switch' },
  help: 'mark it as production: you type its name before anything disruptive starts',
}

export const clusterCommands: readonly CommandSpec[] = [
  {
    path: ['cluster', 'add'],
    summary: 'register a cloud',
    about: [
      'Stores names and paths, never credentials. Lockkeeper reads the files at every start, so leave them in place.',
      'Choose its cloud in clouds.yaml with --cloud, or use --no-openstack for Kubernetes alone.',
    ],
    operands: [name],
    flags: [
      {
        name: 'kubeconfig',
        value: { kind: 'text', placeholder: 'FILE[:FILE]' },
        help: 'kubeconfig files, merged as kubectl does (default: KUBECONFIG, then ~/.kube/config)',
      },
      {
        name: 'context',
        value: { kind: 'text', placeholder: 'NAME' },
        help: 'the context (default: the current one; later switches change nothing)',
      },
      {
        name: 'clouds-yaml',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'clouds.yaml (default: OS_CLIENT_CONFIG_FILE, then the search path of the openstack client)',
      },
      { name: 'cloud', value: { kind: 'text', placeholder: 'NAME' }, help: 'the cloud in clouds.yaml' },
      { name: 'no-openstack', value: { kind: 'switch' }, help: 'this cluster has no OpenStack' },
      {
        name: 'flavour',
        value: { kind: 'choice', choices: FLAVOURS },
        help: 'which procedures it needs (default: plain)',
      },
      concurrency,
      attempts,
      drainTimeout,
      returnTimeout,
      roleLabel,
      production,
      {
        name: 'colour',
        value: { kind: 'choice', choices: COLOURS },
        help: 'its colour in lists and on screen (default: one that no other cloud has)',
      },
      {
        name: 'openstack-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'the namespace of the OpenStack pods',
      },
      {
        name: 'lease-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: "the namespace of Lockkeeper's Leases",
      },
      ...maintenanceApiFlagSpecs,
      ...roleMaintenanceFlagSpecs,
    ],
    examples: [
      'cluster add lab --kubeconfig ~/lab.kubeconfig --clouds-yaml ~/clouds.yaml --cloud lab',
      'cluster add edge --context edge-admin --no-openstack',
      'cluster add sun --flavour sunbeam --cloud sunbeam --juju-controller sunbeam-controller --juju-model admin/openstack-machines',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-add.ts')).addCluster,
  },
  {
    path: ['cluster', 'set'],
    summary: 'change settings of a cloud',
    about: ['Settings that you do not give stay as they are.'],
    operands: [name],
    flags: [
      production,
      { name: 'no-production', value: { kind: 'switch' }, help: 'remove the production mark' },
      {
        name: 'colour',
        value: { kind: 'choice', choices: [...COLOURS, 'auto'] },
        help: 'its colour in lists and on screen; auto: one that no other cloud has',
      },
      concurrency,
      attempts,
      drainTimeout,
      returnTimeout,
      roleLabel,
      { name: 'flavour', value: { kind: 'choice', choices: FLAVOURS }, help: 'which procedures it needs' },
      ...maintenanceApiFlagSpecs,
      ...roleMaintenanceFlagSpecs,
    ],
    examples: [
      'cluster set lab --production --colour pink',
      'cluster set lab --concurrency 2 --drain-timeout 1h',
      'cluster set lab --flavour mosk --controller openstack=console',
      'cluster set sun --strategy nova --ceph-services-rule majority',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-set.ts')).setCluster,
  },
  {
    path: ['cluster', 'list'],
    summary: 'list the registered clouds',
    about: [],
    operands: [],
    flags: [],
    examples: ['cluster list', 'cluster list -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-list.ts')).listClusters,
  },
  {
    path: ['cluster', 'test'],
    summary: 'test reachability, versions, clocks and permissions of a cloud',
    about: [
      'Exit code 0 when these credentials suffice for maintenance, 3 when something is missing. Prints an RBAC manifest that grants missing rights.',
    ],
    operands: [name],
    flags: [],
    examples: ['cluster test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-test.ts')).testCluster,
  },
  {
    path: ['cluster', 'consent'],
    summary: 'allow the credential command in the kubeconfig of a cloud',
    about: [
      'Shows the file, the command, its arguments and the names of the variables it sets. If any of them changes, Lockkeeper asks again.',
    ],
    operands: [name],
    flags: [yes],
    examples: ['cluster consent lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-consent.ts')).consentToExecPlugin,
  },
  {
    path: ['cluster', 'remove'],
    summary: 'remove a cloud from the list; its files and journal entries stay',
    about: [],
    operands: [name],
    flags: [yes],
    examples: ['cluster remove lab --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-remove.ts')).removeCluster,
  },
]
