import { describe, expect, it } from 'vitest'
import { ENTER } from '../../../main/procedures/plans/node/enter.ts'
import { LEAVE } from '../../../main/procedures/plans/node/leave.ts'
import { planMaintenance } from '../../../main/procedures/plans/node/maintain.ts'
import type { PlanRequest } from '../../../main/procedures/plans/node/plan-request.ts'
import { nodeWork } from '../../../main/procedures/steps/rolling/node-work.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { DEFAULT_RUN_OPTIONS, type PlanWindow } from '../../../shared/domain/plan.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { nodePlanTitle } from '../../../shared/words/plans.ts'
import { fakeCluster, fakeContext, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

function requestOf(flavour: ClusterFlavour, work: PlanRequest['options']['work'] = null): PlanRequest {
  return {
    cluster: fakeCluster({ flavour, roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: 'toolbox' } }),
    name: 'n1',
    node: fakeNode('n1'),
    roles: ['compute', 'control', 'storage', 'gateway'],
    options: { ...DEFAULT_RUN_OPTIONS, stopOsds: true, work },
    watcher: null,
    ran: null,
  }
}

const acts = ({ verbs }: { readonly verbs: readonly string[] }) => verbs.includes('apply')

describe.each(['plain', 'sunbeam', 'mosk'] as const)('the whole maintenance of a node of a %s cluster', flavour => {
  const steps = planMaintenance(requestOf(flavour))

  it('is its enter, the work, and its leave, in this order and on one lane', () => {
    const request = { ...requestOf(flavour), ran: 'noted-in-this-run' as const }
    expect(steps.filter(acts).map(({ kind }) => kind)).toEqual([
      'note-node',
      ...ENTER[flavour](request)
        .filter(acts)
        .map(({ kind }) => kind),
      'node-work',
      'node-ready-again',
      ...LEAVE[flavour](request)
        .filter(acts)
        .map(({ kind }) => kind),
    ])
    expect(new Set(steps.map(({ lane }) => `${lane?.batch} ${lane?.name}`))).toEqual(new Set(['node n1']))
    expect(new Set(steps.map(({ id }) => id)).size, 'no step twice').toBe(steps.length)
  })

  it('looks at all before it touches anything, and knows which stage each step belongs to', () => {
    const stages = steps.map(({ stage }) => stage)
    expect([...new Set(stages)]).toEqual(['pending', 'draining', 'work', 'returning'])
    expect(stages).toEqual([...stages].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)))
    expect(steps.filter(({ stage }) => stage === 'pending').some(acts)).toBe(false)
  })

  it('asks of what its own way back undoes only until then', () => {
    const out = steps.filter(step => acts(step) && step.stage === 'draining' && step.kind !== 'note-node')
    for (const { kind, holdsUntil, verifyFinally } of out) {
      const until = steps.find(({ id }) => id === holdsUntil)
      expect(until?.stage, `${kind} holds until it is undone`).toBe('returning')
      expect(verifyFinally, kind).toBe(false)
    }
    expect(out.length).toBeGreaterThan(3)
  })
})

const ORDER: readonly unknown[] = ['pending', 'draining', 'work', 'returning']

describe('the work', () => {
  it('ends when an operator says so, unless something else was chosen', () => {
    const workOf = (work: PlanRequest['options']['work']) =>
      planMaintenance(requestOf('plain', work)).find(({ kind }) => kind === 'node-work')?.input.work
    expect(workOf(null)).toEqual({ kind: 'person' })
    expect(workOf({ kind: 'boot-id' })).toEqual({ kind: 'boot-id' })
  })

  it('asks for the rights of a Job before anything is touched', () => {
    const job = { kind: 'job', namespace: 'ops', manifest: 'kind: Job' } as const
    const asked = planMaintenance(requestOf('plain', job)).find(({ kind }) => kind === 'update-permitted')
    expect(asked).toMatchObject({ stage: 'pending', input: { jobNamespace: 'ops' } })
    expect(planMaintenance(requestOf('plain')).some(({ kind }) => kind === 'update-permitted')).toBe(false)
  })

  it('says until when the window allows it', async () => {
    const window: PlanWindow = {
      kind: 'in',
      id: 'w1',
      title: 'Kernels',
      endsAt: '2026-05-04T14:00:00.000Z',
      timeZone: 'Europe/Rome',
    }
    const question = async (belongs: PlanWindow | null) => {
      const ctx = fakeContext(fakeWorld(), { window: belongs })
      const answer = await nodeWork.apply?.({ node: 'n1', work: { kind: 'person' } }, ctx)
      return answer?.kind === 'question' ? answer.question : ''
    }
    expect(await question(window)).toContain('Continue when the work is done;')
    expect(await question(window)).toContain('2026-05-04 16:00 +02:00, when window Kernels ends')
    expect(await question(null)).not.toContain('until')
  })
})

it('is called by one name', () => {
  expect(nodePlanTitle('maintain', 'n1 of east')).toBe('Take n1 of east out, then bring it back')
})
