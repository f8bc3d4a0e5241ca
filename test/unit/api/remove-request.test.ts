import { describe, expect, it } from 'vitest'
import { removeRequestHandler } from '../../../main/api/remove-request.ts'
import type { ApiServices } from '../../../main/api/services.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { UPDATE_LEASE } from '../../../shared/domain/lease-name.ts'
import { NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const AT = '2026-11-21T10:00:00.000Z'
const request = (name: string, more = {}) => ({
  uid: `uid-of-${name}`,
  name,
  resourceVersion: '1',
  createdAt: AT,
  deletingSince: null,
  finalizers: ['openstack'],
  annotations: {},
  writers: [{ manager: 'lcm', at: AT, subresource: null }],
  faults: [],
  scope: 'os' as const,
  release: null,
  ...more,
})
const ofRun = (run: string) => ({ annotations: { 'lockkeeper.dev/run': run } })

interface Around {
  readonly journalIsAway?: boolean
  readonly production?: boolean
  readonly held?: boolean
  /** Another console, of which this journal knows nothing, updates the cluster. */
  readonly updating?: boolean
  /** Unfinished runs; `damaged`: the record cannot be read, and the driver lives or is gone. */
  readonly unfinished?: readonly {
    readonly id: string
    readonly kind: string
    readonly node?: string
    readonly damaged?: 'driven' | 'driver-gone'
  }[]
  readonly nodeRequests?: readonly object[]
  readonly clusterRequests?: readonly object[]
}

/** The handler over objects in memory; `removed` are the UIDs that were deleted, `kept` the entries of the journal. */
function handler(around: Around) {
  const removed: string[] = []
  const kept: unknown[] = []
  const world = {
    cluster: { name: 'lab' },
    maintenanceApi: {
      objects: async () =>
        ok({
          ...NO_MAINTENANCE_OBJECTS,
          nodeRequests: around.nodeRequests ?? [],
          clusterRequests: around.clusterRequests ?? [],
        }),
      deleteRequest: async ({ uid }: { uid: string }) => ok(void removed.push(uid)),
      uidOf: async () => ok(null),
    },
    kubernetes: {
      listNodes: async () => ok([{ name: 'cmp-1' }]),
      leases: {
        holder: async (lease: string) =>
          ok(
            (lease === UPDATE_LEASE ? around.updating : around.held) === true
              ? {
                  operator: 'olga',
                  machine: 'bastion',
                  identity: 'i',
                  runId: 'r',
                  since: AT,
                  renewedAt: AT,
                  seenRenewed: true,
                  unchangedForMs: 1_000,
                  freeInMs: 59_000,
                }
              : null,
          ),
      },
    },
  }
  const services = {
    clusters: { get: () => ok({ production: around.production ?? false }) },
    worlds: { open: async () => ok({ world, openstackFailure: null }) },
    runs: {
      driver: { operator: 'olga', machine: 'bastion' },
      unfinished: () =>
        ok(
          (around.unfinished ?? []).map(({ id, kind, node, damaged }) => ({
            id,
            kind,
            node: node ?? '',
            view: damaged === undefined ? { id, plan: { kind, node } } : null,
            interrupted: damaged !== 'driven',
          })),
        ),
      view: (id: string) =>
        id === 'known' || id === 'handed-over'
          ? ok({ summary: { state: id === 'known' ? 'done' : id } })
          : failed(failure('not-found', 'no such run')),
    },
    edits: {
      record: (edit: unknown) =>
        around.journalIsAway === true
          ? failed(failure('unreachable', 'The journal cannot be written.'))
          : ok(void kept.push(edit)),
    },
    clock: createVirtualClock(),
    log: { error: () => {} },
  } as unknown as ApiServices
  const remove = async (
    name: string,
    more: {
      readonly kind?: 'NodeMaintenanceRequest' | 'ClusterMaintenanceRequest'
      readonly uid?: string
      readonly force?: boolean
      readonly typedCluster?: string
    } = {},
  ) => {
    const answer = await removeRequestHandler(services)['request.remove']({
      cluster: 'lab',
      kind: 'NodeMaintenanceRequest',
      name,
      uid: `uid-of-${name}`,
      reason: 'a test',
      ...more,
    })
    return answer.ok ? answer.value.state : answer.failure.code
  }
  return { remove, removed, kept }
}

describe('a maintenance request is removed by hand', () => {
  it('of somebody else only when it is forced, and the journal keeps whose it was and why', async () => {
    const { remove, removed, kept } = handler({ nodeRequests: [{ ...request('ghost'), nodeName: 'ghost' }] })
    expect(await remove('ghost')).toBe('checks-failed')
    expect(removed).toEqual([])
    expect(await remove('ghost', { force: true })).toBe('gone')
    expect(removed).toEqual(['uid-of-ghost'])
    expect(kept).toMatchObject([
      { kind: 'maintenance-request', after: 'will be removed: a test', refused: null },
      { kind: 'maintenance-request', before: 'scope os, made by lcm', after: 'removed: a test', refused: null },
    ])
  })

  it('not while the journal cannot write: a removal is recorded ahead', async () => {
    const nodeRequests = [{ ...request('ghost'), nodeName: 'ghost' }]
    const { remove, removed } = handler({ nodeRequests, journalIsAway: true })
    expect(await remove('ghost', { force: true })).toBe('unreachable')
    expect(removed).toEqual([])
  })

  it('only if it is the same object that was shown', async () => {
    const { remove, removed } = handler({ nodeRequests: [{ ...request('ghost'), nodeName: 'ghost' }] })
    expect(await remove('ghost', { force: true, uid: 'another' })).toBe('not-found')
    expect(await remove('ghost', { force: true, kind: 'ClusterMaintenanceRequest' })).toBe('not-found')
    expect(removed).toEqual([])
  })

  it.each<[string, Around, Parameters<ReturnType<typeof handler>['remove']>[1], string]>([
    [
      'while it is Terminating',
      { nodeRequests: [{ ...request('cmp-1', { deletingSince: AT }), nodeName: 'cmp-1' }] },
      {},
      'conflict',
    ],
    [
      'while somebody holds the node',
      { held: true, nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }] },
      {},
      'held',
    ],
    [
      'of a node while another console updates the cluster, whose journal this is not',
      { updating: true, nodeRequests: [{ ...request('cmp-1', ofRun('unknown')), nodeName: 'ghost' }] },
      {},
      'held',
    ],
    [
      'of the cluster while another console updates it, whose journal this is not',
      { updating: true, clusterRequests: [request('c', ofRun('unknown'))] },
      { kind: 'ClusterMaintenanceRequest' },
      'held',
    ],
    [
      'while a run works on the node',
      {
        unfinished: [{ id: 'r', kind: 'enter', node: 'cmp-1' }],
        nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }],
      },
      {},
      'conflict',
    ],
    [
      'while a driven run with a damaged record works on the node',
      {
        unfinished: [{ id: 'r', kind: 'enter', node: 'cmp-1', damaged: 'driven' }],
        nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }],
      },
      {},
      'conflict',
    ],
    [
      'while an update of the cluster is not over',
      { unfinished: [{ id: 'r', kind: 'update' }], clusterRequests: [request('c', ofRun('known'))] },
      { kind: 'ClusterMaintenanceRequest' },
      'conflict',
    ],
    [
      'of the cluster while nodes are requested',
      { clusterRequests: [request('c')], nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }] },
      { kind: 'ClusterMaintenanceRequest' },
      'conflict',
    ],
    [
      'that a run made for a node of the cluster: leave brings it back',
      { nodeRequests: [{ ...request('cmp-1', ofRun('known')), nodeName: 'cmp-1' }] },
      {},
      'conflict',
    ],
    [
      'on a production cluster whose name was not typed',
      { production: true, nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }] },
      {},
      'bad-input',
    ],
  ])('not even by force %s', async (_rule, around, more, code) => {
    const { remove, removed } = handler(around)
    const name = more?.kind === 'ClusterMaintenanceRequest' ? 'c' : 'cmp-1'
    expect(await remove(name, { ...more, force: true })).toBe(code)
    expect(removed).toEqual([])
  })

  it('of a node with a run whose record is damaged and whose driver is gone: no console can resume that run', async () => {
    const { remove } = handler({
      unfinished: [{ id: 'r', kind: 'enter', node: 'cmp-1', damaged: 'driver-gone' }],
      nodeRequests: [{ ...request('cmp-1'), nodeName: 'cmp-1' }],
    })
    expect(await remove('cmp-1', { force: true })).toBe('gone')
  })

  it("without force only where a run of this journal made it; another console's run may still drive", async () => {
    const ours = handler({ clusterRequests: [request('c', ofRun('known'))] })
    expect(await ours.remove('c', { kind: 'ClusterMaintenanceRequest' })).toBe('gone')
    const elsewhere = handler({ clusterRequests: [request('c', ofRun('unknown'))] })
    expect(await elsewhere.remove('c', { kind: 'ClusterMaintenanceRequest' })).toBe('checks-failed')
    expect(elsewhere.removed).toEqual([])
    const handedOver = handler({ clusterRequests: [request('c', ofRun('handed-over'))] })
    expect(await handedOver.remove('c', { kind: 'ClusterMaintenanceRequest' })).toBe('checks-failed')
  })
})
