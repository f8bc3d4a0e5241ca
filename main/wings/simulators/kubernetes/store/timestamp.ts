/** A time as the API writes it: whole seconds (metav1.Time). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** A time with microseconds, as Leases carry it (metav1.MicroTime). */
export function microTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`
}
