import { expect, test } from 'vitest'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { shareReadings } from '../../../main/run-control/shared-reading.ts'
import { ok } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

test('windows of one cloud that are judged together read each fact once; half a minute later, and after a new login, again', async () => {
  const clock = createVirtualClock()
  let reads = 0
  const connect = () => {
    const { port } = fakeWorld()
    const listNodes: typeof port.kubernetes.listNodes = async () => {
      reads += 1
      return ok([])
    }
    // Only its world is asked.
    return { world: { ...port, kubernetes: { ...port.kubernetes, listNodes } } } as unknown as ConnectedWorld
  }
  let connected = connect()
  const worlds = shareReadings({ worlds: { open: async () => ok(connected) }, clock })
  const judge = async () => valueIn(await worlds.open('a')).world
  const first = await judge()
  for (const world of [first, await judge(), await judge()]) await world.kubernetes.listNodes()
  expect(reads).toBe(1)
  await clock.advance(30_000)
  await (await judge()).kubernetes.listNodes()
  expect(reads).toBe(2)
  connected = connect()
  await (await judge()).kubernetes.listNodes()
  expect(reads).toBe(3)
  await first.kubernetes.listNodes()
})
