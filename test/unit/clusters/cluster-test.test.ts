import { describe, expect, test } from 'vitest'
import type { ResolvedCloud } from '../../../main/adapters/openstack/resolved-cloud.ts'
import { testCluster } from '../../../main/clusters/cluster-test.ts'
import {
  accessQuestionsOf,
  maintenanceAccessQuestions,
} from '../../../main/procedures/steps/general/access-questions.ts'
import { type ClusterTestItem, ClusterTestReport } from '../../../shared/contract/cluster.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { fakeContext, fakeKubernetes, fakeOpenStack } from '../../fixtures/clusters/connections.ts'
import { resolvedCloud } from '../../fixtures/openstack-cloud.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'

type Options = Parameters<typeof testCluster>[0]

const cluster: Cluster = fakeCluster({
  name: 'lab',
  kubeconfig: { paths: ['/etc/kube/config'], context: 'admin' },
  cloud: { path: '/etc/openstack/clouds.yaml', cloud: 'lab' },
  leaseNamespace: 'locks',
})

const WATCHED: Cluster = { ...cluster, roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, strategy: 'watcher' } }

const cloud: ResolvedCloud = resolvedCloud({
  name: 'lab',
  authUrl: 'http://k',
  auth: { kind: 'token', token: 't0ps3cr3t', scope: { kind: 'unscoped' } },
  regionName: 'RegionOne',
})

const plugin = { fingerprint: 'f00', file: '/etc/kube/config', user: 'alice', command: 'aws', args: [], envNames: [] }

async function report(options: Partial<Options> = {}): Promise<ClusterTestReport> {
  const made = await testCluster({
    cluster,
    isRegistered: true,
    registry: { isConsented: () => false, isEndpointAgreed: () => false },
    describeContexts: async () => ok([fakeContext()]),
    connectKubernetes: async () => ok(fakeKubernetes()),
    accessQuestions: accessQuestionsOf,
    resolveCloud: async () => ok(cloud),
    connectOpenStack: async () => ok(fakeOpenStack()),
    // The cluster has no Juju controller, so neither is asked.
    connectJuju: () => {
      throw new Error('no Juju')
    },
    resolveJuju: async () => failed(failure('bad-input', 'no Juju')),
    clock: { now: () => 0, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 },
    ...options,
  })
  return ClusterTestReport.parse(made)
}

function item(from: ClusterTestReport, name: string): ClusterTestItem {
  const found = from.items.find(each => each.name === name)
  if (found === undefined) throw new Error(`no item ${name} among ${from.items.map(each => each.name).join(', ')}`)
  return found
}

describe('a cluster where all is well', () => {
  test('passes: every answer ok, nothing to grant', async () => {
    const made = await report()
    expect(made.items.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
    expect(made).toMatchObject({ cluster: 'lab', ok: true, missingRbac: null, testedAt: '1970-01-01T00:00:00.000Z' })
  })

  test('has an answer for every permission a plan may need, in its own lease namespace', async () => {
    const names = (await report()).items.filter(({ area }) => area === 'permissions').map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['patch nodes', 'create pods/eviction', 'get daemonsets.apps']))
    expect(names).toContain('update leases.coordination.k8s.io in namespace locks')
    expect(names.length).toBeGreaterThan(maintenanceAccessQuestions('locks').length)
  })

  test('leaves no session open', async () => {
    const kubernetes = fakeKubernetes()
    const openstack = fakeOpenStack()
    await report({ connectKubernetes: async () => ok(kubernetes), connectOpenStack: async () => ok(openstack) })
    expect([kubernetes.closed, openstack.closed]).toEqual([1, 1])
  })
})

test('Watcher is asked only where it empties compute nodes', async () => {
  const areas = async (options: Partial<Options>) => (await report(options)).items.map(({ name }) => name)
  expect(await areas({})).not.toContain('audit:create')
  expect(await areas({ cluster: WATCHED })).toEqual(expect.arrayContaining(['catalogue: infra-optim', 'audit:create']))
})

