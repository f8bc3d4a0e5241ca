import { expect, test } from 'vitest'
import { createJujuPort } from '../../../main/adapters/juju/juju-port.ts'
import type { ResolvedJuju } from '../../../main/adapters/juju/resolved-juju.ts'
import type { ConnectJuju } from '../../../main/clusters/session-ports.ts'
import { testJuju } from '../../../main/clusters/test-juju.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { JujuSimulator } from '../../../main/wings/simulators/juju/juju-simulator.ts'
import type { ClusterTestItem } from '../../../shared/contract/cluster.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE, type JujuAccess } from '../../../shared/domain/role-maintenance.ts'
import { because } from '../../../shared/words/reasons.ts'
import { sampleWorld, withController } from '../../fixtures/juju/juju-world.ts'

const ACCESS: JujuAccess = { kind: 'client-files', directory: '/juju', controller: 'c', model: 'm' }

/** Only what a test of Juju looks at. */
function clusterOf(flavour: Cluster['flavour'], juju: JujuAccess | null): Cluster {
  return { name: 'lab', flavour, roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, juju } } as Cluster
}

/** Without MicroCeph and OpenStack beside it: those rooms have their own tests. */
const connectJuju: ConnectJuju = resolve => {
  const { port, close } = createJujuPort({ resolve, clock: systemClock, log: silentLogger })
  return { port, close } as ReturnType<ConnectJuju>
}

async function items(controller: JujuSimulator, more: Partial<ResolvedJuju> = {}): Promise<readonly ClusterTestItem[]> {
  const { name, address, caCertificate, user, password, model } = controller
  const juju = { name, endpoints: [address], caCertificate, user, password, model, warnings: [], ...more }
  return testJuju({ cluster: clusterOf('sunbeam', ACCESS), connectJuju, resolveJuju: async () => ok(juju) })
}

test('a controller that answers is named with its version, its model and its contents', async () => {
  await withController({}, async controller => {
    const found = await items(controller)
    expect(found.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['account', 'ok'],
      ['controller', 'ok'],
      ['model', 'ok'],
    ])
    expect(found.at(-1)?.message).toBe('admin/openstack-machines (manual) has 6 units on 3 machines.')
    expect(JSON.stringify(found)).not.toContain(controller.password)
  })
})

test('agents that are lost, and a password that others may read, are warned of', async () => {
  await withController({}, async controller => {
    controller.faults.setAgentLost('cp-2', true)
    const found = await items(controller, { warnings: [because('PasswordFileOpenToOthers', { path: '/p' })] })
    expect(found.filter(({ outcome }) => outcome === 'warning').map(({ message }) => message)).toEqual([
      '/p contains a password, and other users may read it. Run `chmod 600 /p`.',
      'The agents of k8s/1, microceph/1 do not report to Juju.',
    ])
  })
})

test('a model without MicroCeph is not enough where Ceph is asked by it', async () => {
  const world = sampleWorld()
  const others = world.applications.filter(({ name }) => name !== 'microceph')
  await withController({ world: { ...world, applications: others } }, async controller => {
    expect((await items(controller)).at(-1)).toMatchObject({ name: 'microceph', outcome: 'missing' })
  })
})

test('a refused password is what is wrong', async () => {
  await withController({}, async controller => {
    expect((await items(controller, { password: 'wrong' })).at(-1)).toMatchObject({
      name: 'controller',
      outcome: 'failed',
      message: expect.stringContaining('refuses the password of admin'),
    })
  })
})

test('files that cannot be used are what is wrong, and nobody is asked', async () => {
  const found = await testJuju({
    cluster: clusterOf('sunbeam', ACCESS),
    connectJuju,
    resolveJuju: async () => failed(failure('bad-input', 'no such file')),
  })
  expect(found.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['account', 'failed'],
    ['controller', 'skipped'],
  ])
})

test.each([
  ['sunbeam', ['missing']],
  ['plain', []],
] as const)('without a controller in the settings, flavour %s has %j', async (flavour, outcomes) => {
  const found = await testJuju({
    cluster: clusterOf(flavour, null),
    connectJuju,
    resolveJuju: async () => failed(failure('bad-input', 'not asked')),
  })
  expect(found.map(({ outcome }) => outcome)).toEqual(outcomes)
})
