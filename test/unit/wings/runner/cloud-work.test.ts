import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createMemory } from '../../../../main/wings/runner/cloud-memory.ts'
import { createCloudWork } from '../../../../main/wings/runner/cloud-work.ts'
import type { CloudWorkParts } from '../../../../main/wings/runner/cloud-work-parts.ts'
import type { RunnerObjects } from '../../../../main/wings/runner/ports/maintenance-runs.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { MaintenanceRunControl, MaintenanceRunStatus } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { campaignRun, campaignStatus, sampleCampaign } from '../../../fixtures/runner/sample-campaign.ts'
import { RUNNER, sampleRun, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const GONE = 'lockkeeper-runner-2/aaaaaaaaaaaa'
const ofRunner = (runner: string) =>
  sampleRun({ status: sampleStatus({ phase: 'Running', runId: 'run-9', driver: { runner, id: 'd', epoch: 1 } }) })
const stranded = ofRunner(GONE)
/** The journal that this runner's pod had before, on another volume. */
const FORMER = 'lockkeeper-runner-0/bbbbbbbbbbbb'

/** The work on cloud `lab`, while these runners are gone; what it writes, and on what. */
function working({
  gone = [GONE],
  isOfShard = true,
  objects = {},
}: {
  readonly gone?: readonly string[]
  readonly isOfShard?: boolean
  readonly objects?: Partial<RunnerObjects>
}) {
  const written: { readonly status: MaintenanceRunStatus; readonly only: unknown }[] = []
  const put: MaintenanceRunStatus[] = []
  const answers: string[] = []
  const received: string[] = []
  const parts = {
    cloud: 'lab',
    self: { runner: RUNNER, pod: 'lockkeeper-runner-0', nodeName: null, isVolumeElsewhere: false },
    runnerApp: {
      journal: { runOfPlan: () => null, headOf: () => null },
      runs: { drivenOn: () => [] },
      remake: async () => failed(failure('unreachable', 'Nobody answers.')),
    },
    objects: {
      setControlStatus: async (
        { name }: MaintenanceRunControl,
        { outcome, message }: { outcome: string; message: string },
      ) => {
        received.push(name)
        answers.push(`${outcome}: ${message}`)
        return ok(undefined)
      },
    },
    registry: { status: () => ({ kind: 'known' }) },
    lease: { isHeld: () => true, epoch: 1 },
    writer: {
      only: () => {},
      received: () => {},
      put: (_: unknown, status: MaintenanceRunStatus) => {
        put.push(status)
      },
      now: async (_: unknown, status: MaintenanceRunStatus, only: unknown) => {
        written.push({ status, only })
        return true
      },
    },
    provesMaker: async () => true,
    notNow: () => null,
    isOfShard,
    isHidden: () => false,
    gone: () => new Set(gone),
    memory: createMemory(),
    clock: createVirtualClock(),
    log: silentLogger,
  } as unknown as CloudWorkParts
  return {
    written,
    put,
    answers,
    received,
    pass: (controls: readonly MaintenanceRunControl[] = [], run = stranded) =>
      createCloudWork(parts, () => ({ runs: [run], controls, campaigns: [], ...objects })).pass(),
  }
}

describe('a run of another runner', () => {
  test('that is gone is ended once, on the version that was seen, with what to do', async () => {
    const { pass, written } = working({})
    await pass()
    expect(written).toEqual([
      {
        status: expect.objectContaining({
          phase: 'Failed',
          runId: 'run-9',
          message: expect.stringContaining('its last message was'),
        }),
        only: { seen: stranded.resourceVersion },
      },
    ])
  })

  test.each([
    ['that exists is left alone', { gone: [] }],
    ['is ended by the runner of its cloud, and by no other', { isOfShard: false }],
  ])('%s', async (_, how) => {
    const { pass, written } = working(how)
    await pass()
    expect(written).toEqual([])
  })

  test('whose volume was another is ended by the pod of that name, whichever runner has its cloud now', async () => {
    const { pass, written } = working({ gone: [FORMER], isOfShard: false })
    await pass([], ofRunner(FORMER))
    expect(written.map(({ status: { phase } }) => phase)).toEqual(['Failed'])
  })

  test('controls are handled in the order of their creation, whatever their names', async () => {
    const { pass, received } = working({})
    const asked = (name: string, minute: number): MaintenanceRunControl => ({
      name,
      uid: name,
      createdAt: `2026-11-21T10:0${minute}:00Z`,
      spec: { run: stranded.name, control: 'resume', by: name, reason: '' },
      status: null,
    })
    await pass([asked('pause-2', 5), asked('unpause-1', 0)])
    expect(received).toEqual(['unpause-1', 'pause-2'])
  })

  test('that is gone: what is asked of it is refused with why, and never waited for', async () => {
    const { pass, answers } = working({})
    const spec = { run: stranded.name, control: 'resume', by: 'eva', reason: '' } as const
    await pass([{ name: 'c', uid: 'c-1', createdAt: '2026-11-21T10:00:00Z', spec, status: null }])
    expect(answers).toEqual([
      expect.stringMatching(/Refused: Runner lockkeeper-runner-2\/aaaaaaaaaaaa has its journal but no longer exists/),
    ])
  })
})

describe('a run that this runner claimed and its campaign does not begin', () => {
  test.each([
    ['is given back while the campaign is paused', { phase: 'Paused' }, { phase: 'Scheduled' }],
    ['is ended when the campaign was aborted', { phase: 'Aborted' }, { phase: 'Aborted' }],
  ] as const)('%s', async (_, status, expected) => {
    const campaigns = [sampleCampaign({ status: campaignStatus({ released: ['a'], ...status }) })]
    const { pass, put } = working({ objects: { runs: [campaignRun('a', 'claimed')], campaigns } })
    await pass()
    expect(put).toMatchObject([{ ...expected, driver: null }])
  })
})
