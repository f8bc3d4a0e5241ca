import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StopStepping } from '../../../../main/runs/engine/step.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { fakeContext, fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import {
  apply,
  check,
  FORCED,
  PAUSED,
  SHUTOFF,
  SUSPENDED,
  verify,
  type WatcherRun,
  watcherRun,
} from '../../../fixtures/procedures/watcher-run.ts'

const on = (id: string, more = {}) => fakeInstance(id, 'cmp-1', more)

const STATES = [{}, SHUTOFF, PAUSED, SUSPENDED] as const

describe('promises of running a plan', () => {
  it('whatever happens to the actions and in whatever order, it says done only when the host has nothing but what stays by choice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          states: fc.array(fc.constantFrom(...STATES), { maxLength: 5 }),
          outcomes: fc.infiniteStream(fc.constantFrom('SUCCEEDED', 'FAILED', 'stays')),
          picks: fc.infiniteStream(fc.nat(4)),
          disableMigration: fc.constantFrom('none', 'live', 'cold', 'both'),
          novaForRest: fc.boolean(),
          force: fc.boolean(),
          canSkip: fc.boolean(),
          callsEverythingSucceeded: fc.boolean(),
          atOnce: fc.integer({ min: 1, max: 3 }),
        }),
        async ({ states, outcomes, picks, disableMigration, novaForRest, force, ...more }) => {
          const options = { disableMigration, novaForRest, ...(force ? FORCED : {}) }
          const run = await watcherRun(
            states.map((state, index) => on(`i${index}`, state)),
            options,
            {
              ...more,
              outcome: () => outcomes.next().value,
              pick: () => picks.next().value,
            },
          )
          const looked = await check(run)
          const end = await apply(run)
          const left = run.world.instances.filter(({ host }) => host === 'cmp-1')
          if (end.kind === 'applied') {
            expect((await verify(run)).kind).toBe('holds')
            // Running instances never stay unless the operator forced it.
            if (!force) expect(left.filter(({ vmState }) => vmState === 'active')).toEqual([])
            if (!force && (disableMigration === 'none' || disableMigration === 'live')) expect(left).toEqual([])
          } else if (end.kind === 'question') {
            expect(left.length).toBeGreaterThan(0)
            expect((await verify(run)).kind).toBe('fails')
          } else {
            // Refused: then the check had said so, and nothing was touched.
            expect(looked.kind).toBe('blocked')
            expect(run.watcher.asked).toEqual([])
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('killed at any line and resumed, the plan is started once and the host is emptied', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }), async lives => {
        const run = await watcherRun([on('a'), on('b'), on('c', PAUSED)], { novaForRest: true })
        for (const life of lives) await dieAfter(life, run)
        expect((await apply(run)).kind).toBe('applied')
        expect(run.watcher.asked.filter(asked => asked === 'start plan-1')).toHaveLength(1)
        expect(run.world.asked).toEqual(['live-migrate c'])
        expect((await verify(run)).kind).toBe('holds')
      }),
      { numRuns: 150 },
    )
  })
})

/** Runs the step in a process that dies at its n-th line towards the outside: it writes no fact and sends nothing from there on. */
async function dieAfter(life: number, run: WatcherRun): Promise<void> {
  let left = life
  const stop = new AbortController()
  const spend = () => {
    left -= 1
    if (left <= 0) stop.abort()
    return left > 0
  }
  const context = fakeContext(run.world, { options: { novaForRest: true }, facts: run.ctx.facts, signal: stop.signal })
  const dies = <Call extends (...args: never[]) => Promise<unknown>>(call: Call): Call =>
    ((...args: Parameters<Call>) => (spend() ? call(...args) : new Promise(() => {}))) as Call
  const keep =
    (announces: boolean) =>
    (fact: string, subject: string, values: RunFact['values'] = {}) => {
      if (!spend()) throw new StopStepping('dead')
      run.ctx.facts.push({ at: context.at(), fact, subject, announces, values })
    }
  const { watcher, openstack, kubernetes } = run.world.port
  if (watcher === null || openstack === null) throw new Error('the world has a cloud')
  const ctx = {
    ...context,
    announce: keep(true),
    report: keep(false),
    world: {
      ...run.world.port,
      kubernetes: { ...kubernetes, getNode: dies(kubernetes.getNode) },
      openstack: {
        ...openstack,
        instancesOnHost: dies(openstack.instancesOnHost),
        getInstance: dies(openstack.getInstance),
        liveMigrate: dies(openstack.liveMigrate),
      },
      watcher: { ...watcher, plan: dies(watcher.plan), start: dies(watcher.start), skip: dies(watcher.skip) },
    },
  }
  const dead = new Promise(resolve => stop.signal.addEventListener('abort', resolve, { once: true }))
  await Promise.race([apply(run, ctx).catch(() => {}), dead])
}
