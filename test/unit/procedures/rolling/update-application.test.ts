import { describe, expect, it } from 'vitest'
import { planUpdate } from '../../../../main/procedures/plans/rolling/plan-update.ts'
import { updateApplication } from '../../../../main/procedures/steps/rolling/update-application.ts'
import type { ApplicationFinish, ApplicationUpdate } from '../../../../shared/domain/application-update.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { Json } from '../../../../shared/domain/json.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { TRY_AGAIN } from '../../../../shared/domain/run-facts.ts'
import type { Counted } from '../../../../shared/domain/step-answers.ts'
import { fakeFact } from '../../../fixtures/procedures/fake-records.ts'
import { fakeContext, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'
import { plannedUpdate, stepsOf, updateRequest } from '../../../fixtures/procedures/update-plan.ts'

const OBJECT = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'HelmBundle', namespace: 'default', name: 'stacklight' }
const FIELD: ApplicationFinish = { kind: 'field', object: OBJECT, path: 'status.version', equals: '2' }
const UPDATE: ApplicationUpdate = {
  application: 'stacklight',
  start: { kind: 'patch', object: OBJECT, patch: '{"spec":{"version":"2"}}' },
  finished: FIELD,
}

/** A cluster with one object, whose controller applies a change before the next reading. */
function cluster(content: { spec: Record<string, Json>; status: Record<string, Json> }) {
  const world = fakeWorld()
  const state = { content, version: 1, patches: 0, refuse: 0, lose: 0, follows: true, gone: false }
  Object.assign(world.port.kubernetes, {
    namedObject: async () => {
      if (state.gone) return ok(null)
      const seen = JSON.parse(JSON.stringify(state.content))
      if (state.follows) state.content.status = { version: state.content.spec.version ?? '1' }
      const { version } = state
      return ok({
        uid: 'uid-1',
        resourceVersion: String(version),
        content: seen,
        group: 'lcm.mirantis.com',
        resource: 'helmbundles',
      })
    },
    patchNamedObject: async (
      _: unknown,
      change: { patch: { spec: Record<string, Json> }; resourceVersion: string },
    ) => {
      if (state.refuse > 0 || change.resourceVersion !== String(state.version)) {
        state.refuse -= 1
        state.version += 1
        return failed(failure('conflict', 'It was changed meanwhile.'))
      }
      state.patches += 1
      state.version += 1
      state.content = { ...state.content, spec: { ...state.content.spec, ...change.patch.spec } }
      if (state.lose > 0) {
        state.lose -= 1
        return failed(failure('unreachable', 'The connection was lost.', { retryable: true }))
      }
      return ok(undefined)
    },
  })
  const facts: RunFact[] = []
  const counted: Counted[] = []
  return { world, state, facts, counted, context: () => fakeContext(world, { facts, counted }) }
}

const input = (update: ApplicationUpdate = UPDATE) => ({ update })

