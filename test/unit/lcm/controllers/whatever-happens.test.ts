import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ControllerWorld } from '../../../../main/ports/world.ts'
import { policyOf } from '../../../../main/procedures/steps/compute/classify-instances.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { type NodeRole, rolesOf } from '../../../../shared/domain/roles.ts'
import { type FakeMaintenance, fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { COMPUTE, CONTROL, fakeInstance, fakeNode, fakeService } from '../../../fixtures/procedures/fake-world.ts'
import { tries } from '../../../fixtures/tries.ts'

const TAG = 'openstack.lcm.mirantis.com:maintenance_action='
const NODES = ['ctl-1', 'ctl-2', 'cmp-1', 'cmp-2', 'cmp-3', 'gtw-1'] as const
const COMPUTES = ['cmp-1', 'cmp-2', 'cmp-3'] as const
const LIMITS: Readonly<Record<NodeRole, number>> = { control: 1, gateway: 1, compute: 2, storage: 99 }

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      node: fc.constantFrom(...NODES),
      scope: fc.constantFrom('os' as const, 'drain' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), node: fc.constantFrom(...NODES) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, 400, 1_000, 5_000, 30_000) }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      node: fc.constantFrom(...COMPUTES),
      mode: fc.constantFrom('live', 'manual', 'skip'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tag' as const),
      of: fc.nat({ max: 5 }),
      tag: fc.constantFrom('notify', 'poweroff', 'live_migrate'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('stands' as const),
      part: fc.constantFrom('objects' as const, 'nodes' as const),
      isLive: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('ready' as const), node: fc.constantFrom(...NODES), ready: fc.boolean() }),
  },
)

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

function cluster(lagMs: number, failing: readonly string[], roleLimits: 'any' | 'own'): FakeMaintenance {
  const labels = { ctl: CONTROL, cmp: COMPUTE, gtw: { 'openstack-gateway': 'enabled' } }
  const fake = fakeMaintenance(
    {
      nodes: NODES.map(name => fakeNode(name, { labels: { ...labels[name.slice(0, 3) as 'ctl'] } })),
      services: COMPUTES.map(name => fakeService(name, { zone: name === 'cmp-3' ? 'az2' : 'az1' })),
      instances: ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) =>
        fakeInstance(id, must(COMPUTES[index % 3], 'three computes')),
      ),
      behaviour: id => (failing.includes(id) ? 'fail' : 'move'),
    },
    { computeMax: 2, roleLimits },
  )
  fake.lagMs = lagMs
  return fake
}

/** What is to hold at the instant a lock goes inactive. */
function watchPromises(fake: FakeMaintenance): string[] {
  const broken: string[] = []
  const labelsOf = (name: string) => fake.cloud.nodes.find(node => node.name === name)?.labels ?? {}
  fake.onInactive = lock => {
    const inactive = [
      lock.nodeName,
      ...fake.objects.nodeLocks.filter(other => other.state === 'inactive').map(other => other.nodeName),
    ]
    for (const role of ['control', 'gateway', 'compute'] as const) {
      const rules = fake.world.cluster.roleLabels
      const those = [...new Set(inactive)].filter(name => rolesOf(labelsOf(name), rules).includes(role))
      if (those.length > LIMITS[role]) broken.push(`${role}: ${those.join(', ')} inactive at once`)
    }
    const zones = new Set(inactive.flatMap(name => fake.cloud.services.find(each => each.host === name)?.zone ?? []))
    if (zones.size > 1) broken.push(`zones ${[...zones].join(', ')} inactive at once: ${inactive.join(', ')}`)
    const os = fake.objects.nodeRequests.some(
      request => request.nodeName === lock.nodeName && request.scope === 'os' && request.deletingSince === null,
    )
    const node = fake.cloud.nodes.find(candidate => candidate.name === lock.nodeName)
    // A request that the watch has not shown does not count yet: the lock is taken back when it does.
    if (!os || node === undefined || lock.annotations['lockkeeper.dev/prepared-scope'] !== 'os') return
    for (const instance of fake.cloud.instances.filter(each => each.host === lock.nodeName)) {
      const { action } = policyOf(instance, node)
      if (action !== 'ignore' && action !== 'poweroff')
        broken.push(`${instance.id} (${action}) runs on ${lock.nodeName}`)
    }
  }
  return broken
}

