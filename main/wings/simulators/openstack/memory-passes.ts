/** How a live migration copies memory: what the guest writes meanwhile has to be copied once more. */
export interface MemoryPasses {
  readonly totalBytes: number
  readonly copyPerMs: number
  /** What the guest writes; 0: nothing. */
  readonly dirtyPerMs: number
}

/** What a guest may be paused for at the end: less than this takes is copied while it stands still (nova.conf live_migration_downtime, 500 ms). */
const DOWNTIME_MS = 500

/**
 * What is left to copy so long after the copying began; 0: it is over. Each pass copies what was written during the one before; where as much is written
 * as is copied it never ends.
 */
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

/** How long the copying takes; infinite where the guest writes as fast as it is copied. */
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
