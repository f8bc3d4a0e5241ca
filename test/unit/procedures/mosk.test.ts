// One procedure in one file: the same way through the API, first whole and then with each thing that can happen on it.

import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { readCluster } from '../../../main/platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import { maintenanceSteps } from '../../../main/procedures/registry.ts'
import { nodeLeaseKeeper } from '../../../main/procedures/steps/general/node-lease.ts'
import { awaitLocks } from '../../../main/procedures/steps/requests/await-locks.ts'
import { serverNow } from '../../../main/procedures/steps/requests/controller-life.ts'
import { createRunEngine } from '../../../main/runs/engine/run-engine.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import type { PlannedNodeRunKind, RunOptions } from '../../../shared/domain/plan.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import { ok } from '../../../shared/domain/result.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { instantWords } from '../../../shared/grammar/times.ts'
import { found } from '../../../shared/words/step-texts.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { type Death, type Disk, emptyDisk, memoryJournal, ProcessDied } from '../../fixtures/engine/memory-journal.ts'
import type { FakeMaintenance } from '../../fixtures/procedures/fake-controllers.ts'
import { fakeContext, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { type MoskCloud, moskCloud } from '../../fixtures/procedures/lcm-world.ts'
import { nodeLock } from '../../fixtures/procedures/node-lock.ts'

const OPTIONS: RunOptions = {
  ...DEFAULT_RUN_OPTIONS,
  drainTimeoutMs: 60_000,
  reason: 'ticket 4711',
}

/** A process of the console over a disk. */
function consoleOver(disk: Disk, fake: FakeMaintenance, pid = 1, death: Death | null = null) {
  const journal = memoryJournal(disk, fake.clock, death)
  let ids = 0
  const engine = createRunEngine<MaintenanceWorld>({
    readingOf: (world, signal) => readCluster(world, fake.clock, signal),
    journal,
    registry: maintenanceSteps,
    lease: nodeLeaseKeeper({ ...DRIVER, pid, id: `driver-${pid}` }),
    clock: fake.clock,
    log: silentLogger,
    driver: { ...DRIVER, pid, id: `driver-${pid}` },
    liveness: {
      clock: fake.clock,
      self: { ...DRIVER, pid, id: `driver-${pid}` },
      pidAlive: other => other === pid,
      heartbeats: new Map(),
    },
    newId: () => `id-${pid}-${++ids}`,
    onEvent: () => {},
    onWaiting: () => {},
  })
  return { engine, journal }
}

async function begin(fake: MoskCloud, kind: PlannedNodeRunKind, node = 'cmp-1') {
  const disk = emptyDisk()
  const { engine } = consoleOver(disk, fake)
  const plan = await makePlan({ id: 'p', kind, node, madeAt: '', options: OPTIONS }, fake.lcm.world)
  if (!plan.ok) throw new Error(plan.failure.message)
  const run = engine.start(plan.value, fake.lcm.world)
  if (!run.ok) throw new Error(run.failure.message)
  return { disk, run: run.value, view: () => foldRun(disk.events) }
}

/** The effects of a run's steps, in order: what was asked of the cluster by LCM. */
const askedBy = (fake: MoskCloud) => [
  ...fake.lcm.calls,
  ...fake.cloud.asked.filter(asked => /^(un)?cordon/.test(asked)),
]

describe('entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4)', () => {
  it('requests, waits for every lock, then cordons and drains; the way back removes the request and sees the locks active', async () => {
    const fake = moskCloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const entering = await begin(fake, 'enter')
    await fake.clock.advance(120_000)
    expect(await entering.run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(fake.lock('cmp-1').state).toBe('inactive')
    expect(askedBy(fake)).toEqual(['create cmp-1', 'cordon cmp-1'])
    expect(fake.cloud.instances.map(instance => instance.host)).toEqual(['elsewhere', 'elsewhere'])

    const leaving = await begin(fake, 'leave')
    await fake.clock.advance(120_000)
    expect(await leaving.run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(askedBy(fake)).toEqual(['create cmp-1', 'delete cmp-1', 'cordon cmp-1', 'uncordon cmp-1'])
    expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', errorMessage: '' })
    expect(fake.objects.nodeRequests).toEqual([])
    expect(fake.cloud.services.every(service => service.status === 'enabled')).toBe(true)
    await stop()
  })

  it('the request carries run, operator’s reason and scope; never is a lock or a service touched by LCM itself', async () => {
    const fake = moskCloud({
      controllers: { openstack: 'cluster', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
    })
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { run } = await begin(fake, 'enter')
    await fake.clock.advance(500)
    expect(fake.objects.nodeRequests[0]).toMatchObject({
      nodeName: 'cmp-1',
      scope: 'os',
      annotations: {
        [REQUEST_RUN_ANNOTATION]: run.runId,
        [REQUEST_OPERATOR_ANNOTATION]: 'eva',
        [REQUEST_REASON_ANNOTATION]: 'ticket 4711',
      },
    })
    await fake.clock.advance(120_000)
    await run.finished
    await stop()
  })

  it('nothing is cordoned while a lock is not inactive; a lock that does not move becomes a question that names what it waits for', async () => {
    const fake = moskCloud()
    fake.cloud.nodes = fake.cloud.nodes.map(node =>
      node.name === 'cmp-1'
        ? { ...node, annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' } }
        : node,
    )
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { run, view } = await begin(fake, 'enter')
    await fake.clock.advance(50_000)
    expect(view().state.kind).toBe('running')
    await fake.clock.advance(30_000)
    expect(view().state).toMatchObject({ kind: 'waiting', stepId: 'node-locks-inactive' })
    expect(view().openGates[0]?.question).toMatch(
      /No progress on cmp-1 for 1 min\. openstack: Some servers are still present on the host/,
    )
    expect(askedBy(fake)).toEqual(['create cmp-1'])

    // The operator changes the host's mode and says: look again.
    fake.cloud.nodes = fake.cloud.nodes.map(node => ({ ...node, annotations: {} }))
    fake.changed()
    const gate = must(view().openGates[0], 'it asks')
    run.control({ kind: 'answer', gateId: gate.gateId, choice: 'retry', reason: '', by: 'eva' })
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    await stop()
  })

  it('seed 001: a lock whose controller gave up is asked about at once, in its own words, whatever kind of sentence they are', async () => {
    for (const [said, asked] of [
      ['Can not stop nova-compute', 'openstack gave up on cmp-1: Can not stop nova-compute.'],
      ['Starting migration for a', 'openstack gave up on cmp-1: Starting migration for a.'],
      ['', 'openstack gave up on cmp-1 and does not say why.'],
    ] as const) {
      const fake = moskCloud({ blockedAfterMs: 600_000 })
      const stop = fake.start()
      await fake.clock.advance(5_000)
      await stop()
      const { run, view } = await begin(fake, 'enter')
      await fake.clock.advance(3_000)
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock =>
          lock.nodeName === 'cmp-1' ? { ...lock, state: 'failed', errorMessage: said } : lock,
        ),
      }
      await fake.clock.advance(3_000)
      expect(view().openGates).toMatchObject([
        {
          stepId: 'node-locks-inactive',
          question: expect.stringContaining(asked),
          choices: ['retry', 'skip', 'abort'],
        },
      ])
      expect(fake.cloud.asked.filter(asked => asked.startsWith('cordon'))).toEqual([])
      run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
      await fake.clock.advance(5_000)
      await run.finished
    }
  })

  it('a silent lock that does not change is named within half a minute, with the time of its last write', async () => {
    const fake = moskCloud({ blockedAfterMs: 600_000 })
    const stop = fake.start()
    await fake.clock.advance(5_000)
    // The controller's process is stopped; its pod still shows as ready.
    await stop()
    fake.objects = {
      ...fake.objects,
      nodeLocks: fake.objects.nodeLocks.map(lock => ({
        ...lock,
        writers: [
          { manager: 'rockoon', at: new Date(fake.clock.now() - 240_000).toISOString(), subresource: 'status' },
        ],
      })),
    }
    const { run, view } = await begin(fake, 'enter')
    await fake.clock.advance(33_000)
    const reported = view().steps.flatMap(({ facts }) => facts.map(({ values }) => values))
    expect(reported).toContainEqual(
      expect.objectContaining({
        kind: 'blocked',
        message: expect.stringMatching(/it has not changed for 30 s \(last written 4 min ago by rockoon;/),
      }),
    )
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await fake.clock.advance(5_000)
    await run.finished
  })

  it('the run notices that somebody removed the request, and does not rely on the locks', async () => {
    const fake = moskCloud()
    const { run, view } = await begin(fake, 'enter')
    await fake.clock.advance(1_000)
    // No controller runs: the checks say so before any request.
    expect(view().state).toMatchObject({ kind: 'finished', outcome: 'checks-failed' })
    expect(fake.lcm.calls).toEqual([])
    await run.finished
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.cloud.behaviour = () => 'fail'
    const second = await begin(fake, 'enter')
    await fake.clock.advance(10_000)
    fake.remove('cmp-1')
    await fake.clock.advance(120_000)
    expect(second.view().openGates[0]?.question).toContain('The maintenance request of cmp-1 was removed')
    expect(fake.cloud.asked).not.toContain('cordon cmp-1')
    second.run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await fake.clock.advance(10_000)
    await second.run.finished
    await stop()
  })

  it('a controller that repeats itself with a later time does not move', async () => {
    const fake = moskCloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    const { run, view } = await begin(fake, 'enter')
    for (let second = 0; second < 70; second += 5) {
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock => ({
          ...lock,
          errorMessage: `2026-01-01 00:00:${String(second % 60).padStart(2, '0')}.000000 Waiting for something`,
        })),
      }
      await fake.clock.advance(5_000)
    }
    expect(view().openGates[0]?.question).toContain('Waiting for something')
    expect(view().steps.flatMap(({ facts }) => facts.map(({ values }) => values.message))).toEqual(
      expect.arrayContaining(['Waiting for something']),
    )
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await fake.clock.advance(10_000)
    await run.finished
  })

  it('nodes that wait side by side share their looks at the cluster', async () => {
    const fake = moskCloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    const names = Array.from({ length: 20 }, (_, index) => `n-${index}`)
    fake.cloud.nodes = names.map(name => fakeNode(name))
    fake.objects = { ...fake.objects, nodeLocks: names.map(name => nodeLock('openstack', name)) }
    let lists = 0
    const world = {
      ...fake.lcm.world,
      maintenanceApi: {
        ...fake.lcm.world.maintenanceApi,
        objects: async () => {
          lists += 1
          return ok(fake.objects)
        },
      },
    }
    const ending = new AbortController()
    const ctx = { ...fakeContext(fake.cloud), world, clock: fake.clock, signal: ending.signal }
    const waits = names.map(node =>
      awaitLocks(
        {
          node,
          open: ({ locks }) => locks,
          more: () => null,
          failedForMs: 0,
          step: 'node-locks-active',
          done: () => found('AllNodeLocksActive'),
        },
        ctx,
      ),
    )
    await fake.clock.advance(10_000)
    // Each reads once, then one reading a second serves all.
    expect(lists).toBeLessThanOrEqual(names.length + 11)
    ending.abort()
    await fake.clock.advance(1)
    expect(await Promise.all(waits)).toEqual(names.map(() => ({ kind: 'stopped' })))
  })

  it('for several unchanged locks the API server is read once for its time, and Keystone and Nova are not', async () => {
    const fake = moskCloud()
    const writers = [{ manager: 'rockoon', at: new Date(fake.clock.now()).toISOString(), subresource: 'status' }]
    fake.objects = {
      ...fake.objects,
      nodeLocks: ['openstack', 'ceph'].map(controller => nodeLock(controller, 'cmp-1', { writers })),
    }
    const asked: string[] = []
    const world: MaintenanceWorld = {
      ...fake.lcm.world,
      clocks: async () => {
        asked.push('all')
        return []
      },
      apiServerClock: async () => {
        asked.push('API server')
        return null
      },
    }
    const ending = new AbortController()
    const ctx = { ...fakeContext(fake.cloud), world, clock: fake.clock, signal: ending.signal }
    const wait = awaitLocks(
      {
        node: 'cmp-1',
        open: ({ locks }) => locks,
        more: () => null,
        failedForMs: 0,
        step: 'node-locks-active',
        done: () => found('AllNodeLocksActive'),
      },
      ctx,
    )
    await fake.clock.advance(33_000)
    expect(asked).toEqual(['API server'])
    expect(ctx.facts.map(({ values }) => values.message)).toContainEqual(
      expect.stringContaining(`(last written at ${instantWords(writers[0]?.at ?? '')} by rockoon)`),
    )
    ending.abort()
    await fake.clock.advance(1)
    await wait
  })

  it('an API server that does not tell its time keeps nobody waiting', async () => {
    const world = fakeWorld()
    world.port = { ...world.port, apiServerClock: () => new Promise(() => {}) }
    expect(await serverNow(fakeContext(world))).toBeNull()
  })

  it('a request that somebody made between our look and our write is taken as it is, not failed', async () => {
    const fake = moskCloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { createNodeRequest } = fake.lcm.world.maintenanceApi
    Object.assign(fake.lcm.world.maintenanceApi, {
      createNodeRequest: async (...of: Parameters<typeof createNodeRequest>) => {
        if (fake.objects.nodeRequests.length === 0) fake.request('cmp-1', { name: 'cmp-1' })
        return createNodeRequest(...of)
      },
    })
    const { run } = await begin(fake, 'enter')
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(fake.objects.nodeRequests).toHaveLength(1)
    expect(fake.lcm.calls).toEqual([])
    await stop()
  })

  it('docs/domain.md A.2: what somebody else disabled stays disabled on the way back, and is named', async () => {
    const fake = moskCloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.cloud.services = fake.cloud.services.map(service => ({
      ...service,
      status: 'disabled',
      disabledReason: 'broken disk',
    }))
    await (async () => {
      const { run } = await begin(fake, 'enter')
      await fake.clock.advance(120_000)
      await run.finished
    })()
    const { run, view } = await begin(fake, 'leave')
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    const step = must(
      view().steps.find(({ step: { kind } }) => kind === 'compute-given-back'),
      'it looks at nova-compute',
    )
    expect(step.check?.warnings[0]?.message).toContain('broken disk')
    expect(fake.cloud.services[0]).toMatchObject({ status: 'disabled', disabledReason: 'broken disk' })
    await stop()
  })

  it.each([
    ['enter', ['create cmp-1'], 'inactive'],
    ['leave', ['create cmp-1', 'delete cmp-1'], 'active'],
  ] as const)('killed at any write of %s and resumed, nothing is requested twice', async (kind, calls, state) => {
    const ready = async () => {
      const fake = moskCloud()
      const stop = fake.start()
      await fake.clock.advance(5_000)
      if (kind === 'leave') {
        const { run } = await begin(fake, 'enter')
        await fake.clock.advance(120_000)
        await run.finished
      }
      return { fake, stop }
    }
    const whole = await (async () => {
      const { fake, stop } = await ready()
      const { disk, run } = await begin(fake, kind)
      await fake.clock.advance(120_000)
      await run.finished
      await stop()
      return disk.events.length
    })()
    for (let atAppend = 1; atAppend <= whole; atAppend += 1) {
      const { fake, stop } = await ready()
      const disk = emptyDisk()
      const plan = await makePlan({ id: 'p', kind, node: 'cmp-1', madeAt: '', options: OPTIONS }, fake.lcm.world)
      const first = consoleOver(disk, fake, 1, { atAppend, written: atAppend % 2 === 0 })
      try {
        const run = plan.ok ? first.engine.start(plan.value, fake.lcm.world) : plan
        await fake.clock.advance(120_000)
        if (run.ok) await run.value.finished
      } catch (error) {
        if (!(error instanceof ProcessDied)) throw error
      }
      const runId = disk.events[0]?.runId
      if (runId !== undefined && disk.events.at(-1)?.body.kind !== 'run-finished') {
        const second = consoleOver(disk, fake, 2).engine.resume(runId, fake.lcm.world)
        if (!second.ok) throw new Error(second.failure.message)
        await fake.clock.advance(240_000)
        expect(await second.value.finished, `killed at write ${atAppend}`).toEqual({
          kind: 'finished',
          outcome: 'done',
        })
        expect(fake.lcm.calls, `killed at write ${atAppend}`).toEqual(calls)
        expect(fake.lock('cmp-1').state).toBe(state)
      }
      await stop()
    }
  })
})
