import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { waitText } from '../../../shared/words/waits.ts'

/** Waits that one person ends in one way: `first` speaks for all of them, `whats` is what each one waits for. */
interface WaitGroup {
  readonly first: RunWait
  readonly whats: readonly string[]
  /** The earliest since when one of them waits. */
  readonly since: string | null
}

/** Waits with the same remedy as one, so that it is said once: six pods whose evictions one webhook keeps. What an owner answers stays by itself. */
export function groupedWaits(waits: readonly RunWait[]): readonly WaitGroup[] {
  const groups = Map.groupBy(waits, wait => {
    const { what, who, said } = waitText(wait)
    const isAlone = wait.for === 'owner' || said !== null
    return JSON.stringify([wait.node, wait.for, wait.code, who, wait.asksAt, wait.failsAt, isAlone ? what : ''])
  })
  return [...groups.values()].flatMap(those => {
    const [first] = those
    if (first === undefined) return []
    const since = those.flatMap(wait => wait.since ?? []).toSorted()[0] ?? null
    return [{ first, whats: [...new Set(those.map(wait => waitText(wait).what))], since }]
  })
}
