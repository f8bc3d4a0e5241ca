import { isDeepStrictEqual } from 'node:util'
import type {
  CampaignHold,
  MaintenanceCampaign,
  MaintenanceCampaignStatus,
} from '../../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRunControl, MaintenanceRunControlSpec } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type ControlAnswers, createControlAnswers } from './answer-control.ts'
import { askerName } from './asker-name.ts'
import { nextCampaignStatus } from './campaign-status.ts'
import type { Memory } from './cloud-memory.ts'
import { byTime } from './needs-work.ts'
import type { MaintenanceRunsPort, RunnerObjects } from './ports/maintenance-runs.ts'
import type { HeldWorkLease } from './work-lease.ts'

interface CampaignWorkParts {
  readonly name: string
  readonly runner: string
  readonly driverId: string
  readonly objects: Pick<MaintenanceRunsPort, 'campaign' | 'setCampaignStatus' | 'setControlStatus'>
  readonly lease: Pick<HeldWorkLease, 'epoch' | 'isHeld'>
  /** Whether admission proved the author of an object of this age (ISO). */
  readonly provesMaker: (createdAt: string) => Promise<boolean>
  readonly memory: Pick<Memory, 'controls'>
  readonly clock: Clock
  readonly log: Logger
}

/** The work of a runner on one campaign, while it holds the campaign's Lease. */
interface CampaignWork {
  /** One pass: carries out its controls, and writes its status if that changed. */
  pass(): Promise<void>
}

interface CampaignWorkState extends CampaignWorkParts {
  readonly current: () => RunnerObjects
  readonly answers: ControlAnswers
  /** The object as this driver last wrote or read it, perhaps newer than the watched one; undefined if it must be read first. */
  known: MaintenanceCampaign | null | undefined
}

type ReceivedControls = MaintenanceCampaignStatus['heard']

/** How many controls the status remembers: those that were judged and perhaps not answered. */
const MOST_RECEIVED = 20

export function createCampaignWork(parts: CampaignWorkParts, current: () => RunnerObjects): CampaignWork {
  const state: CampaignWorkState = { ...parts, current, answers: createControlAnswers(parts), known: undefined }
  return { pass: () => passOnce(state) }
}

async function passOnce(state: CampaignWorkState): Promise<void> {
  const { name, objects, lease, answers, current, log } = state
  if (state.known === undefined) {
    const found = await objects.campaign(name)
    if (!found.ok) return log.warn('campaign-unread', { campaign: name, why: found.failure.message })
    state.known = found.value
  }
  for (const control of controlsOf(name, current())) {
    if (!lease.isHeld() || state.known === undefined) return
    if (state.known === null) await answers.give(control, 'Refused', because('CampaignNotThere', { campaign: name }))
    else await obey(control, state.known, state)
  }
  const { known } = state
  if (known === undefined || known === null) {
    // Someone may have created it since, perhaps again.
    state.known = undefined
    return
  }
  const status = statusNow(known, state)
  if (status !== null && !isDeepStrictEqual(status, known.status)) await write(known, status, state)
  // Deleted, or created again: reads the current object.
  else if (!current().campaigns.some(({ uid }) => uid === known.uid)) state.known = undefined
}

/** The status of the campaign by its watched runs; null if this version cannot write it. */
function statusNow(
  campaign: MaintenanceCampaign,
  { current, clock, runner, driverId, lease }: CampaignWorkState,
): MaintenanceCampaignStatus | null {
  const byName = new Map(current().runs.map(run => [run.name, run]))
  const driver = { runner, id: driverId, epoch: lease.epoch }
  return nextCampaignStatus(campaign, { runNamed: run => byName.get(run), now: isoNow(clock), driver })
}

/** Writes only on the version that was read; after another write the next pass reads the object. False if not written. */
async function write(
  campaign: MaintenanceCampaign,
  status: MaintenanceCampaignStatus,
  state: CampaignWorkState,
): Promise<boolean> {
  const { name, objects, lease, log } = state
  if (!lease.isHeld()) return false
  const written = await objects.setCampaignStatus(campaign, status)
  state.known = written.ok ? written.value : undefined
  if (written.ok) log.info('campaign-moves', { campaign: name, phase: status.phase, message: status.message })
  else if (written.failure.code !== 'conflict' && written.failure.code !== 'not-found')
    log.warn('campaign-status-unwritten', { campaign: name, why: written.failure.message })
  return written.ok
}

