import { describe, expect, it } from 'vitest'
import {
  auditName,
  maintenanceParameters,
  type RecommendationRequest,
  recommendMaintenance,
} from '../../../../main/procedures/steps/watcher/watcher-recommendation.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { fakeHolder } from '../../../fixtures/procedures/fake-records.ts'
import { fakeWatcher } from '../../../fixtures/procedures/fake-watcher.ts'
import { fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { computeWorld } from '../../../fixtures/procedures/watcher-run.ts'

const ask = (name: string, options: Partial<RecommendationRequest['options']> = {}, host = 'cmp-1') => ({
  node: host,
  host,
  name,
  options: { disableMigration: 'none' as const, backupNode: null, ...options },
})

describe('asking Watcher how it would empty a host', () => {
  it('says only what was chosen, so that an older Watcher is not asked what it does not know', () => {
    expect(maintenanceParameters(ask('x'))).toEqual({ maintenance_node: 'cmp-1' })
    expect(maintenanceParameters(ask('x', { disableMigration: 'both', backupNode: 'cmp-2' }))).toEqual({
      maintenance_node: 'cmp-1',
      backup_node: 'cmp-2',
      disable_live_migration: true,
      disable_cold_migration: true,
    })
  })

  it.each([
    ['live', 'disable_live_migration'],
    ['cold', 'disable_cold_migration'],
  ] as const)(
    'a Watcher that cannot rule out %s migration is not asked, and the way on is named',
    async (disableMigration, parameter) => {
      const world = computeWorld([])
      const watcher = fakeWatcher(world, { parameters: ['maintenance_node', 'backup_node'] })
      const answer = await recommendMaintenance(world.port, ask('x', { disableMigration }))
      expect(answer).toMatchObject({
        ok: false,
        failure: { code: 'bad-input', message: expect.stringContaining(parameter) },
      })
      expect(!answer.ok && answer.failure.message).toContain('--strategy nova')
      expect(watcher.asked).toEqual([])
    },
  )

  it('cancels Lockkeeper’s older recommendations for this host, and no others', async () => {
    const world = computeWorld([fakeInstance('a', 'cmp-1')])
    const watcher = fakeWatcher(world)
    await recommendMaintenance(world.port, ask('one'))
    await recommendMaintenance(world.port, ask('two', {}, 'cmp-2'))
    await watcher.port.recommend({
      goal: 'g',
      strategy: 's',
      parameters: { maintenance_node: 'cmp-1' },
      name: 'by-hand',
    })
    const answer = await recommendMaintenance(world.port, ask('three'))
    expect(answer).toMatchObject({ ok: true, value: { cancelled: ['plan-1'], warnings: [] } })
    expect(watcher.plans.map(({ state }) => state)).toEqual(['CANCELLED', 'RECOMMENDED', 'RECOMMENDED', 'RECOMMENDED'])
  })

  it('leaves them alone while a run holds the node: they may be that run’s', async () => {
    const world = computeWorld([])
    const watcher = fakeWatcher(world)
    await recommendMaintenance(world.port, ask('one'))
    world.holder = fakeHolder({ identity: 'other', runId: 'run-9', machine: 'desk', durationSeconds: 30 })
    expect(await recommendMaintenance(world.port, ask('two'))).toMatchObject({ ok: true, value: { cancelled: [] } })
    expect(watcher.plans[0]?.state).toBe('RECOMMENDED')
  })

  it('says when an older one could not be cancelled, and continues', async () => {
    const world = computeWorld([])
    const watcher = fakeWatcher(world)
    await recommendMaintenance(world.port, ask('one'))
    watcher.port.cancelRecommended = async () => failed(failure('not-permitted', 'Policy forbids action_plan:update.'))
    expect(await recommendMaintenance(world.port, ask('two'))).toMatchObject({
      ok: true,
      value: {
        cancelled: [],
        warnings: [{ code: 'OlderPlanNotCancelled', values: { cause: 'Policy forbids action_plan:update.' } }],
      },
    })
  })

  it('names audits by host within the 63 letters that Watcher keeps, each its own', () => {
    expect(auditName(ask('0198-aaaa-1a2b3c4d5e6f'))).toBe('lockkeeper-cmp-1-1a2b3c4d5e6f')
    const long = auditName(ask('plan-000000000001', {}, `${'c'.repeat(70)}.example.org`))
    expect(long).toHaveLength(63)
    expect(long).not.toBe(auditName(ask('plan-000000000002', {}, `${'c'.repeat(70)}.example.org`)))
  })
})
