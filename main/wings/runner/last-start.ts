import { LATE_BY_MINUTES } from '../../../shared/domain/agreed-start.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import type { MaintenanceRun, MaintenanceRunSpec } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** Until when a MaintenanceRun may begin. */
interface LastStart {
  /** From this time (milliseconds) on it cannot begin. */
  readonly endMs: number
  /** Why it is refused from then on. */
  readonly why: Finding
}

/**
 * So late a run without an end may begin: after its time as a window that starts by itself, asked for at once after it was made, and of a campaign, which
 * is asked for a night, a day after that.
 */
const LATE_BY_MS = {
  scheduled: minutes(LATE_BY_MINUTES.usual),
  atOnce: minutes(LATE_BY_MINUTES.most),
  ofCampaign: minutes(24 * 60),
} as const

/** Until when a run may begin: a run that was confirmed for one hour must not begin in another, after a runner returns or a campaign reaches it. */
export function lastStart({ createdAt }: Pick<MaintenanceRun, 'createdAt'>, spec: MaintenanceRunSpec): LastStart {
  const { startAfter, notAfter, campaign, handedOver } = spec
  if (notAfter !== null) {
    const why = because(handedOver === null ? 'EndPastUnbegun' : 'EndPastUntaken', { notAfter })
    return { endMs: Date.parse(notAfter), why }
  }
  const from = startAfter ?? createdAt
  const alone = startAfter === null ? LATE_BY_MS.atOnce : LATE_BY_MS.scheduled
  const withinMs = campaign === null ? alone : LATE_BY_MS.ofCampaign
  const late = { from, withinMs, isScheduled: startAfter !== null, isHandedOver: handedOver !== null }
  return { endMs: Date.parse(from) + withinMs + 1, why: because('TooLateToBegin', late) }
}

/** Whether it is too late to begin a run; true if its time cannot be read. */
export function isTooLate({ endMs }: Pick<LastStart, 'endMs'>, nowMs: number): boolean {
  return !(nowMs < endMs)
}
