import type { ViewChange } from '../../../shared/domain/cluster-view.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** A single change is sent soon; a stream of them at most this often (docs/style.md G14). */
const FIRST_PATCH_MS = 20
const PATCH_EVERY_MS = 100
/** A page reads one message in one task: a list of ten thousand instances must not hold it up. */
const MOST_CHANGES = 250

export interface ViewPatch {
  readonly cluster: string
  readonly fromSeq: number
  readonly toSeq: number
  readonly changes: ViewChange[]
}

interface PacedPatchesParts {
  readonly cluster: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly draw: () => ViewChange[]
  readonly waitsUntil: () => number | null
  readonly onPatch: (patch: ViewPatch) => void
}

/** Numbered patches of a view, sent as often as a screen can use them. */
interface PacedPatches {
  soon(): void
  flush(): number
}

export function pacePatches({ cluster, clock, signal, draw, waitsUntil, onPatch }: PacedPatchesParts): PacedPatches {
  let seq = 0
  let flushAt: number | null = null
  let lastFlush = Number.NEGATIVE_INFINITY

  function soon(): void {
    if (flushAt !== null || signal.aborted) return
    flushAt = Math.max(clock.now() + FIRST_PATCH_MS, lastFlush + PATCH_EVERY_MS)
    void clock.sleep(flushAt - clock.now(), signal).then(() => {
      flushAt = null
      if (!signal.aborted) flush()
    })
  }

  function flush(): number {
    lastFlush = clock.now()
    const changes = draw()
    const waiting = waitsUntil()
    if (waiting !== null) void clock.sleep(waiting - clock.now(), signal).then(soon)
    for (let from = 0; from < changes.length; from += MOST_CHANGES) {
      const fromSeq = seq
      seq += 1
      onPatch({ cluster, fromSeq, toSeq: seq, changes: changes.slice(from, from + MOST_CHANGES) })
    }
    return seq
  }

  return { soon, flush }
}