describe('the update of an application', () => {
  it('is shown as what its patch changes, before anything is touched', async () => {
    const { context, state } = cluster({ spec: { version: '1', other: true }, status: { version: '1' } })
    expect(await updateApplication.check?.(input(), context())).toMatchObject({
      kind: 'ready',
      effects: [{ kind: 'change', target: 'HelmBundle default/stacklight spec.version', from: '"1"', to: '"2"' }],
    })
    expect(state.patches).toBe(0)
  })

  it.each([
    ['get', 'Role that may get and patch helmbundles.lcm.mirantis.com in namespace default'],
    ['patch', 'Role that may get and patch helmbundles.lcm.mirantis.com in namespace default'],
  ])('does not start without the right to %s, which is named', async (verb, remedy) => {
    const { context, world } = cluster({ spec: { version: '1' }, status: {} })
    world.denied = (asked, resource) => asked === verb && resource === 'helmbundles'
    const answer = await updateApplication.check?.(input(), context())
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: expect.arrayContaining([expect.objectContaining({ code: 'ObjectNotPermitted' })]),
    })
    expect(JSON.stringify(answer)).toContain(remedy)
  })

  it('does not start where the object is missing', async () => {
    const { context, state } = cluster({ spec: {}, status: {} })
    state.gone = true
    expect(await updateApplication.check?.(input(), context())).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'NoSuchObject' }],
    })
  })

  it('patches once, after it is written down, and follows the field to its end', async () => {
    const { context, state, facts } = cluster({ spec: { version: '1' }, status: { version: '1' } })
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({
      kind: 'applied',
      note: 'stacklight is updated: status.version of HelmBundle default/stacklight is "2".',
    })
    expect(facts.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining(['application-update-requested', 'application-update-started']),
    )
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({ kind: 'applied' })
    expect(state.patches).toBe(1)
    expect(await updateApplication.verify?.(input(), context())).toMatchObject({ kind: 'holds' })
  })

  it('patches what it has just read: one that lost is made of a fresh read', async () => {
    const { context, state } = cluster({ spec: { version: '1' }, status: { version: '1' } })
    state.refuse = 2
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({ kind: 'applied' })
    expect(state.patches).toBe(1)
  })

  it('patches only what has not changed since the confirmation', async () => {
    const { context, counted, state } = cluster({ spec: { version: '1' }, status: { version: '1' } })
    const answer = await updateApplication.check?.(input(), context())
    counted.push(...(answer?.counted ?? []))
    state.content.spec.version = '1.5'
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({
      kind: 'question',
      code: 'ObjectChangedSince',
      question: expect.stringContaining('HelmBundle default/stacklight changed after the plan was confirmed'),
    })
    expect(state.patches).toBe(0)
  })

  it('does not count a later reading, at the start of the run or during it, as confirmed', async () => {
    const { context, counted, state } = cluster({ spec: { version: '1' }, status: { version: '1' } })
    const planned = await updateApplication.check?.(input(), context())
    counted.push(...(planned?.counted ?? []))
    state.content.spec.version = '1.5'
    const now = await updateApplication.check?.(input(), context())
    // A step gets the newest count of the same thing.
    counted.splice(0, counted.length, ...(now?.counted ?? []))
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('HelmBundle default/stacklight changed after the plan was confirmed'),
    })
    expect(state.patches).toBe(0)
  })

  it('asks when somebody changed it back, and patches it not again', async () => {
    const { context, state } = cluster({ spec: { version: '1' }, status: { version: '1' } })
    await updateApplication.apply?.(input(), context())
    state.content.spec.version = '1'
    expect(await updateApplication.apply?.(input(), context())).toMatchObject({
      kind: 'question',
      choices: ['retry', 'abort'],
    })
    expect(state.patches).toBe(1)
  })

  describe('whose answer was lost', () => {
    const reverted = async (lost: 'answer' | 'process') => {
      const made = cluster({ spec: { version: '1' }, status: { version: '1' } })
      made.state.lose = lost === 'answer' ? 1 : 0
      if (lost === 'answer') {
        expect(await updateApplication.apply?.(input(), made.context())).toMatchObject({ kind: 'failed' })
      } else {
        // Killed between the patch and its answer: what was written down before is all that the next process knows.
        await updateApplication.apply?.(input(), made.context())
        made.facts.splice(made.facts.findIndex(({ fact }) => fact === 'application-update-requested') + 1)
      }
      expect(made.state.patches).toBe(1)
      made.state.content.spec.version = '1'
      made.state.version += 1
      return made
    }

    it.each(['answer', 'process'] as const)(
      'with its %s, and that was changed back: a person is asked, it is not patched twice',
      async lost => {
        const { context, state } = await reverted(lost)
        expect(await updateApplication.apply?.(input(), context())).toMatchObject({
          kind: 'question',
          question:
            'Cannot tell whether HelmBundle default/stacklight was patched: the answer was lost, and the object changed since (resourceVersion 1, now 3). Find out who wrote to it, then retry, or abort.',
          choices: ['retry', 'abort'],
        })
        expect(state.patches).toBe(1)
      },
    )

    it('is patched once more when a person says so', async () => {
      const { context, state, facts } = await reverted('answer')
      facts.push(fakeFact(TRY_AGAIN, 'update-application', { choice: 'retry' }))
      expect(await updateApplication.apply?.(input(), context())).toMatchObject({ kind: 'applied' })
      expect(state.patches).toBe(2)
    })

    it('and that was carried out is not patched again', async () => {
      const { context, state } = cluster({ spec: { version: '1' }, status: { version: '1' } })
      state.lose = 1
      await updateApplication.apply?.(input(), context())
      expect(await updateApplication.apply?.(input(), context())).toMatchObject({ kind: 'applied' })
      expect(state.patches).toBe(1)
    })

    it('and that nobody has written since is patched again, at the same version', async () => {
      const { context, state, facts } = cluster({ spec: { version: '1' }, status: { version: '1' } })
      const object = 'HelmBundle default/stacklight'
      facts.push(fakeFact('application-update-requested', 'cluster', { object, uid: 'uid-1', resourceVersion: '1' }))
      expect(await updateApplication.apply?.(input(), context())).toMatchObject({ kind: 'applied' })
      expect(state.patches).toBe(1)
    })
  })

  it('does not start without the right to read the object that will show its end, even before that exists', async () => {
    const { context, world } = cluster({ spec: { version: '1' }, status: {} })
    world.denied = (asked, resource) => asked === 'get' && resource === 'cephdeployments'
    const object = { apiVersion: 'ceph.example.com/v1', kind: 'CephDeployment', namespace: 'default', name: 'none' }
    const finished: ApplicationFinish = { ...FIELD, object }
    for (const update of [
      { ...UPDATE, finished },
      { ...UPDATE, start: null, finished },
    ]) {
      expect(await updateApplication.check?.(input(update), context())).toMatchObject({
        kind: 'blocked',
        blockers: [
          {
            code: 'ObjectNotPermitted',
            message: 'These credentials may not get cephdeployments.ceph.example.com in namespace default.',
          },
        ],
      })
    }
  })

  it('is not verified while the field says something else', async () => {
    const { context, state } = cluster({ spec: { version: '2' }, status: { version: '1' } })
    state.follows = false
    expect(await updateApplication.verify?.(input(), context())).toMatchObject({
      kind: 'fails',
      reason: 'status.version of HelmBundle default/stacklight is "1", not "2".',
      mayStillHold: true,
    })
  })

  it('that nobody starts here is only waited for', async () => {
    const { context, state } = cluster({ spec: { version: '2' }, status: { version: '1' } })
    expect(await updateApplication.apply?.(input({ ...UPDATE, start: null }), context())).toMatchObject({
      kind: 'applied',
    })
    expect(state.patches).toBe(0)
  })
})

