import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadClusters } from '../../../renderer/bridge/clusters.ts'
import { askMain, listen } from '../../../renderer/bridge/transport.ts'
import { useClusters } from '../../../renderer/stores/clusters.ts'
import type { Contract } from '../../../shared/contract/index.ts'
import { Cluster, ClusterFlavour, DEFAULT_LIMITS } from '../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'

const LAB = Cluster.parse({
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/kubeconfig'], context: 'lab' },
  cloud: null,
  roleLabels: DEFAULT_ROLE_LABELS,
  limits: DEFAULT_LIMITS,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  openstackNamespace: 'openstack',
  leaseNamespace: 'kube-system',
  production: false,
  colour: null,
  addedAt: '2026-11-21T02:00:00.000Z',
})

function connect(answer: unknown): Contract {
  const contract: Contract = { ask: async () => answer as never, listen: () => () => {} }
  vi.stubGlobal('window', { lockkeeper: contract })
  return contract
}

beforeEach(() => useClusters.setState({ list: { kind: 'unread' }, reading: false }))
afterEach(() => vi.unstubAllGlobals())

describe('without a main process', () => {
  beforeEach(() => vi.stubGlobal('window', {}))

  test('asking answers a failure in operator words instead of throwing', async () => {
    await expect(askMain('cluster.list', {})).resolves.toMatchObject({
      ok: false,
      failure: { code: 'unreachable', message: expect.stringContaining('This page has no console') },
    })
  })

  test('listening hears nothing and can be stopped', () => {
    const received = vi.fn()
    listen('run.event', received)()
    expect(received).not.toHaveBeenCalled()
  })
})

describe('the list of clusters', () => {
  test('holds what main answered, by name', async () => {
    connect({ ok: true, value: [LAB] })
    await loadClusters()
    expect(useClusters.getState()).toMatchObject({
      reading: false,
      list: { kind: 'listed', byName: new Map([['lab', LAB]]) },
    })
  })

  test('keeps showing what it has while it is read again', async () => {
    connect({ ok: true, value: [LAB] })
    await loadClusters()
    const reading = loadClusters()
    expect(useClusters.getState()).toMatchObject({ reading: true, list: { kind: 'listed' } })
    await reading
    expect(useClusters.getState().reading).toBe(false)
  })

  test('is the failure when main cannot list them', async () => {
    const failure = { code: 'damaged', message: 'The registry is damaged.', retryable: false }
    connect({ ok: false, failure })
    await loadClusters()
    expect(useClusters.getState().list).toEqual({ kind: 'failed', failure })
  })

  test('an answer outside the contract is refused in a build for development and tests', async () => {
    connect({ ok: true, value: [{ ...LAB, token: 'secret' }] })
    await expect(askMain('cluster.list', {})).rejects.toThrow('Unrecognized key')
  })
})

test('every flavour has words', () => {
  expect(Object.keys(FLAVOUR_WORDS).sort()).toEqual([...ClusterFlavour.options].sort())
})
