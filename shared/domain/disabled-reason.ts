import { ROCKOON_DISABLED_REASON } from './maintenance-api.ts'

const PREFIX = 'Lockkeeper: node under maintenance, run '

/** Nova takes no more characters (`disabled_reason`, String(255)). */
const LONGEST = 255

/**
 * The reason Lockkeeper writes when it disables a compute service: the run, so that leaving recognises its own, and what the operator typed,
 * so that whoever looks at the service reads why. A long one is cut.
 */
export function disabledReasonOf(runId: string, typed: string): string {
  const said = typed.trim()
  const whole = said === '' ? `${PREFIX}${runId}` : `${PREFIX}${runId}: ${said}`
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole
}

/** Why a compute service is disabled, as a person typed it; where nobody typed anything, the whole reason. */
export function typedReasonIn(reason: string): string {
  if (!reason.startsWith(PREFIX)) return reason
  const from = reason.indexOf(': ', PREFIX.length)
  return from < 0 ? reason : reason.slice(from + 2)
}

/** Whether a compute service was disabled by Lockkeeper (any run of it). Others' reasons are never overwritten. */
export function isOurDisabledReason(reason: string | null): boolean {
  return reason?.startsWith(PREFIX) ?? false
}

/** How the reasons begin that nova-compute writes itself (nova/virt/libvirt/driver.py, DISABLE_PREFIX). */
const OF_NOVA = 'AUTO:'

/**
 * Whether nova-compute disabled itself, because libvirt is away: it enables itself as soon as libvirt answers, in the middle of a maintenance too,
 * unless another reason is there by then. Nobody's decision is lost where a maintenance takes it over.
 */
export function isReasonOfNova(reason: string | null): boolean {
  return reason?.startsWith(OF_NOVA) ?? false
}

/** The reason Watcher's strategy host_maintenance writes (docs/domain.md B.2): it does not say who asked Watcher. */
export const WATCHER_DISABLED_REASON = 'watcher_maintaining'

/** Whether a service is disabled for a maintenance of its host, by us or by Watcher, and so is given back when the host is. */
export function isMaintenanceReason(reason: string | null): boolean {
  return isOurDisabledReason(reason) || reason === WATCHER_DISABLED_REASON
}

/** Who disabled a compute service, as far as its reason tells. */
export type Disabler = 'lockkeeper' | 'nova' | 'watcher' | 'openstack-controller' | 'masakari' | 'person'

/**
 * What programs write by themselves. Watcher: REASON_FOR_DISABLE of its strategies (watcher/decision_engine); Masakari: the default of
 * `service_disable_reason` (masakari/conf/engine_driver.py). An operator may configure Masakari otherwise, and then counts as the person.
 */
const OF_PROGRAMS: Readonly<Record<string, Disabler>> = {
  [WATCHER_DISABLED_REASON]: 'watcher',
  watcher_disabled: 'watcher',
  [ROCKOON_DISABLED_REASON]: 'openstack-controller',
  'Masakari detected host failed.': 'masakari',
}

/** Whoever is left when no program is known by what it writes is a person. */
export function disablerOf(reason: string | null): Disabler {
  if (isOurDisabledReason(reason)) return 'lockkeeper'
  if (isReasonOfNova(reason)) return 'nova'
  return OF_PROGRAMS[reason ?? ''] ?? 'person'
}