/** An API whose calls fail now and then: some never arrive, of some only the answer is lost. */
function flaky(world: ControllerWorld, fate: () => 'well' | 'refused' | 'lost'): ControllerWorld {
  const wrap = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const call = Reflect.get(target, name)
        if (typeof call !== 'function') return call
        return async (...args: readonly unknown[]) => {
          const how = fate()
          const answer = how === 'refused' ? null : await Reflect.apply(call, target, args)
          return how === 'well' ? answer : failed(failure('unreachable', 'No answer.', { retryable: true }))
        }
      },
    })
  return { ...world, locks: wrap(world.locks), openstack: wrap(must(world.openstack, 'there is a cloud')) }
}

/** What Nova was asked to do while a watch was behind is in `begunBlind`. */
async function happen(
  events: readonly Event[],
  fake: FakeMaintenance,
  given: number,
  begunBlind: string[],
): Promise<void> {
  let faults = given
  let seed = faults
  const fate = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const chance = seed / 2_147_483_648
    if (faults === 0 || chance > 0.2) return 'well'
    return chance > 0.1 ? 'refused' : 'lost'
  }
  const start = () => fake.start(undefined, flaky(fake.world, fate))
  let stop = start()
  const behind = new Set<'objects' | 'nodes'>()
  for (const each of events) {
    const asked = fake.cloud.asked.length
    const isBlind = behind.size > 0
    switch (each.kind) {
      case 'request':
        if (!fake.objects.nodeRequests.some(request => request.name === `nmr-${each.node}`)) {
          fake.request(each.node, { scope: each.scope })
        }
        break
      case 'remove':
        fake.remove(`nmr-${each.node}`)
        break
      case 'wait':
        await fake.clock.advance(each.ms)
        break
      case 'restart':
        await stop()
        behind.clear()
        stop = start()
        break
      case 'stands':
        if (each.isLive) behind.delete(each.part)
        else behind.add(each.part)
        fake.stands(each.part, each.isLive)
        break
      case 'mode':
      case 'ready':
        fake.cloud.nodes = fake.cloud.nodes.map(node =>
          node.name !== each.node
            ? node
            : each.kind === 'mode'
              ? { ...node, annotations: { [HOST_MODE_ANNOTATION]: each.mode } }
              : { ...node, readiness: each.ready ? ('ready' as const) : ('not-ready' as const) },
        )
        fake.changed()
        break
      case 'tag':
        fake.cloud.instances = fake.cloud.instances.map((instance, index) =>
          index === each.of ? { ...instance, tags: [`${TAG}${each.tag}`] } : instance,
        )
        break
    }
    if (isBlind && behind.size > 0) begunBlind.push(...fake.cloud.asked.slice(asked))
  }
  for (const part of behind) fake.stands(part, true)
  // Everybody lets go, every node is well: nothing may be left behind.
  for (const node of NODES) fake.remove(`nmr-${node}`)
  fake.cloud.nodes = fake.cloud.nodes.map(node => ({ ...node, readiness: 'ready' as const }))
  fake.changed()
  faults = 0
  await fake.clock.advance(120_000)
  await stop()
}

describe('whatever the order of events and restarts', () => {
  test.each(['any', 'own'] as const)(
    'docs/domain.md A.4, A.6: at most the allowed nodes are inactive at once, and none while an instance that must not go down runs there; nothing starts while a watch is behind; all come back (limits: %s)',
    async roleLimits => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(event, { minLength: 5, maxLength: 40 }),
          fc.constantFrom(0, 30, 900),
          fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
          fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 })),
          async (events, lagMs, failing, faults) => {
            const fake = cluster(lagMs, failing, roleLimits)
            const broken = watchPromises(fake)
            const begunBlind: string[] = []
            await happen(events, fake, faults, begunBlind)
            expect(broken).toEqual([])
            expect(begunBlind).toEqual([])
            expect(fake.objects.nodeRequests).toEqual([])
            expect(fake.objects.nodeLocks.map(({ nodeName, state }) => `${nodeName} ${state}`).sort()).toEqual(
              NODES.map(name => `${name} active`).sort(),
            )
            expect(fake.objects.nodeLocks.filter(lock => lock.innerState === 'active')).toEqual([])
            expect(fake.cloud.services.filter(service => service.status !== 'enabled')).toEqual([])
          },
        ),
        { numRuns: tries(80, 2_000) },
      )
    },
  )
})
