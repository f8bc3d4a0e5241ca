import { isDeepStrictEqual } from 'node:util'
import type { MaintenanceCampaign, MaintenanceCampaignStatus } from '../../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRunControl } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { byWords } from './by-words.ts'
import { nextCampaignStatus } from './campaign-status.ts'
import type { Memory } from './cloud-memory.ts'
import { controlCampaign } from './control-campaign.ts'
import { byTime } from './needs-work.ts'
import type { MaintenanceRunsPort, RunnerObjects } from './ports/maintenance-runs.ts'
import { createControlSayer } from './say-control.ts'
import type { HeldWorkLease } from './work-lease.ts'

/** What the work on one campaign needs. */
interface CampaignWorkParts {
  readonly name: string
  /** This runner and process, as a status names them. */
  readonly runner: string
  readonly driverId: string
  readonly objects: Pick<MaintenanceRunsPort, 'campaign' | 'setCampaignStatus' | 'setControlStatus'>
  readonly lease: Pick<HeldWorkLease, 'epoch' | 'isHeld'>
  /** Whether admission proved who created an object of this age (ISO). */
  readonly provesMaker: (createdAt: string) => Promise<boolean>
  readonly memory: Pick<Memory, 'controls'>
  readonly clock: Clock
  readonly log: Logger
}

/** The work of a runner on one campaign, while it holds the campaign's Lease. */
interface CampaignWork {
  /** One pass: follows its controls, and writes its status if that changed. */
  pass(): Promise<void>
}

type Received = MaintenanceCampaignStatus['heard']

/** How many controls the status remembers: those that were judged and perhaps not answered. */
const MOST_RECEIVED = 20

export function createCampaignWork(parts: CampaignWorkParts, current: () => RunnerObjects): CampaignWork {
  const { name, runner, objects, lease, memory, clock, log } = parts
  const { say, sayAgain } = createControlSayer(parts)
  const driver = { runner, id: parts.driverId, epoch: lease.epoch }

  /** The object as this driver last wrote or read it, perhaps newer than the watched one; undefined: read it first. */
  let known: MaintenanceCampaign | null | undefined

  /** The status of the campaign by its watched runs. */
  function judged(campaign: MaintenanceCampaign): MaintenanceCampaignStatus | null {
    const byName = new Map(current().runs.map(run => [run.name, run]))
    return nextCampaignStatus(campaign, { runNamed: run => byName.get(run), now: isoNow(clock), driver })
  }

  /** Writes only on the version that was read: another write meanwhile is read first. False: not written. */
  async function write(campaign: MaintenanceCampaign, status: MaintenanceCampaignStatus): Promise<boolean> {
    if (!lease.isHeld()) return false
    const written = await objects.setCampaignStatus(campaign, status)
    known = written.ok ? written.value : undefined
    if (written.ok) log.info('campaign-moves', { campaign: name, phase: status.phase, message: status.message })
    else if (written.failure.code !== 'conflict' && written.failure.code !== 'not-found')
      log.warn('campaign-status-unwritten', { campaign: name, why: written.failure.message })
    return written.ok
  }

  async function obey(control: MaintenanceRunControl, campaign: MaintenanceCampaign): Promise<void> {
    if (memory.controls.has(control.uid)) return sayAgain(control)
    const status = judged(campaign)
    if ('unreadable' in control.spec) return
    const unreadable = because('CampaignNotReadable', { campaign: name })
    if (status === null) return say(control, 'Refused', unreadable)
    // A process judged it, and ended before it could answer.
    const before = status.heard.find(({ uid }) => uid === control.uid)
    if (before !== undefined) return say(control, before.outcome, before)
    const { spec } = campaign
    const by = byWords(control.spec.by, await parts.provesMaker(control.createdAt))
    const { hold, outcome, why } =
      'unreadable' in spec
        ? ({ hold: status.hold, outcome: 'Refused', why: unreadable } as const)
        : controlCampaign(control.spec, by, status, spec.failureBudget)
    const said = { uid: control.uid, outcome, message: why.message }
    const heldSince = hold === status.hold ? status.heldSince : isoNow(clock)
    const received = receivedWith(status.heard, said)
    const next = judged({ ...campaign, status: { ...status, hold, heldSince, heard: received } })
    // Written first, so that an answered control takes effect, and the next driver gives the same answer.
    if (next === null || !(await write(campaign, next))) return
    await say(control, outcome, why)
  }

  /** The remembered controls and one more; answered ones are forgotten first. */
  function receivedWith(received: Received, said: Received[number]): Received {
    const open = new Set(controlsOf(name, current()).map(({ uid }) => uid))
    const [unanswered, answered] = [
      received.filter(({ uid }) => open.has(uid)),
      received.filter(({ uid }) => !open.has(uid)),
    ]
    return [...answered, ...unanswered, said].slice(-MOST_RECEIVED)
  }

  return {
    pass: async () => {
      if (known === undefined) {
        const found = await objects.campaign(name)
        if (!found.ok) {
          return log.warn('campaign-unread', { campaign: name, why: found.failure.message })
        }
        known = found.value
      }
      for (const control of controlsOf(name, current())) {
        if (!lease.isHeld() || known === undefined) return
        if (known === null) await say(control, 'Refused', because('CampaignNotThere', { campaign: name }))
        else await obey(control, known)
      }
      if (known === undefined || known === null) {
        // It may have been created, or created again, since.
        known = undefined
        return
      }
      const status = judged(known)
      if (status !== null && !isDeepStrictEqual(status, known.status)) await write(known, status)
      // Deleted, or created again: reads the current object.
      else if (!current().campaigns.some(({ uid }) => uid === known?.uid)) known = undefined
    },
  }
}

/** Names of campaigns about which something is to be done: they do not say what they have come to, something of theirs is under way, or a control is not answered. */
export function campaignsWithWork(
  objects: RunnerObjects,
  { now, memory }: { readonly now: string; readonly memory: Pick<Memory, 'controls'> },
): ReadonlySet<string> {
  const byName = new Map(objects.runs.map(run => [run.name, run]))
  const moving = objects.campaigns.filter(({ name, spec, status }) => {
    if (status !== null && 'unreadable' in status) return false
    if (status !== null && status.released.length > 0) return status.endedAt === null
    const driver = status?.driver ?? null
    const next = nextCampaignStatus({ name, spec, status }, { runNamed: run => byName.get(run), now, driver })
    return next !== null && !isDeepStrictEqual(next, status)
  })
  const asked = objects.controls.flatMap(({ uid, spec, status }) => {
    if (status !== null || 'unreadable' in spec || spec.campaign === undefined) return []
    const isThere = objects.campaigns.some(({ name }) => name === spec.campaign)
    return !isThere || memory.controls.get(uid)?.isWritten === true ? [] : [spec.campaign]
  })
  return new Set([...moving.map(({ name }) => name), ...asked])
}

/** Controls of a campaign that are not answered, the oldest first. */
function controlsOf(campaign: string, { controls }: RunnerObjects): readonly MaintenanceRunControl[] {
  return controls
    .filter(({ spec, status }) => status === null && !('unreadable' in spec) && spec.campaign === campaign)
    .toSorted(byTime)
}
