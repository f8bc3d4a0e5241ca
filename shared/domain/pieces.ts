/** A computation in pieces: at each yield it may rest, so that a long one does not stop everything else. */
export type Pieces<T> = Generator<undefined, T, undefined>

/** Longest time that a computation may block the event loop between two yields. */
const MOST_AT_ONCE_MS = 20

/** The result without a rest. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** The result, with a rest whenever a yield comes later than this after the last rest. */
export async function inPieces<T>(
  work: Pieces<T>,
  { monotonicMs, sleep }: { readonly monotonicMs: () => number; readonly sleep: (ms: number) => Promise<void> },
): Promise<T> {
  let sinceMs = monotonicMs()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (monotonicMs() - sinceMs < MOST_AT_ONCE_MS) continue
    await sleep(0)
    sinceMs = monotonicMs()
  }
}
