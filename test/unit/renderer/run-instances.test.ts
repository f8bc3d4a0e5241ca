import { describe, expect, it } from 'vitest'
import { followsMoves, instancesOfRun } from '../../../renderer/ui/runs/run-instances.ts'
import { must } from '../../../shared/domain/must.ts'
import { conditionOf, type RunCondition } from '../../../shared/domain/run-condition.ts'
import {
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCES_NOTED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import { sampleNotEmpty } from '../../fixtures/cli/sample-run.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'
import { type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'

function statesOf(state: PlayedState, isLeft = false) {
  const view = foldRun(playedRun(state).events)
  const instances = instancesOfRun(view, conditionOf(view, false), isLeft ? view.lastEventAt : null)
  return Object.fromEntries(instances.map(({ name, state: stands }) => [name, stands]))
}

describe('instances on the page of a run', () => {
  it('follow the facts: moved, moving, to move; without facts, the checks', () => {
    expect(statesOf('moving')).toMatchObject({
      'web-01': 'moved',
      'db-01': 'moving',
      'mail-01': 'to-move',
      'cache-01': 'stops',
      'ledger-01': 'owner',
    })
  })

  it('one that is left to its owner waits only once the run waits for it', () => {
    expect(statesOf('owner')['ledger-01']).toBe('waits')
  })

  it('one that moved while nobody followed it is unknown', () => {
    expect(statesOf('interrupted', true)['db-01']).toBe('unknown')
  })

  it('after the end nothing is ahead and nothing waits', () => {
    const stopped = statesOf('aborted', true)
    expect(stopped['mail-01']).toBe('not-moved')
    expect(Object.values(stopped)).not.toEqual(expect.arrayContaining(['waits']))
    expect(Object.values(stopped)).not.toEqual(expect.arrayContaining(['to-move']))
  })

  it('what the last reading found on the node is still there, whatever the events say', () => {
    const view = foldRun(playedRun('done').events)
    const known = instancesOfRun(view, conditionOf(view, false), view.lastEventAt).find(({ name }) => name === 'db-01')
    const { id, name } = must(known ?? null, 'the run moves db-01')
    const ending = sampleNotEmpty('cmp-02')
    const instances = [{ id, name, code: 'StillRuns', status: 'ACTIVE', decided: null }]
    const over = {
      kind: 'over',
      outcome: 'done',
      summary: '',
      ending: { ...ending, verdict: { ...ending.verdict, instances } },
    }
    const shown = instancesOfRun(view, over as RunCondition, view.lastEventAt)
    expect(shown.find(each => each.id === id)).toMatchObject({ state: 'left', to: null })
  })

  it('one that left without a request is not called staying', () => {
    const { events } = playedRun('moving')
    const last = events.at(-1)
    if (last === undefined) throw new Error('no event')
    const reported = events.findLast(({ body }) => body.kind === 'fact' && body.fact === MIGRATION_REQUESTED)?.body
    if (reported?.kind !== 'fact') throw new Error('no migration was requested')
    const values = { name: 'db-01', why: 'it runs on cmp-07 now' }
    const settled = {
      ...last,
      seq: last.seq + 1,
      body: { ...reported, fact: INSTANCE_SETTLED, announces: false, values },
    }
    const view = foldRun([...events, settled])
    const subject = reported.subject.replace('server/', '')
    const found = instancesOfRun(view, conditionOf(view, false), null).find(({ id }) => id === subject)
    expect(found?.state).toBe('settled')
  })

  it('one that writes memory as fast as it is copied waits', () => {
    const moving = foldRun(playedRun('moving').events)
    const steps = moving.steps.map(step => {
      const asked = step.facts.find(({ fact, values }) => fact === MIGRATION_REQUESTED && values.name === 'db-01')
      if (asked === undefined) return step
      const slow = fakeFact(MIGRATION_PROGRESS, asked.subject, { slope: 'not-converging' }, { at: moving.lastEventAt })
      return { ...step, facts: [...step.facts, slow] }
    })
    const instances = instancesOfRun({ ...moving, steps }, conditionOf(moving, false), null)
    expect(instances.find(({ name }) => name === 'db-01')?.state).toBe('waits')
  })

  it('one without events is gone only where the run verified that the node is empty', () => {
    expect(statesOf('done')['ledger-01']).toBe('gone')
    expect(statesOf('failed')['ledger-01']).toBe('owner')
  })

  describe('where controllers of the cluster move them', () => {
    const reported = (state: 'owner' | 'done') => {
      const { events } = playedRun(state)
      return foldRun(events.filter(({ body }) => body.kind !== 'fact' || body.stepId !== 'migrate-instances'))
    }
    // As a separate check finds them, which moves nothing.
    const view = (state: 'owner' | 'done') => {
      const whole = reported(state)
      const steps = whole.steps.map(step =>
        step.step.id === 'migrate-instances' ? { ...step, step: { ...step.step, verbs: ['check' as const] } } : step,
      )
      return { ...whole, plan: { ...whole.plan, flavour: 'mosk' as const }, steps }
    }
    const instancesOf = (state: 'owner' | 'done', nodeNow: ((id: string) => string | null) | null = null) =>
      Object.fromEntries(
        instancesOfRun(view(state), conditionOf(view(state), false), null, nodeNow).map(each => [
          each.name,
          each.state,
        ]),
      )

    it('the run does not count them, and says so once it has ended', () => {
      expect(followsMoves(view('done'))).toBe(false)
      expect(followsMoves(foldRun(playedRun('done').events))).toBe(true)
      expect(instancesOf('owner')).toMatchObject({ 'web-01': 'to-move', 'ledger-01': 'waits' })
      expect(instancesOf('done')).toMatchObject({ 'web-01': 'not-followed', 'cache-01': 'stops' })
    })

    it('one that the last look found to stop with the node says so', () => {
      const done = view('done')
      const rows = instancesOfRun(done, conditionOf(done, false), null)
      const { id, name } = must(rows.find(row => row.name === 'web-01') ?? null, 'the run lists web-01')
      const ending = sampleNotEmpty('cmp-02')
      const instances = [{ id, name, code: 'StopsWithNode', status: 'ACTIVE', decided: null }]
      const over = {
        kind: 'over',
        outcome: 'done',
        summary: '',
        ending: { ...ending, verdict: { ...ending.verdict, instances } },
      }
      expect(instancesOfRun(done, over as RunCondition, null).find(row => row.id === id)?.state).toBe('stops')
    })

    it('on other clouds nobody else moves them: one that has not started did not move', () => {
      const { plan, ...ofMosk } = view('done')
      const stopped = { ...ofMosk, plan: { ...plan, flavour: 'plain' as const } }
      const instances = instancesOfRun(stopped, conditionOf(stopped, false), null)
      expect(instances.find(({ name }) => name === 'web-01')?.state).toBe('not-moved')
    })

    it('one that the run saw elsewhere afterwards moved there, also once it has ended', () => {
      const done = view('done')
      const ids = done.steps.flatMap(({ check }) =>
        (check?.effects ?? []).flatMap(effect => (effect.kind === 'instance' ? [effect] : [])),
      )
      const { id, name } = must(
        ids.find(each => each.name === 'web-01'),
        'it is there',
      )
      const at = done.lastEventAt
      const notes = [
        fakeFact(INSTANCES_NOTED, 'node/cmp-02', { host: 'cmp-02', ids: [id], instances: [{ id, name }] }, { at }),
        fakeFact(INSTANCE_SEEN, `server/${id}`, { name, host: 'cmp-04', status: 'ACTIVE', powerState: 1 }, { at }),
      ]
      const steps = done.steps.map((step, index) =>
        index === 0 ? { ...step, facts: [...step.facts, ...notes] } : step,
      )
      const instances = instancesOfRun({ ...done, steps }, conditionOf(done, false), null)
      expect(instances.find(each => each.id === id)).toMatchObject({ name: 'web-01', state: 'moved', to: 'cmp-04' })
      expect(talliesOf({ ...done, steps }).moves).toMatchObject({ moved: 1 })
    })

    it('one that is seen on another node is gone', () => {
      const [web] = playedRun('owner').events.flatMap(({ body }) =>
        body.kind === 'step-checked' ? body.answer.effects.filter(({ kind }) => kind === 'instance') : [],
      )
      const id = web?.kind === 'instance' ? web.id : ''
      expect(instancesOf('owner', asked => (asked === id ? 'cmp-07' : 'cmp-02'))).toMatchObject({
        'web-01': 'gone',
        'web-02': 'to-move',
      })
    })
  })
})
