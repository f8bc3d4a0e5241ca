import { ROCKOON_DISABLED_REASON } from './maintenance-api.ts'

const PREFIX = 'Lockkeeper: node under maintenance, run '

/** Nova's limit in characters (`disabled_reason`, String(255)). */
const LONGEST = 255

/** The run, for the way back, and the operator's text; cut if too long. */
export function disabledReasonOf(runId: string, typed: string): string {
  const said = typed.trim()
  const whole = said === '' ? `${PREFIX}${runId}` : `${PREFIX}${runId}: ${said}`
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole
}

/** The operator's text; without one, the whole reason. */
export function typedReasonIn(reason: string): string {
  if (!reason.startsWith(PREFIX)) return reason
  const from = reason.indexOf(': ', PREFIX.length)
  return from < 0 ? reason : reason.slice(from + 2)
}

/** Whether any run set this reason. Lockkeeper never overwrites others' reasons. */
export function isOurDisabledReason(reason: string | null): boolean {
  return reason?.startsWith(PREFIX) ?? false
}

/** The prefix of nova-compute's own reasons (nova/virt/libvirt/driver.py, DISABLE_PREFIX). */
const OF_NOVA = 'AUTO:'

/** nova-compute enables itself when libvirt answers, even during a maintenance: so a maintenance may overwrite this reason. */
export function isReasonOfNova(reason: string | null): boolean {
  return reason?.startsWith(OF_NOVA) ?? false
}

/** The reason that Watcher's strategy host_maintenance sets (docs/domain.md B.2). */
export const WATCHER_DISABLED_REASON = 'watcher_maintaining'

/** Lockkeeper's or Watcher's: the service is enabled again when the host returns. */
export function isMaintenanceReason(reason: string | null): boolean {
  return isOurDisabledReason(reason) || reason === WATCHER_DISABLED_REASON
}

export type Disabler = 'lockkeeper' | 'nova' | 'watcher' | 'openstack-controller' | 'masakari' | 'person'

/** Defaults of Watcher (REASON_FOR_DISABLE) and Masakari (masakari/conf/engine_driver.py); another text counts as a person's. */
const OF_PROGRAMS: Readonly<Record<string, Disabler>> = {
  [WATCHER_DISABLED_REASON]: 'watcher',
  watcher_disabled: 'watcher',
  [ROCKOON_DISABLED_REASON]: 'openstack-controller',
  'Masakari detected host failed.': 'masakari',
}

/** A reason of no known program counts as a person's. */
export function disablerOf(reason: string | null): Disabler {
  if (isOurDisabledReason(reason)) return 'lockkeeper'
  if (isReasonOfNova(reason)) return 'nova'
  return OF_PROGRAMS[reason ?? ''] ?? 'person'
}
