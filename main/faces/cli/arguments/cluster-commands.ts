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
  help: 'how long a returning node may take to report, such as 5m',
}
const roleLabel: FlagSpec = {
  name: 'role-label',
  value: { kind: 'text', placeholder: 'ROLE=KEY[=VALUE]' },
  repeatable: true,
  help: 'a node label that means a role (control, gateway, compute, storage); replaces what that role had',
}
const production: FlagSpec = {
  name: 'production',
  value: { kind: 'switch' },
  help: 'mark it as production: its name is to be typed before anything disruptive starts',
}

/** Commands about the registered clusters. */
export const clusterCommands: readonly CommandSpec[] = [
  {
    path: ['cluster', 'add'],
    summary: 'register a cluster',
    about: [
      'Keeps names and paths, never credentials: the files stay where they are and are read at every start.',
      'Say which cloud of clouds.yaml belongs to it with --cloud, or --no-openstack for a Kubernetes-only cluster.',
    ],
    operands: [name],
    flags: [
      {
        name: 'kubeconfig',
        value: { kind: 'text', placeholder: 'FILE[:FILE]' },
        help: 'kubeconfig files, merged as kubectl does (else KUBECONFIG, else ~/.kube/config)',
      },
      {
        name: 'context',
        value: { kind: 'text', placeholder: 'NAME' },
        help: 'the context (else the current one, fixed now)',
      },
      {
        name: 'clouds-yaml',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'clouds.yaml (else OS_CLIENT_CONFIG_FILE, else where the openstack client looks)',
      },
      { name: 'cloud', value: { kind: 'text', placeholder: 'NAME' }, help: 'the cloud in clouds.yaml' },
      { name: 'no-openstack', value: { kind: 'switch' }, help: 'there is no OpenStack on this cluster' },
      { name: 'flavour', value: { kind: 'choice', choices: FLAVOURS }, help: 'which procedures it needs (plain)' },
      concurrency,
      attempts,
      drainTimeout,
      returnTimeout,
      roleLabel,
      production,
      {
        name: 'colour',
        value: { kind: 'choice', choices: COLOURS },
        help: 'what it is shown in (else one that no other cluster has)',
      },
      {
        name: 'openstack-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where the OpenStack pods run',
      },
      {
        name: 'lease-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where Lockkeeper keeps its Leases',
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
    summary: 'change settings of a cluster',
    about: ['Only what is given changes.'],
    operands: [name],
    flags: [
      production,
      { name: 'no-production', value: { kind: 'switch' }, help: 'it is no longer marked as production' },
      {
        name: 'colour',
        value: { kind: 'choice', choices: [...COLOURS, 'auto'] },
        help: 'what it is shown in; auto: one that no other cluster has',
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
    summary: 'the registered clusters',
    about: [],
    operands: [],
    flags: [],
    examples: ['cluster list', 'cluster list -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-list.ts')).listClusters,
  },
  {
    path: ['cluster', 'test'],
    summary: 'reachability, versions, clocks and permissions of a cluster',
    about: [
      'Exit 0 when a maintenance could be run with these credentials, 3 when something is missing. Prints the RBAC manifest that would grant it.',
    ],
    operands: [name],
    flags: [],
    examples: ['cluster test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-test.ts')).testCluster,
  },
  {
    path: ['cluster', 'consent'],
    summary: 'allow the credential command that the kubeconfig of a cluster asks to run',
    about: [
      'Shows the file, the command, its arguments and the names of variables it sets. Any change to them asks again.',
    ],
    operands: [name],
    flags: [yes],
    examples: ['cluster consent lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-consent.ts')).consentToExecPlugin,
  },
  {
    path: ['cluster', 'remove'],
    summary: 'forget a cluster; its files and the runs in the journal stay',
    about: [],
    operands: [name],
    flags: [yes],
    examples: ['cluster remove lab --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-remove.ts')).removeCluster,
  },
]
