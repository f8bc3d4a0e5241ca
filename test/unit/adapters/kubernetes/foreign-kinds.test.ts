import { afterEach, describe, expect, test } from 'vitest'
import { FOREIGN_KINDS, type ForeignKind } from '../../../../main/adapters/kubernetes/foreign-kinds.ts'
import { listForeignMaintenances } from '../../../../main/adapters/kubernetes/foreign-maintenances.ts'
import { createMaintenanceApi } from '../../../../main/adapters/kubernetes/maintenance-api.ts'
import { folderOf } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { readLcmReport } from '../../../../main/adapters/kubernetes/update-plans.ts'
import {
  moskDefinitions,
  nodeMaintenanceDefinition,
} from '../../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { hurriedClock } from '../../../fixtures/hurried-clock.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

let api: FakeApi | undefined
afterEach(() => api?.close())

const clock = hurriedClock(50)
async function sessionOf(paths: Readonly<Record<string, FakeAnswer>>) {
  api = await startFakeApi(({ path }) => paths[path] ?? status(404, 'NotFound', 'the server could not find it'))
  return api.session(clock)
}

/** Definitions as their owners publish them; recorded from the sources that the table names, at these commits. */
const OWNERS: Readonly<
  Record<keyof typeof FOREIGN_KINDS, readonly [definition: string, scope: string, versions: string]>
> = {
  // Mirantis/rockoon 1390883a
  OpenStackDeploymentStatus: ['openstackdeploymentstatus.lcm.mirantis.com', 'Namespaced', 'v1alpha1'],
  OpenStackDeployment: ['openstackdeployments.lcm.mirantis.com', 'Namespaced', 'v1alpha1'],
  // Its owner publishes a page and no definition.
  ClusterUpdatePlan: ['clusterupdateplans.kaas.mirantis.com', 'Namespaced', 'v1alpha1'],
  Machine: ['machines.cluster.k8s.io', 'Namespaced', 'v1alpha1'],
  // medik8s/node-maintenance-operator 3ad54a9b
  NodeMaintenance: ['nodemaintenances.nodemaintenance.medik8s.io', 'Cluster', 'v1beta1'],
  // kubernetes-sigs/cluster-api 048876a9
  ClusterApiMachine: ['machines.cluster.x-k8s.io', 'Namespaced', 'v1alpha3 v1alpha4 v1beta1 v1beta2'],
  // metal3-io/baremetal-operator bc077234
  BareMetalHost: ['baremetalhosts.metal3.io', 'Namespaced', 'v1alpha1'],
}

const EMBEDDED = new Map(
  [...moskDefinitions(), nodeMaintenanceDefinition()].map(definition => [definition.metadata.name, definition]),
)

test('embedded clouds define four of these kinds', () => {
  expect(Object.values(OWNERS).filter(([definition]) => EMBEDDED.has(definition))).toHaveLength(4)
})

describe.each(Object.entries<ForeignKind>(FOREIGN_KINDS))('%s', (name, { apiVersion, plural, namespaced }) => {
  const [definition, scope, versions] = OWNERS[name as keyof typeof OWNERS]
  const [group, version] = apiVersion.split('/')

  test('is what its owner defines', () => {
    expect([`${plural}.${group}`, namespaced ? 'Namespaced' : 'Cluster']).toEqual([definition, scope])
    expect(versions.split(' ')).toContain(version)
  })

  test.runIf(EMBEDDED.has(definition))('is defined so by the embedded cloud that has it', () => {
    expect(EMBEDDED.get(definition)).toMatchObject({ spec: { scope, versions: [{ name: version }] } })
  })
})

