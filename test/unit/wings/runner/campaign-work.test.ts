import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createCampaignWork } from '../../../../main/wings/runner/campaign-work.ts'
import { createMemory } from '../../../../main/wings/runner/cloud-memory.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { MaintenanceCampaign, MaintenanceCampaignStatus } from '../../../../shared/domain/maintenance-campaign.ts'
import type {
  MaintenanceRun,
  MaintenanceRunControl,
  MaintenanceRunControlStatus,
} from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { campaignRun, sampleCampaign } from '../../../fixtures/runner/sample-campaign.ts'

/** The objects of a namespace, written as an API server does: on the version that was read, or not at all. */
class Objects {
  campaign: MaintenanceCampaign | null = sampleCampaign()
  runs: MaintenanceRun[] = ['a', 'b', 'c'].map(name => campaignRun(name, 'new'))
  controls: MaintenanceRunControl[] = []
  readonly writes: MaintenanceCampaignStatus[] = []
  answers = true
  /** A control whose status cannot be written. */
  silent = ''

  readonly port = {
    campaign: async () => ok(this.campaign),
    setCampaignStatus: async (
      { resourceVersion }: Pick<MaintenanceCampaign, 'resourceVersion'>,
      status: MaintenanceCampaignStatus,
    ) => {
      if (this.campaign?.resourceVersion !== resourceVersion) return failed(failure('conflict', 'It changed since.'))
      this.writes.push(status)
      this.campaign = { ...this.campaign, status, resourceVersion: String(Number(resourceVersion) + 1) }
      return ok(this.campaign)
    },
    setControlStatus: async ({ name }: { readonly name: string }, status: MaintenanceRunControlStatus) => {
      if (!this.answers || name === this.silent) return failed(failure('unreachable', 'Nobody answers.'))
      this.controls = this.controls.map(each => (each.name === name ? { ...each, status } : each))
      return ok(undefined)
    },
  }

  current = () => ({
    runs: this.runs,
    controls: this.controls,
    campaigns: this.campaign === null ? [] : [this.campaign],
  })

  /** A process that holds the campaign's Lease, or thinks so. */
  driver(id = 'one', isHeld = () => true) {
    return createCampaignWork(
      {
        name: 'night',
        runner: 'pod/journal',
        driverId: id,
        objects: this.port,
        lease: { epoch: 1, isHeld },
        provesMaker: async () => true,
        memory: createMemory(),
        clock: systemClock,
        log: silentLogger,
      },
      this.current,
    )
  }

  control(name: string, control: 'pause' | 'resume' | 'abort', campaign = 'night'): void {
    const spec = { campaign, control, by: 'ada', reason: 'freeze' }
    this.controls.push({
      name,
      uid: `uid-${name}`,
      createdAt: `2026-11-21T10:00:0${this.controls.length}Z`,
      spec,
      status: null,
    })
  }

  get status(): MaintenanceCampaignStatus {
    const status = this.campaign?.status
    if (status == null || 'unreadable' in status) throw new Error('it has a status')
    return status
  }

  outcomes(): readonly (string | undefined)[] {
    return this.controls.map(({ status }) => (status !== null && 'outcome' in status ? status.outcome : undefined))
  }
}

test('a status is written where it changed, and not again', async () => {
  const objects = new Objects()
  const driver = objects.driver()
  for (let pass = 0; pass < 5; pass += 1) await driver.pass()
  expect(objects.writes).toMatchObject([{ phase: 'Running', released: ['a', 'b'], driver: { id: 'one' } }])
})

test('of two drivers the older one is refused: it reads what the other wrote, and continues from there', async () => {
  const objects = new Objects()
  const older = objects.driver('older')
  await older.pass()
  objects.control('pause-1', 'pause')
  await objects.driver('newer').pass()
  expect(objects.status.hold).toMatchObject({ kind: 'paused', by: 'ada', reason: 'freeze' })
  expect(objects.status.heldSince).toEqual(expect.any(String))
  objects.runs = [campaignRun('a', 'Done'), campaignRun('b', 'Done'), campaignRun('c', 'new')]
  await older.pass()
  expect(objects.status, 'what it thought of it was not written').toMatchObject({ driver: { id: 'newer' } })
  await older.pass()
  expect(objects.status).toMatchObject({ phase: 'Paused', released: [], runsDone: 2, driver: { id: 'older' } })
})

