import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResolvedCloud } from '../../../main/adapters/openstack/resolved-cloud.ts'
import { openRegistry, type Registry } from '../../../main/clusters/registry.ts'
import { createSessions, type Sessions } from '../../../main/clusters/sessions.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { DEFAULT_LIMITS } from '../../../shared/domain/cluster.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeKubernetes, fakeOpenStack } from '../../fixtures/clusters/connections.ts'
import { newCluster } from '../../fixtures/clusters/new-cluster.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { neverJuju } from '../../fixtures/procedures/no-maintenance-api.ts'

let directory: string
let now: number
let registry: Registry
const clock = { now: () => now, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 }

interface World {
  readonly sessions: Sessions
  readonly kubernetes: ReturnType<typeof fakeKubernetes>[]
  readonly openstack: ReturnType<typeof fakeOpenStack>[]
  /** The results of the next logins; empty: they succeed. */
  readonly kubernetesTroubles: Failure[]
  readonly openstackTroubles: Failure[]
  readonly consents: boolean[]
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-sessions-'))
  now = 1_000_000
  registry = valueIn(openRegistry({ directory, clock }))
  valueIn(
    registry.add(
      newCluster({
        name: 'lab',
        kubeconfig: { paths: ['/kube'], context: 'admin' },
        cloud: { path: '/clouds.yaml', cloud: 'lab' },
      }),
    ),
  )
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function world(): World {
  const kubernetes: World['kubernetes'] = []
  const openstack: World['openstack'] = []
  const kubernetesTroubles: Failure[] = []
  const openstackTroubles: Failure[] = []
  const consents: boolean[] = []
  const sessions = createSessions({
    registry,
    ...neverJuju,
    connectKubernetes: async (_cluster, consent) => {
      consents.push(consent({ fingerprint: 'f00' }))
      const connection = fakeKubernetes()
      kubernetes.push(connection)
      const trouble = kubernetesTroubles.shift()
      return trouble === undefined ? ok(connection) : failed(trouble)
    },
    connectOpenStack: async () => {
      const connection = fakeOpenStack()
      openstack.push(connection)
      const trouble = openstackTroubles.shift()
      return trouble === undefined ? ok(connection) : failed(trouble)
    },
    resolveCloud: async ({ cloud }) => ok({ name: cloud } as ResolvedCloud),
    clock,
    log: silentLogger,
  })
  return { sessions, kubernetes, openstack, kubernetesTroubles, openstackTroubles, consents }
}

describe('the session of a cluster', () => {
  test('is opened on first use and reused', async () => {
    const { sessions, kubernetes, openstack } = world()
    const first = valueIn(await sessions.open('lab'))
    const second = valueIn(await sessions.open('lab'))
    expect(second.kubernetes).toBe(first.kubernetes)
    expect(second.openstack).toBe(first.openstack)
    expect([kubernetes.length, openstack.length]).toEqual([1, 1])
  })

  test('is opened once for two requests at once', async () => {
    const { sessions, kubernetes, openstack } = world()
    await Promise.all([sessions.open('lab'), sessions.open('lab'), sessions.open('lab')])
    expect([kubernetes.length, openstack.length]).toEqual([1, 1])
  })

  test('does not exist for an unknown cluster', async () => {
    const { sessions, kubernetes } = world()
    expect(failureIn(await sessions.open('north')).code).toBe('not-found')
    expect(kubernetes).toEqual([])
  })

  test('asks the consents of the registry', async () => {
    const { sessions, consents } = world()
    await sessions.open('lab')
    valueIn(registry.consent({ fingerprint: 'f00', cluster: 'lab', file: '/kube', command: 'aws' }))
    sessions.forget('lab')
    await sessions.open('lab')
    expect(consents).toEqual([false, true])
  })

  test('carries the settings as they are now, over the same connections', async () => {
    const { sessions, kubernetes } = world()
    await sessions.open('lab')
    valueIn(registry.update('lab', { limits: { ...DEFAULT_LIMITS, migrationsPerSource: 3 } }))
    expect(valueIn(await sessions.open('lab')).cluster.limits.migrationsPerSource).toBe(3)
    expect(kubernetes).toHaveLength(1)
  })

  test('is closed and opened again when the connection settings change', async () => {
    const { sessions, kubernetes, openstack } = world()
    await sessions.open('lab')
    valueIn(registry.update('lab', { kubeconfig: { paths: ['/kube'], context: 'other' } }))
    await sessions.open('lab')
    expect(kubernetes.map(({ closed }) => closed)).toEqual([1, 0])
    expect(openstack.map(({ closed }) => closed)).toEqual([1, 0])
  })

  test('has no OpenStack side where the cluster has no cloud', async () => {
    valueIn(registry.update('lab', { cloud: null }))
    const { sessions, openstack } = world()
    expect(valueIn(await sessions.open('lab'))).toMatchObject({ openstack: null, openstackFailure: null })
    expect(openstack).toEqual([])
  })

  test('is closed by forgetting and by closing all', async () => {
    const { sessions, kubernetes, openstack } = world()
    await sessions.open('lab')
    sessions.forget('lab')
    sessions.forget('lab')
    await sessions.open('lab')
    sessions.closeAll()
    await Promise.resolve()
    await Promise.resolve()
    expect(kubernetes.map(({ closed }) => closed)).toEqual([1, 1])
    expect(openstack.map(({ closed }) => closed)).toEqual([1, 1])
  })
})

describe('a session that cannot be opened', () => {
  const unreachable = failure('unreachable', 'no way')
  const unauthenticated = failure('unauthenticated', 'wrong password')

  test('is a failure when Kubernetes does not answer, and tried again the next time', async () => {
    const { sessions, kubernetesTroubles } = world()
    kubernetesTroubles.push(unreachable)
    expect(failureIn(await sessions.open('lab'))).toBe(unreachable)
    expect((await sessions.open('lab')).ok).toBe(true)
  })

  test('is half open when only OpenStack does not answer, and says why', async () => {
    const { sessions, kubernetes, openstackTroubles } = world()
    openstackTroubles.push(unreachable)
    expect(valueIn(await sessions.open('lab'))).toMatchObject({ openstack: null, openstackFailure: unreachable })
    expect(valueIn(await sessions.open('lab'))).toMatchObject({ openstackFailure: null })
    expect(kubernetes).toHaveLength(1)
  })

  test('does not try a refused password again for 30 seconds: Keystone may lock the account', async () => {
    const { sessions, openstack, openstackTroubles } = world()
    openstackTroubles.push(unauthenticated)
    for (let round = 0; round < 5; round += 1) {
      expect(valueIn(await sessions.open('lab')).openstackFailure).toBe(unauthenticated)
    }
    expect(openstack).toHaveLength(1)
    now += 30_000
    expect(valueIn(await sessions.open('lab')).openstackFailure).toBeNull()
    expect(openstack).toHaveLength(2)
  })

  test('by an internal fault is tried again too', async () => {
    let faults = 1
    const sessions = createSessions({
      registry,
      ...neverJuju,
      connectKubernetes: async () => {
        if (faults-- > 0) throw new Error('broken invariant')
        return ok(fakeKubernetes())
      },
      connectOpenStack: async () => ok(fakeOpenStack()),
      resolveCloud: async ({ cloud }) => ok({ name: cloud } as ResolvedCloud),
      clock,
      log: silentLogger,
    })
    await expect(sessions.open('lab')).rejects.toThrow('broken invariant')
    expect((await sessions.open('lab')).ok).toBe(true)
  })
})