/** Objects with every field of the table, and their parsed form. */
const STATUS = {
  metadata: { namespace: 'openstack', name: 'osh-dev' },
  status: {
    osdpl: { state: 'APPLIED', release: 'mosk-1' },
    services: { compute: { state: 'APPLIED' } },
    health: { nova: { compute: { status: 'Ready' } } },
  },
}
const PLAN = {
  metadata: { namespace: 'default', name: 'east-2' },
  spec: { cluster: 'east', source: 'mosk-1', target: 'mosk-2', steps: [{ id: 'openstack' }] },
  status: {
    status: 'Completed',
    completedAt: '2026-01-01T02:00:00Z',
    steps: [
      {
        id: 'openstack',
        status: 'Completed',
        message: 'well',
        startedAt: '2026-01-01T00:00:00Z',
        completedAt: '2026-01-01T01:00:00Z',
      },
    ],
  },
}
const MAINTENANCE = {
  metadata: { name: 'fix' },
  spec: { nodeName: 'cmp-1', reason: 'disk' },
  status: { phase: 'Running' },
}
const MACHINE = {
  metadata: {
    namespace: 'default',
    name: 'm-1',
    annotations: { 'cluster.x-k8s.io/remediate-machine': '' },
    deletionTimestamp: '2026-01-01T00:00:00Z',
  },
  status: { nodeRef: { name: 'cmp-1' } },
}
const HOST = {
  metadata: { namespace: 'metal', name: 'host-1', annotations: { 'reboot.metal3.io': '' } },
  spec: { online: false },
  status: { hardware: { hostname: 'cmp-1' } },
}

const groups = (...versions: readonly string[]): FakeAnswer => ({
  body: {
    kind: 'APIGroupList',
    groups: ['apps/v1', ...versions].map(groupVersion => ({
      name: groupVersion.split('/')[0],
      versions: [{ groupVersion }],
    })),
  },
})
const list = ({ kind, apiVersion }: ForeignKind, ...items: readonly object[]): FakeAnswer => ({
  body: { kind: `${kind}List`, apiVersion, items: items.map(item => ({ kind, apiVersion, ...item })) },
})
const at = (kind: ForeignKind, namespace: string | null = null) => folderOf({ type: kind, namespace })

const deploymentOf = async (object: object) => {
  const kind = FOREIGN_KINDS.OpenStackDeploymentStatus
  const session = await sessionOf({ [at(kind, 'openstack')]: list(kind, object) })
  return valueIn(await createMaintenanceApi({ session, clock }).deploymentStatus('openstack'))
}
const reportOf = async (object: object) => {
  const kind = FOREIGN_KINDS.ClusterUpdatePlan
  return valueIn(await readLcmReport(await sessionOf({ [at(kind)]: list(kind, object) }))())
}
const maintenancesOf = (kind: ForeignKind) => async (object: object) =>
  valueIn(
    await listForeignMaintenances(
      await sessionOf({ '/apis': groups(kind.apiVersion), [at(kind)]: list(kind, object) }),
    ),
  ).found

/** An object without one field; a list loses it in each of its elements. */
function without(object: object, path: readonly string[]): object {
  const [field = '', ...rest] = path
  const name = field.replace(/\[\]$/, '')
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (name !== '*' && key !== name) return [[key, value]]
      if (rest.length === 0) return []
      return [[key, Array.isArray(value) ? value.map(each => without(each, rest)) : without(value, rest)]]
    }),
  )
}

const READ: readonly (readonly [kind: ForeignKind, object: object, read: (object: object) => Promise<unknown>])[] = [
  [FOREIGN_KINDS.OpenStackDeploymentStatus, STATUS, deploymentOf],
  [FOREIGN_KINDS.ClusterUpdatePlan, PLAN, reportOf],
  [FOREIGN_KINDS.NodeMaintenance, MAINTENANCE, maintenancesOf(FOREIGN_KINDS.NodeMaintenance)],
  [FOREIGN_KINDS.ClusterApiMachine, MACHINE, maintenancesOf(FOREIGN_KINDS.ClusterApiMachine)],
  [FOREIGN_KINDS.BareMetalHost, HOST, maintenancesOf(FOREIGN_KINDS.BareMetalHost)],
]

test.each(READ.flatMap(([kind, object, read]) => kind.fields.map(field => [kind.kind, field, object, read] as const)))(
  '%s: what is read changes with %s',
  async (_, field, object, read) => {
    const whole = await read(object)
    await api?.close()
    expect(await read(without(object, field.split('.')))).not.toEqual(whole)
  },
)

