import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../../main/app.ts'
import { ghostsOf } from '../../../shared/domain/ghosts.ts'
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

async function planned(node: string): Promise<number> {
  const choices = { deleteEmptyDirData: true }
  const plan = valueIn(await app.contract.ask('plan.make', { cluster: LAB, node, kind: 'enter', choices }))
  return countsOf(effectsOf(plan)).moving
}

test('the preview of a node counts as many moves as its plan', async () => {
  // One call has the groups of the whole cloud; the view shows them soon after its first list.
  await expect.poll(async () => (await seen()).instances.some(({ groups }) => groups !== undefined)).toBe(true)
  const { nodes, instances } = await seen()
  const computes = nodes.filter(({ roles }) => roles.includes('compute')).map(({ name }) => name)
  const rows: (readonly [string, number])[] = []
  for (const name of computes) rows.push([name, await planned(name)])
  expect(computes.map(name => [name, ghostsOf(nodes, instances, [name]).moving])).toEqual(rows)
  expect(rows.map(([, moving]) => moving).filter(moving => moving > 0).length).toBeGreaterThan(3)
})
