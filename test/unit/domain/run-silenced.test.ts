import { describe, expect, test } from 'vitest'
import type { CheckedPlan, PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import type { RunEventBody } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { silencedNow } from '../../../shared/domain/run-silenced.ts'
import { DEFAULT_INSTANCE_MATCHERS, DEFAULT_NODE_MATCHERS } from '../../../shared/domain/signals.ts'
import { silencedWords } from '../../../shared/words/signals.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

const PLAN = toyPlan([switchStep('first'), switchStep('second')])
const planOf = (kind: PlannedNodeRunKind) => ({ ...PLAN, kind, node: 'cmp-1' }) as CheckedPlan['plan']
const BEGUN: RunEventBody = { kind: 'step-started', stepId: 'first', attempt: 1 }
const ASKS: RunEventBody = {
  kind: 'gate-opened',
  stepId: 'second',
  gateId: 'g1',
  question: 'Is the work done?',
  choices: ['continue'],
}
const OVER: RunEventBody = { kind: 'run-finished', outcome: 'done', summary: 'Done.', leftBehind: [] }

/** Whose alerts are silenced after these events of a run. */
function silenced(kind: PlannedNodeRunKind, ...bodies: readonly RunEventBody[]): readonly string[] {
  const all: readonly RunEventBody[] = [{ kind: 'run-created', plan: planOf(kind), driver: DRIVER }, ...bodies]
  const events = all.map((body, at) => ({ seq: at + 1, runId: 'run-1', at: '2026-11-20T01:00:00.000Z', body }))
  return silencedNow(foldRun(events)).map(({ node }) => node)
}

describe('the alerts of a node are silenced', () => {
  test.each<readonly [string, PlannedNodeRunKind, readonly RunEventBody[], boolean]>([
    ['not before anything is done to it', 'enter', [], false],
    ['from the first thing that is done to it', 'enter', [BEGUN], true],
    ['while the run asks', 'enter', [BEGUN, ASKS], true],
    [
      'no longer when the run has ended, although the node stays in maintenance: nobody prolongs a finished run',
      'enter',
      [BEGUN, OVER],
      false,
    ],
    ['through the work on it, where the run has the work in it', 'maintain', [BEGUN, ASKS], true],
    ['no longer when that has ended', 'maintain', [BEGUN, ASKS, OVER], false],
    ['not while its instances come back: it is in service', 'home', [BEGUN], false],
  ])('%s (%s)', (_, kind, bodies, expected) => {
    expect(silenced(kind, ...bodies)).toEqual(expected ? ['cmp-1'] : [])
  })
})

test.each<readonly [PlannedNodeRunKind, string]>([
  [
    'enter',
    'Alerts of cmp-1 return when the run ends, while the node is still in maintenance: `maintain` includes the work in the run.',
  ],
  ['maintain', 'The silence ends with the run, whether or not the node is back by then.'],
])('the plan of %s says how long: %s', (kind, words) => {
  const alertmanager = {
    endpoint: { url: 'https://alerts.test', login: { kind: 'none' as const }, caFile: null },
    nodeMatchers: [...DEFAULT_NODE_MATCHERS],
    instanceMatchers: [...DEFAULT_INSTANCE_MATCHERS],
  }
  const signals = { webhooks: [], alertmanager, health: null }
  expect(silencedWords({ signals }, { plan: planOf(kind), checks: [] })).toContain(words)
})
