import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { campaignGateNow } from '../../../../main/wings/runner/campaign-gate.ts'
import { nextCampaignStatus } from '../../../../main/wings/runner/campaign-status.ts'
import { controlCampaign } from '../../../../main/wings/runner/campaign-work.ts'
import { judgeCampaign, NEW_CAMPAIGN } from '../../../../main/wings/runner/judge-campaign.ts'
import type { MaintenanceCampaign, MaintenanceCampaignStatus } from '../../../../shared/domain/maintenance-campaign.ts'
import { must } from '../../../../shared/domain/must.ts'
import { campaignRun, campaignSpec, type SeenRun, sampleCampaign } from '../../../fixtures/runner/sample-campaign.ts'
import { tries } from '../../../fixtures/tries.ts'

/** What happens in a cluster, in any order: each with a number that chooses of which run, control or process. */
type Happening = readonly [
  (
    | 'is-made'
    | 'driver-looks'
    | 'runner-looks'
    | 'runner-goes-on'
    | 'ends'
    | 'is-heard'
    | 'driver-dies'
    | 'is-garbled'
    | 'is-readable'
    | 'control'
  ),
  number,
  number,
]

const happening: fc.Arbitrary<Happening> = fc.tuple(
  fc.constantFrom(
    'is-made',
    'driver-looks',
    'driver-looks',
    'runner-looks',
    'runner-looks',
    'runner-goes-on',
    'runner-goes-on',
    'ends',
    'ends',
    'is-heard',
    'is-heard',
    'is-heard',
    'driver-dies',
    'is-garbled',
    'is-readable',
    'control',
  ),
  fc.nat(1000),
  fc.nat(1000),
)

const shape = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 3 }),
  atOnce: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  budget: fc.integer({ min: 0, max: 2 }),
})

/** The result for a run that has not started, by the answer of its campaign. */
const BECOMES = { open: 'claimed', waits: 'new', aborted: 'Aborted', over: 'Refused' } as const

const ENDS: readonly SeenRun[] = ['Done', 'Done', 'Done', 'Done', 'Failed', 'Refused', 'Aborted']

/**
 * A namespace with one campaign: the true state of its runs, and the state that the driver and the runners of the clouds last received, which may be old, each
 * run separately. Statuses of the campaign are written on what was read, as the API server has it.
 */
class Namespace {
  readonly batches: readonly (readonly string[])[]
  readonly names: readonly string[]
  readonly budget: number
  readonly atOnce: number | null
  readonly really = new Map<string, SeenRun>()
  readonly receivedByDriver = new Map<string, SeenRun>()
  readonly receivedByRunner = new Map<string, SeenRun>()
  /** Claimed, and allowed by the campaign as read after the claim: started, or starts with the next act of its runner. */
  readonly begun: string[] = []
  campaign: MaintenanceCampaign

  constructor({ sizes, atOnce, budget }: { sizes: readonly number[]; atOnce: number | null; budget: number }) {
    this.batches = sizes.map((size, at) => Array.from({ length: size }, (_, each) => `r${at}-${each}`))
    this.names = this.batches.flat()
    this.budget = budget
    this.atOnce = atOnce
    const batches = this.batches.map(runs => ({ name: null, runs: [...runs], atOnce }))
    this.campaign = sampleCampaign({ spec: campaignSpec({ batches, failureBudget: budget }) })
  }

  get status(): MaintenanceCampaignStatus | null {
    const { status } = this.campaign
    return status === null || 'unreadable' in status ? null : status
  }

  runsIn(received: ReadonlyMap<string, SeenRun>) {
    return [...received].flatMap(([name, seen]) => (seen === 'none' ? [] : [campaignRun(name, seen)]))
  }

  driverLooks(): void {
    const runs = new Map(this.runsIn(this.receivedByDriver).map(run => [run.name, run]))
    const status = nextCampaignStatus(this.campaign, {
      runNamed: name => runs.get(name),
      now: '2026-11-21T12:00:00.000Z',
      driver: null,
    })
    this.campaign = { ...this.campaign, status }
  }