describe('a maintenance by another program', () => {
  test('has its node, its object and its author’s reason', async () => {
    expect(await maintenancesOf(FOREIGN_KINDS.NodeMaintenance)(MAINTENANCE)).toEqual([
      { node: 'cmp-1', code: 'NodeMaintenance', object: 'fix', reason: 'disk' },
    ])
  })

  test('is asked about in the version that the cluster serves', async () => {
    const kind = { ...FOREIGN_KINDS.ClusterApiMachine, apiVersion: 'cluster.x-k8s.io/v1beta2' }
    expect(await maintenancesOf(kind)(MACHINE)).toMatchObject([
      { code: 'MachineBeingDeleted', object: 'default/m-1' },
      { code: 'MachineMarkedForRemediation' },
    ])
  })

  test('in an unknown version is not read: that is a failure, not an empty list', async () => {
    const session = await sessionOf({ '/apis': groups('cluster.x-k8s.io/v1', 'cluster.x-k8s.io/v2') })
    expect(valueIn(await listForeignMaintenances(session)).unread).toMatchObject([
      {
        reason: 'ForeignVersionUnknown',
        values: { group: 'cluster.x-k8s.io', versions: { names: ['cluster.x-k8s.io/v1', 'cluster.x-k8s.io/v2'] } },
      },
    ])
  })

  test('gives its reason in a sentence, however long it is and whatever is in it', async () => {
    const reason = `disk\u001b[2J ${'x'.repeat(200_000)}`
    const [reported] = await maintenancesOf(FOREIGN_KINDS.NodeMaintenance)({
      ...MAINTENANCE,
      spec: { nodeName: 'cmp-1', reason },
    })
    expect(reported?.reason).toMatch(/^disk\[2J x{290,300}…$/)
  })

  test('without permission is reported beside the others, and not read as empty', async () => {
    const [host, maintenance] = [FOREIGN_KINDS.BareMetalHost, FOREIGN_KINDS.NodeMaintenance]
    const session = await sessionOf({
      '/apis': groups(host.apiVersion, maintenance.apiVersion),
      [at(host)]: status(403, 'Forbidden', 'no'),
      [at(maintenance)]: list(maintenance, MAINTENANCE),
    })
    expect(valueIn(await listForeignMaintenances(session))).toMatchObject({
      found: [{ node: 'cmp-1', object: 'fix' }],
      unread: [{ code: 'not-permitted' }],
    })
  })
})

describe("the status of OpenStack's deployment", () => {
  const kind = FOREIGN_KINDS.OpenStackDeploymentStatus
  const resources = (...names: readonly (readonly [plural: string, kind: string])[]): FakeAnswer => ({
    body: {
      kind: 'APIResourceList',
      groupVersion: kind.apiVersion,
      resources: names.map(([name, served]) => ({ name, kind: served, namespaced: true })),
    },
  })
  const LCM = '/apis/lcm.mirantis.com/v1alpha1'
  const read = async (paths: Readonly<Record<string, FakeAnswer>>) =>
    createMaintenanceApi({ session: await sessionOf(paths), clock }).deploymentStatus('openstack')

  test('is found by its kind where the cluster spells the plural otherwise', async () => {
    const other = { ...kind, plural: 'openstackdeploymentstatuses' }
    const found = await read({
      [LCM]: resources([other.plural, kind.kind]),
      [at(other, 'openstack')]: list(kind, STATUS),
    })
    expect(found).toMatchObject({ value: { name: 'osh-dev', state: 'APPLIED' } })
  })

  test('is missed where deployments are served and it is not', async () => {
    const found = await read({ [LCM]: resources(['openstackdeployments', 'OpenStackDeployment']) })
    expect(found).toMatchObject({ failure: { reason: 'DeploymentStatusNotServed' } })
  })

  test('is missed where it is served and its namespace has none', async () => {
    const found = await read({ [at(kind, 'openstack')]: list(kind) })
    expect(found).toMatchObject({ failure: { reason: 'DeploymentStatusMissing', values: { namespace: 'openstack' } } })
  })

  test('there is none: the cluster has no deployments at all', async () => {
    const found = await read({ [LCM]: resources(['nodeworkloadlocks', 'NodeWorkloadLock']) })
    expect(found).toEqual({ ok: true, value: null })
  })
})