async function obey(
  control: MaintenanceRunControl,
  campaign: MaintenanceCampaign,
  state: CampaignWorkState,
): Promise<void> {
  const { name, memory, answers, clock, provesMaker } = state
  if (memory.controls.has(control.uid)) return answers.giveAgain(control)
  const status = statusNow(campaign, state)
  if ('unreadable' in control.spec) return
  const unreadable = because('CampaignNotReadable', { campaign: name })
  if (status === null) return answers.give(control, 'Refused', unreadable)
  // A process judged it, and ended before it could answer.
  const before = status.heard.find(({ uid }) => uid === control.uid)
  if (before !== undefined) return answers.give(control, before.outcome, before)
  const { spec } = campaign
  const by = askerName(control.spec.by, await provesMaker(control.createdAt))
  const { hold, outcome, why } =
    'unreadable' in spec
      ? ({ hold: status.hold, outcome: 'Refused', why: unreadable } as const)
      : controlCampaign(control.spec, by, status, spec.failureBudget)
  const answer = { uid: control.uid, outcome, message: why.message }
  const heldSince = hold === status.hold ? status.heldSince : isoNow(clock)
  const received = withControl(status.heard, answer, state)
  const next = statusNow({ ...campaign, status: { ...status, hold, heldSince, heard: received } }, state)
  // Written first, so that an answered control takes effect, and the next driver gives the same answer.
  if (next === null || !(await write(campaign, next, state))) return
  await answers.give(control, outcome, why)
}

/** The remembered controls and one more; answered ones are forgotten first. */
function withControl(
  received: ReceivedControls,
  control: ReceivedControls[number],
  { name, current }: CampaignWorkState,
): ReceivedControls {
  const open = new Set(controlsOf(name, current()).map(({ uid }) => uid))
  const unanswered = received.filter(({ uid }) => open.has(uid))
  const answered = received.filter(({ uid }) => !open.has(uid))
  return [...answered, ...unanswered, control].slice(-MOST_RECEIVED)
}

/** The result of a control of a campaign; `hold`: what holds the campaign after it. */
interface ControlledCampaign {
  readonly hold: CampaignHold | null
  readonly outcome: 'Accepted' | 'Refused'
  readonly why: Finding
}

/** Judges a control of a campaign. `status`: by its runs as they are now; `by`: the author's name. */
export function controlCampaign(
  { control, reason }: Pick<MaintenanceRunControlSpec, 'control' | 'reason'>,
  by: string,
  status: Pick<MaintenanceCampaignStatus, 'endedAt' | 'hold' | 'phase' | 'runsFailed'>,
  failureBudget: number,
): ControlledCampaign {
  const { hold } = status
  const answer = (outcome: ControlledCampaign['outcome'], why: Finding, then = hold) => ({ outcome, why, hold: then })
  const said = { by, ...(reason === '' ? {} : { reason }) }
  if (status.endedAt !== null) return answer('Refused', because('CampaignEnded', { phase: status.phase }))
  switch (control) {
    case 'pause':
      if (hold !== null) return answer('Refused', because('CampaignHeld', { hold: hold.kind }))
      return answer('Accepted', because('CampaignPauses'), { kind: 'paused', ...said })
    case 'unpause':
    case 'resume':
      if (hold === null) return answer('Accepted', because('CampaignNotHeld'))
      if (hold.kind === 'aborted') return answer('Refused', because('CampaignStaysAborted'))
      if (status.runsFailed > failureBudget) {
        const counts = { failed: status.runsFailed, budget: failureBudget }
        return answer('Refused', because('CampaignOverBudget', counts))
      }
      return answer('Accepted', because('CampaignResumes'), null)
    case 'abort':
      if (hold?.kind === 'aborted') return answer('Accepted', because('CampaignAbortedAlready'))
      return answer('Accepted', because('CampaignAborts'), {
        kind: 'aborted',
        ...said,
      })
    default:
      return answer('Refused', because('ControlNotOfCampaigns', { control }))
  }
}

/** Names of campaigns that need work: the status is out of date, a released run has not ended, or a control has no answer. */
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

/** Controls of a campaign without an answer, the oldest first. */
function controlsOf(campaign: string, { controls }: RunnerObjects): readonly MaintenanceRunControl[] {
  return controls
    .filter(({ spec, status }) => status === null && !('unreadable' in spec) && spec.campaign === campaign)
    .toSorted(byTime)
}
