import { describe, expect, it } from 'vitest'
import {
  choicesOffered,
  choicesOnReturn,
  isByWatcher,
  optionsInWords,
} from '../../../renderer/features/plan/choices-of-plan.ts'
import { instancesInOrder } from '../../../renderer/ui/plan/plan-order.ts'
import { DEFAULT_RUN_OPTIONS, type Plan, type RunOptions, type StepRole } from '../../../shared/domain/plan.ts'
import { countsOf, type InstanceEffect, namesOf } from '../../../shared/domain/plan-effects.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'

const [someStep] = samplePlan().plan.steps

function planOf(roles: readonly StepRole[], options: Partial<RunOptions> = {}, flavour = 'sunbeam'): Plan {
  if (someStep === undefined) throw new Error('the sample plan has steps')
  return {
    ...samplePlan().plan,
    flavour,
    options: { ...DEFAULT_RUN_OPTIONS, strategy: 'watcher', ...options },
    steps: roles.map(role => ({ ...someStep, role })),
  }
}

function ofSteps(kinds: readonly string[]): Plan {
  const plan = planOf(
    kinds.map(() => 'compute'),
    { concurrency: 4 },
  )
  return { ...plan, steps: plan.steps.map((step, at) => ({ ...step, kind: kinds[at] ?? step.kind })) }
}

function instance(action: InstanceEffect['action'], name: string): InstanceEffect {
  return { kind: 'instance', id: name, name, status: 'ACTIVE', action, source: 'watcher', reason: '', warnings: [] }
}

describe('choices of a plan', () => {
  it('are offered by the roles the node has', () => {
    expect(choicesOffered(planOf(['compute', 'storage']), 'os')).toEqual({
      moving: true,
      migrating: false,
      storage: true,
    })
    expect(choicesOffered(planOf(['storage']), 'os')).toMatchObject({ moving: false, storage: true })
    expect(choicesOffered(planOf(['compute']), 'os')).toMatchObject({ moving: true, storage: false })
  })

  it('about moving are not offered while instances stay where they are', () => {
    expect(choicesOffered(planOf(['compute']), 'drain')).toMatchObject({ moving: false, migrating: false })
  })

  it('under flavour mosk leave moving and disks to the controllers of the cluster', () => {
    const plan = planOf(['compute', 'storage'], {}, 'mosk')
    expect(choicesOffered(plan, 'os')).toEqual({ moving: false, migrating: false, storage: false })
    expect(choicesOnReturn(plan)).toEqual({ spreading: false, waiting: false, starting: false, homing: false })
    expect(isByWatcher(plan)).toBe(false)
  })

  it('about migrations by Lockkeeper are offered with strategy nova, or where Nova moves what Watcher cannot', () => {
    expect(choicesOffered(planOf(['compute'], { strategy: 'nova' }), 'os').migrating).toBe(true)
    expect(choicesOffered(planOf(['compute'], { novaForRest: true }), 'os').migrating).toBe(true)
  })

  it('on the way back are about spreading instances by Watcher and waiting for Ceph', () => {
    expect(choicesOnReturn(planOf(['compute', 'storage']))).toEqual({
      spreading: true,
      waiting: true,
      starting: false,
      homing: false,
    })
    expect(choicesOnReturn(planOf(['compute'], { strategy: 'nova' }))).toEqual({
      spreading: false,
      waiting: false,
      starting: false,
      homing: false,
    })
  })

  it.each([
    ['enable-compute', true],
    ['compute-given-back', true],
    ['migrate-instances', false],
    ['uncordon-node', false],
  ])('on the way back are about coming home only where the plan gives compute back: %s', (kind, homing) => {
    expect(choicesOnReturn(ofSteps([kind])).homing).toBe(homing)
  })

  it.each([
    ['home', ['bring-home'], '4 at a time'],
    ['rescue', ['compute-service-down', 'rescue-instances'], '4 at a time'],
    ['leave', ['enable-compute'], ''],
    ['leave', ['enable-compute', 'bring-home'], '4 at a time'],
  ] as const)('of a %s by %j say how many move at once where any do', (kind, steps, words) => {
    expect(optionsInWords({ ...ofSteps(steps), kind })).toBe(words)
  })

  it('instances are left out of a plan only where Watcher makes it', () => {
    expect(isByWatcher(planOf(['compute']))).toBe(true)
    expect(isByWatcher(planOf(['compute'], { scope: 'drain' }))).toBe(false)
    expect(isByWatcher(planOf(['compute'], { strategy: 'nova' }))).toBe(false)
    expect(isByWatcher({ ...planOf(['compute']), kind: 'leave' })).toBe(false)
  })
})

describe("Watcher's actions in a plan", () => {
  const all = [
    instance('ignore', 'e'),
    instance('cold_migrate', 'd'),
    instance('live_migrate', 'c'),
    instance('stop', 'b'),
  ]

  it('what is stopped comes before what moves live, moves stopped, and stays', () => {
    expect(instancesInOrder(all, new Map()).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'e'])
  })

  it('an instance that moves stopped and has nowhere to go comes first', () => {
    const forecast = { id: 'd', mayGoTo: [], note: null, expectedMs: null }
    expect(instancesInOrder(all, new Map([['d', forecast]])).map(({ name }) => name)[0]).toBe('d')
  })

  it('instances of one name differ by their ids', () => {
    const twins = ['4fecf62a-ad28', '789a8f0d-ffdd'].map(id => ({ ...instance('live_migrate', 'worker'), id }))
    expect([...namesOf([...twins, instance('stop', 'db')]).values()]).toEqual([
      'worker (4fecf62a)',
      'worker (789a8f0d)',
      'db',
    ])
  })

  it('are counted by what they do to instances', () => {
    const counts = countsOf({ instances: all, pods: [], changes: [] })
    expect(counts).toMatchObject({ moving: 2, movingCold: 1, stopped: 1, goingDown: 0 })
  })
})
