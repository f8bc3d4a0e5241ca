import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../main/adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../../../main/adapters/kubernetes/kubeconfig.ts'
import { forgetDroppedFiles, keepDroppedFile } from '../../../main/clusters/dropped-files.ts'
import { findClusters } from '../../../main/clusters/find-clusters.ts'
import { requests } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { ok } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-found-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

/** A kubeconfig with a context for each `name: server`. */
function kubeconfig(servers: Readonly<Record<string, string>>): string {
  const names = Object.keys(servers)
  return JSON.stringify({
    clusters: names.map(name => ({ name, cluster: { server: servers[name] } })),
    users: [{ name: 'op', user: { token: 'geheim' } }],
    contexts: names.map(name => ({ name, context: { cluster: name, user: 'op' } })),
    'current-context': names[0],
  })
}

function clouds(urls: Readonly<Record<string, string>>): string {
  return Object.entries(urls)
    .map(
      ([name, url]) =>
        `  ${name}: {auth: {auth_url: "${url}", username: a, password: geheim, project_name: p, user_domain_name: d, project_domain_name: d}}`,
    )
    .join('\n')
    .replace(/^/, 'clouds:\n')
}

async function found(
  files: readonly string[] | null = null,
  {
    environment = {},
    registered = [] as Cluster[],
  }: { environment?: Record<string, string>; registered?: Cluster[] } = {},
) {
  const home = join(root, 'home')
  const answer = await findClusters(files, {
    describeContexts,
    defaultKubeconfigPaths: () => defaultKubeconfigPaths(environment, home),
    places: { environment, home, currentDirectory: join(root, 'here'), siteDirectory: join(root, 'site') },
    registry: { isConsented: () => false, list: () => ok(registered) },
  })
  expect(JSON.stringify(answer)).not.toContain('geheim')
  return requests['cluster.found'].output.parse(valueIn(answer))
}

const CLOUDS = 'home/.config/openstack/clouds.yaml'

describe('what files of this machine offer', () => {
  test('every kubeconfig in ~/.kube is read, each context once; caches and notes are not', async () => {
    put('home/.kube/config', kubeconfig({ lab: 'https://10.0.0.1:6443' }))
    const east = put('home/.kube/east.yaml', kubeconfig({ east: 'https://10.0.0.2:6443' }))
    put('home/.kube/east-copy.yaml', kubeconfig({ east: 'https://10.0.0.2:6443' }))
    put('home/.kube/kubectx', 'lab')
    put('home/.kube/cache/discovery.yaml', kubeconfig({ old: 'https://10.0.0.9' }))
    const { clusters, unread } = await found()
    expect(clusters.map(({ context }) => context.name)).toEqual(['lab', 'east'])
    expect(clusters[1]?.paths).toEqual([join(dirname(east), 'east-copy.yaml')])
    expect(unread).toEqual([])
  })

  test('files of KUBECONFIG are one kubeconfig, as kubectl reads them', async () => {
    const [one, two] = [put('one', kubeconfig({ a: 'https://h1' })), put('two', kubeconfig({ b: 'https://h2' }))]
    const { clusters } = await found(null, { environment: { KUBECONFIG: `${one}:${two}` } })
    expect(clusters.map(({ paths, context }) => [paths, context.name])).toEqual([
      [[one, two], 'a'],
      [[one, two], 'b'],
    ])
  })

  test('an unusable file is named with its reason, and hides no other', async () => {
    put('home/.kube/config', kubeconfig({ lab: 'https://10.0.0.1:6443' }))
    const broken = put('home/.kube/broken.yaml', 'contexts: [')
    const { clusters, unread } = await found()
    expect(clusters).toHaveLength(1)
    expect(unread).toMatchObject([{ path: broken, why: expect.stringContaining(broken) }])
  })

  test('a registered context is named by its cluster', async () => {
    const path = put('home/.kube/config', kubeconfig({ lab: 'https://h1', other: 'https://h2' }))
    const registered = [
      { name: 'my lab', kubeconfig: { paths: [path], context: 'lab' }, cloud: null } as unknown as Cluster,
    ]
    const { clusters } = await found(null, { registered })
    expect(clusters.map(each => each.registered)).toEqual(['my lab', null])
  })

  test('dropped files alone are read, of either kind, and one that is neither says so', async () => {
    put('home/.kube/config', kubeconfig({ lab: 'https://10.0.0.1:6443' }))
    const kube = put('drop/k', kubeconfig({ east: 'https://api.east.example.org' }))
    const openstack = put('drop/c', clouds({ east: 'https://keys.example.net' }))
    const note = put('drop/note', 'hello: world')
    const { clusters, unread } = await found([kube, openstack, note])
    expect(clusters).toMatchObject([
      { paths: [kube], cloud: { path: openstack, cloud: 'east', because: 'name' }, context: { name: 'east' } },
    ])
    expect(unread).toMatchObject([
      { path: note, why: expect.stringContaining('names neither Kubernetes contexts nor OpenStack clouds') },
    ])
  })
})

