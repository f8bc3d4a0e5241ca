import fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { readCluster } from '../../../main/platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { completeOptions } from '../../../main/procedures/plans/node/make-plan.ts'
import { planRollingMaintenance } from '../../../main/procedures/plans/rolling/plan-rolling-maintenance.ts'
import { maintenanceSteps } from '../../../main/procedures/registry.ts'
import type { LeaseKeeper } from '../../../main/runs/engine/lease-keeper.ts'
import { createRunEngine } from '../../../main/runs/engine/run-engine.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { ok } from '../../../shared/domain/result.ts'
import { type Death, type Disk, emptyDisk, memoryJournal, ProcessDied } from '../../fixtures/engine/memory-journal.ts'
import {
  type FakeWorld,
  fakeCluster,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'
import { tries } from '../../fixtures/tries.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const BATCHES = [['cmp-1', 'cmp-2'], ['cmp-3']] as const
const NODES = BATCHES.flat()
const LABELS = { 'openstack-compute-node': 'enabled' }

function cloud(): FakeWorld {
  const all = [...NODES, 'cmp-9']
  const world = fakeWorld({
    nodes: all.map(name => fakeNode(name, { labels: LABELS })),
    services: all.map(name => fakeService(name)),
    instances: NODES.flatMap(name => [fakeInstance(`vm-a-${name}`, name), fakeInstance(`vm-b-${name}`, name)]),
  })
  return world
}

function planOf(world: FakeWorld): Plan {
  const cluster = fakeCluster()
  const plan = planRollingMaintenance({
    id: 'plan-1',
    madeAt: '2026-01-01T00:00:00.000Z',
    cluster,
    facts: {
      nodes: world.nodes.map(({ name }) => ({ name, roles: ['compute'], zone: null, isReady: true, controllers: [] })),
      clusterControllers: [],
    },
    nodes: world.nodes.map(node => ({ node, roles: ['compute'] })),
    update: {
      scope: 'os',
      release: null,
      reason: '',
      controlNodes: [],
      groups: BATCHES.map((nodes, at) => ({
        name: `batch-${at + 1}`,
        index: at + 1,
        nodes: [...nodes],
        concurrentUpdates: nodes.length,
      })),
      zoneAtATime: false,
      work: { kind: 'kubelet-version', version: fakeNode('any').kubeletVersion },
      pauseBetweenNodes: false,
      pauseBetweenPhases: false,
    },
    options: completeOptions({}, cluster),
    operator: 'olga',
  })
  if (!plan.ok) throw new Error(plan.failure.message)
  return plan.value
}

const LEASE: LeaseKeeper<MaintenanceWorld> = {
  identityOf: ({ runId }) => runId,
  of: () => ({
    durationMs: 60_000,
    acquire: async () => ok({ kind: 'acquired' }),
    renew: async () => ok({ kind: 'renewed' }),
    confirm: async () => ok({ kind: 'ours' }),
    release: async () => ok(undefined),
  }),
  fenced: world => world,
}

/** Drives the batches through these deaths, a fresh process after each, until one lives to the end. */
async function driveThrough(deaths: readonly Death[], disk: Disk, world: FakeWorld) {
  const clock = createVirtualClock({ auto: true })
  const plan = planOf(world)
  for (const [at, death] of [...deaths, null].entries()) {
    const pid = at + 1
    const journal = memoryJournal(disk, clock, death)
    const driver = {
      operator: 'eva',
      machine: 'laptop-1',
      pid,
      version: '0.0.0',
      id: `driver-${pid}`,
      bootId: 'boot-1',
    }
    let ids = 0
    const engine = createRunEngine<MaintenanceWorld>({
      readingOf: (world, signal) => readCluster(world, clock, signal),
      journal,
      registry: maintenanceSteps,
      lease: LEASE,
      clock,
      log: silentLogger,
      driver,
      liveness: { clock, self: driver, pidAlive: other => other === pid, heartbeats: new Map() },
      newId: () => {
        ids += 1
        return `id-${pid}-${ids}`
      },
      onEvent: () => {},
      onWaiting: () => {},
    })
    const last = disk.events.at(-1)?.body
    if (last?.kind === 'run-finished') return { kind: 'finished', outcome: last.outcome, summary: last.summary }
    const runId = disk.events[0]?.runId
    try {
      const driven = runId === undefined ? engine.start(plan, world.port) : engine.resume(runId, world.port)
      if (!driven.ok && journal.died) continue
      if (!driven.ok) throw new Error(driven.failure.message)
      const rest = await driven.value.finished
      if (!journal.died) return rest
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error
    }
  }
  throw new Error('the last process lives')
}

/** Nodes that were out of service together, by what was asked of the world, in order. */
function outTogether(asked: readonly string[]): readonly (readonly string[])[] {
  const out = new Set<string>()
  return asked.flatMap(text => {
    const [verb, name] = text.split(' ')
    if (verb === 'cordon' && name !== undefined) out.add(name)
    if (verb === 'uncordon' && name !== undefined) out.delete(name)
    return [[...out]]
  })
}

function lookAtTheEnd(world: FakeWorld, where: string) {
  expect(
    world.nodes.filter(({ unschedulable }) => unschedulable).map(({ name }) => name),
    where,
  ).toEqual([])
  expect(
    world.services.filter(({ status }) => status !== 'enabled').map(({ host }) => host),
    where,
  ).toEqual([])
  for (const verb of ['cordon', 'uncordon', 'disable', 'enable']) {
    const done = world.asked.filter(text => text.startsWith(`${verb} `))
    expect(done.length, `${where}: ${verb} once a node`).toBe(NODES.length)
    expect(new Set(done).size, `${where}: ${verb} once a node`).toBe(NODES.length)
  }
  const moved = world.asked.filter(text => text.startsWith('live-migrate ')).toSorted()
  expect(moved, where).toEqual(
    NODES.flatMap(name => [`live-migrate vm-a-${name}`, `live-migrate vm-b-${name}`]).toSorted(),
  )
  for (const together of outTogether(world.asked)) {
    expect(
      BATCHES.some(batch => together.every(name => batch.some(node => node === name))),
      `${where}: ${together}`,
    ).toBe(true)
  }
}

test('batches that nobody disturbs take every node out and back once, batch by batch', async () => {
  const world = cloud()
  expect(await driveThrough([], emptyDisk(), world)).toMatchObject({ kind: 'finished', outcome: 'done' })
  lookAtTheEnd(world, 'undisturbed')
})

test('batches whose driver is killed at any write, again and again, leave no node half-way and do nothing twice', async () => {
  const whole = emptyDisk()
  await driveThrough([], whole, cloud())
  const death = fc.record({
    atAppend: fc.integer({ min: 1, max: whole.events.length }),
    written: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(death, { minLength: 1, maxLength: 4 }), async deaths => {
      const world = cloud()
      const disk = emptyDisk()
      const where = JSON.stringify(deaths)
      expect(await driveThrough(deaths, disk, world), where).toMatchObject({ kind: 'finished', outcome: 'done' })
      lookAtTheEnd(world, where)
    }),
    { numRuns: tries(8, 200) },
  )
})
