const PREFIX = 'Lockkeeper: node under maintenance, run '

/** The reason Lockkeeper writes when it disables a compute service; it carries the run, so that leaving recognises its own. */
export function disabledReasonOf(runId: string): string {
  return `${PREFIX}${runId}`
}

/** Whether a compute service was disabled by Lockkeeper (any run of it). Others' reasons are never overwritten. */
export function isOurDisabledReason(reason: string | null): boolean {
  return reason?.startsWith(PREFIX) ?? false
}
