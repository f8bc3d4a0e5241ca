import type { RunnerStatus } from '../../../../shared/contract/index.ts'
import { runnerHealthWords } from '../../../../shared/words/runners.ts'
import { placeKeyOf, type RunnerAt } from '../stores/campaigns.ts'

/** The place of runners, with all their pods. */
export interface RunnerPlace extends RunnerAt {
  readonly clouds: readonly string[]
  /** Whether one of its pods answers: then its objects are current. */
  readonly isAnswering: boolean
  /** Messages about pods that do not answer. */
  readonly silent: readonly string[]
}

/** The places of the known runners, in the order of their clusters. */
export function placesOf(statuses: readonly RunnerStatus[]): readonly RunnerPlace[] {
  const byPlace = new Map<string, RunnerStatus[]>()
  for (const status of statuses) {
    const key = placeKeyOf(status)
    byPlace.set(key, [...(byPlace.get(key) ?? []), status])
  }
  return [...byPlace.values()]
    .flatMap(pods => {
      const [first] = pods
      if (first === undefined) return []
      const { by, namespace } = first
      return [
        {
          by,
          namespace,
          clouds: [...new Set(pods.flatMap(({ clouds }) => clouds))].toSorted((a, b) => a.localeCompare(b)),
          isAnswering: pods.some(({ connection }) => connection.kind === 'connected'),
          silent: pods.filter(({ connection }) => connection.kind !== 'connected').map(runnerHealthWords),
        },
      ]
    })
    .toSorted((a, b) => a.by.localeCompare(b.by))
}

export function placeWords({ by, namespace }: RunnerAt): string {
  return `Runner of ${by} (namespace ${namespace})`
}
