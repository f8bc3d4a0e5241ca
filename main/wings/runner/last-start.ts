import { LATE_BY_MINUTES } from '../../../shared/domain/agreed-start.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import type { MaintenanceRun, MaintenanceRunSpec } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

interface LastStart {
  /** From this time on it cannot start. */
  readonly endMs: number
  readonly why: Finding
}

/** How late a run without an end may start: a scheduled run as late as a window that starts automatically, a run of a campaign a day later. */
const LATE_BY_MS = {
  scheduled: minutes(LATE_BY_MINUTES.usual),
  atOnce: minutes(LATE_BY_MINUTES.most),
  ofCampaign: minutes(24 * 60),
} as const

/** The latest start of a run: a run that was confirmed for one hour must not start in another, after a runner returns or a campaign reaches it. */
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

/** True also if its time cannot be read. */
export function isTooLate({ endMs }: Pick<LastStart, 'endMs'>, nowMs: number): boolean {
  return !(nowMs < endMs)
}
