import { describe, expect, it } from 'vitest'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { createBatchPlanner } from '../../../main/windows/batch-planner.ts'
import type { NodeBlocks } from '../../../main/windows/node-blocks.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { PlanBlock } from '../../../shared/domain/window-judgement.ts'
import { provider } from '../../fixtures/batches/small-cloud.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import {
  COMPUTE,
  fakeCluster,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
  instantClock,
} from '../../fixtures/procedures/fake-world.ts'

const WISH = { zones: 'spread' as const, atOnce: {} }
const BATCHES = { cluster: 'test', batches: [{ nodes: ['a'] }], wish: WISH }
const PLAN = { cluster: 'test', nodes: ['a', 'b'], wish: WISH }

/** The handlers over a cluster whose readings are counted. */
function counted() {
  const clock = instantClock()
  const { port } = fakeWorld({
    nodes: [fakeNode('a', { labels: COMPUTE }), fakeNode('b', { labels: COMPUTE })],
    services: [fakeService('a'), fakeService('b')],
    instances: [fakeInstance('i', 'a')],
  })
  const state = {
    readings: 0,
    cluster: fakeCluster(),
    placementAnswers: true,
    asked: [] as (readonly string[])[],
    blocks: [] as PlanBlock[],
  }
  const nodeBlocks: NodeBlocks = async (_, nodes) => {
    state.asked.push(nodes)
    return ok(new Map(nodes.includes('b') ? [['b', state.blocks]] : []))
  }
  const planner = createBatchPlanner({
    clock,
    nodeBlocks,
    worlds: {
      open: async () => {
        const cloud = port.openstack
        const world = {
          ...port,
          cluster: state.cluster,
          openstack: cloud && {
            ...cloud,
            serverGroups: async () => ok([]),
            listInstances: async () => {
              state.readings += 1
              return ok({ items: [], unreachable: [] })
            },
            resourceProviders: async () =>
              state.placementAnswers
                ? ok([provider('a', 8, []), provider('b', 8, [])])
                : failed(failure('unreachable', 'Placement is silent.')),
          },
        }
        return ok({ world, openstackFailure: null } as unknown as ConnectedWorld)
      },
    },
  })
  const handlers = {
    'batches.plan': ({ cluster, nodes, wish }: typeof PLAN) => planner.plan(cluster, nodes, wish, 'os'),
    'batches.judge': ({ cluster, batches, wish }: typeof BATCHES) => planner.judge(cluster, batches, wish, 'os'),
  }
  return { handlers, state, clock }
}

describe('a reading for batches', () => {
  it('serves while nodes are dragged about; a plan is always made of a fresh one, which then serves', async () => {
    const { handlers, state } = counted()
    const first = valueIn(await handlers['batches.plan'](PLAN))
    const second = valueIn(await handlers['batches.judge'](BATCHES))
    expect(state.readings).toBe(1)
    expect(second.readAt).toBe(first.readAt)
    await handlers['batches.plan'](PLAN)
    expect(state.readings).toBe(2)
  })

  it('is made again when it is two minutes old, and when the cluster is set otherwise', async () => {
    const { handlers, state, clock } = counted()
    await handlers['batches.judge'](BATCHES)
    await clock.sleep(119_000)
    await handlers['batches.judge'](BATCHES)
    expect(state.readings).toBe(1)
    await clock.sleep(2_000)
    await handlers['batches.judge'](BATCHES)
    expect(state.readings).toBe(2)
    state.cluster = fakeCluster({ maintenanceApi: { ...fakeCluster().maintenanceApi, computeMax: 1 } })
    const judged = valueIn(await handlers['batches.judge'](BATCHES))
    expect(state.readings).toBe(3)
    expect(judged.rules).toContain('compute: 1 at a time (cloud setting)')
  })

  it('does not serve again when something was missing from it', async () => {
    const { handlers, state } = counted()
    state.placementAnswers = false
    expect(valueIn(await handlers['batches.judge'](BATCHES)).unreachable).toEqual(['Placement is silent.'])
    state.placementAnswers = true
    expect(valueIn(await handlers['batches.judge'](BATCHES)).unreachable).toEqual([])
    expect(state.readings).toBe(2)
  })

  it('is made once for several who ask at the same time', async () => {
    const { handlers, state } = counted()
    await Promise.all([handlers['batches.judge'](BATCHES), handlers['batches.judge'](BATCHES)])
    expect(state.readings).toBe(1)
  })
})

describe('a node whose plan is blocked', () => {
  const BLOCK: PlanBlock = {
    node: 'b',
    code: 'InstanceInError',
    values: { id: 'i', name: 'broken', host: 'b' },
    message: 'Instance broken on b is in ERROR.',
    remedy: 'Delete it.',
    passes: false,
  }

  it('is left out with the reason of its plan, and breaks a batch in which it is put', async () => {
    const { handlers, state } = counted()
    state.blocks = [BLOCK]
    const made = valueIn(await handlers['batches.plan'](PLAN))
    expect(made.batches.map(({ nodes }) => nodes)).toEqual([['a']])
    expect(made.left).toEqual([
      { node: 'b', reasons: [{ code: BLOCK.code, values: BLOCK.values }], why: BLOCK.message },
    ])
    const judged = valueIn(await handlers['batches.judge']({ ...BATCHES, batches: [{ nodes: ['b'] }] }))
    expect(judged.batches[0]?.problems).toEqual([
      {
        rule: 'plan-blocked',
        weight: 'soft',
        nodes: ['b'],
        code: BLOCK.code,
        values: BLOCK.values,
        words: BLOCK.message,
      },
    ])
    expect(state.asked).toEqual([['a', 'b']])
  })

  it('stays in its batch with the reason if the plan asks only about a pod', async () => {
    const { handlers, state } = counted()
    const pod = { ...BLOCK, code: 'PodKeepsData', values: { pod: 'x' }, message: 'Pod x keeps data.' }
    state.blocks = [pod]
    const made = valueIn(await handlers['batches.plan'](PLAN))
    expect(made.left).toEqual([])
    expect(made.batches.flatMap(({ problems }) => problems.map(({ weight }) => weight))).toEqual(['soft'])
  })

  it('stays in its batch if only something temporary blocks it', async () => {
    const { handlers, state } = counted()
    state.blocks = [{ ...BLOCK, passes: true }]
    const made = valueIn(await handlers['batches.plan'](PLAN))
    expect(made.left).toEqual([])
    expect(made.batches.flatMap(({ problems }) => problems)).toEqual([])
  })

  it('is named as unread if its checks did not get their answers', async () => {
    const { handlers, state } = counted()
    state.blocks = [{ ...BLOCK, code: 'NotRead', values: {}, message: 'Nova does not answer.', passes: true }]
    const made = valueIn(await handlers['batches.plan'](PLAN))
    expect(made.unreachable).toEqual(['Nova does not answer.'])
    const judged = valueIn(await handlers['batches.judge']({ ...BATCHES, batches: [{ nodes: ['b'] }] }))
    expect(judged.unreachable).toEqual(['Nova does not answer.'])
  })
})
