import { describe, expect, it } from 'vitest'
import { bringHome } from '../../../main/procedures/steps/compute/bring-home.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { AwayInstance } from '../../../shared/domain/home.ts'
import { must } from '../../../shared/domain/must.ts'
import type { InstanceFlavor, Migration } from '../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { INSTANCE_DECIDED, INSTANCE_MOVED, MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { fakeFact, fakeFlavor, fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  type FakeWorld,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const check = must(bringHome.check, 'it checks')
const apply = must(bringHome.apply, 'it acts')
const verify = must(bringHome.verify, 'it verifies')

/** A world in which a maintenance moved these instances from `home` to `away`. */
function worldWith(ids: readonly string[]): FakeWorld {
  return fakeWorld({
    nodes: [fakeNode('home', { labels: COMPUTE })],
    services: [fakeService('home'), fakeService('away')],
    instances: ids.map(id => fakeInstance(id, 'away', { launchedAt: '2025-01-01T00:00:00Z' })),
    migrations: ids.map((id, at) => moveOf(at + 1, id, 'home', 'away')),
  })
}

function moveOf(id: number, instanceId: string, sourceHost: string, destHost: string): Migration {
  return fakeMigration({ id, instanceId, status: 'completed', sourceHost, destHost, updatedAt: '2026-01-01T00:00:00Z' })
}

function inputOf(ids: readonly string[], opens = false) {
  const away = ids.map(
    (id): AwayInstance => ({ id, name: `vm-${id}`, home: 'home', from: 'home', to: 'away', after: 0 }),
  )
  return { node: 'home', away, opens }
}

/** One processor and a gibibyte. */
const FLAVOR: InstanceFlavor = fakeFlavor({ name: 'm' })
const TEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

