import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../main/adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../../../main/adapters/kubernetes/kubeconfig.ts'
import { addCluster, changedCluster } from '../../../main/clusters/add-cluster.ts'
import type { ChooseOptions } from '../../../main/clusters/choose-files.ts'
import { openRegistry } from '../../../main/clusters/registry.ts'
import type { RequestInput } from '../../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

type Input = RequestInput<'cluster.add'>

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-add-'))
  put('home/.kube/config', kubeconfig(['one', 'two'], 'two'))
  put('home/.config/openstack/clouds.yaml', CLOUDS)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

const CLOUDS =
  'clouds:\n  east: {auth: {auth_url: "http://k", username: a, password: geheim99, project_name: p}}\n  west: {}\n'

function kubeconfig(contexts: readonly string[], current: string | null): string {
  return JSON.stringify({
    clusters: [{ name: 'kube', cluster: { server: 'https://127.0.0.1:6443' } }],
    users: [{ name: 'alice', user: { token: 'geheim99' } }],
    contexts: contexts.map(name => ({ name, context: { cluster: 'kube', user: 'alice' } })),
    ...(current === null ? {} : { 'current-context': current }),
  })
}

function add(input: Partial<Input> = {}, environment: Record<string, string> = {}) {
  const clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 }
  const home = join(root, 'home')
  return addCluster(
    { name: 'lab', flavour: 'plain', kubeconfig: { paths: [], context: null }, cloud: null, ...input },
    {
      registry: valueIn(openRegistry({ directory: root, clock })),
      describeContexts,
      defaultKubeconfigPaths: () => defaultKubeconfigPaths(environment, home),
      places: { environment, home, currentDirectory: join(root, 'here'), siteDirectory: join(root, 'site') },
    },
  )
}

describe('a cluster is added with', () => {
  test('~/.kube/config and its current context, fixed now', async () => {
    expect(valueIn(await add())).toEqual({
      name: 'lab',
      flavour: 'plain',
      kubeconfig: { paths: [join(root, 'home/.kube/config')], context: 'two' },
      cloud: null,
      roleLabels: DEFAULT_ROLE_LABELS,
      limits: DEFAULT_LIMITS,
      maintenanceApi: DEFAULT_MAINTENANCE_API,
      roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
      openstackNamespace: 'openstack',
      leaseNamespace: 'default',
      production: false,
      colour: null,
      addedAt: '1970-01-01T00:00:00.000Z',
    })
  })

  test('the existing files of KUBECONFIG', async () => {
    const path = put('k/a', kubeconfig(['a'], 'a'))
    const added = valueIn(await add({}, { KUBECONFIG: `${path}:/absent` }))
    expect(added.kubeconfig).toEqual({ paths: [path], context: 'a' })
  })

  test('paths from the current directory and from ~', async () => {
    put('here/k', kubeconfig(['a'], 'a'))
    const added = valueIn(await add({ kubeconfig: { paths: ['k', '~/.kube/config'], context: 'one' } }))
    expect(added.kubeconfig).toEqual({ paths: [join(root, 'here/k'), join(root, 'home/.kube/config')], context: 'one' })
  })

  test('the clouds.yaml that the openstack client would use, fixed now', async () => {
    const added = valueIn(await add({ cloud: { path: null, cloud: 'east' } }))
    expect(added.cloud).toEqual({ path: join(root, 'home/.config/openstack/clouds.yaml'), cloud: 'east' })
  })

  test('what was chosen over the defaults, and defaults for the rest', async () => {
    const added = valueIn(
      await add({ limits: { migrationsPerSource: 4 }, roleLabels: { storage: ['disk=yes'] }, leaseNamespace: 'locks' }),
    )
    expect(added.limits).toEqual({ ...DEFAULT_LIMITS, migrationsPerSource: 4 })
    expect(added.roleLabels).toEqual({ ...DEFAULT_ROLE_LABELS, storage: ['disk=yes'] })
    expect(added.leaseNamespace).toBe('locks')
  })
})

