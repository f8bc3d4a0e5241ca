import { describe, expect, it } from 'vitest'
import type { MaintenanceContext } from '../../../../main/procedures/node-input.ts'
import { rebalanceInstances } from '../../../../main/procedures/steps/watcher/rebalance-instances.ts'
import type { ApplyAnswer } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { OPERATOR_ANSWERED, TRY_AGAIN, WATCHER_PLAN_MADE } from '../../../../shared/domain/run-facts.ts'
import { fakeAction, fakeWatcher } from '../../../fixtures/procedures/fake-watcher.ts'
import { fakeContext, fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { computeWorld } from '../../../fixtures/procedures/watcher-run.ts'

const INPUT = { node: 'cmp-1' }

/** A cloud whose Watcher recommends to move `a` and `b` to the node that came back. */
function crowded() {
  const world = computeWorld([fakeInstance('a', 'cmp-2'), fakeInstance('b', 'cmp-2')])
  const watcher = fakeWatcher(world)
  watcher.port.recommend = async ({ goal, strategy, name }) => {
    watcher.asked.push(`audit ${goal} ${strategy} ${name}`)
    const uuid = `plan-${watcher.plans.length + 1}`
    const actions = ['a', 'b'].map(id =>
      fakeAction(`${uuid}-${id}`, { resourceId: id, resourceName: `vm-${id}`, destination: 'cmp-1' }),
    )
    const plan = { uuid, auditUuid: 'audit', state: 'RECOMMENDED' as const, createdAt: null, actions }
    watcher.plans = [...watcher.plans, plan]
    return ok(plan)
  }
  return { world, watcher, ctx: fakeContext(world) }
}

const apply = (ctx: MaintenanceContext): Promise<ApplyAnswer> => {
  if (rebalanceInstances.apply === undefined) throw new Error('the step applies')
  return rebalanceInstances.apply(INPUT, ctx)
}
const verify = async (ctx: MaintenanceContext) => rebalanceInstances.verify?.(INPUT, ctx)

function say(ctx: ReturnType<typeof fakeContext>, choice: string): void {
  ctx.facts.push({ at: ctx.at(), fact: OPERATOR_ANSWERED, subject: 'step', announces: false, values: { choice } })
}

describe('spreading instances again', () => {
  it('asks Watcher for it, shows what it recommends, and moves nothing before a person says so', async () => {
    const { watcher, ctx } = crowded()
    const asked = await apply(ctx)
    expect(asked).toMatchObject({ kind: 'question', choices: ['continue', 'skip', 'abort'], leansOnAnswer: true })
    expect(asked.kind === 'question' && asked.question).toContain(
      'live-migrate vm-a to cmp-1, live-migrate vm-b to cmp-1',
    )
    expect(watcher.asked).toEqual([
      expect.stringMatching(/^audit workload_balancing workload_stabilization lockkeeper-cmp-1-/),
    ])
    // A resumed run asks again about the same plan; it takes no answer that nobody gave.
    expect(await apply(ctx)).toEqual(asked)
    expect(watcher.plans).toHaveLength(1)
    expect(watcher.asked.filter(line => line.startsWith('start'))).toEqual([])
  })

  it('waits out a Watcher that is away, and makes one audit for each time that a person asks', async () => {
    const { watcher, ctx } = crowded()
    const recommend = watcher.port.recommend
    const names: string[] = []
    let away = failure('server-fault', 'Watcher failed (HTTP 503).')
    watcher.port.recommend = async ({ name }) => {
      names.push(name)
      return failed(away)
    }
    expect(await apply(ctx)).toMatchObject({ kind: 'failed', failure: { retryable: true } })
    expect(await apply(ctx)).toMatchObject({ kind: 'failed' })
    expect(new Set(names).size).toBe(1)
    away = failure('conflict', 'The audit was cancelled.', { retryable: true })
    expect(await apply(ctx)).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'] })
    ctx.facts.push({ at: ctx.at(), fact: TRY_AGAIN, subject: 'step', announces: false, values: { choice: 'retry' } })
    await apply(ctx)
    expect(new Set(names).size).toBe(2)
    watcher.port.about = async () => failed(failure('unreachable', 'Watcher is away.'))
    expect(await rebalanceInstances.check?.(INPUT, ctx)).toMatchObject({ blockers: [{ passing: { retryAfterMs: 0 } }] })
    watcher.port.recommend = recommend
    expect(await apply(ctx)).toMatchObject({ kind: 'question', leansOnAnswer: true })
  })

  it('needs Watcher (seed 004, "Watcher exists"), and names the choice for who does without', async () => {
    const { watcher, ctx } = crowded()
    const look = async () => rebalanceInstances.check?.(INPUT, ctx)
    expect(await look()).toMatchObject({ kind: 'ready', effects: [] })
    watcher.port.about = async () => failed(failure('not-found', 'This cloud has no Watcher.'))
    expect(await look()).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          code: 'NoWatcherToSpread',
          remedy: expect.stringContaining('--disable-instance-workload-rebalancing'),
          override: { kind: 'never' },
        },
      ],
    })
  })

  it('an empty plan of a Watcher without figures is not an answer: the operator reads that before the run and in it', async () => {
    const { watcher, ctx } = crowded()
    watcher.hasFigures = false
    watcher.port.recommend = async () =>
      ok({ uuid: 'plan-1', auditUuid: 'audit', state: 'SUCCEEDED', createdAt: null, actions: [] })
    const look = await rebalanceInstances.check?.(INPUT, ctx)
    expect(look).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining('Watcher cannot recommend moves') }],
    })
    const answer = await apply(ctx)
    expect(answer).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'] })
    expect(answer.kind === 'question' && answer.question).toMatch(/no load figures of the hosts \(it reports: none\)/)
    watcher.port.figures = async () => failed(failure('not-permitted', 'the rule strategy:state forbids it'))
    const unknown = await apply(ctx)
    expect(unknown.kind === 'question' && unknown.question).toContain('strategy:state')
  })

  it('runs exactly the plan that was agreed to, once', async () => {
    const { world, watcher, ctx } = crowded()
    await apply(ctx)
    say(ctx, 'continue')
    expect(await apply(ctx)).toMatchObject({ kind: 'applied', note: '2 of 2 actions done, 0 skipped.' })
    expect(watcher.asked.slice(1)).toEqual(['start plan-1'])
    expect(world.instances.map(({ host }) => host)).toEqual(['elsewhere', 'elsewhere'])
    expect(await verify(ctx)).toMatchObject({ kind: 'holds' })
  })

  it('shows a new plan when the confirmed one is gone', async () => {
    const { watcher, ctx } = crowded()
    await apply(ctx)
    say(ctx, 'continue')
    watcher.plans = watcher.plans.map(plan => ({ ...plan, state: 'SUPERSEDED' }))
    expect((await apply(ctx)).kind).toBe('question')
    expect(ctx.facts.filter(({ fact }) => fact === WATCHER_PLAN_MADE).map(({ subject }) => subject)).toEqual([
      'watcher-plan/plan-1',
      'watcher-plan/plan-2',
    ])
  })

  it('waits until nova-compute takes instances', async () => {
    const { world, watcher, ctx } = crowded()
    world.services = world.services.map(service => ({ ...service, status: 'disabled' }))
    const asked = await apply(ctx)
    expect(asked.kind === 'question' && asked.question).toContain('nova-compute on cmp-1 is disabled')
    expect(watcher.asked).toEqual([])
  })

  it('says why there is no recommendation where the cloud has no figures, and the operator passes it', async () => {
    const { watcher, ctx } = crowded()
    watcher.port.recommend = async () => failed(failure('conflict', 'The audit FAILED.'))
    expect(await apply(ctx)).toMatchObject({
      kind: 'question',
      choices: ['retry', 'skip', 'abort'],
      question: expect.stringContaining('The audit FAILED.'),
    })
  })

  it('has nothing to do where the load is well spread', async () => {
    const { watcher, ctx } = crowded()
    watcher.port.recommend = async () =>
      ok({ uuid: '', auditUuid: 'audit', state: 'SUCCEEDED', createdAt: null, actions: [] })
    expect((await apply(ctx)).kind).toBe('applied')
    expect(await verify(ctx)).toMatchObject({ kind: 'holds' })
  })

  it('a failed action is named by its instance; retry asks Watcher again', async () => {
    const { watcher, ctx } = crowded()
    watcher.outcome = ({ resourceId }) => (resourceId === 'a' ? 'FAILED' : 'SUCCEEDED')
    await apply(ctx)
    say(ctx, 'continue')
    const asked = await apply(ctx)
    expect(asked).toMatchObject({ kind: 'question', choices: ['retry', 'continue', 'abort'] })
    expect(asked.kind === 'question' && asked.question).toContain(
      '1 of 2 actions done, 0 skipped, 1 failed, 0 not run: vm-a: FAILED',
    )
    expect((await apply(ctx)).kind).toBe('question')
    expect(watcher.plans).toHaveLength(2)
  })

  it('does not verify while a moved instance is in ERROR', async () => {
    const { world, ctx } = crowded()
    await apply(ctx)
    say(ctx, 'continue')
    await apply(ctx)
    world.instances = world.instances.map(instance =>
      instance.id === 'a' ? { ...instance, status: 'ERROR' } : instance,
    )
    expect(await verify(ctx)).toMatchObject({ kind: 'fails', reason: expect.stringContaining('vm-a (a)') })
  })
})
