import { describe, expect, it } from 'vitest'
import { computeReturns } from '../../../main/procedures/steps/compute/compute-returns.ts'
import { computeServiceDown } from '../../../main/procedures/steps/compute/compute-service-down.ts'
import { computeServiceFound } from '../../../main/procedures/steps/compute/compute-service-found.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
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
    ['the one that fits best is dead, the other lives', DOWN, UP, true],
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

  it('a host that another node carries is no record of this one', async () => {
    const services = [fakeService('cmp-1'), fakeService(RENAMED)]
    expect(await look(worldOf(services, [RENAMED]))).toEqual({ several: [], warnings: [] })
  })
})
