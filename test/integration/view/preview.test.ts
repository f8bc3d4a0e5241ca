import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../../main/app.ts'
import { judgeMoves } from '../../../shared/domain/ghosts.ts'
import { countsOf, effectsOf } from '../../../shared/domain/plan-effects.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { LAB, startDemoConsole } from '../../fixtures/demo-console.ts'

/** What a node that is dragged shows beforehand, and what its plan says then: the same numbers, of every compute node of the embedded cloud. */
let place: Awaited<ReturnType<typeof startDemoConsole>>
let app: App

beforeAll(async () => {
  place = await startDemoConsole()
  app = place.app
  valueIn(await app.contract.ask('cluster.connect', { name: LAB }))
})

afterAll(async () => {
  await app.close()
  await place.end()
})

async function seen() {
  return valueIn(await app.contract.ask('view.open', { cluster: LAB })).view
}

async function planned(node: string): Promise<readonly [moving: number, blocked: number]> {
  const choices = { deleteEmptyDirData: true }
  const plan = valueIn(await app.contract.ask('plan.make', { cluster: LAB, node, kind: 'enter', choices }))
  const { moving, blocked } = countsOf(effectsOf(plan))
  return [moving, blocked]
}

test('the preview of a node counts as many moves as its plan, and its card marks as many blocked', async () => {
  // One call has the groups of the whole cloud; the view shows them soon after its first list.
  await expect.poll(async () => (await seen()).instances.some(({ groups }) => groups !== undefined)).toBe(true)
  const { nodes, instances } = await seen()
  const judge = judgeMoves(nodes, instances)
  const computes = nodes.filter(({ roles }) => roles.includes('compute')).map(({ name }) => name)
  const rows = await Promise.all(computes.map(async name => [name, await planned(name)] as const))
  const drawn = computes.map(name => {
    const own = instances.filter(({ node }) => node === name)
    const blocked = own.filter(
      each => each.action === 'blocked' || (each.action === 'live_migrate' && judge.whyStuck(each) !== null),
    )
    return [name, [judge.ghosts([name]).moving, blocked.length]]
  })
  expect(drawn).toEqual(rows)
  expect(rows.filter(([, [moving]]) => moving > 0).length).toBeGreaterThan(3)
  expect(rows.some(([, [, blocked]]) => blocked > 0)).toBe(true)
})