describe('bringing instances home', () => {
  it('brings ten back to where they were, each by one request that names the host, and proves it by a look', async () => {
    const world = worldWith(TEN)
    const ctx = fakeContext(world, { options: { concurrency: 3 } })
    expect(await check(inputOf(TEN), ctx)).toMatchObject({ kind: 'ready' })
    expect(await apply(inputOf(TEN), ctx)).toMatchObject({
      kind: 'applied',
      note: 'Brought back 10 instances to home.',
    })
    expect(world.asked).toEqual(TEN.map(id => `live-migrate ${id} to home`))
    expect(world.instances.map(({ host }) => host)).toEqual(TEN.map(() => 'home'))
    expect(await verify(inputOf(TEN), ctx)).toMatchObject({ kind: 'holds', reason: '10 instances are on home now.' })
  })

  it('leaves one that somebody moved meanwhile where it is, and says so', async () => {
    const world = worldWith(['a', 'b', 'c'])
    world.instances = world.instances.map(each => (each.id === 'b' ? { ...each, host: 'third' } : each))
    world.migrations = [...world.migrations, moveOf(9, 'c', 'away', 'third'), moveOf(10, 'c', 'third', 'away')]
    const ctx = fakeContext(world)
    const answer = await check(inputOf(['a', 'b', 'c']), ctx)
    expect(answer.warnings[0]?.message).toBe(
      '2 instances stay where they are: vm-b (b): it was moved since: it went to away and is now on third, vm-c (c): it was moved since, from third to away.',
    )
    await apply(inputOf(['a', 'b', 'c']), ctx)
    expect(world.asked).toEqual(['live-migrate a to home'])
    expect(await verify(inputOf(['a', 'b', 'c']), ctx)).toMatchObject({ kind: 'holds' })
  })

  it.each<[string, readonly Result<readonly string[]>[], number]>([
    ['before Placement has opened the host', [ok(['home']), ok(['home']), ok(['third'])], 3],
    ['before it has, also where Placement names it by its FQDN', [ok(['home.cloud.example']), ok([])], 2],
    ['and waits for nothing where the host is open, however full it is', [ok([])], 1],
    ['and waits for nothing where Placement does not tell', [failed(failure('bad-input', 'It is too old.'))], 1],
  ])('asks for no move %s', async (_what, answers, looks) => {
    const world = worldWith(['a'])
    const cloud = must(world.port.openstack, 'it has a cloud')
    const askedThen: number[] = []
    const closedHosts: typeof cloud.closedHosts = async () => {
      askedThen.push(world.asked.length)
      return must(answers[askedThen.length - 1], 'it is asked no more often')
    }
    Object.assign(world.port, { openstack: { ...cloud, closedHosts, candidateHosts: async () => ok([]) } })
    await apply(inputOf(['a']), fakeContext(world))
    expect(askedThen).toEqual(Array.from({ length: looks }, () => 0))
    expect(world.asked).toEqual(['live-migrate a to home'])
  })

  it('asks once more at the end of half a minute: then the move itself tells', async () => {
    const world = worldWith(['a'])
    const cloud = must(world.port.openstack, 'it has a cloud')
    let looks = 0
    const closedHosts: typeof cloud.closedHosts = async () => {
      looks += 1
      return ok(['home'])
    }
    Object.assign(world.port, { openstack: { ...cloud, closedHosts } })
    await apply(inputOf(['a']), fakeContext(world))
    expect({ looks, asked: world.asked }).toEqual({ looks: 31, asked: ['live-migrate a to home'] })
  })

  it('says at once that no instance fits on a full host, without a wait or a question', async () => {
    const world = worldWith(['a'])
    world.instances = world.instances.map(each => ({ ...each, flavor: FLAVOR }))
    const cloud = must(world.port.openstack, 'it has a cloud')
    const provider = (name: string, vcpus: number) => ({
      id: name,
      name,
      capacities: { VCPU: vcpus, MEMORY_MB: 1_000_000, DISK_GB: 1_000_000 },
      usages: { VCPU: 8, MEMORY_MB: 0, DISK_GB: 0 },
    })
    const closedHosts: typeof cloud.closedHosts = async () => {
      throw new Error('nothing moves, so there is no wait')
    }
    const resourceProviders = async () => ok([provider('home', 8), provider('away', 64)])
    Object.assign(world.port, { openstack: { ...cloud, closedHosts, resourceProviders } })
    const ctx = fakeContext(world)
    expect((await check(inputOf(['a']), ctx)).warnings[0]?.message).toContain('it does not fit on home')
    expect(await apply(inputOf(['a']), ctx)).toMatchObject({
      kind: 'applied',
      note: expect.stringContaining('it does not fit on home'),
    })
    expect(world.asked).toEqual([])
  })

  it('leaves one where it is whose host is down: nothing there can hand it over', async () => {
    const world = worldWith(['a', 'b'])
    world.services = [fakeService('home'), fakeService('away', { state: 'down' })]
    const ctx = fakeContext(world)
    const answer = await check(inputOf(['a', 'b']), ctx)
    expect(answer).toMatchObject({ kind: 'done' })
    expect(answer.warnings[0]?.message).toContain('vm-a (a): nova-compute on its node away is down')
    await apply(inputOf(['a', 'b']), ctx)
    expect(world.asked).toEqual([])
  })

  it.each([
    ['one list of instances and one of migrations a host serve all who are there', {}, []],
    ['one in neither list is read separately', { third: 'b' }, ['b']],
    ['where a list cannot be read, each is', { isUnlisted: true }, TEN],
  ] as const)('%s', async (_, setting: { third?: string; isUnlisted?: boolean }, byThemselves) => {
    const world = worldWith(TEN)
    world.instances = world.instances.map(each => (each.id === setting.third ? { ...each, host: 'third' } : each))
    const cloud = must(world.port.openstack, 'it has a cloud')
    const asked: string[] = []
    const listening: typeof cloud = {
      ...cloud,
      getInstance: async (id, signal) => {
        asked.push(id)
        return cloud.getInstance(id, signal)
      },
      instancesOnHost: async (host, ...more) =>
        setting.isUnlisted ? failed(failure('unreachable', 'No answer.')) : cloud.instancesOnHost(host, ...more),
    }
    Object.assign(world.port, { openstack: listening })
    expect((await check(inputOf(TEN), fakeContext(world))).kind).toBe('ready')
    expect(asked).toEqual(byThemselves)
  })

  it('says in the plan what could not be weighed', async () => {
    const world = worldWith(['a'])
    const openstack = must(world.port.openstack, 'it has a cloud')
    const resourceProviders = async () => failed(failure('unreachable', 'Placement cannot be reached.'))
    Object.assign(world.port, {
      openstack: { ...openstack, resourceProviders },
    })
    const answer = await check(inputOf(['a']), fakeContext(world))
    expect(answer.warnings.map(({ message }) => message)).toContain('Placement cannot be reached.')
  })

  it('is not verified while a requested one is missing', async () => {
    const world = worldWith(['a', 'b'])
    world.behaviour = id => (id === 'a' ? 'fail' : 'move')
    const ctx = fakeContext(world)
    expect(await apply(inputOf(['a', 'b']), ctx)).toMatchObject({
      kind: 'question',
      choices: ['retry', 'skip', 'abort'],
    })
    expect(await verify(inputOf(['a', 'b']), ctx)).toMatchObject({
      kind: 'fails',
      reason: 'Not back on home: vm-a (a).',
    })
  })

  it('is verified without one of which it was decided that it stays, and names it', async () => {
    const world = worldWith(['a', 'b'])
    world.behaviour = id => (id === 'a' ? 'fail' : 'move')
    const ctx = fakeContext(world)
    await apply(inputOf(['a', 'b']), ctx)
    ctx.report(INSTANCE_DECIDED, 'server/a', { name: 'vm-a', choice: 'skip', by: 'eva', reason: 'too big' })
    expect(await verify(inputOf(['a', 'b']), ctx)).toMatchObject({
      kind: 'holds',
      reason: '1 instance is on home now. 1 instance left where it is, as decided: vm-a (a).',
    })
  })

  it('takes as many as fit on the host by Placement, and names the others', async () => {
    const world = worldWith(['a', 'b', 'c'])
    world.instances = world.instances.map(each => ({ ...each, flavor: FLAVOR }))
    const port = must(world.port.openstack, 'the fake world has a cloud')
    port.resourceProviders = async () => ({
      ok: true,
      value: [{ id: 'p', name: 'home', capacities: { VCPU: 8, MEMORY_MB: 2048 }, usages: { VCPU: 0, MEMORY_MB: 0 } }],
    })
    const ctx = fakeContext(world)
    await apply(inputOf(['a', 'b', 'c']), ctx)
    expect(world.asked).toEqual(['live-migrate a to home', 'live-migrate b to home'])
    const answer = await check(inputOf(['c']), fakeContext(world))
    expect(answer.kind, 'alone it fits by this Placement, whose figures nobody changed').toBe('ready')
  })

  it('leaves who is deleted, stopped, or its owner’s to move, each with its reason', async () => {
    const world = worldWith(['gone', 'off', 'theirs'])
    world.instances = world.instances
      .filter(({ id }) => id !== 'gone')
      .map(each =>
        each.id === 'off'
          ? { ...each, status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }
          : { ...each, tags: ['openstack.lcm.mirantis.com:maintenance_action=notify'] },
      )
    const answer = await check(inputOf(['gone', 'off', 'theirs']), fakeContext(world))
    expect(answer.kind).toBe('done')
    expect(answer.warnings.map(({ message }) => message).join(' ')).toMatch(
      /gone.*no longer exists.*off.*stopped.*theirs.*its owner/,
    )
  })

  it('does not begin while Nova does not use the host, unless an earlier step of the plan has it used again', async () => {
    const world = worldWith(['a'])
    world.services = [fakeService('home', { status: 'disabled', disabledReason: 'disk' }), fakeService('away')]
    expect(await check(inputOf(['a']), fakeContext(world))).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'HomeTakesNone', message: expect.stringContaining('is disabled (disk)') }],
    })
    expect(await check(inputOf(['a'], true), fakeContext(world))).toMatchObject({ kind: 'ready' })
    expect(await apply(inputOf(['a'], true), fakeContext(world))).toMatchObject({ kind: 'question' })
    expect(world.asked).toEqual([])
  })

  it('waits for one that the maintenance still moves away, and brings it home then', async () => {
    const world = worldWith([])
    world.instances = [fakeInstance('a', 'home', { launchedAt: '2025-01-01T00:00:00Z' })]
    await must(world.port.openstack, 'a cloud').liveMigrate('a', 'away')
    const input = {
      node: 'home',
      away: [{ id: 'a', name: 'vm-a', home: 'home', from: 'home', to: null, after: 0 }],
      opens: false,
    }
    const ctx = fakeContext(world)
    expect(await check(input, ctx)).toMatchObject({ kind: 'ready' })
    expect(await apply(input, ctx)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual(['live-migrate a to away', 'live-migrate a to home'])
    expect(world.instances.map(({ host }) => host)).toEqual(['home'])
  })

  it('killed after its request, follows it and asks for nothing twice', async () => {
    const world = worldWith(['a', 'b'])
    const before = fakeContext(world)
    before.announce(MIGRATION_REQUESTED, 'server/a', {
      name: 'vm-a',
      attempt: 1,
      source: 'away',
      to: 'home',
      statusBefore: 'ACTIVE',
      knownMigrationId: 2,
      ramMib: null,
    })
    await must(world.port.openstack, 'a cloud').liveMigrate('a', 'home')
    const resumed = fakeContext(world, { facts: before.facts, resumed: true })
    expect(await apply(inputOf(['a', 'b']), resumed)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual(['live-migrate a to home', 'live-migrate b to home'])
    expect(resumed.facts.filter(({ fact }) => fact === INSTANCE_MOVED)).toHaveLength(2)
  })

  it('that is unknown in the plan follows the earlier events of the same run', async () => {
    const world = worldWith(['a'])
    const facts = [fakeFact(INSTANCE_MOVED, 'server/a', { name: 'vm-a', from: 'home', to: 'away' })]
    const own: typeof facts = []
    const ctx = { ...fakeContext(world, { facts: own }), history: () => own, runHistory: () => [...facts, ...own] }
    const input = { node: 'home', away: null, opens: true }
    await apply(input, ctx)
    expect(world.asked).toEqual(['live-migrate a to home'])
    expect(await verify(input, ctx)).toMatchObject({ kind: 'holds', reason: '1 instance is on home now.' })
  })
})
