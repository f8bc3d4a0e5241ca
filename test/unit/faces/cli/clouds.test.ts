import type { ClusterTestReport, ControllersStatus, ExecPlugin } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { type DefinitionStatus, MaintenanceKind } from '../../../../shared/domain/maintenance-api.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract, type FakeAnswers } from '../../../fixtures/cli/fake-contract.ts'
import { type Asked, playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const AT = '2026-11-21T10:00:00.000Z'
const OF_LAB = { cluster: 'lab' }

const definitions = (more: Partial<DefinitionStatus>): DefinitionStatus[] =>
  MaintenanceKind.options.map(kind => ({
    ...{ name: `${kind.toLowerCase()}s.lcm.mirantis.com`, kind, state: 'same', differences: [] },
    ...more,
  }))
const crds = (more: Partial<DefinitionStatus>) => () =>
  createFakeContract({
    'definitions.status': () => ok(definitions(more)),
    'definitions.install': () => ok(definitions({})),
  })
const INSTALLED: Asked = [['definitions.install', OF_LAB]]

playScenes('definitions of the maintenance API', 'transcripts/crds.txt', crds({ state: 'missing' }), {
  'are the cluster’s own, place by place': {
    says: 'crds diff lab',
    fake: crds({ state: 'differs', differences: ['.spec.scope enum: theirs ["os"], ours nothing'] }),
  },
  'are missing': { says: 'crds diff lab', exit: 3 },
  'are not installed where nothing is missing': { says: 'crds install lab', fake: crds({}) },
  'are not installed without a terminal to confirm at': { says: 'crds install lab', exit: 2 },
  'are not installed after a no': { says: 'crds install lab', answers: ['n'], exit: 4 },
  'are installed with --yes': { says: 'crds install lab --yes', asks: INSTALLED },
  'are as JSON where they stand afterwards': {
    says: 'crds install lab --yes -o json',
    json: definitions({}),
    asks: INSTALLED,
  },
})

function status(state: ControllersStatus['state'], busyWith: string[] = []): ControllersStatus {
  return {
    ...{ cluster: 'lab', state, heldBy: state === 'stopped' ? null : 'ann on bastion', trouble: null },
    controllers: [
      { controller: 'openstack', choice: 'console', busyWith },
      { controller: 'ceph', choice: 'cluster', busyWith: [] },
      { controller: 'tungstenfabric', choice: 'none', busyWith: [] },
      { controller: 'stacklight', choice: 'none', busyWith: [] },
    ],
  }
}
const controllers = (more: FakeAnswers) => () =>
  createFakeContract({
    'controllers.stop': () => ok(status('stopped')),
    'controllers.detect': () => ok([{ controller: 'openstack', choice: 'cluster', why: 'Deployment rockoon runs.' }]),
    ...more,
  })
const statusScene = (state: ControllersStatus['state'], exit: 0 | 3): Scene => ({
  says: 'controllers status lab',
  fake: controllers({ 'controllers.status': () => ok(status(state)) }),
  exit,
})
const refusing = (code: 'held' | 'bad-input', message: string) =>
  controllers({ 'controllers.start': () => failed(failure(code, message)) })
const RAN: Asked = [
  ['controllers.start', OF_LAB],
  ['controllers.stop', OF_LAB],
]

playScenes('application controllers', 'transcripts/controllers.txt', controllers({}), {
  'print the present state once, of their cloud alone, and stop at Ctrl-C': {
    says: 'controllers run lab',
    fake: controllers({ 'controllers.start': () => ok(status('here')) }),
    play: async (terminal, { emit }) => {
      await terminal.printed('Answering for openstack on lab.')
      emit('controllers.changed', status('here', ['cmp-1: Starting migration for a']))
      emit('controllers.changed', status('here', ['cmp-1: Starting migration for a']))
      emit('controllers.changed', { ...status('here', ['cmp-9: of another cluster']), cluster: 'other' })
      emit('controllers.changed', status('here'))
      terminal.press('SIGINT')
    },
    asks: RAN,
  },
  'wait while another process holds the Lease': {
    says: 'controllers run lab',
    fake: refusing('held', ' runs the controllers of labbob on tower.'),
    play: async terminal => {
      await terminal.printed('Waiting:')
      terminal.press('SIGTERM')
    },
    asks: RAN,
  },
  'end when they can never answer': {
    says: 'controllers run lab',
    fake: refusing('bad-input', 'No application of lab is set to be answered here.'),
    exit: 2,
    asks: [['controllers.start', OF_LAB]],
  },
  'run elsewhere': statusScene('elsewhere', 0),
  'are stopped': statusScene('stopped', 3),
  'are not used': statusScene('not-used', 0),
  'are found in the cluster': 'controllers detect lab',
})

const PLUGIN: ExecPlugin = {
  ...{ fingerprint: 'sha256-of-it', file: '/home/operator/.kube/config', user: 'admin', consented: false },
  ...{ command: '/usr/bin/login-helper', args: ['--cluster', 'my lab', '\u001b[2Jhidden'], envNames: ['REGION'] },
}
const plugin =
  (more: FakeAnswers = {}) =>
  () =>
    createFakeContract({
      'cluster.exec-plugin': () => ok(PLUGIN),
      'cluster.consent': () => ok({}),
      'node.list': () => ok({ nodes: [], readAt: AT, unreachable: [] }),
      ...more,
    })
const AGREED: readonly ['cluster.consent', unknown] = ['cluster.consent', { name: 'lab', fingerprint: 'sha256-of-it' }]
/** Without a terminal such a command stops before anything else is asked. */
const stopped = (says: string): Scene => ({ says, exit: 1, asksOnly: ['cluster.exec-plugin'] })

playScenes('a credential command of a kubeconfig', 'transcripts/consent.txt', plugin(), {
  'is shown in full before it is run the first time, and run after a yes': {
    says: 'nodes lab',
    answers: ['y'],
    asks: [AGREED],
    asksOnly: ['cluster.exec-plugin', 'cluster.consent', 'cluster.connect', 'node.list'],
  },
  'is not run after a no': { ...stopped('nodes lab'), answers: ['n'] },
  'stops nodes': stopped('nodes lab'),
  'stops instances': stopped('instances lab'),
  'stops a test': stopped('cluster test lab'),
  'stops a plan': stopped('plan enter lab n'),
  'stops a run': stopped('enter lab n --yes'),
  'is not asked about again': {
    says: 'nodes lab',
    fake: plugin({ 'cluster.exec-plugin': () => ok({ ...PLUGIN, consented: true }) }),
  },
  'is not agreed to without a terminal': { says: 'cluster consent lab', exit: 2 },
  'is agreed to with --yes': { says: 'cluster consent lab --yes', asks: [AGREED] },
  'is agreed to alone where the addresses of the cloud cannot be read': {
    says: 'cluster consent lab --yes',
    fake: plugin({ 'cluster.endpoints': () => failed(failure('unreachable', 'Keystone does not answer.')) }),
    asks: [AGREED],
  },
  'is missing, and the connection is not safe': {
    says: 'nodes lab',
    fake: plugin({
      'cluster.exec-plugin': () => ok(null),
      'cluster.connect': () =>
        ok({
          warnings: [{ code: 'tls-not-verified', message: 'the certificate of the API server is not verified' }],
          openstack: failure('unreachable', 'Keystone does not answer.'),
        }),
    }),
  },
})

const CLUSTERS = ['lab-10', 'lab-2'].map(name => fakeCluster({ name }))
const REPORT: ClusterTestReport = {
  ...{ cluster: 'lab', testedAt: AT, ok: false, missingRbac: 'kind: ClusterRole\nrules:\n  - verbs: [create]\n' },
  items: [
    { area: 'kubernetes', name: 'version', outcome: 'ok', message: 'v1.20.15', remedy: null },
    {
      ...{ area: 'permissions', name: 'pods/eviction', outcome: 'missing', message: 'create is forbidden' },
      remedy: 'Apply the manifest below.',
    },
  ],
}
const clusters =
  (more: FakeAnswers = {}) =>
  () =>
    createFakeContract({
      'cluster.list': () => ok([...CLUSTERS]),
      'cluster.test': () => ok(REPORT),
      'cluster.remove': () => ok({}),
      ...more,
    })

playScenes('clusters', 'transcripts/clusters.txt', clusters(), {
  'are listed by name': 'cluster list',
  'as JSON are an array': { says: 'cluster list -o json', json: [...CLUSTERS].reverse() },
  'are absent': { says: 'cluster list', fake: clusters({ 'cluster.list': () => ok([]) }) },
  'as JSON are an empty array': {
    says: 'cluster list -o json',
    fake: clusters({ 'cluster.list': () => ok([]) }),
    json: [],
  },
  'are not ready': { says: 'cluster test lab', exit: 3 },
  'are ready': {
    says: 'cluster test lab',
    fake: clusters({
      'cluster.test': () => ok({ ...REPORT, items: REPORT.items.slice(0, 1), ok: true, missingRbac: null }),
    }),
  },
  'are not removed without a terminal': { says: 'cluster remove lab', exit: 2 },
  'are not removed after a no': { says: 'cluster remove lab', answers: ['n'], exit: 4 },
  'are removed with --yes': { says: 'cluster remove lab --yes', asks: [['cluster.remove', { name: 'lab' }]] },
})
