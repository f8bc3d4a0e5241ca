import { expect, test } from 'vitest'
import { campaignHandlers } from '../../../../../main/wings/runner/attach/campaign-handlers.ts'
import { failure } from '../../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../../shared/domain/result.ts'
import { batchesOf, campaignSpec, campaignStatus, sampleCampaign } from '../../../../fixtures/runner/sample-campaign.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

const POD = { by: 'mgmt', namespace: 'lockkeeper', name: 'lockkeeper-runner-0' }

/** Makes a campaign `night` where one of this budget is there already; null: its name is free meanwhile. */
function created(budgetThere: number | null) {
  const there =
    budgetThere === null
      ? null
      : sampleCampaign({
          spec: campaignSpec({ batches: batchesOf('a, b'), failureBudget: budgetThere }),
          status: campaignStatus({ phase: 'Running' }),
        })
  const objects = {
    whoAmI: async () => ok('eva'),
    createCampaign: async () => failed(failure('conflict', 'Could not create it: AlreadyExists.')),
    campaign: async () => ok(there),
  }
  const world = {
    kubernetes: { reviewAccess: async () => ok([{ allowed: true }]) },
    maintenanceRuns: () => objects,
  }
  const handlers = campaignHandlers({
    attached: { runnerOf: async () => ok({ pod: POD, world }) },
    clusters: { get: () => ok({}) },
    clock: createVirtualClock(),
    newId: () => '1',
    runs: { driver: { operator: 'eva', machine: 'laptop' } },
  } as unknown as Parameters<typeof campaignHandlers>[0])
  const batches = [{ runs: ['a'] }, { runs: ['b'] }]
  return handlers['campaign.create']({ cluster: 'lab', name: 'night', batches, failureBudget: 1 })
}

test('two requests for one campaign make one campaign', async () => {
  expect(await created(1)).toMatchObject({ ok: true, value: { name: 'night', phase: 'Running', failureBudget: 1 } })
})

test('another one of that name is reported with its author, its state and what to do', async () => {
  expect(await created(0)).toMatchObject({
    ok: false,
    failure: {
      code: 'conflict',
      message: expect.stringMatching(
        /Namespace lockkeeper of mgmt already has another MaintenanceCampaign night, submitted by eva \(Running\)\. Nothing was created, because a campaign never changes/,
      ),
    },
  })
})

test('of one that is gone again nothing is claimed', async () => {
  expect(await created(null)).toMatchObject({ ok: false, failure: { message: 'Could not create it: AlreadyExists.' } })
})