test('one that lost the Lease writes nothing', async () => {
  const objects = new Objects()
  objects.control('pause-1', 'pause')
  await objects.driver('gone', () => false).pass()
  expect(objects.writes).toEqual([])
  expect(objects.outcomes()).toEqual([undefined])
})

describe('controls', () => {
  test('are obeyed in the order in which they were made, and each is answered', async () => {
    const objects = new Objects()
    objects.control('pause-1', 'pause')
    objects.control('resume-1', 'resume')
    objects.control('pause-2', 'pause')
    await objects.driver().pass()
    expect(objects.outcomes()).toEqual(['Accepted', 'Accepted', 'Accepted'])
    expect(objects.status.phase).toBe('Paused')
  })

  test('that were obeyed before the process died are answered by the next one, and not obeyed again', async () => {
    const objects = new Objects()
    objects.control('pause-1', 'pause')
    objects.answers = false
    await objects.driver('dies').pass()
    expect(objects.status.hold?.kind).toBe('paused')
    // Another is obeyed and answered meanwhile: the first one must not come back after it.
    objects.control('resume-1', 'resume')
    objects.answers = true
    await objects.driver('next').pass()
    expect(objects.outcomes()).toEqual(['Accepted', 'Accepted'])
    expect(objects.status.hold).toBeNull()
  })

  test('that were refused before the process died are refused by the next one, although they could be accepted by now', async () => {
    const objects = new Objects()
    objects.runs = [campaignRun('a', 'Failed'), campaignRun('b', 'Done'), campaignRun('c', 'new')]
    objects.control('resume-1', 'resume')
    objects.answers = false
    await objects.driver('dies').pass()
    expect(objects.status).toMatchObject({ phase: 'Stopped', heard: [{ uid: 'uid-resume-1', outcome: 'Refused' }] })
    objects.runs = objects.runs.map(run => (run.name === 'a' ? campaignRun('a', 'Done') : run))
    objects.answers = true
    await objects.driver('next').pass()
    expect(objects.controls).toMatchObject([
      { status: { outcome: 'Refused', message: expect.stringContaining('1 of its runs is not done') } },
    ])
    expect(objects.status).toMatchObject({ phase: 'Stopped', released: [] })
  })

  test('that changed nothing before the process died change nothing after it', async () => {
    const objects = new Objects()
    objects.control('resume-1', 'resume')
    objects.answers = false
    await objects.driver('dies').pass()
    objects.control('pause-1', 'pause')
    await objects.driver('dies too').pass()
    objects.answers = true
    await objects.driver('next').pass()
    expect(objects.controls).toMatchObject([
      { status: { outcome: 'Accepted', message: 'The campaign is not paused.' } },
      { status: { outcome: 'Accepted' } },
    ])
    expect(objects.status.phase).toBe('Paused')
  })

  test('that are not answered yet are remembered longest', async () => {
    const objects = new Objects()
    objects.silent = 'pause-0'
    for (let at = 0; at < 30; at += 1) {
      objects.control(`pause-${at}`, 'pause')
      await objects.driver(`of ${at}`).pass()
    }
    expect(objects.status.heard).toHaveLength(20)
    expect(objects.status.heard).toContainEqual(expect.objectContaining({ uid: 'uid-pause-0', outcome: 'Accepted' }))
  })

  test('are not answered before what they ask for is written', async () => {
    const objects = new Objects()
    const driver = objects.driver()
    await driver.pass()
    objects.control('abort-1', 'abort')
    if (objects.campaign !== null) objects.campaign = { ...objects.campaign, resourceVersion: '99' }
    await driver.pass()
    expect(objects.outcomes()).toEqual([undefined])
    await driver.pass()
    expect(objects.outcomes()).toEqual(['Accepted'])
    expect(objects.status.phase).toBe('Aborted')
  })

  test('of a campaign that is not there are refused', async () => {
    const objects = new Objects()
    objects.campaign = null
    objects.control('pause-1', 'pause')
    await objects.driver().pass()
    expect(objects.outcomes()).toEqual(['Refused'])
  })
})

test('one that was made again under the same name starts from the beginning', async () => {
  const objects = new Objects()
  const driver = objects.driver()
  await driver.pass()
  objects.campaign = sampleCampaign({ uid: 'uid-new', resourceVersion: '50' })
  await driver.pass()
  await driver.pass()
  expect(objects.campaign).toMatchObject({ uid: 'uid-new', status: { phase: 'Running' } })
})