  control(control: 'pause' | 'resume' | 'abort'): void {
    this.driverLooks()
    const status = must(this.status, 'the driver looked')
    const { hold } = controlCampaign({ control, reason: '' }, 'eva', status, this.budget)
    this.campaign = { ...this.campaign, status: { ...status, hold } }
    this.driverLooks()
  }

  /** The campaign's answer to a runner, from the runs as last received and the campaign as it is. */
  gate(name: string) {
    const runs = this.runsIn(this.receivedByRunner)
    return campaignGateNow(campaignRun(name, 'new'), { campaigns: [this.campaign], runs }).kind
  }

  /** A runner claims a run that may start. */
  runnerLooks(name: string): void {
    if (this.really.get(name) !== 'new') return
    const gate = this.gate(name)
    this.really.set(name, BECOMES[gate])
  }

  /** A runner with a claim reads the campaign again, and starts the run or gives the claim back: two acts, and anything may happen between them. */
  runnerContinues(name: string): void {
    if (this.really.get(name) !== 'claimed') return
    if (this.begun.includes(name)) {
      this.judgeKnown(name)
      this.really.set(name, 'Running')
      return
    }
    const gate = this.gate(name)
    if (gate === 'open') {
      this.judgeBegin(name)
      this.begun.push(name)
    } else this.really.set(name, BECOMES[gate])
  }

  /** An operator who paused it meanwhile sees in the claims what starts after that. */
  judgeKnown(name: string): void {
    const { spec } = this.campaign
    if ('unreadable' in spec) return
    const really = new Map(this.runsIn(this.really).map(run => [run.name, run]))
    const { runs } = judgeCampaign({ name: 'night', spec }, this.status ?? NEW_CAMPAIGN, each => really.get(each))
    expect(runs.find(({ run }) => run === name)?.status.kind, `${name} is known before it starts`).toBe('under-way')
  }

  /** What must be true whenever a run starts. */
  judgeBegin(name: string): void {
    const at = this.batches.findIndex(runs => runs.includes(name))
    const before = this.batches.slice(0, at).flat()
    const open = before.filter(each => !this.isEnded(each))
    expect(open, `${name} starts when all of the batches before have ended`).toEqual([])
    const beside = this.batches[at]?.filter(each => this.begun.includes(each) && !this.isEnded(each)) ?? []
    if (this.atOnce !== null) expect(beside.length, 'no more than may be under way').toBeLessThan(this.atOnce)
    expect(this.begun, 'nothing starts twice').not.toContain(name)
    expect(this.status?.hold, 'nothing holds it').toBeNull()
    const failed = [...this.receivedByRunner.values()].filter(seen => seen !== 'Done' && ENDS.includes(seen))
    expect(failed.length, 'no more failed than may, as last received').toBeLessThanOrEqual(this.budget)
  }

  isEnded(name: string): boolean {
    const seen = this.really.get(name)
    return seen !== undefined && ENDS.includes(seen)
  }

