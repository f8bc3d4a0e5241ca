import { describe, expect, test } from 'vitest'
import { alreadyOutOfService } from '../../../../main/maintenance/steps/already-out-of-service.ts'
import { must } from '../../../../shared/domain/must.ts'
import { fakeContext, fakeNode, fakeService, fakeWorld } from '../../../fixtures/maintenance/fake-world.ts'

const check = (world: Parameters<typeof fakeWorld>[0], resumed = false) =>
  must(alreadyOutOfService.check, 'it is a check')({ node: 'n1' }, fakeContext(fakeWorld(world), { resumed }))

const disabled = fakeService('n1', { status: 'disabled', disabledReason: 'watcher_maintaining' })

describe('a node that is out of service already is not planned as if it were in service', () => {
  test.each<[string, Parameters<typeof fakeWorld>[0], string]>([
    ['cordoned', { nodes: [fakeNode('n1', { unschedulable: true })] }, 'cordoned'],
    ['its nova-compute disabled', { nodes: [fakeNode('n1')], services: [disabled] }, 'watcher_maintaining'],
  ])('%s: said, and not forbidden', async (_, world, sign) => {
    expect(await check(world)).toMatchObject({ kind: 'ready', warnings: [expect.stringContaining(sign)] })
  })

  test('in service, disabled for reasons of somebody, or by this very run before it was left: nothing to say', async () => {
    const broken = fakeService('n1', { status: 'disabled', disabledReason: 'broken disk' })
    expect(await check({ nodes: [fakeNode('n1')], services: [broken] })).toMatchObject({ warnings: [] })
    expect(await check({ nodes: [fakeNode('n1')], services: [disabled] }, true)).toMatchObject({ warnings: [] })
  })
})
