import { expect, test } from 'vitest'
import { blockedChecksOf, recurringBlockers } from '../../../shared/domain/recurring-blockers.ts'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { Blocker } from '../../../shared/domain/step-answers.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

function runOf(runId: string, node: string, day: number, bodies: readonly RunEventBody[]): readonly RunEvent[] {
  const plan = { ...toyPlan([switchStep('first')]), node }
  return [{ kind: 'run-created' as const, plan, driver: DRIVER }, ...bodies].map((body, at) => ({
    seq: day * 100 + at,
    runId,
    at: `2026-03-0${day}T10:00:0${at}.000Z`,
    body,
  }))
}

function blocked(code: string, message: string): RunEventBody {
  const blocker: Blocker = { code, message, remedy: 'Look.', override: { kind: 'flag', flag: 'force' } }
  return {
    kind: 'step-checked',
    stepId: 'first',
    answer: { kind: 'blocked', blockers: [blocker], evidence: [], warnings: [], effects: [] },
  }
}

const lifted = (code: string, message: string): RunEventBody => ({
  kind: 'blocker-overridden',
  stepId: 'first',
  code,
  message,
  flag: 'force',
  reason: 'agreed with the owner',
})

const found = (...runs: readonly (readonly RunEvent[])[]) =>
  recurringBlockers(runs.flatMap(events => blockedChecksOf(foldRun(events), events)))

test('a blocker of one run alone does not recur, however often its check was asked', () => {
  const budget = blocked('pdb', 'Budget rabbitmq allows none.')
  expect(found(runOf('a', 'cmp-1', 1, [budget, budget, budget]))).toEqual([])
})

test('the same blocker in two runs recurs: with its nodes, how often it was lifted, and the newest run first', () => {
  expect(
    found(
      runOf('a', 'cmp-1', 1, [blocked('pdb', 'Budget rabbitmq allows none.')]),
      runOf('b', 'cmp-2', 2, [
        blocked('pdb', 'Budget rabbitmq allows none.'),
        lifted('pdb', 'Budget rabbitmq allows none.'),
      ]),
    ),
  ).toEqual([
    {
      cluster: 'test',
      code: 'pdb',
      message: 'Budget rabbitmq allows none.',
      nodes: ['cmp-1', 'cmp-2'],
      times: 2,
      overridden: 1,
      firstAt: '2026-03-01T10:00:01.000Z',
      lastAt: '2026-03-02T10:00:01.000Z',
      runIds: ['b', 'a'],
    },
  ])
})

test.each([
  ['a count', '3 instances are in ERROR.', '4 instances are in ERROR.'],
  ['the node', 'cmp-1 is not Ready.', 'cmp-2 is not Ready.'],
  [
    'an id',
    'Instance 6f1c2a30-1111-4222-8333-944455556666 is in ERROR.',
    'Instance aaaabbbb-cccc-4ddd-8eee-ffff00001111 is in ERROR.',
  ],
])('a blocker stays the same when only %s differs', (_what, one, other) => {
  expect(
    found(runOf('a', 'cmp-1', 1, [blocked('x', one)]), runOf('b', 'cmp-2', 2, [blocked('x', other)])),
  ).toMatchObject([{ times: 2, message: other }])
})

test('two different things under one code are two blockers', () => {
  const rabbit = blocked('pdb', 'Budget rabbitmq allows none.')
  const galera = blocked('pdb', 'Budget mariadb allows none.')
  expect(found(runOf('a', 'cmp-1', 1, [rabbit]), runOf('b', 'cmp-1', 2, [galera]))).toEqual([])
})

test('one condition of other values recurs as another, whatever its text says; the node and counts make no difference', () => {
  const refused = (budget: string, healthy: number, node: string): RunEventBody => ({
    kind: 'step-checked',
    stepId: 'first',
    answer: {
      kind: 'blocked',
      blockers: [
        {
          code: 'BudgetAllowsNone',
          values: { budget, healthy, node },
          message: 'The same text.',
          remedy: '',
          override: { kind: 'flag', flag: 'force' },
        },
      ],
      evidence: [],
      warnings: [],
      effects: [],
    },
  })
  const recurring = found(
    runOf('a', 'cmp-1', 1, [refused('rabbitmq', 3, 'cmp-1')]),
    runOf('b', 'cmp-2', 2, [refused('rabbitmq', 2, 'cmp-2'), refused('mariadb', 3, 'cmp-2')]),
  )
  expect(recurring).toMatchObject([{ code: 'BudgetAllowsNone', times: 2, nodes: ['cmp-1', 'cmp-2'] }])
})
