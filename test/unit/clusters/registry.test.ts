import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRegistry, type Registry } from '../../../main/clusters/registry.ts'
import type { Clock } from '../../../main/platform/clock/clock.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { newCluster } from '../../fixtures/clusters/new-cluster.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

const clock: Clock = {
  now: () => Date.parse('2026-03-04T05:06:07Z'),
  monotonicMs: () => 0,
  sleep: async () => {},
  random: () => 0.5,
}
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-registry-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function cluster(name: string): Omit<Cluster, 'addedAt'> {
  return newCluster({
    name,
    kubeconfig: { paths: ['/etc/kube/config'], context: 'admin' },
    cloud: { path: '/etc/openstack/clouds.yaml', cloud: 'lab' },
  })
}

function registry(): Registry {
  return valueIn(openRegistry({ directory, clock }))
}

const file = () => join(directory, 'clusters.json')

describe('the registry of clusters', () => {
  test('is empty where there is no file, and reading makes none', () => {
    expect(valueIn(registry().list())).toEqual([])
    expect(readdirSync(directory)).toEqual([])
  })

  test('keeps what was added, by name, with the time', () => {
    const clusters = registry()
    valueIn(clusters.add(cluster('west-10')))
    valueIn(clusters.add(cluster('west-2')))
    expect(valueIn(registry().list()).map(({ name }) => name)).toEqual(['west-2', 'west-10'])
    expect(valueIn(registry().get('west-2'))).toEqual({ ...cluster('west-2'), addedAt: '2026-03-04T05:06:07.000Z' })
  })

  test('is readable by this user only', () => {
    valueIn(registry().add(cluster('a')))
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  })

  test('refuses a name that is taken, in any case', () => {
    const clusters = registry()
    valueIn(clusters.add(cluster('lab')))
    expect(failureIn(clusters.add(cluster('LAB')))).toMatchObject({ code: 'conflict', target: 'cluster/lab' })
    expect(valueIn(clusters.list())).toHaveLength(1)
  })

  test('refuses a name that cannot be used', () => {
    expect(failureIn(registry().add(cluster('../x')))).toMatchObject({ code: 'bad-input' })
  })

  test('names what is registered when a cluster is unknown', () => {
    const clusters = registry()
    expect(failureIn(clusters.get('a')).message).toMatch(/and no other is registered yet/)
    valueIn(clusters.add(cluster('east')))
    valueIn(clusters.add(cluster('west')))
    expect(failureIn(clusters.get('north')).message).toMatch(/Registered are: east, west\./)
    expect(failureIn(clusters.remove('north')).code).toBe('not-found')
    expect(failureIn(clusters.update('north', {})).code).toBe('not-found')
  })

  test('changes settings, but neither name nor time', () => {
    const clusters = registry()
    valueIn(clusters.add(cluster('a')))
    const changed = valueIn(clusters.update('a', { cloud: null, ...{ name: 'b', addedAt: 'x' } }))
    expect(changed).toMatchObject({ name: 'a', cloud: null, addedAt: '2026-03-04T05:06:07.000Z' })
    expect(valueIn(registry().get('a'))).toEqual(changed)
  })

  test('forgets what was removed', () => {
    const clusters = registry()
    valueIn(clusters.add(cluster('a')))
    valueIn(clusters.remove('a'))
    expect(valueIn(registry().list())).toEqual([])
  })

  test('sees what another process added meanwhile', () => {
    const [one, two] = [registry(), registry()]
    valueIn(one.add(cluster('a')))
    valueIn(two.add(cluster('b')))
    expect(valueIn(one.list()).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('follows a link instead of replacing it', () => {
    const elsewhere = join(directory, 'dotfiles.json')
    writeFileSync(elsewhere, '{"format": 1, "clusters": []}')
    symlinkSync(elsewhere, file())
    valueIn(registry().add(cluster('a')))
    expect(readFileSync(elsewhere, 'utf8')).toContain('"name": "a"')
  })
})

describe('a damaged registry', () => {
  test.each([
    ['is cut off', '{\n  "format": 1,\n  "clusters": [\n    {"name": "a"', /line 4, column 17/],
    ['is empty', '', /it is empty/],
    ['is something else', '[]', /no format number/],
    [
      'has a cluster without context',
      JSON.stringify({ format: 1, clusters: [{ ...cluster('a'), kubeconfig: { paths: ['/x'] }, addedAt: 'x' }] }),
      /clusters\.0\.kubeconfig\.context/,
    ],
    [
      'has a cluster twice',
      JSON.stringify({ format: 1, clusters: [0, 1].map(() => ({ ...cluster('a'), addedAt: 'x' })) }),
      /a is in it twice/,
    ],
    ['is of a newer Lockkeeper', '{"format": 2, "shelves": []}', /use the newer Lockkeeper/],
  ])('that %s is named with file and place, and stays unchanged', (_what, text, message) => {
    const clusters = registry()
    writeFileSync(file(), text)
    for (const answer of [
      openRegistry({ directory, clock }),
      clusters.list(),
      clusters.add(cluster('b')),
      clusters.remove('a'),
    ]) {
      expect(failureIn(answer)).toMatchObject({ code: 'damaged', target: file() })
      expect(failureIn(answer).message).toMatch(message)
      expect(failureIn(answer).message).toContain(file())
    }
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('that is a directory is named as one', () => {
    rmSync(directory, { recursive: true })
    directory = mkdtempSync(join(tmpdir(), 'lockkeeper-registry-'))
    const clusters = valueIn(openRegistry({ directory: join(directory, 'absent'), clock }))
    expect(failureIn(clusters.add(cluster('a'))).message).toMatch(/absent.*does not exist/)
  })
})

describe('several processes at once', () => {
  test('lose no add', async () => {
    const script = fileURLToPath(new URL('adding-process.ts', import.meta.url))
    const codes = await Promise.all(
      ['a', 'b', 'c'].map(
        prefix =>
          new Promise(resolve => {
            const child = spawn(process.execPath, [script, directory, prefix, '12'], { stdio: 'inherit' })
            child.on('close', resolve)
          }),
      ),
    )
    expect(codes).toEqual([0, 0, 0])
    expect(valueIn(registry().list())).toHaveLength(36)
  })
})

describe('consents', () => {
  const plugin = { fingerprint: 'f00', cluster: 'lab', file: '/etc/kube/config', command: 'aws' }

  test('are kept across processes and asked by fingerprint', () => {
    expect(registry().isConsented('f00')).toBe(false)
    valueIn(registry().consent(plugin))
    valueIn(registry().consent(plugin))
    expect(registry().isConsented('f00')).toBe(true)
    expect(registry().isConsented('f01')).toBe(false)
  })

  test('that cannot be read count as not given', () => {
    const clusters = registry()
    valueIn(clusters.consent(plugin))
    writeFileSync(join(directory, 'consents.json'), '{')
    expect(clusters.isConsented('f00')).toBe(false)
    expect(failureIn(clusters.consent(plugin)).code).toBe('damaged')
  })
})
