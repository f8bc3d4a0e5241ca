import { describe, expect, it } from 'vitest'
import { computeReturns } from '../../../main/procedures/steps/compute/compute-returns.ts'
import { computeServiceDown } from '../../../main/procedures/steps/compute/compute-service-down.ts'
import { computeServiceFound } from '../../../main/procedures/steps/compute/compute-service-found.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { ComputeService, Hypervisor } from '../../../shared/domain/openstack.ts'
import { failed } from '../../../shared/domain/result.ts'
import { fakeAgent } from '../../fixtures/procedures/fake-records.ts'
import { COMPUTE, fakeContext, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const UP = { state: 'up' } as const
const DOWN = { state: 'down' } as const
const RENAMED = 'cmp-1.cloud.example.org'

/** A node cmp-1 of which Nova has these records. */
function worldOf(services: readonly ComputeService[], nodes: readonly string[] = []) {
  const world = fakeWorld()
  world.nodes = ['cmp-1', ...nodes].map(name => fakeNode(name, { labels: COMPUTE }))
  world.services = [...services]
  return world
}

describe.each([
  ['enter', computeServiceFound],
  ['leave', computeReturns],
  ['rescue', computeServiceDown],
] as const)('several records of one machine in Nova, on %s', (_, step) => {
  const look = async (world: ReturnType<typeof worldOf>) => {
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    const blockers = answer?.kind === 'blocked' ? answer.blockers : []
    return {
      several: blockers.filter(({ code }) => code === 'SeveralComputeRecords'),
      warnings: answer?.warnings.map(({ code }) => code),
    }
  }

  it.each<[what: string, own: Partial<ComputeService>, other: Partial<ComputeService>, blocks: boolean]>([
    ['the one that fits best is a leftover, the other lives', DOWN, UP, false],
    ['both live', UP, UP, true],
    ['both are dead', DOWN, DOWN, true],
    ['the one that fits best lives, the other is a leftover', UP, DOWN, false],
  ])('%s', async (_, own, other, blocks) => {
    const found = await look(worldOf([fakeService('cmp-1', own), fakeService(RENAMED, { id: 'second', ...other })]))
    expect(found.several.map(({ override, message }) => [override.kind, message.includes(RENAMED)])).toEqual(
      blocks ? [['never', true]] : [],
    )
    expect(found.warnings).toEqual(blocks ? [] : ['ComputeRecordLeftOver'])
  })

  it.each([
    ['the leftover is named with what removes it', DOWN, UP, 'openstack compute service delete first'],
    ['and so it is under the other name', UP, DOWN, 'openstack compute service delete second'],
  ])('%s', async (_, own, other, command) => {
    const world = worldOf([
      fakeService('cmp-1', { id: 'first', ...own }),
      fakeService(RENAMED, { id: 'second', ...other }),
    ])
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    expect(answer?.warnings.map(({ message }) => message)).toEqual([expect.stringContaining(command)])
  })

  it('a record named after another node does not belong to this one', async () => {
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(worldOf([fakeService(RENAMED)], [RENAMED])))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: expect.arrayContaining([
        expect.objectContaining({ code: 'ComputeOfOtherNode', override: expect.objectContaining({ kind: 'never' }) }),
      ]),
    })
  })

  it('a host that another node carries does not belong to this one', async () => {
    const services = [fakeService('cmp-1'), fakeService(RENAMED)]
    expect(await look(worldOf(services, [RENAMED]))).toEqual({ several: [], warnings: [] })
  })
})

describe.each([
  ['enter', computeServiceFound, UP],
  ['leave', computeReturns, UP],
  ['rescue', computeServiceDown, DOWN],
] as const)('several agents of one kind in Neutron, on %s', (_, step, state) => {
  const DHCP = 'DHCP agent'
  const agent = (host: string, alive: boolean, id = host) => fakeAgent(host, { id, type: DHCP, alive })

  it.each<[what: string, agents: ReturnType<typeof agent>[], codes: string[]]>([
    ['none', [], []],
    ['one', [agent('cmp-1', true)], []],
    ['one of another node', [agent('cmp-1', true), agent('cmp-2', true), agent('cmp-10', false)], []],
    ['renamed with a dead leftover', [agent('cmp-1', false, 'old'), agent(RENAMED, true)], ['NetworkAgentsLeftOver']],
    [
      'a chassis made again under its name',
      [agent('cmp-1', false, 'old'), agent('cmp-1', true)],
      ['NetworkAgentsLeftOver'],
    ],
    ['two live', [agent('cmp-1', true), agent(RENAMED, true)], ['SeveralNetworkAgents']],
    ['of two kinds', [agent('cmp-1', true), fakeAgent(RENAMED, { type: 'L3 agent', alive: true })], []],
  ])('%s', async (_, agents, codes) => {
    const world = worldOf([fakeService('cmp-1', state)])
    world.agents = agents
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    const blockers = answer?.kind === 'blocked' ? answer.blockers : []
    const found = [...blockers, ...(answer?.warnings ?? [])].filter(({ code }) => code.includes('NetworkAgents'))
    expect(found.map(({ code }) => code)).toEqual(codes)
    if (codes.includes('NetworkAgentsLeftOver')) {
      expect(found[0]?.message).toContain('openstack network agent delete old')
    }
  })

  it('an agent under the name of another node belongs to that node', async () => {
    const world = worldOf([fakeService('cmp-1', state)], [RENAMED])
    world.agents = [agent('cmp-1', true), agent(RENAMED, true)]
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    expect(JSON.stringify(answer)).not.toContain('SeveralNetworkAgents')
  })
})

