import type { ProcessChance } from './process-chance.ts'

/** The one order of everything that happens in a simulated run: what is due is run one after the other, each to where it waits again. */
export interface Timeline {
  /** True time, milliseconds since the epoch: no machine in the simulation knows it. */
  now(): number
  /** Runs at this time; two for the same time run in the order of their requests. */
  at(dueMs: number, run: () => void): Due
  /** Runs what is due until `over` says so, or the time is up. */
  runUntil(over: () => boolean, limits: { readonly untilMs: number; readonly turns: number }): Promise<HowItEnded>
  /** How many things were run. */
  turns(): number
}

/** A call that is due. */
interface Due {
  readonly dueMs: number
  callOff(): void
}

/** `over`: the awaited result came. Any other value is a run that does not end. */
type HowItEnded = 'over' | 'out of time' | 'out of turns' | 'nothing left to happen'

interface Entry {
  readonly dueMs: number
  readonly order: number
  run: (() => void) | null
}

export function createTimeline(startMs: number, process: Pick<ProcessChance, 'settle' | 'takeImmediates'>): Timeline {
  let now = startMs
  let order = 0
  let turns = 0
  const heap: Entry[] = []
  const before = (a: Entry, b: Entry) => (a.dueMs === b.dueMs ? a.order < b.order : a.dueMs < b.dueMs)

  function push(entry: Entry): void {
    heap.push(entry)
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !before(entry, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = entry
  }

  function pop(): Entry | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      const left = heap[child]
      if (left === undefined) break
      const right = heap[child + 1]
      let least = left
      if (right !== undefined && before(right, left)) {
        child += 1
        least = right
      }
      if (!before(least, last)) break
      heap[at] = least
      at = child
    }
    heap[at] = last
    return first
  }

  async function settled(): Promise<void> {
    for (;;) {
      await process.settle()
      const ready = process.takeImmediates()
      if (ready.length === 0) return
      for (const run of ready) run()
    }
  }

  return {
    now: () => now,
    turns: () => turns,
    at: (dueMs, run) => {
      const entry: Entry = { dueMs: Math.max(dueMs, now), order, run }
      order += 1
      push(entry)
      return {
        dueMs: entry.dueMs,
        callOff: () => {
          entry.run = null
        },
      }
    },
    runUntil: async (over, limits) => {
      const last = turns + limits.turns
      await settled()
      for (;;) {
        if (over()) return 'over'
        if (turns >= last) return 'out of turns'
        const next = pop()
        if (next === undefined) return 'nothing left to happen'
        if (next.run === null) continue
        if (next.dueMs > limits.untilMs) {
          push(next)
          now = limits.untilMs
          return 'out of time'
        }
        now = next.dueMs
        turns += 1
        next.run()
        await settled()
      }
    },
  }
}
