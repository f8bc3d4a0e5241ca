import type { RunView } from './run.ts'
import { factName, INSTANCE_STARTED, INSTANCE_STOPPED, subjectName } from './run-facts.ts'

/** The time in which an instance was down that a run stopped. */
interface Downtime {
  readonly subject: string
  readonly name: string
  readonly from: string
  /** When the run saw it run again; null: it did not. */
  readonly to: string | null
}

/** How long each instance was down that a run stopped, in the order in which they were. */
export function downtimesOf(view: Pick<RunView, 'steps'>): readonly Downtime[] {
  const facts = view.steps.flatMap(step => step.facts).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const found = new Map<string, Downtime>()
  for (const fact of facts) {
    const { subject, at } = fact
    const known = found.get(subject)
    if (factName(fact) === INSTANCE_STOPPED)
      found.set(subject, { subject, name: subjectName(fact), from: at, to: null })
    if (factName(fact) === INSTANCE_STARTED && known !== undefined) found.set(subject, { ...known, to: at })
  }
  return [...found.values()]
}