describe.each([
  ['enter', computeServiceFound, UP],
  ['leave', computeReturns, UP],
  ['rescue', computeServiceDown, DOWN],
] as const)('hypervisor records of a node, on %s', (_, step, state) => {
  const hypervisor = (name: string, host: string, up: ComputeService['state'] = state.state): Hypervisor => ({
    id: `${name}-of-${host}`,
    name,
    host,
    serviceId: `service-of-${host}`,
    type: 'QEMU',
    state: up,
    instances: 0,
  })
  const look = async (hypervisors: readonly Hypervisor[], nodes: readonly string[] = []) => {
    const world = worldOf([fakeService('cmp-1', state)], nodes)
    world.hypervisors = [...hypervisors]
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    const blockers = answer?.kind === 'blocked' ? answer.blockers : []
    return [...blockers, ...(answer?.warnings ?? [])].filter(({ code }) => /Hypervisor/.test(code ?? ''))
  }
  const OWN = hypervisor('cmp-1', 'cmp-1')

  it.each<[what: string, hypervisors: readonly Hypervisor[], codes: readonly string[]]>([
    ['one', [OWN], []],
    ['one of another node', [OWN, hypervisor('cmp-10', 'cmp-10')], []],
    ['two of its nova-compute', [OWN, hypervisor(RENAMED, 'cmp-1')], ['HypervisorsOfOneCompute']],
    ['bare machines of Ironic', [OWN, { ...hypervisor('cmp-1.bm', 'cmp-1'), type: 'ironic' }], []],
    ['one under another nova-compute that is up', [OWN, hypervisor('cmp-1', 'blade-7', 'up')], ['SeveralHypervisors']],
    [
      'one under another nova-compute that is down',
      [OWN, hypervisor('cmp-1', 'blade-7', 'down')],
      ['HypervisorLeftOver'],
    ],
  ])('%s', async (__, hypervisors, codes) => {
    expect((await look(hypervisors)).map(({ code }) => code)).toEqual(codes)
  })

  it('the leftover is named with what removes it', async () => {
    const [found] = await look([OWN, hypervisor('cmp-1', 'blade-7', 'down')])
    expect(found?.message).toContain('openstack compute service delete service-of-blade-7')
  })

  it('one under the name of another node belongs to that node', async () => {
    expect(await look([OWN, hypervisor(RENAMED, 'blade-7', 'up')], [RENAMED])).toEqual([])
  })

  it('unreadable ones are named, and block nothing', async () => {
    const world = worldOf([fakeService('cmp-1', state)])
    const refused = failure('not-permitted', 'You may not list the hypervisors.')
    Object.assign(world.port.openstack ?? {}, { hypervisors: async () => failed(refused) })
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    expect(answer?.warnings).toMatchObject([
      {
        code: 'HypervisorsNotRead',
        message: expect.stringContaining('You may not list the hypervisors.'),
      },
    ])
  })
})

it('a hypervisor that is down while its nova-compute is up is named', async () => {
  const world = worldOf([fakeService('cmp-1', UP)])
  const read = await world.port.openstack?.hypervisors()
  const [record] = read?.ok ? read.value : []
  world.hypervisors = record === undefined ? [] : [{ ...record, state: 'down' }]
  const answer = await computeServiceFound.check?.({ node: 'cmp-1' }, fakeContext(world))
  expect(answer?.warnings).toMatchObject([{ code: 'HypervisorDown' }])
})

describe('agents of a node that is on its way back', () => {
  it.each([
    [
      'one that reports beside a leftover is back',
      [fakeAgent('cmp-1', { id: 'old', alive: false }), fakeAgent(RENAMED)],
      'holds',
    ],
    ['it waits for a dead one under the FQDN', [fakeAgent(RENAMED, { alive: false })], 'fails'],
    ['it waits for none', [], 'holds'],
  ] as const)('%s', async (_, agents, kind) => {
    const world = worldOf([fakeService('cmp-1', UP)])
    world.agents = [...agents]
    expect(await computeReturns.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({ kind })
  })
})
