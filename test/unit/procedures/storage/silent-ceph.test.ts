import { describe, expect, test } from 'vitest'
import type { MaintenanceWorld } from '../../../../main/ports/world.ts'
import { makePlan } from '../../../../main/procedures/plans/node/make-plan.ts'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { type CephOsd, NOOUT_ANNOTATION } from '../../../../shared/domain/ceph.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import { must } from '../../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS, type PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import {
  COMPUTE,
  fakeCluster,
  fakeContext,
  fakeNode,
  fakePod,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'

const NAMESPACE = DEFAULT_MAINTENANCE_API.cephNamespace
const NODE = 'n1'
const SILENT = [
  failure('unreachable', 'The toolbox is not ready.'),
  failure('not-permitted', 'pods/exec is forbidden.'),
  failure('timed-out', 'No answer in time.'),
  failure('server-fault', 'Ceph did not list its OSDs.'),
]
const osd = (id: number, host: string): CephOsd => ({ id, host, up: true, in: true, noout: false, hostNoout: false })
const tools = fakePod('tools', { namespace: NAMESPACE, nodeName: 'n9', labels: { app: 'rook-ceph-tools' } })

interface Ceph {
  readonly osds?: readonly CephOsd[] | Failure
  readonly reported?: readonly Pick<CephOsd, 'id' | 'host'>[] | Failure
  readonly pods?: readonly Pod[]
}

const ELSEWHERE = [osd(7, 'n2')]

/** A plain cluster whose Ceph is asked by Rook's toolbox, and answers so. */
function plain({ osds = ELSEWHERE, reported = ELSEWHERE, pods = [tools] }: Ceph, node: Partial<ClusterNode> = {}) {
  const fake = fakeWorld({ nodes: [fakeNode(NODE, { labels: COMPUTE, ...node }), fakeNode('n2')] })
  const world: MaintenanceWorld = {
    ...fake.port,
    cluster: fakeCluster({ flavour: 'plain', roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: 'toolbox' } }),
    ceph: {
      ...fake.port.ceph,
      osds: async () => ('code' in osds ? failed(osds) : ok(osds)),
      osdsReported: async () => ('code' in reported ? failed(reported) : ok(reported)),
    },
    kubernetes: { ...fake.port.kubernetes, listPods: async () => ok(pods) },
  }
  return { fake, world }
}

async function kindsOf(kind: PlannedNodeRunKind, ...of: Parameters<typeof plain>): Promise<readonly string[]> {
  const wish = { id: 'plan-1', kind, node: NODE, madeAt: '', options: DEFAULT_RUN_OPTIONS }
  const made = await makePlan(wish, plain(...of).world)
  return must(made.ok ? made.value : undefined, 'it is planned').steps.map(step => step.kind)
}

async function checked(kind: string, ...of: Parameters<typeof plain>): Promise<CheckAnswer> {
  const { fake, world } = plain(...of)
  const check = must(maintenanceSteps.get(kind)?.check, `${kind} is a check`)
  return check({ node: NODE }, { ...fakeContext(fake), world })
}

const WAYS: readonly (readonly [PlannedNodeRunKind, string, string])[] = [
  ['enter', 'set-noout', 'ceph-can-spare'],
  ['leave', 'start-osds', 'no-osds-to-return'],
]

describe.each(WAYS)('to %s on a plain cluster', (way, storage, instead) => {
  test.each(SILENT.map(why => [why.code, why] as const))(
    'a node without signs of storage continues with a warning while Ceph is silent: %s',
    async (_, why) => {
      for (const ceph of [{ osds: why, reported: why }, { reported: why }]) {
        const kinds = await kindsOf(way, ceph)
        expect(kinds).toContain(instead)
        expect(kinds).not.toContain(storage)
        expect(await checked(instead, ceph)).toMatchObject({
          kind: 'done',
          warnings: [{ message: expect.stringContaining(why.message) }],
        })
      }
    },
  )

  const silent = must(SILENT[0], 'there is one')
  const rook = { namespace: NAMESPACE, labels: { app: 'rook-ceph-osd', 'topology-location-host': NODE } }
  test.each<[string, Parameters<typeof plain>]>([
    ['the storage label', [{ osds: silent, reported: silent }, { labels: { role: 'ceph-osd-node' } }]],
    [
      'the pod of an OSD that runs there',
      [{ osds: silent, pods: [tools, fakePod('osd', { ...rook, nodeName: NODE })] }],
    ],
    [
      'the pod of an OSD that was drained',
      [{ osds: silent, pods: [tools, fakePod('osd', { ...rook, nodeName: null })] }],
    ],
    ['a run that keeps noout for it', [{ osds: silent }, { annotations: { [NOOUT_ANNOTATION]: 'run-1' } }]],
    ['an OSD seen there', [{ osds: [osd(0, NODE)], reported: silent }]],
    ['a contradiction', [{ reported: [{ id: 7, host: NODE }] }]],
    ['an answer that cannot be read', [{ osds: failure('unreadable', 'Not an answer.') }]],
  ])('%s plans the storage steps', async (_, of) => {
    expect(await kindsOf(way, ...of)).toContain(storage)
  })

  test('OSDs that come to light after the plan was made block it, whatever is forced', async () => {
    const answer = await checked(instead, { osds: [osd(0, NODE)], reported: [osd(0, NODE)] })
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'OsdsUnplanned', override: { kind: 'never' } }],
    })
  })

  test('a contradiction that comes to light after the plan was made blocks it', async () => {
    expect(await checked(instead, { reported: [{ id: 7, host: NODE }] })).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'NotRead', override: { kind: 'never' } }],
    })
  })
})
