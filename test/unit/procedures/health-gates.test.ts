import { describe, expect, test } from 'vitest'
import type { QueryAnswer } from '../../../main/ports/prometheus.ts'
import { gatesInput, healthGates } from '../../../main/procedures/steps/general/health-gates.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { overrideFor } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Counted } from '../../../shared/domain/step-answers.ts'
import { fakeCluster, fakeContext, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const GATE = {
  name: 'error rate',
  query: 'errors / requests',
  stopsWhen: { comparison: '>', threshold: 0.01 },
} as const
const INPUT = { node: 'cmp-1', gates: [{ ...GATE }] }

/** What the check says of an answer of Prometheus; null: the settings name none. */
async function check(answer: Result<QueryAnswer> | null, counted: readonly Counted[] = []) {
  const context = { ...fakeContext(fakeWorld()), counted: () => counted }
  const world = { ...context.world, prometheus: answer === null ? null : { query: async () => answer } }
  const value = await healthGates.check(INPUT, { ...context, world })
  return { value, now: context.clock.now() }
}
const values = (...numbers: readonly number[]) =>
  ok({ values: numbers.map(value => ({ labels: '', value })), atMs: fakeContext(fakeWorld()).clock.now(), doubts: [] })

describe('the check of health gates', () => {
  test('holds with the query, the value and its time as evidence', async () => {
    const { value } = await check(values(0.001))
    expect(value).toMatchObject({
      kind: 'ready',
      evidence: [
        {
          subject: 'health gate error rate',
          values: {
            query: 'errors / requests',
            stopsWhen: '> 0.01',
            values: ['0.001'],
            count: 1,
            evaluatedAt: expect.any(String),
          },
        },
      ],
    })
  })

  test.each([
    ['a value over the threshold', values(0.2), 'HealthGateStops'],
    ['no value', values(), 'HealthGateUnknown'],
    ['NaN', values(Number.NaN), 'HealthGateUnknown'],
    ['an answer that cannot be read', failed(failure('unreadable', 'A login page.')), 'HealthGateUnknown'],
    ['a query that is not taken', failed(failure('bad-input', 'It does not take the query.')), 'HealthGateUnknown'],
    ['no Prometheus', null, 'HealthGateUnknown'],
  ])('%s blocks, may be forced, and an operator may continue in spite of it', async (_, answer, code) => {
    const { value } = await check(answer)
    expect(value).toMatchObject({
      kind: 'blocked',
      blockers: [{ code, override: { kind: 'flag', flag: 'force' }, mayGoOn: true }],
      evidence: [{ values: { query: 'errors / requests' } }],
    })
  })

  test('an override lifts a gate that was shown not to hold, and not one that held when the plan was confirmed', async () => {
    const force = [{ flag: 'force' as const, reason: 'known' }]
    const shown = async (...numbers: readonly number[]) => (await check(values(...numbers))).value.counted ?? []
    const liftedAfter = async (counted: readonly Counted[]) => {
      const { value } = await check(values(0.2), counted)
      return value.kind === 'blocked' ? value.blockers.map(blocker => overrideFor(blocker, force)) : 'holds'
    }
    expect(await liftedAfter([]), 'while the plan is made').toEqual(['force'])
    expect(await liftedAfter(await shown(0.5)), 'it was shown').toEqual(['force'])
    expect(await liftedAfter(await shown(0.001)), 'it held').toEqual([null])
  })

  test('says so where the fault may pass', async () => {
    const { value } = await check(failed(failure('unreachable', 'It refuses connections.')))
    expect(value).toMatchObject({ kind: 'blocked', blockers: [{ passing: { retryAfterMs: 0 } }] })
  })

  test('a cluster without gates has no such step', () => {
    expect(gatesInput(fakeCluster({ name: 'east' }))).toBeNull()
    const endpoint = { url: 'https://prometheus.test', login: { kind: 'none' as const }, caFile: null }
    const signals = {
      webhooks: [],
      alertmanager: null,
      health: { endpoint, gates: [{ ...GATE, stopsWhen: { ...GATE.stopsWhen } }] },
    }
    expect(gatesInput({ ...fakeCluster({ name: 'east' }), signals })).toEqual({ gates: INPUT.gates })
  })
})
