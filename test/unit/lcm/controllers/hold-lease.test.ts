import { expect, test } from 'vitest'
import { fencedControllerWorld } from '../../../../main/lcm/controllers/hold-lease.ts'
import type { LockWriterPort } from '../../../../main/ports/maintenance-api.ts'
import type { ControllerWorld } from '../../../../main/ports/world.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { COMPUTE, fakeNode } from '../../../fixtures/procedures/fake-world.ts'

/** Every call of the port: one that is added does not compile until it is here too. */
const WRITES: Readonly<Record<keyof LockWriterPort, true>> = {
  createClusterLock: true,
  createNodeLock: true,
  setLockStatus: true,
  annotateLock: true,
  deleteLock: true,
  setFinalizer: true,
}
const REFUSED = failed(failure('aborted', 'The Lease is not held.'))

function site() {
  const sent: string[] = []
  const calls = Object.keys(WRITES).map(call => [
    call,
    async () => {
      sent.push(call)
      return ok(undefined)
    },
  ])
  const { world } = fakeMaintenance({ nodes: [fakeNode('cmp-1', { labels: COMPUTE })] })
  const bare: ControllerWorld = { ...world, locks: Object.fromEntries(calls) }
  return { sent, bare }
}

test.each(Object.keys(WRITES))(
  'locks.%s is sent only while the Lease of the controllers is held',
  async (call: string) => {
    const { sent, bare } = site()
    const callOf = ({ locks }: ControllerWorld) => locks[call as keyof LockWriterPort] as () => Promise<unknown>
    expect(await callOf(fencedControllerWorld(bare, async () => REFUSED))()).toEqual(REFUSED)
    expect(sent).toEqual([])
    expect(await callOf(fencedControllerWorld(bare, effect => effect()))()).toEqual(ok(undefined))
    expect(sent).toEqual([call])
  },
)

test('what controllers do to a node is kept back with it', async () => {
  const { bare } = site()
  const world = fencedControllerWorld(bare, async () => REFUSED)
  expect(await world.kubernetes.annotateNode('cmp-1', { note: 'x' })).toEqual(REFUSED)
  expect((await world.kubernetes.listNodes()).ok).toBe(true)
})