test('what is found and what to do about it are codes with values too', async () => {
  const made = await report({ describeContexts: async () => ok([fakeContext({ name: 'b' })]) })
  expect(item(made, 'kubeconfig')).toMatchObject({
    code: 'ContextGone',
    values: { context: 'admin', contexts: ['b'] },
    remedyCode: 'RemedyRegisterAgain',
    remedyValues: { cluster: 'lab' },
  })
  expect(item(made, 'permissions')).toMatchObject({ code: 'NotAskedWithoutKubeconfig', remedy: null })
})

test('Masakari is asked only where the cloud has it', async () => {
  const has = () => true
  const names = async (options: Partial<Options>) => (await report(options)).items.map(({ name }) => name)
  const asked = ['catalogue: instance-ha', 'os_masakari_api:os-hosts:update']
  expect(await names({ connectOpenStack: async () => ok(fakeOpenStack({ has })) })).toEqual(
    expect.arrayContaining(asked),
  )
  expect((await names({})).filter(name => asked.includes(name))).toEqual([])
})

describe('a fault is named, with a remedy', () => {
  const unreachable = failure('unreachable', 'there is no way')

  test.each<[string, Partial<Options>, string, ClusterTestItem['outcome'], RegExp]>([
    [
      'an unusable kubeconfig',
      { describeContexts: async () => failed(failure('bad-input', 'line 3')) },
      'kubeconfig',
      'failed',
      /line 3/,
    ],
    [
      'a context that is gone',
      { describeContexts: async () => ok([fakeContext({ name: 'b' })]) },
      'kubeconfig',
      'failed',
      /no longer has the context admin\. Contexts there: b\./,
    ],
    [
      'a command nobody agreed to',
      { describeContexts: async () => ok([fakeContext({ execPlugin: plugin })]) },
      'exec plugin',
      'missing',
      /asks to run aws/,
    ],
    [
      'a session that does not open',
      { connectKubernetes: async () => failed(failure('bad-input', 'no key')) },
      'session',
      'failed',
      /no key/,
    ],
    [
      'an API server that does not answer',
      { connectKubernetes: async () => ok(fakeKubernetes({ version: async () => failed(unreachable) })) },
      'API server',
      'failed',
      /no way/,
    ],
    [
      'an old API server',
      {
        connectKubernetes: async () => ok(fakeKubernetes({ version: async () => ok({ gitVersion: 'v1.19.16' }) })),
      },
      'API server',
      'warning',
      /v1\.19\.16/,
    ],
    [
      'certificates that are not verified',
      {
        connectKubernetes: async () =>
          ok(fakeKubernetes({ warnings: [{ code: 'tls-not-verified', message: 'anybody' }] })),
      },
      'tls-not-verified',
      'warning',
      /anybody/,
    ],
    [
      'no Eviction API',
      { connectKubernetes: async () => ok(fakeKubernetes({ evictionVersion: async () => ok(null) })) },
      'eviction',
      'warning',
      /and budgets do not protect them/,
    ],
    [
      'a clock 6 s off',
      {
        connectKubernetes: async () =>
          ok(fakeKubernetes({ clocks: async () => [{ server: 'the API server', aheadMs: -6_000 }] })),
      },
      'clock of the API server',
      'warning',
      /6\.0 s behind/,
    ],
    [
      'a clock 61 s off',
      {
        connectKubernetes: async () =>
          ok(fakeKubernetes({ clocks: async () => [{ server: 'the API server', aheadMs: 61_000 }] })),
      },
      'clock of the API server',
      'failed',
      /61\.0 s ahead/,
    ],
    [
      'a Nova 6 s off',
      {
        connectOpenStack: async () => ok(fakeOpenStack({ clocks: async () => [{ server: 'Nova', aheadMs: -6_000 }] })),
      },
      'clock of Nova',
      'warning',
      /clock of Nova is 6\.0 s behind/,
    ],
    [
      'a Keystone 61 s off',
      {
        connectOpenStack: async () =>
          ok(fakeOpenStack({ clocks: async () => [{ server: 'Keystone', aheadMs: 61_000 }] })),
      },
      'clock of Keystone',
      'failed',
      /clock of Keystone is 61\.0 s ahead/,
    ],
    [
      'a permission that is missing',
      { connectKubernetes: async () => ok(fakeKubernetes({ allows: verb => verb !== 'patch' })) },
      'patch nodes',
      'missing',
      /may not patch nodes \(no RBAC/,
    ],
    [
      'an unusable clouds.yaml',
      { resolveCloud: async () => failed(failure('bad-input', 'no key auth_url')) },
      'clouds.yaml',
      'failed',
      /auth_url/,
    ],
    [
      'a refused login',
      { connectOpenStack: async () => failed(failure('unauthenticated', 'refused')) },
      'Keystone',
      'failed',
      /refused/,
    ],
    [
      'a plain user',
      {
        connectOpenStack: async () =>
          ok(fakeOpenStack({ identity: () => ({ userName: 'demo', projectName: 'demo', roles: ['member'] }) })),
      },
      'roles',
      'warning',
      /user demo in project demo: member/,
    ],
    [
      'an administrator of the system, without a project',
      {
        connectOpenStack: async () =>
          ok(fakeOpenStack({ identity: () => ({ userName: 'admin', projectName: null, roles: ['admin'] }) })),
      },
      'roles',
      'warning',
      /User admin is logged in without a project \(roles:/,
    ],
    [
      'no Watcher where it empties compute nodes',
      {
        cluster: WATCHED,
        connectOpenStack: async () => ok(fakeOpenStack({ has: service => service !== 'infra-optim' })),
      },
      'catalogue: infra-optim',
      'missing',
      /The catalogue has no Watcher, which should empty compute nodes of this cloud/,
    ],
    [
      'a Watcher that refuses who asks',
      {
        cluster: WATCHED,
        connectOpenStack: async () =>
          ok(
            fakeOpenStack({
              probeWatcherPolicies: async () =>
                ok([{ need: 'ask', rule: 'audit:create', allowed: false, message: 'Not allowed to user m: ask.' }]),
            }),
          ),
      },
      'audit:create',
      'missing',
      /Not allowed to user m/,
    ],
    [
      'a Masakari that refuses the user: a maintenance continues without it',
      {
        connectOpenStack: async () =>
          ok(
            fakeOpenStack({
              has: () => true,
              probeMasakariPolicies: async () =>
                ok([
                  { need: 'tell', rule: 'os-hosts:update', allowed: false, message: 'Not allowed to user m: tell.' },
                ]),
            }),
          ),
      },
      'os-hosts:update',
      'warning',
      /Not allowed to user m/,
    ],
    [
      'a Masakari that does not answer',
      {
        connectOpenStack: async () =>
          ok(fakeOpenStack({ has: () => true, probeMasakariPolicies: async () => failed(unreachable) })),
      },
      'catalogue: instance-ha',
      'warning',
      /there is no way/,
    ],
    [
      'no Placement in the region',
      { connectOpenStack: async () => ok(fakeOpenStack({ has: service => service !== 'placement' })) },
      'catalogue: placement',
      'missing',
      /no public address of Placement, region RegionOne/,
    ],
    [
      'a Nova that is too old',
      { connectOpenStack: async () => ok(fakeOpenStack({ microversion: async () => ok({ major: 2, minor: 52 }) })) },
      'Nova',
      'failed',
      /Nova offers microversion 2\.52; Lockkeeper needs 2\.53/,
    ],
    [
      'a Nova that does not answer',
      { connectOpenStack: async () => ok(fakeOpenStack({ microversion: async () => failed(unreachable) })) },
      'Nova',
      'failed',
      /no way/,
    ],
  ])('%s', async (_what, options, name, outcome, message) => {
    const made = await report(options)
    expect(item(made, name)).toMatchObject({ outcome, message: expect.stringMatching(message) })
    expect(item(made, name).remedy).toMatch(/\w+/)
    expect(made.ok).toBe(outcome === 'warning')
  })

  test('clock differences below 5 s are fine, from 30 s on nothing starts, and an API server without Date is skipped', async () => {
    const at = async (...reported: readonly number[]) =>
      item(
        await report({
          connectKubernetes: async () =>
            ok(
              fakeKubernetes({ clocks: async () => reported.map(aheadMs => ({ server: 'the API server', aheadMs })) }),
            ),
        }),
        'clock of the API server',
      )
    expect((await at(-4_900)).outcome).toBe('ok')
    expect((await at(-5_000)).outcome).toBe('warning')
    expect((await at(29_900)).outcome).toBe('warning')
    expect((await at(30_000)).outcome).toBe('failed')
    expect((await at()).outcome).toBe('skipped')
  })

  test('policies: allowed, not allowed, and what is unknown', async () => {
    const made = await report({
      connectOpenStack: async () =>
        ok(
          fakeOpenStack({
            probePolicies: async () =>
              ok([
                { need: 'a', rule: 'rule:a', allowed: true, message: 'yes' },
                { need: 'b', rule: 'rule:b', allowed: false, message: 'no' },
                { need: 'c', rule: 'rule:c', allowed: 'unknown', message: 'perhaps' },
              ]),
          }),
        ),
    })
    expect(['rule:a', 'rule:b', 'rule:c'].map(rule => item(made, rule).outcome)).toEqual(['ok', 'missing', 'warning'])
    expect(made.ok).toBe(false)
  })
})

describe('what depends on a failed step', () => {
  test('is skipped, and no command runs that nobody agreed to', async () => {
    let connected = 0
    const made = await report({
      describeContexts: async () => ok([fakeContext({ execPlugin: plugin })]),
      connectKubernetes: async () => {
        connected += 1
        return ok(fakeKubernetes())
      },
    })
    expect(connected).toBe(0)
    expect(item(made, 'permissions')).toMatchObject({
      outcome: 'skipped',
      message: expect.stringMatching(/not agreed to/),
    })
  })

  test('is asked after the operator agreed', async () => {
    const made = await report({
      registry: { isConsented: fingerprint => fingerprint === 'f00', isEndpointAgreed: () => false },
      describeContexts: async () => ok([fakeContext({ execPlugin: plugin })]),
    })
    expect(item(made, 'exec plugin').outcome).toBe('ok')
    expect(made.ok).toBe(true)
  })

  test('is only its own half: OpenStack is asked though Kubernetes is away, and the other way round', async () => {
    const unreachable = failure('unreachable', 'no')
    const one = await report({ connectKubernetes: async () => failed(unreachable) })
    expect(item(one, 'Keystone').outcome).toBe('ok')
    const other = await report({ connectOpenStack: async () => failed(unreachable) })
    expect(item(other, 'patch nodes').outcome).toBe('ok')
  })

  test('is not asked of a cluster without a cloud', async () => {
    const made = await report({ cluster: { ...cluster, cloud: null } })
    expect(item(made, 'cloud').outcome).toBe('skipped')
    expect(made.ok).toBe(true)
  })
})

describe('the manifest of what is missing', () => {
  test('grants what was refused, to the user of the kubeconfig', async () => {
    const made = await report({
      connectKubernetes: async () =>
        ok(fakeKubernetes({ allows: (verb, resource) => verb !== 'patch' && resource !== 'leases' })),
    })
    expect(made.missingRbac).toMatch(/kind: ClusterRole\n[\s\S]*- nodes\n\s+verbs:\n\s+- patch\n/)
    expect(made.missingRbac).toMatch(/kind: Role\n[\s\S]*namespace: locks\n[\s\S]*- leases/)
    expect(made.missingRbac).toMatch(/kind: User\n\s+name: alice/)
    expect(made.missingRbac).not.toContain('pods')
  })

  test('is not made when access could not be reviewed', async () => {
    const away = fakeKubernetes()
    const made = await report({
      connectKubernetes: async () =>
        ok({ ...away, port: { ...away.port, reviewAccess: async () => failed(failure('unreachable', 'no')) } }),
    })
    expect(made).toMatchObject({ missingRbac: null, ok: false })
  })
})

test('no secret is in a report', async () => {
  expect(JSON.stringify(await report())).not.toContain('t0ps3cr3t')
})
