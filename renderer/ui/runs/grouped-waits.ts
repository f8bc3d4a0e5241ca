import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { waitText } from '../../../shared/words/waits.ts'

/** Waits with one remedy: `first` stands for all of them, `whats` has the subject of each. */
interface WaitGroup {
  readonly first: RunWait
  readonly whats: readonly string[]
  /** When the first of them began to wait. */
  readonly since: string | null
}

/** Joins waits with the same remedy, such as six pods that one webhook holds. A wait for an owner stays separate. */
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
