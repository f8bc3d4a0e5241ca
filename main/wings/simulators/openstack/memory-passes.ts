/** How a live migration copies memory: it copies again what the guest writes meanwhile. */
export interface MemoryPasses {
  readonly totalBytes: number
  readonly copyPerMs: number
  /** Bytes that the guest writes; 0 if it writes nothing. */
  readonly dirtyPerMs: number
}

/** The longest pause of a guest at the end, in which the rest is copied (nova.conf live_migration_downtime, 500 ms). */
const DOWNTIME_MS = 500

/** Returns the bytes left to copy. Each pass copies what the guest wrote during the previous one, so a guest that writes as fast as the copy never finishes. */
export function remainingAfter({ totalBytes, copyPerMs, dirtyPerMs }: MemoryPasses, elapsedMs: number): number {
  let size = totalBytes
  let leftMs = elapsedMs
  for (;;) {
    const passMs = size / copyPerMs
    if (leftMs < passMs) return Math.ceil(size - leftMs * copyPerMs)
    leftMs -= passMs
    const next = Math.min(totalBytes, dirtyPerMs * passMs)
    if (next <= copyPerMs * DOWNTIME_MS) return 0
    if (next >= size) return Math.ceil(size - (leftMs % passMs) * copyPerMs)
    size = next
  }
}

/** Returns the duration of the copy; infinite if the guest writes as fast. */
export function passesMs(passes: MemoryPasses): number {
  const { totalBytes, copyPerMs, dirtyPerMs } = passes
  if (dirtyPerMs >= copyPerMs) return Number.POSITIVE_INFINITY
  let [ms, size] = [0, totalBytes]
  for (;;) {
    const passMs = size / copyPerMs
    ms += passMs
    const next = Math.min(totalBytes, dirtyPerMs * passMs)
    if (next <= copyPerMs * DOWNTIME_MS) return ms
    size = next
  }
}