describe('the cloud that seems to be its own', () => {
  const two = { lab: 'https://10.0.0.1:6443', east: 'https://api.east.example.org:6443' }
  test.each([
    ['called alike', two, { east: 'https://k1', west: 'https://k2' }, { east: 'name' }],
    [
      'on one host, whatever the port',
      two,
      { x: 'http://10.0.0.1:5000/v3', y: 'http://10.0.0.2:5000/v3' },
      { lab: 'host' },
    ],
    [
      'in one domain',
      two,
      { x: 'https://keystone.east.example.org', y: 'https://k.west.example.org' },
      { east: 'domain' },
    ],
    [
      'an address has no domain',
      { lab: 'https://10.0.0.1', b: 'https://h' },
      { x: 'https://9.0.0.1', y: 'https://k' },
      {},
    ],
    ['two equal matches do not count', two, { x: 'http://10.0.0.1:5000', y: 'http://10.0.0.1:5001' }, {}],
    ['the only one there is', { lab: 'https://10.0.0.1:6443' }, { x: 'https://k' }, { lab: 'only' }],
    ['the only cloud of two clusters may be either', two, { x: 'https://k' }, {}],
  ])('%s', async (_, servers, urls, expected) => {
    put('home/.kube/config', kubeconfig(servers))
    put(CLOUDS, clouds(urls))
    const { clusters } = await found()
    expect(
      Object.fromEntries(clusters.flatMap(({ context, cloud }) => (cloud ? [[context.name, cloud.because]] : []))),
    ).toEqual(expected)
  })

  test('a cloud that cannot be used is nobody’s', async () => {
    put('home/.kube/config', kubeconfig({ east: 'https://10.0.0.1:6443' }))
    put(CLOUDS, 'clouds:\n  east: {auth: {auth_url: "https://k", username: a}}\n')
    expect((await found()).clusters[0]?.cloud).toBeNull()
  })
})

describe('a file that was dropped in a browser', () => {
  test('is kept for this user alone, under a name that leads nowhere else, and once', () => {
    const path = valueIn(keepDroppedFile(root, '../../etc/conf ig', 'token: geheim'))
    expect(dirname(path)).toBe(join(root, 'dropped'))
    expect(path).toMatch(/-etc-conf-ig$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    expect(readFileSync(path, 'utf8')).toBe('token: geheim')
    expect(valueIn(keepDroppedFile(root, '../../etc/conf ig', 'token: geheim'))).toBe(path)
    expect(valueIn(keepDroppedFile(root, '..', 'x'))).toMatch(/-file$/)
  })

  test('is taken away an hour later when no cluster is reached by it', () => {
    const [used, unused, fresh] = ['used', 'unused', 'fresh'].map(name => valueIn(keepDroppedFile(root, name, name)))
    const now = Date.now()
    for (const path of [used, unused]) utimesSync(path ?? '', (now - 2 * 3600_000) / 1000, (now - 2 * 3600_000) / 1000)
    // As written while the data directory had another path.
    const before = join('/elsewhere', 'dropped', basename(used ?? ''))
    const cluster = { kubeconfig: { paths: [before], context: 'x' }, cloud: null } as unknown as Cluster
    forgetDroppedFiles(root, [cluster], now)
    expect([used, unused, fresh].map(path => statSync(path ?? '', { throwIfNoEntry: false }) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
  })
})
