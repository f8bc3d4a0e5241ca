import { ROCKOON_DISABLED_REASON } from './maintenance-api.ts'

const PREFIX = 'Lockkeeper: node under maintenance, run '

/** Nova's limit in characters (`disabled_reason`, String(255)). */
const LONGEST = 255

/** The reason Lockkeeper writes when it disables a compute service: the run, for the way back, and the operator's text. Cut if too long. */
export function disabledReasonOf(runId: string, typed: string): string {
  const said = typed.trim()
  const whole = said === '' ? `${PREFIX}${runId}` : `${PREFIX}${runId}: ${said}`
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole
}

/** The operator's text in a reason; without one, the whole reason. */
export function typedReasonIn(reason: string): string {
  if (!reason.startsWith(PREFIX)) return reason
  const from = reason.indexOf(': ', PREFIX.length)
  return from < 0 ? reason : reason.slice(from + 2)
}

/** Whether Lockkeeper (any run) disabled a compute service. It never overwrites others' reasons. */
export function isOurDisabledReason(reason: string | null): boolean {
  return reason?.startsWith(PREFIX) ?? false
}

/** The prefix of nova-compute's own reasons (nova/virt/libvirt/driver.py, DISABLE_PREFIX). */
const OF_NOVA = 'AUTO:'

/**
 * Whether nova-compute disabled itself because libvirt is away. It enables itself when libvirt answers, even during a maintenance, unless another
 * reason replaced its own; so a maintenance may overwrite it, because no person decided it.
 */
export function isReasonOfNova(reason: string | null): boolean {
  return reason?.startsWith(OF_NOVA) ?? false
}

/** The reason of Watcher's strategy host_maintenance (docs/domain.md B.2); it does not say who asked Watcher. */
export const WATCHER_DISABLED_REASON = 'watcher_maintaining'

/** Whether Lockkeeper or Watcher disabled a service for maintenance; it is enabled again when the host returns. */
export function isMaintenanceReason(reason: string | null): boolean {
  return isOurDisabledReason(reason) || reason === WATCHER_DISABLED_REASON
}

export type Disabler = 'lockkeeper' | 'nova' | 'watcher' | 'openstack-controller' | 'masakari' | 'person'

/**
 * Reasons of programs. Watcher: REASON_FOR_DISABLE of its strategies (watcher/decision_engine); Masakari: the default of `service_disable_reason`
 * (masakari/conf/engine_driver.py). A different setting in Masakari counts as a person.
 */
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