describe('in the plan of an update', () => {
  const of = (application: string): ApplicationUpdate => ({ ...UPDATE, application })
  const plan = plannedUpdate({ applications: ['tungstenfabric', 'ceph', 'stacklight', 'openstack'].map(of) })
  const at = (id: string) => plan.steps.findIndex(step => step.id === id)

  it('OpenStack is updated first, then Ceph, each before the wait for its lock; all others in the last phase', () => {
    const order = [
      'request-cluster-maintenance',
      'update-application@openstack',
      'cluster-lock-inactive@openstack',
      'update-application@ceph',
      'cluster-lock-inactive@ceph',
      'cluster-lock-inactive@others',
      'update-application@tungstenfabric',
      'update-application@stacklight',
      'other-applications',
      'remove-cluster-request',
    ].map(at)
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(plan.steps[at('update-application@stacklight')]?.phase).toBe('finalize')
    expect(plan.steps[at('update-application@ceph')]?.phase).toBe('applications')
  })

  it('phase 2 does not wait for the locks of those', () => {
    expect(plan.steps[at('cluster-lock-inactive@others')]?.input).toMatchObject({
      controller: null,
      later: ['tungstenfabric', 'stacklight'],
    })
  })

  it('without any, nothing starts and phase 2 waits for every lock', () => {
    expect(stepsOf(plannedUpdate(), 'cmp-1')).not.toContain('update-application')
    const made = planUpdate(updateRequest())
    expect(JSON.stringify(made)).not.toContain('update-application')
    expect(JSON.stringify(made)).not.toContain('"later"')
  })
})
