/** How a live migration copies memory: it copies again what the guest writes meanwhile. */
export interface MemoryPasses {
  readonly totalBytes: number
  readonly copyPerMs: number
  /** Bytes that the guest writes; 0 if it writes nothing. */
  readonly dirtyPerMs: number
  /** The memory that it writes again and again; the default is all of it. */
  readonly writtenBytes?: number
}

/** The longest pause of a guest at the end, in which the rest is copied (nova.conf live_migration_downtime, 500 ms). */
const DOWNTIME_MS = 500

/**
 * Returns the bytes left to copy. Each pass copies what the guest wrote during the previous one, so a guest that writes as fast as the copy never
 * finishes: QEMU looks again for written memory whenever the rest would fit into the pause, so less is never left.
 */
export function remainingAfter(passes: MemoryPasses, elapsedMs: number): number {
  const { totalBytes, copyPerMs } = passes
  const least = copyPerMs * DOWNTIME_MS
  if (isEndless(passes)) {
    const firstMs = (totalBytes - least) / copyPerMs
    const again = writtenOf(passes)
    const againMs = (again - least) / copyPerMs
    if (elapsedMs < firstMs) return Math.ceil(totalBytes - elapsedMs * copyPerMs)
    return Math.ceil(againMs <= 0 ? least : again - ((elapsedMs - firstMs) % againMs) * copyPerMs)
  }
  let size = totalBytes
  let leftMs = elapsedMs
  for (;;) {
    const passMs = size / copyPerMs
    if (leftMs < passMs) return Math.ceil(size - leftMs * copyPerMs)
    leftMs -= passMs
    const next = Math.min(writtenOf(passes), passes.dirtyPerMs * passMs)
    if (next <= least) return 0
    size = next
  }
}

function writtenOf({ totalBytes, writtenBytes = totalBytes }: MemoryPasses): number {
  return Math.min(totalBytes, writtenBytes)
}

/** Whether the guest writes as fast as it is copied, more than fits into the pause. */
export function isEndless(passes: MemoryPasses): boolean {
  return passes.dirtyPerMs >= passes.copyPerMs && writtenOf(passes) > passes.copyPerMs * DOWNTIME_MS
}

/** Returns the duration of the copy; infinite if the guest writes as fast. */
export function passesMs(passes: MemoryPasses): number {
  const { totalBytes, copyPerMs, dirtyPerMs } = passes
  if (isEndless(passes)) return Number.POSITIVE_INFINITY
  let [ms, size] = [0, totalBytes]
  for (;;) {
    const passMs = size / copyPerMs
    ms += passMs
    const next = Math.min(writtenOf(passes), dirtyPerMs * passMs)
    if (next <= copyPerMs * DOWNTIME_MS) return ms
    size = next
  }
}
