import { describe, expect, it } from 'vitest'
import { batchesFit } from '../../../../main/procedures/steps/rolling/batches-fit.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { provider, vm } from '../../../fixtures/batches/small-cloud.ts'
import {
  COMPUTE,
  CONTROL,
  fakeCluster,
  fakeContext,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'

const check = must(batchesFit.check, 'it is a check')
const HOSTS = ['cmp-1', 'cmp-2', 'cmp-3']

/** Three hosts with one instance each, and room for two; `isPlacementSilent`: Placement does not tell how much. */
async function checked(
  batches: readonly string[][],
  more: { warns?: boolean; isStill?: boolean; isPlacementSilent?: boolean; under?: string } = {},
) {
  const instances = HOSTS.map(host => vm(`of-${host}`, host, 2))
  const world = fakeWorld({
    nodes: HOSTS.map(name => fakeNode(name, { labels: COMPUTE })),
    services: HOSTS.map(name => fakeService(name)),
    instances,
  })
  const room = HOSTS.map(name =>
    provider(
      name,
      4,
      instances.filter(({ host }) => host === name),
    ),
  )
  const silent = async () => failed(failure('unreachable', 'Placement does not answer.'))
  const { openstack } = world.port
  world.port = {
    ...world.port,
    openstack: openstack && {
      ...openstack,
      resourceProviders: more.isPlacementSilent === true ? silent : async () => ok(room),
    },
  }
  return check(
    { [more.under ?? 'batches']: [...batches], warns: more.warns ?? false, isStill: more.isStill ?? false },
    fakeContext(world),
  )
}

describe('the instances of batches find a place, by the judgement that is shown when batches are made', () => {
  it('one node after the other', async () => {
    expect(await checked([['cmp-1'], ['cmp-2'], ['cmp-3']])).toMatchObject({
      kind: 'ready',
      reason: '4 moves in 3 batches, with room for each.',
      warnings: [],
    })
  })

  it.each(['batches', 'waves'])('by the name that a plan of its version has for them: %s', async under => {
    expect(await checked([['cmp-1', 'cmp-2'], ['cmp-3']], { under })).toMatchObject({ kind: 'blocked' })
  })

  it('what cannot be read is never that there are none', async () => {
    expect(await checked([['cmp-1', 'cmp-2']], { under: 'nobody-knows' })).toMatchObject({
      kind: 'blocked',
      blockers: [{ message: expect.stringContaining('Lockkeeper cannot read the batches of this plan') }],
    })
  })

  it('not two nodes at once where the third has room for one: blocked, and forced by --force', async () => {
    expect(await checked([['cmp-1', 'cmp-2'], ['cmp-3']])).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          code: 'BatchDoesNotFit',
          message: expect.stringMatching(/cmp-1, cmp-2: 1 of 2 instances that must move find no room:/),
          override: { kind: 'flag', flag: 'force' },
        },
      ],
    })
  })

  it('where no instance moves, room is not judged', async () => {
    expect(await checked([['cmp-1', 'cmp-2']], { isStill: true, isPlacementSilent: true })).toMatchObject({
      kind: 'ready',
      reason: '0 moves in 1 batch.',
      warnings: [],
    })
  })

  it('where OpenStack’s controller moves them it only warns: it waits without an answer', async () => {
    expect(await checked([['cmp-1', 'cmp-2']], { warns: true })).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining('1 of 2 instances that must move find no room') }],
    })
  })

  it('where nobody can tell, the start says so too', async () => {
    expect(await checked([['cmp-1']], { isPlacementSilent: true })).toMatchObject({
      kind: 'ready',
      reason: '1 move in 1 batch.',
      warnings: [{ message: expect.stringMatching(/cmp-1: cannot tell whether 1 instance fit:/) }],
    })
  })

  it.each([
    ['control-plane nodes do not leave together while nobody knows who else keeps a quorum', CONTROL, 'blocked'],
    ['compute nodes hold no member of it', COMPUTE, 'ready'],
  ])('%s', async (_rule, labels, kind) => {
    const nodes = ['one', 'two', 'three'].map(name => fakeNode(name, { labels }))
    const world = fakeWorld({ nodes, services: [], instances: [] })
    const { kubernetes } = world.port
    const listWorkloads = async () => failed(failure('unreachable', 'The API server does not answer.'))
    world.port = {
      ...world.port,
      cluster: fakeCluster({ flavour: 'mosk' }),
      kubernetes: { ...kubernetes, listWorkloads },
    }
    const answer = await check({ batches: [['one', 'two']], isStill: true, together: true }, fakeContext(world))
    expect(answer).toMatchObject({ kind })
  })
})
