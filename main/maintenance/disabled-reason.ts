const PREFIX = 'Lockkeeper: node under maintenance, run '

/** The reason Lockkeeper writes when it disables a compute service; it carries the run, so that leaving recognises its own. */
export function disabledReasonOf(runId: string): string {
  return `${PREFIX}${runId}`
}

/** Whether a compute service was disabled by Lockkeeper (any run of it). Others' reasons are never overwritten. */
export function isOurDisabledReason(reason: string | null): boolean {
  return reason?.startsWith(PREFIX) ?? false
}

/** The reason Watcher's strategy host_maintenance writes (docs/domain.md B.2): it does not say who asked Watcher. */
export const WATCHER_DISABLED_REASON = 'watcher_maintaining'

/** Whether a service is disabled for a maintenance of its host, by us or by Watcher, and so is given back when the host is. */
export function isMaintenanceReason(reason: string | null): boolean {
  return isOurDisabledReason(reason) || reason === WATCHER_DISABLED_REASON
}
