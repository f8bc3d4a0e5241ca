/** Writes a time in whole seconds (metav1.Time). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** Writes a time with microseconds, as in Leases (metav1.MicroTime). */
export function microTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`
}
