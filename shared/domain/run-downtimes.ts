import type { RunView } from './run.ts'
import { factsInOrder, historyOfFacts } from './run-history.ts'

interface Downtime {
  readonly subject: string
  readonly name: string
  readonly from: string
  /** When the run saw it run again; null if not seen. */
  readonly to: string | null
}

export function downtimesOf(view: Pick<RunView, 'steps'>): readonly Downtime[] {
  return [...historyOfFacts({ facts: factsInOrder(view.steps) }).instances.values()]
    .flatMap(({ id, name, down }) => (down === null ? [] : [{ subject: `server/${id}`, name: name ?? id, ...down }]))
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
}
