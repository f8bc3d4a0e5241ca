import { expect, test } from 'vitest'
import { createCephSimulator } from '../../../../../main/wings/simulators/ceph/ceph-simulator.ts'
import { createKubernetesCore } from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { listAt, recordAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import { createBundleOperator } from '../../../../../main/wings/simulators/lcm/application-bundles.ts'
import {
  MOSK_RELEASE,
  moskChart,
  NEXT_MOSK_RELEASE,
} from '../../../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import { demoMoskKubernetes } from '../../../../../main/wings/simulators/scenarios/demo-mosk-kubernetes.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

/** demo-mosk without its front; the test decides when the operator reads the bundles. */
function mosk(speed: number) {
  const clock = createVirtualClock()
  const { objects } = createKubernetesCore({ clock, seed: demoMoskKubernetes(true) }, () => {})
  const hosts = ['osd-1', 'osd-2', 'osd-3']
  const ceph = createCephSimulator({ clock, hosts, osdsPerHost: 1, monHosts: hosts })
  return {
    clock,
    look: createBundleOperator(clock, { objects }, ceph, speed),
    patch: (name: string, version = NEXT_MOSK_RELEASE) =>
      objects.change('HelmBundle', 'default', name, one => ({
        ...one,
        spec: { releases: [moskChart(name, version)] },
      })),
    versionOf: (name: string) =>
      textAt(objects.get('HelmBundle', 'default', name), 'status', 'releaseStatuses', name, 'version'),
    deployment: () => recordAt(objects.list('OpenStackDeploymentStatus')[0], 'status', 'osdpl'),
    cephVersions: () => ceph.command(['ceph', 'versions'])?.stdout ?? '',
    bundles: () => objects.list('HelmBundle').map(one => [one.metadata.name, listAt(one, 'spec', 'releases').length]),
  }
}

test('nothing happens to an application that nobody patches', async () => {
  const { clock, look, versionOf, deployment, bundles } = mosk(1)
  look()
  await clock.advance(600_000)
  look()
  expect(bundles().map(([name]) => name)).toEqual(['ceph', 'openstack', 'stacklight', 'tungstenfabric'])
  expect(versionOf('openstack')).toBe(MOSK_RELEASE)
  expect(deployment()).toMatchObject({ state: 'APPLIED', controller_version: MOSK_RELEASE })
})

test('OpenStack is applied for a while, and then of the version that its bundle was given', async () => {
  const { clock, look, patch, versionOf, deployment } = mosk(1)
  patch('openstack')
  look()
  expect(deployment()).toMatchObject({ state: 'APPLYING', controller_version: MOSK_RELEASE })
  await clock.advance(80_000)
  look()
  expect(versionOf('openstack')).toBe(MOSK_RELEASE)
  await clock.advance(10_000)
  look()
  expect(versionOf('openstack')).toBe(NEXT_MOSK_RELEASE)
  expect(deployment()).toMatchObject({ state: 'APPLIED', controller_version: NEXT_MOSK_RELEASE })
})

test('Ceph and the others change their version as well, as fast as the cloud is', async () => {
  const { clock, look, patch, versionOf, cephVersions, deployment } = mosk(10)
  const before = cephVersions()
  for (const name of ['ceph', 'stacklight', 'tungstenfabric']) patch(name)
  look()
  await clock.advance(4_000)
  look()
  expect(cephVersions()).toBe(before)
  await clock.advance(500)
  look()
  expect(['ceph', 'stacklight', 'tungstenfabric'].map(versionOf)).toEqual(Array(3).fill(NEXT_MOSK_RELEASE))
  expect(cephVersions()).not.toBe(before)
  expect(deployment()).toMatchObject({ controller_version: MOSK_RELEASE })
})
