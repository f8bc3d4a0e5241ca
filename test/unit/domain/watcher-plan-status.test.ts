import { describe, expect, it } from 'vitest'
import type { WatcherPlan, WatcherPlanState } from '../../../shared/domain/watcher.ts'
import { watcherInput } from '../../../shared/domain/watcher-input.ts'
import { hasPlanEnded, planStatus, tallyActions } from '../../../shared/domain/watcher-plan-status.ts'
import { fakeAction } from '../../fixtures/procedures/fake-watcher.ts'

const MADE = Date.parse('2026-01-01T00:00:00Z')
const HOUR = 3_600_000

function plan(state: WatcherPlanState, states: readonly WatcherPlan['actions'][number]['state'][]): WatcherPlan {
  const actions = states.map((of, index) => fakeAction(`action-${index}`, { state: of }))
  return { uuid: 'plan-1', auditUuid: 'audit-1', state, createdAt: new Date(MADE).toISOString(), actions }
}

const SHOWN = watcherInput({
  node: 'cmp-1',
  host: 'cmp-1',
  plan: plan('RECOMMENDED', ['PENDING', 'PENDING']),
  excluded: [],
}).actions
const more = (changes: Partial<Parameters<typeof planStatus>[1]> = {}) => ({
  shown: SHOWN,
  startedByUs: false,
  now: MADE + HOUR,
  ...changes,
})

describe('the state of a Watcher plan', () => {
  it('is startable as it was shown, also when this run announced the start and died before it', () => {
    expect(planStatus(plan('RECOMMENDED', ['PENDING', 'SKIPPED']), more()).kind).toBe('startable')
    expect(planStatus(plan('RECOMMENDED', ['PENDING', 'PENDING']), more({ startedByUs: true })).kind).toBe('startable')
  })

  it.each([
    ['other actions', plan('RECOMMENDED', ['PENDING']), {}, 'WatcherPlanChanged'],
    ['24 hours old', plan('RECOMMENDED', ['PENDING', 'PENDING']), { now: MADE + 24 * HOUR }, 'WatcherPlanExpired'],
    ['superseded', plan('SUPERSEDED', ['PENDING', 'PENDING']), {}, 'WatcherPlanSuperseded'],
    ['started by somebody else', plan('ONGOING', ['ONGOING', 'PENDING']), {}, 'WatcherPlanStartedElsewhere'],
    ['run by somebody else', plan('SUCCEEDED', ['SUCCEEDED', 'SUCCEEDED']), {}, 'WatcherPlanEnded'],
    ['cancelled', plan('CANCELLED', ['CANCELLED', 'CANCELLED']), {}, 'WatcherPlanEnded'],
    ['deleted', plan('DELETED', []), {}, 'WatcherPlanEnded'],
  ] as const)('%s: it is not run', (_what, found, changes, code) => {
    expect(planStatus(found, more(changes))).toMatchObject({ kind: 'unusable', why: { code } })
  })

  it.each([
    ['PENDING', ['PENDING', 'PENDING'], 'under-way'],
    ['ONGOING', ['SUCCEEDED', 'ONGOING'], 'under-way'],
    ['CANCELLING', ['ONGOING', 'PENDING'], 'under-way'],
    // Reported as ended while an action still runs.
    ['CANCELLED', ['ONGOING', 'CANCELLED'], 'under-way'],
    ['SUCCEEDED', ['SUCCEEDED', 'FAILED'], 'over'],
    ['ONGOING', ['SUCCEEDED', 'FAILED'], 'over'],
    ['FAILED', ['FAILED', 'PENDING'], 'over'],
    ['CANCELLED', ['SUCCEEDED', 'PENDING'], 'over'],
  ] as const)('once this run started it, %s with actions %j is %s', (state, states, kind) => {
    expect(planStatus(plan(state, states), more({ startedByUs: true })).kind).toBe(kind)
  })

  it('a plan has ended when its actions have, whatever its own state says', () => {
    expect(hasPlanEnded(plan('SUCCEEDED', ['ONGOING']))).toBe(false)
    expect(hasPlanEnded(plan('ONGOING', ['PENDING']))).toBe(false)
    expect(hasPlanEnded(plan('UNKNOWN', ['PENDING']))).toBe(false)
  })

  it('its result is counted by action', () => {
    expect(tallyActions(plan('SUCCEEDED', ['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED', 'PENDING']).actions)).toEqual(
      {
        succeeded: 1,
        skipped: 1,
        failed: 1,
        notRun: 2,
      },
    )
  })
})
