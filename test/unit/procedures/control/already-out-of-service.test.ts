import { describe, expect, test } from 'vitest'
import { alreadyOutOfService } from '../../../../main/procedures/steps/general/already-out-of-service.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { fakeFact } from '../../../fixtures/procedures/fake-records.ts'
import {
  fakeContext,
  fakeNode,
  fakeService,
  fakeWorld,
  withSilentNova,
} from '../../../fixtures/procedures/fake-world.ts'

const check = (world: Parameters<typeof fakeWorld>[0], facts: RunFact[] = []) =>
  must(alreadyOutOfService.check, 'it is a check')(
    { node: 'n1' },
    fakeContext(fakeWorld(world), { resumed: facts.length > 0, facts }),
  )

const did = (fact: string, subject: string): RunFact => fakeFact(fact, subject, {}, { announces: true })

const disabled = fakeService('n1', { status: 'disabled', disabledReason: 'watcher_maintaining' })

describe('a node that is out of service already is not planned as if it were in service', () => {
  test.each<[string, Parameters<typeof fakeWorld>[0], string]>([
    ['cordoned', { nodes: [fakeNode('n1', { unschedulable: true })] }, 'cordoned'],
    ['its nova-compute disabled', { nodes: [fakeNode('n1')], services: [disabled] }, 'watcher_maintaining'],
  ])('%s: said, and not forbidden', async (_, world, sign) => {
    expect(await check(world)).toMatchObject({ kind: 'ready', warnings: [{ message: expect.stringContaining(sign) }] })
  })

  test('in service, or disabled for reasons of somebody: nothing to say', async () => {
    const broken = fakeService('n1', { status: 'disabled', disabledReason: 'broken disk' })
    expect(await check({ nodes: [fakeNode('n1')], services: [broken] })).toMatchObject({ warnings: [] })
  })

  const away = { nodes: [fakeNode('n1', { unschedulable: true })], services: [disabled] }
  const cordon = did('cordon-requested', 'node/n1')
  test.each([
    ['it disabled nova-compute', did('compute-disable-requested', 'nova-compute/n1')],
    ['who answers its request did', did('request-created', 'node/n1')],
    ['the plan of Watcher that it started did', did('watcher-plan-started', 'watcher-plan/p')],
  ])('what this run did before an interruption counts as its own, not as in service: %s', async (_, fact) => {
    expect(await check(away, [cordon, fact])).toMatchObject({
      reason: 'n1 is out of service because of this run (cordoned; nova-compute disabled: watcher_maintaining).',
      warnings: [],
    })
  })

  test('what somebody else did while the run was left, or what the run did to another node, is not its own', async () => {
    const other = did('compute-disable-requested', 'nova-compute/n2')
    expect(await check(away, [cordon, other])).toMatchObject({
      warnings: [{ message: expect.stringContaining('(nova-compute disabled: watcher_maintaining)') }],
    })
    expect(await check(away, [did('compute-disable-requested', 'nova-compute/n1')])).toMatchObject({
      warnings: [{ message: expect.stringContaining('(cordoned)') }],
    })
  })

  test('with Nova silent nobody says that it is in service', async () => {
    const world = fakeWorld({ nodes: [fakeNode('n1')] })
    world.port = withSilentNova(world.port)
    expect(await must(alreadyOutOfService.check, 'it is a check')({ node: 'n1' }, fakeContext(world))).toMatchObject({
      kind: 'ready',
      reason: 'n1 is not cordoned.',
      warnings: [
        { message: 'Cannot tell whether nova-compute of n1 is disabled for a maintenance. Nova does not answer.' },
      ],
    })
  })
})