describe('a cluster is not added with', () => {
  test.each<[string, Partial<Input>, RegExp]>([
    [
      'an unknown context',
      { kubeconfig: { paths: [], context: 'three' } },
      /no context named three\. Contexts there: one, two\./,
    ],
    [
      'a missing kubeconfig',
      { kubeconfig: { paths: ['/absent/k'], context: null } },
      /No kubeconfig exists at \/absent\/k/,
    ],
    [
      'an unknown cloud',
      { cloud: { path: null, cloud: 'north' } },
      /no cloud named north\. Clouds there: east, west\./,
    ],
    ['a cloud without password', { cloud: { path: null, cloud: 'west' } }, /Cloud west has no auth_url/],
    ['a missing clouds.yaml', { cloud: { path: '/absent/c', cloud: 'x' } }, /Cannot read \/absent\/c/],
  ])('%s', async (_what, input, message) => {
    const failure = failureIn(await add(input))
    expect(failure.message).toMatch(message)
    expect(JSON.stringify(failure)).not.toContain('geheim99')
  })

  test('files without a current context', async () => {
    const path = put('k/a', kubeconfig(['a', 'b'], null))
    expect(failureIn(await add({ kubeconfig: { paths: [path], context: null } })).message).toMatch(
      /no current context\. Name one\. Contexts there: a, b\./,
    )
  })

  test('no kubeconfig anywhere', async () => {
    expect(failureIn(await add({}, { KUBECONFIG: '/absent/a:/absent/b' })).message).toMatch(
      /Found no kubeconfig at \/absent\/a, \/absent\/b/,
    )
  })

  test('a context whose cluster is not defined', async () => {
    const text = kubeconfig(['a'], 'a').replace('"name":"kube"', '"name":"other"')
    expect(failureIn(await add({ kubeconfig: { paths: [put('k/a', text)], context: null } })).message).toMatch(
      /uses cluster kube, which has no usable server address/,
    )
  })

  test('a name that is taken', async () => {
    valueIn(await add())
    expect(failureIn(await add()).code).toBe('conflict')
  })
})

describe('a console that knows no cloud cannot answer for OpenStack', () => {
  const controllers = { ...DEFAULT_MAINTENANCE_API.controllers, openstack: 'console' as const }
  const answering = { ...DEFAULT_MAINTENANCE_API, controllers }

  test('a cluster without a cloud is not added so, one with a cloud is', async () => {
    const refused = await add({ flavour: 'mosk', maintenanceApi: answering })
    expect(refused).toMatchObject({
      ok: false,
      failure: {
        code: 'bad-input',
        message: expect.stringMatching(/it could not look for instances before it releases a node/),
      },
    })
    expect(
      (await add({ flavour: 'mosk', maintenanceApi: { controllers: { ...controllers, openstack: 'none' } } })).ok,
    ).toBe(true)
  })

  test('a cluster is not changed so, from either side; one that is so already may have its other settings changed', async () => {
    const options: ChooseOptions = {
      describeContexts,
      defaultKubeconfigPaths: () => [],
      places: { environment: {}, home: root, currentDirectory: root, siteDirectory: root },
    }
    const cluster = valueIn(await add({ flavour: 'mosk' }))
    const east = { path: join(root, 'home/.config/openstack/clouds.yaml'), cloud: 'east' }
    const change = async (before: Cluster, wanted: Parameters<typeof changedCluster>[1]) =>
      (await changedCluster(before, wanted, options)).ok
    expect(await change(cluster, { maintenanceApi: answering })).toBe(false)
    expect(await change({ ...cluster, cloud: east }, { maintenanceApi: answering })).toBe(true)
    expect(await change({ ...cluster, cloud: east, maintenanceApi: answering }, { cloud: null })).toBe(false)
    expect(await change({ ...cluster, maintenanceApi: answering }, { production: true })).toBe(true)
  })
})
