import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { LOCKKEEPER_VERSION } from '../../../../../main/version.ts'
import type { Manifest } from '../../../../../main/wings/runner/manifests/manifest.ts'
import { RUNNER_DEFINITIONS } from '../../../../../main/wings/runner/manifests/runner-definitions.ts'
import type { RunnerInstall } from '../../../../../main/wings/runner/manifests/runner-install.ts'
import { manifestsText, runnerManifests } from '../../../../../main/wings/runner/manifests/runner-manifests.ts'
import { stageChart } from '../../../../../packaging/helm-chart.ts'
import {
  MaintenanceCampaignSpec,
  MaintenanceCampaignStatus,
} from '../../../../../shared/domain/maintenance-campaign.ts'
import {
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
} from '../../../../../shared/domain/maintenance-run.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { renderChart } from '../../../../fixtures/helm/render-chart.ts'

const RESOURCES = new URL('../../../../../resources/', import.meta.url)
const DEFAULTS: RunnerInstall = {
  namespace: 'lockkeeper',
  image: `lockkeeper:${LOCKKEEPER_VERSION}`,
  replicas: 1,
  minor: 999,
  admission: true,
  isVolumeElsewhere: false,
}
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
/** Helm has a different order. */
const sorted = (manifests: readonly unknown[]) =>
  (plain(manifests) as Manifest[]).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.namespace} ${metadata.name}`
type Raw = Readonly<Record<string, unknown>>
interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}
const named = (kind: string, name: string, manifests = runnerManifests(DEFAULTS)) =>
  must(
    manifests.find(each => each.kind === kind && each.metadata.name === name),
    `${kind} ${name}`,
  )
const grants = (rules: readonly Rule[]) =>
  rules
    .flatMap(({ apiGroups, resources, verbs, resourceNames = ['*'] }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource =>
          verbs.flatMap(verb => resourceNames.map(name => `${group}/${resource} ${verb} ${name}`)),
        ),
      ),
    )
    .toSorted()
const rulesOf = (manifest: Manifest) => grants(manifest.rules as readonly Rule[])

describe('the definitions', () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const isTaken = (plural: string, part: 'spec' | 'status', value: unknown) => {
    const { versions } = named('CustomResourceDefinition', `${plural}.lockkeeper.dev`).spec as {
      versions: readonly { schema: { openAPIV3Schema: { properties: Record<string, object> } } }[]
    }
    return ajv.validate(must(versions[0]?.schema.openAPIV3Schema.properties[part], part), value)
  }
  const HASH = 'a'.repeat(64)
  const RUN = { kind: 'enter', cluster: 'lab', node: 'cmp-1', plan: '{}', planHash: HASH, confirmedBy: 'olga' }
  const ANSWER = { step: 'drain-node', choice: 'skip', reason: 'agreed' }
  const HANDED_OVER = { run: 'run-1', story: 'eA==', storyHash: HASH }
  const RUN_STATUS = { phase: 'Running', nodesDone: 0, nodesAll: 1, lastSeq: 3 }
  const CAMPAIGN = { batches: [{ runs: ['a', 'b'] }], confirmedBy: 'olga' }
  const CAMPAIGN_STATUS = { phase: 'Running', batch: 1, batchesAll: 1, runsDone: 0, runsFailed: 0, runsAll: 2 }

  test.each<[string, 'spec' | 'status', { parse: (value: unknown) => unknown }, object]>([
    ['maintenanceruns', 'spec', MaintenanceRunSpec, RUN],
    ['maintenanceruns', 'spec', MaintenanceRunSpec, { ...RUN, node: null, startAfter: '2026-01-01T22:00:00+01:00' }],
    ['maintenanceruns', 'spec', MaintenanceRunSpec, { ...RUN, answers: [ANSWER], handedOver: HANDED_OVER }],
    ['maintenanceruns', 'status', MaintenanceRunStatus.strip(), { ...RUN_STATUS, nodes: '0/1', head: null }],
    [
      'maintenanceruns',
      'status',
      MaintenanceRunStatus,
      { ...RUN_STATUS, reasons: [{ code: 'LockHeld', holder: { name: 'ceph' }, times: [1, null] }] },
    ],
    ['maintenancecampaigns', 'spec', MaintenanceCampaignSpec, CAMPAIGN],
    ['maintenancecampaigns', 'status', MaintenanceCampaignStatus, { ...CAMPAIGN_STATUS, hold: { kind: 'stopped' } }],
    ['maintenanceruncontrols', 'spec', MaintenanceRunControlSpec, { run: 'a', control: 'abort', by: 'olga' }],
    [
      'maintenanceruncontrols',
      'status',
      MaintenanceRunControlStatus,
      { outcome: 'Refused', at: '2026-01-01T22:00:00Z' },
    ],
  ])('of %s take in %s what this version reads', (plural, part, schema, value) => {
    expect(() => schema.parse(value)).not.toThrow()
    expect(isTaken(plural, part, value), ajv.errorsText()).toBe(true)
  })

  test.each<[string, 'spec' | 'status', object]>([
    ['maintenanceruns', 'spec', { ...RUN, confirmedBy: undefined }],
    ['maintenanceruns', 'spec', { ...RUN, cluster: 'c'.repeat(254) }],
    ['maintenanceruns', 'spec', { ...RUN, planHash: 'A'.repeat(64) }],
    ['maintenanceruns', 'spec', { ...RUN, plan: null }],
    ['maintenanceruns', 'spec', { ...RUN, notAfter: 'tomorrow' }],
    ['maintenanceruns', 'spec', { ...RUN, answers: Array(51).fill(ANSWER) }],
    ['maintenanceruns', 'spec', { ...RUN, answers: [{ ...ANSWER, choice: 'maybe' }] }],
    ['maintenanceruns', 'spec', { ...RUN, answers: [{ ...ANSWER, atMost: 21 }] }],
    ['maintenanceruns', 'spec', { ...RUN, handedOver: { ...HANDED_OVER, run: 'a/b' } }],
    ['maintenanceruns', 'status', { ...RUN_STATUS, nodesDone: -1 }],
    ['maintenanceruns', 'status', { ...RUN_STATUS, reasons: [{}] }],
    ['maintenancecampaigns', 'spec', { ...CAMPAIGN, batches: [] }],
    ['maintenancecampaigns', 'spec', { ...CAMPAIGN, batches: [{ runs: [''] }] }],
    ['maintenancecampaigns', 'status', { ...CAMPAIGN_STATUS, driver: { runner: 'a', id: 'b', epoch: -1 } }],
    ['maintenanceruncontrols', 'spec', { run: 'a', control: 'stop', by: 'olga' }],
  ])('of %s refuse in %s what is wrong: %j', (plural, part, value) => {
    expect(isTaken(plural, part, value)).toBe(false)
  })

  test('keep by rules that a spec is never changed, and that a control is about one thing', () => {
    const rules = (plural: string) =>
      JSON.stringify(named('CustomResourceDefinition', `${plural}.lockkeeper.dev`).spec).match(/"rule":"[^"]*"/g)
    const immutable = '"rule":"self == oldSelf"'
    expect(rules('maintenanceruns')).toEqual([immutable])
    expect(rules('maintenancecampaigns')).toEqual([immutable])
    expect(rules('maintenanceruncontrols')).toEqual([immutable, '"rule":"has(self.run) != has(self.campaign)"'])
  })

  test('have nothing that the API server refuses in a structural schema, and no default', () => {
    const keys = JSON.stringify(RUNNER_DEFINITIONS).match(/"[$\w-]+"(?=:)/g)
    const forbidden =
      /"(?:\$ref|definitions|additionalProperties|default|anyOf|oneOf|const|exclusiveMinimum|~standard)"/
    expect(keys?.filter(key => forbidden.test(key))).toEqual([])
  })
})

describe('what is printed', () => {
  test('is what is meant, document by document, each with a word of what it is for', () => {
    const manifests = runnerManifests(DEFAULTS)
    const text = manifestsText(manifests)
    expect(parseAllDocuments(text).map(document => document.toJS())).toEqual(plain(manifests))
    expect(text.split('---\n').filter(document => !/^# \S/.test(document))).toEqual([])
  })

  test('comes in an order in which everything that is named is there already', () => {
    const kinds = runnerManifests(DEFAULTS).map(({ kind }) => kind)
    const last = (kind: string) => kinds.lastIndexOf(kind)
    const order = [
      'CustomResourceDefinition',
      'ValidatingAdmissionPolicy',
      'ServiceAccount',
      'Role',
      'Service',
      'StatefulSet',
    ]
    expect(order.map(last)).toEqual(order.map(last).toSorted((a, b) => a - b))
    for (const kind of ['ClusterRole', 'Role', 'ValidatingAdmissionPolicy']) {
      expect(kinds.indexOf(kind)).toBeLessThan(kinds.indexOf(`${kind}Binding`))
    }
  })

  test.each<[string, Partial<RunnerInstall>, (text: string) => boolean]>([
    [
      '1.30 has everything',
      { minor: 30 },
      text => text.includes('ValidatingAdmissionPolicy') && text.includes('self == oldSelf'),
    ],
    [
      '1.29 has no admission policies',
      { minor: 29 },
      text => !text.includes('Validating') && text.includes('self == oldSelf'),
    ],
    [
      '1.24 has no rules',
      { minor: 24 },
      text => !text.includes('x-kubernetes-validations') && text.includes('policy/v1"'),
    ],
    [
      '1.20 has budgets of v1beta1',
      { minor: 20 },
      text => text.includes('policy/v1beta1"') && !text.includes('policy/v1"'),
    ],
    ['the volume is elsewhere', { isVolumeElsewhere: true }, text => text.includes('"--volume-elsewhere"')],
    ['nobody asked for admission', { admission: false }, text => !text.includes('ValidatingAdmissionPolicy"')],
  ])('is for an API server that knows it: %s', (_, install, holds) => {
    expect(holds(JSON.stringify(runnerManifests({ ...DEFAULTS, ...install })))).toBe(true)
  })

  test('is in its namespace, but for what is of the whole cluster and the Leases of nodes', () => {
    const elsewhere = runnerManifests({ ...DEFAULTS, namespace: 'ops' }).filter(
      ({ metadata }) => metadata.namespace !== 'ops',
    )
    expect(elsewhere.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '*'}`)).toEqual([
      'CustomResourceDefinition *',
      'CustomResourceDefinition *',
      'CustomResourceDefinition *',
      'ValidatingAdmissionPolicy *',
      'ValidatingAdmissionPolicyBinding *',
      'ValidatingAdmissionPolicy *',
      'ValidatingAdmissionPolicyBinding *',
      'ValidatingAdmissionPolicy *',
      'ValidatingAdmissionPolicyBinding *',
      'ClusterRole *',
      'ClusterRoleBinding *',
      'Role default',
      'RoleBinding default',
    ])
    expect(JSON.stringify(runnerManifests({ ...DEFAULTS, namespace: 'ops' }))).not.toContain('"namespace":"lockkeeper"')
  })

  test('names every object once, also in the namespace of the Leases', () => {
    for (const namespace of ['ops', 'default']) {
      const names = runnerManifests({ ...DEFAULTS, namespace }).map(
        ({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`,
      )
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

describe('rights', () => {
  const operator = parseAllDocuments(readFileSync(new URL('rbac/lockkeeper-operator.yaml', RESOURCES), 'utf8')).map(
    document => document.toJS() as Manifest,
  )

  test("on the cluster the runner has what a plan needs, as lockkeeper-operator.yaml has it, and reads what proves users and its volume's storage", () => {
    const more = [
      'admissionregistration.k8s.io/validatingadmissionpolicies get maintenanceruns.lockkeeper.dev',
      'admissionregistration.k8s.io/validatingadmissionpolicies get maintenancecampaigns.lockkeeper.dev',
      'admissionregistration.k8s.io/validatingadmissionpolicies get maintenanceruncontrols.lockkeeper.dev',
      'admissionregistration.k8s.io/validatingadmissionpolicybindings get maintenanceruns.lockkeeper.dev',
      'admissionregistration.k8s.io/validatingadmissionpolicybindings get maintenancecampaigns.lockkeeper.dev',
      'admissionregistration.k8s.io/validatingadmissionpolicybindings get maintenanceruncontrols.lockkeeper.dev',
      '/namespaces get kube-system',
      'storage.k8s.io/storageclasses get *',
    ]
    const theirs = rulesOf(
      must(
        operator.find(({ kind }) => kind === 'ClusterRole'),
        'the operator has a ClusterRole',
      ),
    )
    expect(rulesOf(named('ClusterRole', 'lockkeeper-runner'))).toEqual([...theirs, ...more].toSorted())
    const leases = rulesOf(
      must(
        operator.find(({ kind }) => kind === 'Role'),
        'the operator has a Role',
      ),
    )
    expect(rulesOf(named('Role', 'lockkeeper-runner'))).toEqual(leases)
  })

  test.each([
    [
      'lockkeeper-submitter',
      ['lockkeeper.dev/maintenanceruns create *', 'lockkeeper.dev/maintenancecampaigns create *'],
    ],
    ['lockkeeper-steerer', ['lockkeeper.dev/maintenanceruncontrols create *']],
    [
      'lockkeeper-reader',
      ['get', 'list', 'watch'].flatMap(verb =>
        ['maintenanceruns', 'maintenancecampaigns', 'maintenanceruncontrols'].map(
          kind => `lockkeeper.dev/${kind} ${verb} *`,
        ),
      ),
    ],
    [
      'lockkeeper-attach',
      ['0', '1'].flatMap(index => [
        `/pods get lockkeeper-runner-${index}`,
        `/pods/portforward get lockkeeper-runner-${index}`,
        `/pods/portforward create lockkeeper-runner-${index}`,
      ]),
    ],
  ])('%s may its own and nothing else', (name, expected) => {
    const manifests = runnerManifests({ ...DEFAULTS, replicas: 2 })
    expect(rulesOf(named('Role', name, manifests))).toEqual(expected.toSorted())
    expect(named('RoleBinding', name, manifests).subjects).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'lockkeeper-submitters' },
    ])
  })

  test('nobody writes a spec, reads a Secret of another namespace, or enters a pod', () => {
    const all = runnerManifests(DEFAULTS).filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    const of = (manifest: Manifest) => rulesOf(manifest).map(each => `${manifest.metadata.namespace ?? '*'} ${each}`)
    const every = all.flatMap(of)
    expect(every.filter(each => /maintenance(run|campaign)\w* (update|patch|delete)/.test(each))).toEqual([])
    expect(every.filter(each => each.includes('/secrets ')).toSorted()).toEqual([
      'lockkeeper /secrets get *',
      'lockkeeper /secrets list *',
      'lockkeeper /secrets watch *',
    ])
    expect(
      every.filter(each => /pods\/(exec|attach|proxy|log)|serviceaccounts|impersonate|\* \*\/| \* /.test(each)),
    ).toEqual([])
  })
})

describe('the pod', () => {
  const spec = (named('StatefulSet', 'lockkeeper-runner').spec as { template: { spec: Raw } }).template.spec
  const [container] = spec.containers as readonly Raw[]

  test('is nobody in particular, writes to its volume alone, and gains nothing', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(JSON.stringify(spec)).not.toMatch(/hostNetwork|hostPath|hostPID|privileged/)
    expect(container).not.toHaveProperty('command')
  })

  test('accepts requests for its metrics, and nothing else', () => {
    const policy = named('NetworkPolicy', 'lockkeeper-runner').spec as { ingress: unknown; policyTypes: unknown }
    const [port] = must(container, 'there is a container').ports as readonly { containerPort: number }[]
    expect(policy.ingress).toEqual([{ ports: [{ protocol: 'TCP', port: port?.containerPort }] }])
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress'])
  })
})

describe('the Helm chart', () => {
  const chart = mkdtempSync(join(tmpdir(), 'lockkeeper-chart-'))
  beforeAll(() => stageChart(chart, LOCKKEEPER_VERSION))
  afterAll(() => rmSync(chart, { recursive: true }))

  test('of the defaults is exactly what is printed', () => {
    expect(sorted(renderChart(chart, { namespace: 'lockkeeper' }))).toEqual(sorted(runnerManifests(DEFAULTS)))
  })

  test('bears the version of the program', () => {
    expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({
      version: LOCKKEEPER_VERSION,
      appVersion: LOCKKEEPER_VERSION,
    })
  })

  test.each<[string, Parameters<typeof renderChart>[1], Partial<RunnerInstall>]>([
    ['another namespace', { namespace: 'ops' }, { namespace: 'ops' }],
    ['two pods', { namespace: 'lockkeeper', values: { replicas: 2 } }, { replicas: 2 }],
    [
      'an image of a registry',
      { namespace: 'lockkeeper', values: { image: { repository: 'r.example.org:5000/lockkeeper', tag: '9' } } },
      { image: 'r.example.org:5000/lockkeeper:9' },
    ],
    ['no admission', { namespace: 'lockkeeper', values: { admission: { enabled: false } } }, { admission: false }],
  ])('with %s is what is printed so', (_, release, install) => {
    expect(sorted(renderChart(chart, release))).toEqual(sorted(runnerManifests({ ...DEFAULTS, ...install })))
  })

  test('puts what else is set where it belongs', () => {
    const made = renderChart(chart, {
      namespace: 'lockkeeper',
      kubernetes: '1.20.2',
      values: {
        image: { pullSecrets: [{ name: 'registry' }] },
        rights: { group: 'oidc:night-shift' },
        networkPolicy: { enabled: false },
        storage: { size: '5Gi', className: 'local' },
        nodeSelector: { 'openstack-control-plane': 'enabled' },
        tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
      },
    }) as readonly Manifest[]
    expect(made.filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([])
    expect(named('PodDisruptionBudget', 'lockkeeper-runner', made).apiVersion).toBe('policy/v1beta1')
    expect(named('RoleBinding', 'lockkeeper-submitter', made).subjects).toMatchObject([{ name: 'oidc:night-shift' }])
    expect(named('StatefulSet', 'lockkeeper-runner', made).spec).toMatchObject({
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          nodeSelector: { 'openstack-control-plane': 'enabled' },
          tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
        },
      },
      volumeClaimTemplates: [{ spec: { storageClassName: 'local', resources: { requests: { storage: '5Gi' } } } }],
    })
  })
})
