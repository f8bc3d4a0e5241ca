import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Contract } from '../../../shared/contract/index.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { PLAIN, startTwoClouds, type TwoClouds } from '../../fixtures/windows/two-clouds.ts'

/** Several nodes go out in one run and stay out, judged together. */
let clouds: TwoClouds

beforeAll(async () => {
  clouds = await startTwoClouds()
})

afterAll(async () => {
  await clouds.close()
})

const request: Contract['ask'] = (name, input) => clouds.app.contract.ask(name, input)

test('chosen nodes are judged together, one that has no room is left out, the others go out and stay out; nothing moves to a node that goes out too', async () => {
  const proposed = valueIn(
    await request('update.propose', { cluster: PLAIN, nodes: ['cmp-01', 'cmp-03', 'cmp-08'], staysOut: true }),
  )
  expect(proposed.left.map(({ node }) => node)).toEqual(['cmp-08'])
  expect(proposed.batches).toHaveLength(1)
  const { options } = proposed
  expect(options.staysOut).toBe(true)
  const nodes = options.groups.flatMap(group => group.nodes)
  const { plan, startable } = valueIn(await request('update.plan', { cluster: PLAIN, update: options, choices: {} }))
  expect(plan.kind).toBe('take-out')
  expect(startable).toBe(true)
  const { id } = valueIn(await request('run.start', { planId: plan.id }))
  await vi.waitFor(
    async () => expect(valueIn(await request('run.show', { runId: id })).summary.endedAt).not.toBeNull(),
    {
      // Three nodes are emptied on a demo cloud, with the times of a real one.
      timeout: 30_000,
      interval: 500,
    },
  )
  const view = foldRun(valueIn(await request('run.show', { runId: id })).events)
  expect(view.state).toMatchObject({ kind: 'finished', outcome: 'done' })
  const { moves } = historyOfView(view)
  const hosts = moves.flatMap(move => (move.kind === 'moved' ? [move.to] : []))
  expect(hosts.length).toBeGreaterThan(2)
  expect(hosts.filter(host => nodes.includes(host))).toEqual([])
  for (const node of nodes) {
    const left = valueIn(await request('plan.make', { cluster: PLAIN, node, kind: 'leave', choices: {} }))
    expect(left.startable).toBe(true)
  }
})
