import { describe, expect, it } from 'vitest'
import { computeReturns } from '../../../main/procedures/steps/compute/compute-returns.ts'
import { computeServiceDown } from '../../../main/procedures/steps/compute/compute-service-down.ts'
import { computeServiceFound } from '../../../main/procedures/steps/compute/compute-service-found.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
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

  it('a record that only another node bears the name of is none of this one', async () => {
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(worldOf([fakeService(RENAMED)], [RENAMED])))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: expect.arrayContaining([
        expect.objectContaining({ code: 'ComputeOfOtherNode', override: expect.objectContaining({ kind: 'never' }) }),
      ]),
    })
  })

  it('a host that another node carries is no record of this one', async () => {
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

  it('an agent under the very name of another node is of that node', async () => {
    const world = worldOf([fakeService('cmp-1', state)], [RENAMED])
    world.agents = [agent('cmp-1', true), agent(RENAMED, true)]
    const answer = await step.check?.({ node: 'cmp-1' }, fakeContext(world))
    expect(JSON.stringify(answer)).not.toContain('SeveralNetworkAgents')
  })
})

describe('agents of a node that is on its way back', () => {
  it.each([
    [
      'one that reports beside a leftover is back',
      [fakeAgent('cmp-1', { id: 'old', alive: false }), fakeAgent(RENAMED)],
      'holds',
    ],
    ['one under the FQDN that is dead is waited for', [fakeAgent(RENAMED, { alive: false })], 'fails'],
    ['none is waited for', [], 'holds'],
  ] as const)('%s', async (_, agents, kind) => {
    const world = worldOf([fakeService('cmp-1', UP)])
    world.agents = [...agents]
    expect(await computeReturns.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({ kind })
  })
})
