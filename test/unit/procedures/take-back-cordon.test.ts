import { describe, expect, it } from 'vitest'
import { takeBackCordon } from '../../../main/procedures/steps/general/take-back-cordon.ts'
import { uncordonNode } from '../../../main/procedures/steps/general/uncordon-node.ts'
import { type CordonHolder, managerOfRun } from '../../../shared/domain/cordon-holders.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { must } from '../../../shared/domain/must.ts'
import { failed } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { OPERATOR_ANSWERED, UNCORDON_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'
import { fakeContext, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const INPUT = { node: 'cmp-1', of: 'run-1' }
const check = must(takeBackCordon.check, 'it checks')
const apply = must(takeBackCordon.apply, 'it acts')
const verify = must(takeBackCordon.verify, 'it verifies')
const heldBy = (...managers: readonly string[]): readonly CordonHolder[] =>
  managers.map(manager => ({ manager, at: '2026-01-01T10:00:00Z' }))
const OWN = heldBy(managerOfRun('run-1'))

function cordoned(cordonedBy: readonly CordonHolder[], more: Partial<ClusterNode> = {}) {
  const world = fakeWorld({ nodes: [fakeNode('cmp-1', { unschedulable: true, cordonedBy, ...more })] })
  return { world, ctx: fakeContext(world, { runId: 'run-2' }) }
}

describe('the cordon of a run', () => {
  it('is taken back while it is its own', async () => {
    const { world, ctx } = cordoned(OWN)
    expect(await check(INPUT, ctx)).toMatchObject({ kind: 'ready', warnings: [], effects: [{ to: 'schedulable' }] })
    expect(await apply(INPUT, ctx)).toMatchObject({ kind: 'applied', note: 'cmp-1 is uncordoned.' })
    expect(world.asked).toEqual(['uncordon cmp-1'])
    expect(ctx.facts.map(({ fact }) => fact)).toEqual([UNCORDON_REQUESTED])
    expect(await verify(INPUT, ctx)).toMatchObject({ kind: 'holds', reason: 'cmp-1 is Ready and schedulable.' })
  })

  it('is not verified while the node is cordoned by it still, or its kubelet is away', async () => {
    expect(await verify(INPUT, cordoned(OWN).ctx)).toMatchObject({ kind: 'fails', reason: 'cmp-1 is cordoned.' })
    const away = cordoned([], { unschedulable: false, readiness: 'not-ready' })
    expect(await verify(INPUT, away.ctx)).toMatchObject({ kind: 'fails' })
  })

  it('is passed where the node is schedulable already', async () => {
    const { world, ctx } = cordoned([], { unschedulable: false })
    expect(await check(INPUT, ctx)).toMatchObject({ kind: 'done', reason: 'cmp-1 is already schedulable.' })
    expect(await apply(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual([])
  })
})

describe('a cordon that is not the run’s', () => {
  it.each<[string, readonly CordonHolder[], string]>([
    ['that a person set since', heldBy('kubectl'), 'kubectl (it last wrote the node at 2026-01-01 10:00:00 UTC)'],
    ['that another run set since', heldBy(managerOfRun('run-9')), 'run run-9 of Lockkeeper'],
    ['that somebody holds beside the run', [...OWN, ...heldBy('gitops')], 'gitops'],
  ])('%s, stays, and the step says whose it is and since when', async (_what, holders, who) => {
    const { world, ctx } = cordoned(holders)
    const words = expect.stringContaining(`cmp-1 stays cordoned: its current cordon was set by ${who}`)
    expect(await check(INPUT, ctx)).toMatchObject({ kind: 'done', reason: words, warnings: [{ message: words }] })
    expect(await apply(INPUT, ctx)).toMatchObject({ kind: 'applied', note: words })
    expect(await verify(INPUT, ctx)).toMatchObject({ kind: 'holds', reason: words })
    expect({ asked: world.asked, facts: ctx.facts }).toEqual({ asked: [], facts: [] })
  })

  it('stays where it changes hands between the look and the request', async () => {
    const { world, ctx } = cordoned(OWN)
    const { kubernetes } = world.port
    let patches = 0
    const ours: typeof kubernetes.setUnschedulable = async (name, unschedulable, more) => {
      patches += 1
      // Somebody uncordoned it, and somebody else cordoned it, while the request was on its way.
      world.nodes = [fakeNode('cmp-1', { unschedulable: true, cordonedBy: heldBy('kubectl'), resourceVersion: '3' })]
      return kubernetes.setUnschedulable(name, unschedulable, more)
    }
    const answer = await apply(INPUT, {
      ...ctx,
      world: { ...world.port, kubernetes: { ...kubernetes, setUnschedulable: ours } },
    })
    expect(answer).toMatchObject({ kind: 'applied', note: expect.stringContaining('stays cordoned') })
    expect({ patches, asked: world.asked }).toEqual({ patches: 1, asked: [] })
  })

  it('is not a failure while only the kubelet writes the node, but ends in giving up', async () => {
    const { world, ctx } = cordoned(OWN)
    let patches = 0
    const overtaken: typeof world.port.kubernetes.setUnschedulable = async () => {
      patches += 1
      return failed(failure('conflict', 'the object has been modified'))
    }
    const port = { ...world.port, kubernetes: { ...world.port.kubernetes, setUnschedulable: overtaken } }
    expect(await apply(INPUT, { ...ctx, world: port })).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(patches).toBe(5)
  })
})

describe('a cordon of which Kubernetes does not tell whose it is', () => {
  const answered = (choice: string): RunFact =>
    fakeFact(OPERATOR_ANSWERED, 'step', { choice, reason: 'looked' }, { at: '2026-01-01T00:00:00Z' })

  it.each<[string, readonly CordonHolder[]]>([
    ['nobody is named', []],
    ['a Lockkeeper is named that did not say for which run', heldBy('lockkeeper')],
  ])('where %s: the plan warns, and a person is asked before anything is done', async (_what, holders) => {
    const { world, ctx } = cordoned(holders)
    const words = 'but Kubernetes does not show whether still by that run'
    expect(await check(INPUT, ctx)).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining(words) }],
    })
    expect(await apply(INPUT, ctx)).toMatchObject({
      kind: 'question',
      question: expect.stringContaining(words),
      choices: ['continue', 'skip', 'abort'],
      leansOnAnswer: true,
    })
    expect({ asked: world.asked, facts: ctx.facts }).toEqual({ asked: [], facts: [] })
  })

  it('is taken away once a person says so, unless it is somebody’s by then', async () => {
    const unreported = cordoned([])
    unreported.ctx.facts.push(answered('continue'))
    expect(await apply(INPUT, unreported.ctx)).toMatchObject({ kind: 'applied' })
    expect(unreported.world.asked).toEqual(['uncordon cmp-1'])
    const others = cordoned(heldBy('kubectl'))
    others.ctx.facts.push(answered('continue'))
    await apply(INPUT, others.ctx)
    expect(others.world.asked).toEqual([])
  })
})

describe('bringing a node back into service', () => {
  const plan = must(uncordonNode.check, 'it checks')
  const bring = must(uncordonNode.apply, 'it acts')

  it.each<[string, readonly CordonHolder[], readonly unknown[]]>([
    ['a run of Lockkeeper', heldBy(managerOfRun('run-9')), []],
    ['Lockkeeper', heldBy('lockkeeper'), []],
    ['somebody else', heldBy('kubectl'), [{ message: expect.stringContaining('was cordoned by kubectl') }]],
    [
      'nobody who is named',
      [],
      [{ message: expect.stringContaining('cmp-1 was cordoned by a client that Kubernetes does not name') }],
    ],
  ])(
    'uncordons it whichever client cordoned it; for %s the plan warns only where that is not Lockkeeper',
    async (_who, holders, warnings) => {
      const { world, ctx } = cordoned(holders)
      expect(await plan({ node: 'cmp-1' }, ctx)).toMatchObject({ kind: 'ready', warnings })
      await bring({ node: 'cmp-1' }, ctx)
      expect(world.asked).toEqual(['uncordon cmp-1'])
    },
  )
})
