import { describe, expect, it } from 'vitest'
import type { OpenStackPort } from '../../../main/ports/openstack.ts'
import { destinationsExist } from '../../../main/procedures/steps/compute/destinations-exist.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance, ResourceProvider } from '../../../shared/domain/openstack.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import {
  COMPUTE,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const FLAVOR = { name: 'm1', vcpus: 2, ramMib: 2048, diskGib: 10, ephemeralGib: 0, swapMib: 0, extraSpecs: {} }

const provider = (name: string, memoryLeft: number): ResourceProvider => ({
  id: `rp-${name}`,
  name,
  capacities: { VCPU: 64, MEMORY_MB: 65_536, DISK_GB: 1000 },
  usages: { MEMORY_MB: 65_536 - memoryLeft },
})

/** Instances a, b, c … on cmp-1, and two other hosts with the given free memory. */
async function checked(
  instances: readonly Partial<Instance>[],
  {
    left = [65_536, 65_536],
    port = {},
  }: { readonly left?: readonly [number, number]; readonly port?: Partial<OpenStackPort> } = {},
  input: Readonly<Record<string, boolean>> = {},
) {
  const hosts = ['cmp-1', 'cmp-2', 'cmp-3']
  const world = fakeWorld({
    nodes: hosts.map(name => fakeNode(name, { labels: COMPUTE })),
    services: hosts.map(name => fakeService(name)),
    instances: instances.map((change, at) =>
      fakeInstance('abcdef'[at] ?? '', 'cmp-1', { flavor: FLAVOR, bootsFromVolume: true, ...change }),
    ),
  })
  const figures = [provider('cmp-1', 0), provider('cmp-2', left[0]), provider('cmp-3', left[1])]
  Object.assign(must(world.port.openstack, 'it has a cloud'), { resourceProviders: async () => ok(figures), ...port })
  return must(await destinationsExist.check?.({ node: 'cmp-1', ...input }, fakeContext(world)), 'it has a check')
}

const codes = (answer: Awaited<ReturnType<typeof checked>>) =>
  answer.kind === 'blocked' ? answer.blockers.map(({ code, message }) => `${code} ${message}`) : []
const withSpecs = (extraSpecs: Record<string, string>) => ({ flavor: { ...FLAVOR, extraSpecs } })
const unread = async () => failed(failure('not-permitted', 'It may not be read.'))

describe('before instances move (docs/moves.md)', () => {
  it('what Nova refuses is a blocker with its reason, and the plan says so of the instance', async () => {
    const answer = await checked([withSpecs({ 'accel:device_profile': 'fpga' }), {}])
    expect(codes(answer)).toEqual([
      'MoveRefused Instance vm-a (a) cannot move: It has an accelerator by its flavor: Nova does not move it live.',
    ])
    expect(answer.effects).toMatchObject([{ id: 'a', action: 'blocked' }])
  })

  it('a port decides as a flavor does', async () => {
    const portsOnHost: OpenStackPort['portsOnHost'] = async () =>
      ok([{ id: 'p', instanceId: 'b', vnicType: 'accelerator-direct', hasResourceRequest: false }])
    expect(codes(await checked([{}, {}], { port: { portsOnHost } })).join()).toMatch(/^MoveRefused Instance vm-b/)
  })

  it('unreadable ports are named, and do not count as absent', async () => {
    const answer = await checked([{}], { port: { portsOnHost: unread } })
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message)).toContain(
      'It may not be read. Lockkeeper cannot tell what Nova refuses because of ports.',
    )
  })

  it('volumes are read only where a moving instance has one', async () => {
    const asked: string[] = []
    const volumes: OpenStackPort['volumes'] = async () => {
      asked.push('volumes')
      return ok([{ id: 'v', encrypted: true, multiattach: false }])
    }
    await checked([{}], { port: { volumes } })
    expect(asked).toEqual([])
    const answer = await checked([{ volumeIds: ['v'] }], { port: { volumes } })
    expect(asked).toEqual(['volumes'])
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      'It has an encrypted volume: it moves live only if the key manager',
    )
  })

  it('traits and special resources are what Placement says of them, asked once for instances that are alike', async () => {
    const asked: unknown[] = []
    const candidateHosts: OpenStackPort['candidateHosts'] = async needs => {
      asked.push(needs)
      return ok(['cmp-1', 'cmp-3'])
    }
    const gold = withSpecs({ 'trait:CUSTOM_GOLD': 'required' })
    const answer = await checked([gold, gold, {}], { port: { candidateHosts } })
    expect(asked).toEqual([{ resources: 'VCPU:2,MEMORY_MB:2048,DISK_GB:10', required: 'CUSTOM_GOLD' }])
    expect(answer.evidence[0]?.values).toEqual({ a: ['cmp-3'], b: ['cmp-3'], c: ['cmp-2', 'cmp-3'] })
    const nowhere = await checked([gold], { port: { candidateHosts: async () => ok(['cmp-1']) } })
    expect(codes(nowhere).join()).toContain('NoDestination Instance vm-a (a) has nowhere to go: By Placement')
    const silent = await checked([gold], { port: { candidateHosts: unread } })
    expect(silent).toMatchObject({
      kind: 'ready',
      warnings: expect.arrayContaining([expect.objectContaining({ message: 'It may not be read.' })]),
    })
    expect(silent.warnings.map(({ message }) => message).join()).toContain(
      'It may not be read.,Cannot tell whether all 1 fit together:',
    )
  })

  it('an aggregate that a flavor requires is named, and rules nothing out: whether its filter is enabled is unknown', async () => {
    const ssd = withSpecs({ 'aggregate_instance_extra_specs:ssd': 'true' })
    const aggregates: OpenStackPort['aggregates'] = async () =>
      ok([
        { name: 'fast', hosts: ['cmp-2'], metadata: { ssd: 'true' } },
        { name: 'theirs', hosts: ['cmp-3'], metadata: { filter_tenant_id: 'others' } },
      ])
    const answer = await checked([ssd], { port: { aggregates } })
    expect(answer.evidence[0]?.values).toEqual({ a: ['cmp-2', 'cmp-3'] })
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      'AggregateInstanceExtraSpecsFilter is enabled, only cmp-2 can take it',
    )
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      "If Nova's AggregateMultiTenancyIsolation is enabled, cmp-3 cannot take it:",
    )
  })

  it('says that all of them fit together', async () => {
    const answer = await checked([{}, {}, {}])
    expect(answer).toMatchObject({ kind: 'ready', reason: expect.stringContaining('server groups all fit together') })
  })

  it('those that each have a place, and no place together, block: force lifts it', async () => {
    const answer = await checked([{}, {}, {}], { left: [2048, 2048] })
    expect(codes(answer)).toEqual([
      expect.stringMatching(/NoRoomTogether Instance vm-c \(c\) finds no room beside the other moves:/),
    ])
    expect(answer).toMatchObject({ blockers: [{ override: { kind: 'flag', flag: 'force' } }] })
  })

  it('where a controller moves them, that they do not fit is a warning', async () => {
    const answer = await checked([{}, {}, {}], { left: [2048, 2048] }, { waits: true })
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      'Instance vm-c (c) finds no room beside the other moves:',
    )
  })

  it('with unreadable figures it says nothing about all of them together', async () => {
    const answer = await checked([{}, {}], { port: { resourceProviders: unread } })
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      "Placement's inventories could not be read.,vm-a",
    )
  })

  it('disks that are copied are counted', async () => {
    const answer = await checked([{ bootsFromVolume: false }, { bootsFromVolume: false }, {}])
    expect(answer).toMatchObject({ reason: expect.stringContaining('Up to 20 GiB of disk is copied') })
  })
})
