import { useRef } from 'react'
import type { SourceName, ViewSource } from '../../../shared/domain/cluster-view.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'

/** A source with old facts, and why. */
export interface OldSource {
  readonly name: SourceName
  /** When the shown facts were last current; null if never read. */
  readonly since: string | null
  readonly why: string
}

/** A live source is old after three rounds without an answer; a single slow answer does not count. */
const ROUNDS = 3
const AT_LEAST_MS = 15_000

/** The sources whose facts may be out of date (docs/style.md G29). A source that the cluster does not have is not old. */
export function oldSources(sources: Iterable<ViewSource>, nowMs: number): readonly OldSource[] {
  const old: OldSource[] = []
  for (const { name, state, everyMs } of sources) {
    switch (state.kind) {
      case 'live':
        if (everyMs !== null && nowMs - Date.parse(state.lastAnswerAt) > Math.max(everyMs * ROUNDS, AT_LEAST_MS)) {
          old.push({ name, since: state.lastAnswerAt, why: 'no answer came since' })
        }
        break
      case 'offline':
        old.push({ name, since: state.since, why: state.why })
        break
      case 'not-permitted':
        old.push({ name, since: null, why: state.why })
        break
      case 'catching-up':
        old.push({ name, since: null, why: 'being read' })
        break
      case 'absent':
        break
    }
  }
  return old
}

/** Old sources with one cause. */
interface OldFacts {
  readonly names: readonly SourceName[]
  /** Since when the oldest of them is old; null if one was never read. */
  readonly since: string | null
  readonly why: string
}

/** Old sources as lines: one line per cause, with the age of the oldest. */
export function byCause(old: readonly OldSource[]): readonly OldFacts[] {
  const lines = new Map<string, OldFacts>()
  for (const { name, since, why } of old) {
    const cause = causeIn(why)
    const key = `${since === null} ${cause}`
    const line = lines.get(key)
    lines.set(key, {
      names: [...(line?.names ?? []), name],
      since: line?.since != null && since !== null && line.since < since ? line.since : since,
      why: line === undefined ? why : cause,
    })
  }
  return [...lines.values()]
}

/** Of `Could not list the pods: the API server refuses connections`, the first half repeats the name of the source. */
function causeIn(why: string): string {
  return /^Could not [^:]*: (.+)$/s.exec(why)?.[1] ?? why
}

const NONE: readonly OldSource[] = []

/** The old sources of a cluster, checked every second; the same list while nothing changed. */
export function useOldSources(cluster: string): readonly OldSource[] {
  const kept = useRef<readonly OldSource[]>(NONE)
  const sources = useViews(store => lastOf(store.byCluster.get(cluster))?.sources ?? null)
  return useTicks(({ nowMs }) => {
    const next = sources === null ? NONE : oldSources(sources.values(), nowMs)
    if (!sameList(kept.current, next)) kept.current = next
    return kept.current
  })
}

function sameList(a: readonly OldSource[], b: readonly OldSource[]): boolean {
  return (
    a.length === b.length &&
    a.every((source, index) => {
      const other = b[index]
      return source.name === other?.name && source.since === other.since && source.why === other.why
    })
  )
}