  happens([what, which, how]: Happening): void {
    const name = must(this.names[which % this.names.length], 'there are runs')
    switch (what) {
      case 'is-made':
        for (const each of how % 4 === 0 ? [name] : this.names) {
          if (!this.really.has(each)) this.really.set(each, 'new')
        }
        return
      case 'driver-looks':
        this.driverLooks()
        return
      case 'runner-looks':
        this.runnerLooks(how % 4 === 0 ? name : (this.status?.released[which % this.status.released.length] ?? name))
        return
      case 'runner-goes-on': {
        const claimed = this.names.filter(each => this.really.get(each) === 'claimed')
        this.runnerContinues(claimed[which % Math.max(1, claimed.length)] ?? name)
        return
      }
      case 'ends': {
        const running = this.names.filter(each => this.really.get(each) === 'Running')
        const ended = running[which % Math.max(1, running.length)]
        if (ended !== undefined) this.really.set(ended, must(ENDS[how % ENDS.length], 'there are ends'))
        return
      }
      case 'is-heard': {
        const received = how % 2 === 0 ? this.receivedByDriver : this.receivedByRunner
        for (const each of how % 4 < 2 ? [name] : this.names) received.set(each, this.really.get(each) ?? 'none')
        return
      }
      case 'driver-dies':
        // The next driver may have received anything: all that it must know is in the status.
        for (const each of this.names) if ((how + each.length) % 2 === 0) this.receivedByDriver.delete(each)
        return
      case 'is-garbled':
        this.receivedByDriver.set(name, 'strange')
        return
      case 'is-readable':
        if (this.receivedByDriver.get(name) === 'strange')
          this.receivedByDriver.set(name, this.really.get(name) ?? 'none')
        return
      case 'control':
        this.control(must((['pause', 'resume', 'resume', 'abort'] as const)[how % 4], 'a control'))
        return
    }
  }

  /** Everything is made, received, started where allowed, and done, until nothing changes. */
  settle(): void {
    for (let round = 0; round < 4 * this.names.length + 8; round += 1) {
      for (const name of this.names) {
        if (!this.really.has(name)) this.really.set(name, 'new')
        if (this.really.get(name) === 'Running') this.really.set(name, 'Done')
        const seen = must(this.really.get(name), 'it is made')
        this.receivedByDriver.set(name, seen)
        this.receivedByRunner.set(name, seen)
      }
      this.driverLooks()
      for (const name of this.names) {
        this.runnerLooks(name)
        this.runnerContinues(name)
        this.runnerContinues(name)
      }
    }
  }
}

describe('for all events in all orders, received or not', () => {
  const happenings = fc.array(happening, { minLength: 40, maxLength: 120, size: 'max' })

  test('no run starts before all of the batch before have ended, beside too many others, twice, or after too many failures', () => {
    fc.assert(
      fc.property(shape, happenings, (campaign, all) => {
        const namespace = new Namespace(campaign)
        for (const each of all) namespace.happens(each)
      }),
      { numRuns: tries(300, 10_000) },
    )
  })

  test('after too many failures, at most the released runs start, and none once the stop is written', () => {
    fc.assert(
      fc.property(shape, happenings, (campaign, all) => {
        const namespace = new Namespace(campaign)
        let begunWhenStopped: number | null = null
        for (const each of all) {
          namespace.happens(each)
          if (namespace.status?.phase !== 'Stopped') begunWhenStopped = null
          else begunWhenStopped ??= namespace.begun.length
          if (begunWhenStopped !== null) expect(namespace.begun.length).toBe(begunWhenStopped)
        }
      }),
      { numRuns: tries(200, 5_000) },
    )
  })

  test('it ends automatically, or stops until an operator decides', () => {
    fc.assert(
      fc.property(shape, fc.array(happening, { maxLength: 80, size: 'max' }), (campaign, all) => {
        const namespace = new Namespace(campaign)
        for (const each of all) namespace.happens(each)
        namespace.settle()
        const status = must(namespace.status, 'the driver looked')
        const failed = namespace.names.filter(name => namespace.isEnded(name) && namespace.really.get(name) !== 'Done')
        if (status.hold?.kind === 'paused') {
          namespace.control('resume')
          namespace.settle()
        }
        const after = must(namespace.status, 'the driver looked')
        if (after.phase === 'Stopped') expect(failed.length).toBeGreaterThan(namespace.budget)
        else expect({ phase: after.phase, hasEnded: after.endedAt !== null }).toMatchObject({ hasEnded: true })
        if (after.phase === 'Done') expect(failed.length).toBeLessThanOrEqual(namespace.budget)
      }),
      { numRuns: tries(200, 5_000) },
    )
  })
})
