import { describe, expect, test } from 'vitest'
import { cephSpares } from '../../../../main/procedures/plans/node/storage-steps.ts'
import { cephDaemonOf } from '../../../../main/procedures/steps/storage/ceph-daemons.ts'
import { cephServicesEnough } from '../../../../main/procedures/steps/storage/ceph-services-enough.ts'
import { osdsOkToStop } from '../../../../main/procedures/steps/storage/osds-ok-to-stop.ts'
import { must } from '../../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../../shared/domain/plan.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fakeCluster, withSilentNova } from '../../../fixtures/procedures/fake-world.ts'
import { type StorageWorld, storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const codes = (answer: CheckAnswer) => (answer.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : [])
const overrides = (answer: CheckAnswer) =>
  answer.kind === 'blocked'
    ? answer.blockers.map(({ override }) => (override.kind === 'flag' ? override.flag : ''))
    : []

function cordon(fake: StorageWorld['fake'], name: string, unschedulable: boolean): void {
  fake.nodes = fake.nodes.map(node => (node.name === name ? { ...node, unschedulable } : node))
}

describe('each check fails while its condition is broken, names what it read, and passes when that is repaired', () => {
  const broken: readonly [
    name: string,
    kind: string,
    code: string,
    break_: (world: StorageWorld) => void,
    mend: (world: StorageWorld) => void,
  ][] = [
    [
      'OSDs are ok to stop: those of another host are down',
      'osds-ok-to-stop',
      'OsdsNotOkToStop',
      world => world.setHostUp('st-2', false),
      world => world.setHostUp('st-2', true),
    ],
    [
      'Ceph is healthy: groups miss a replica',
      'ceph-healthy',
      'CephNotWhole',
      world => world.setHostUp('st-3', false),
      world => world.setHostUp('st-3', true),
    ],
    // Seed 004, "OSDs are ok-to-stop": those of a node in maintenance still run, and may be switched off at any moment.
    [
      'OSDs are ok to stop: those of another host are in maintenance',
      'osds-ok-to-stop',
      'OsdsNotOkToStop',
      ({ fake }) => cordon(fake, 'st-2', true),
      ({ fake }) => cordon(fake, 'st-2', false),
    ],
    [
      'services are enough: the node of a monitor is in maintenance, so the one of the node is missed',
      'ceph-services-enough',
      'CephServicesNotEnough',
      ({ fake }) => cordon(fake, 'st-3', true),
      ({ fake }) => cordon(fake, 'st-3', false),
    ],
    [
      'services are enough: a monitor is down, so the one of the node is missed',
      'ceph-services-enough',
      'CephServicesNotEnough',
      world => world.ceph.setMonsUp('st-3', false),
      world => world.ceph.setMonsUp('st-3', true),
    ],
  ]
  test.each(broken)('%s', async (_, kind, code, breakIt, mendIt) => {
    const world = storageWorld('rook', { monHosts: ['st-1', 'st-2', 'st-3'] })
    expect((await world.check(kind, 'st-1')).kind).toBe('ready')
    breakIt(world)
    const answer = await world.check(kind, 'st-1')
    expect(codes(answer)).toEqual([code])
    expect(overrides(answer)).toEqual(['force'])
    expect(answer.evidence.length).toBeGreaterThan(0)
    mendIt(world)
    await world.pass(60_000)
    expect((await world.check(kind, 'st-1')).kind).toBe('ready')
    expect(world.changes).toEqual([])
  })

  test('three monitors fail the fixed rule and pass the majority', async () => {
    const monHosts = ['st-1', 'st-2', 'st-3']
    const check = (release: number) =>
      storageWorld('microceph', { monHosts, release }).check('ceph-services-enough', 'st-1')
    expect(codes(await check(18))).toEqual(['CephServicesNotEnough'])
    expect((await check(19)).kind).toBe('ready')
  })

  test('a health that is an error blocks, warnings are listed', async () => {
    const world = storageWorld()
    await world.port.setNoout({ kind: 'cluster' }, true)
    const warned = await world.check('ceph-healthy', 'st-1')
    expect(warned).toMatchObject({
      kind: 'ready',
      warnings: [{ message: 'Ceph warns: OSDMAP_FLAGS: noout flag(s) set' }],
    })
    const base = world.context()
    const port = { ...world.port }
    port.status = async () => {
      const status = await world.port.status()
      return status.ok ? { ok: true, value: { ...status.value, health: 'HEALTH_ERR' as const } } : status
    }
    const { cephHealthy } = await import('../../../../main/procedures/steps/storage/ceph-healthy.ts')
    const answer = await cephHealthy.check?.({ node: 'st-1' }, { ...base, world: { ...base.world, ceph: port } })
    expect(answer === undefined ? [] : codes(answer)).toEqual(['CephHealthError'])
  })

  test.each([osdsOkToStop, cephServicesEnough])(
    'it names a Nova that is silent about the other nodes, whether the check passes or not: $kind',
    async step => {
      const world = storageWorld('microceph')
      const reported = () => {
        const ctx = world.context()
        return must(step.check, 'it is a check')({ node: 'st-1' }, { ...ctx, world: withSilentNova(ctx.world) })
      }
      const warnings = [{ message: expect.stringMatching(/so Lockkeeper counts none as out: Nova does not answer/) }]
      expect(await reported()).toMatchObject({ kind: 'ready', warnings })
      for (const name of ['st-2', 'ctl-1', 'ctl-2']) cordon(world.fake, name, true)
      expect(await reported()).toMatchObject({ kind: 'blocked', warnings })
    },
  )

  test('OSDs that may stop together with those of a node in maintenance are named with its name alone', async () => {
    const world = storageWorld('rook', { osdsPerHost: 1 })
    // A node without OSDs is away too, and stops no OSD.
    cordon(world.fake, 'ctl-1', true)
    cordon(world.fake, 'st-2', true)
    const port = { ...world.port, okToStop: async () => ok({ ok: true, osds: [0, 1], pgsAtRisk: 0, message: '' }) }
    const ctx = world.context()
    const answer = osdsOkToStop.check?.({ node: 'st-1' }, { ...ctx, world: { ...ctx.world, ceph: port } })
    expect(await answer).toMatchObject({
      reason: 'OSD 0 of st-1 may stop together with those of st-2 (in maintenance: cordoned).',
    })
  })

  test('a Ceph that does not answer blocks every check, and no override lifts that', async () => {
    const world = storageWorld()
    for (const host of ['ctl-1', 'ctl-2']) world.ceph.setMonsUp(host, false)
    for (const kind of ['osds-ok-to-stop', 'ceph-services-enough', 'ceph-healthy', 'set-noout', 'stop-osds']) {
      const answer = await world.check(kind, 'st-1')
      expect([kind, codes(answer), overrides(answer)]).toEqual([kind, ['NotRead'], ['']])
    }
  })

  test('a node without OSDs has nothing to do', async () => {
    const world = storageWorld()
    for (const kind of ['osds-ok-to-stop', 'set-noout', 'stop-osds', 'start-osds', 'unset-noout']) {
      expect([kind, (await world.check(kind, 'ctl-1')).kind]).toEqual([kind, 'done'])
    }
  })

  test("the node's own OSDs, once down, are no reason to stop a resumed run", async () => {
    const world = storageWorld()
    world.setHostUp('st-1', false)
    expect((await world.check('osds-ok-to-stop', 'st-1')).kind).toBe('done')
    const healthy = await world.check('ceph-healthy', 'st-1')
    expect(healthy).toMatchObject({
      kind: 'ready',
      warnings: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining('not whole') })]),
    })
  })
})

test("Rook's OSDs and monitors are for Ceph to spare, not for a count of replicas, only where Ceph is asked", () => {
  const pod = { namespace: 'rook-ceph', labels: { app: 'rook-ceph-osd' } }
  const ceph = (access: 'toolbox' | 'none') =>
    fakeCluster({ flavour: 'plain', roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: access } })
  expect(cephDaemonOf(pod, ceph('toolbox'))).toBe('osd')
  expect(cephDaemonOf(pod, ceph('none'))).toBe(null)
  expect(cephDaemonOf({ ...pod, namespace: 'other' }, ceph('toolbox'))).toBe(null)
})

test('where Rook is asked, a node without OSDs is asked about too: it may have a monitor', () => {
  const request = {
    name: 'ctl-1',
    node: null,
    roles: ['control' as const],
    options: DEFAULT_RUN_OPTIONS,
    watcher: null,
    ran: null,
  }
  const ceph = (access: 'toolbox' | 'none') =>
    fakeCluster({ flavour: 'plain', roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: access } })
  expect(cephSpares({ ...request, cluster: ceph('toolbox') }).map(({ kind }) => kind)).toEqual(['ceph-can-spare'])
  expect(cephSpares({ ...request, cluster: ceph('none') })).toEqual([])
})
