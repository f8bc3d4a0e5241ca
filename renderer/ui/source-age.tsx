import { Tooltip } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { SourceName, ViewSource } from '../../shared/domain/cluster-view.ts'
import { age } from '../../shared/grammar/times.ts'
import { SOURCE_NAMES } from '../../shared/words/sources.ts'
import { useConnection } from '../stores/connection.ts'
import { useTicks } from '../stores/ticks.ts'
import { lastOf, useViews } from '../stores/views.ts'

interface Props {
  readonly cluster: string
  readonly sources: readonly SourceName[]
}

/** The age of the shown data, or why it is missing; the worst source is named, all are on hover. */
export function SourceAge({ cluster, sources }: Props): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster))
  const connected = useConnection(store => store.connection.kind === 'connected')
  const nowMs = useTicks(store => store.nowMs)
  const live = lastOf(state)
  if (live === null) return null
  const known = sources.flatMap(name => live.sources.get(name) ?? [])
  const reading =
    state?.kind === 'open' && connected ? 'live' : state?.kind === 'opening' && connected ? 'opening' : 'cut'
  const worst = known.toSorted((a, b) => badness(b, nowMs) - badness(a, nowMs))[0]
  const fresh = reading === 'live' && (worst === undefined || badness(worst, nowMs) < 2)
  const text = reading === 'cut' ? 'Old' : worst === undefined ? 'Live' : shortWords(worst, nowMs, fresh)
  return (
    <Tooltip
      placement="bottom-end"
      content={
        <ul className="source-list">
          {known.map(source => (
            <li key={source.name}>
              {SOURCE_NAMES[source.name]}: {longWords(source, nowMs)}
            </li>
          ))}
        </ul>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip is for the keyboard too. */}
      <span className="source-age nowrap small quiet" data-fresh={fresh} tabIndex={0}>
        {text}
      </span>
    </Tooltip>
  )
}

/** 0 current or absent, 1 being read, 2 late, 3 unreadable. */
function badness({ state, everyMs }: ViewSource, nowMs: number): number {
  switch (state.kind) {
    case 'absent':
      return 0
    case 'live':
      return everyMs !== null && nowMs - Date.parse(state.lastAnswerAt) > Math.max(3 * everyMs, 15_000) ? 2 : 0
    case 'catching-up':
      return 1
    case 'offline':
    case 'not-permitted':
      return 3
  }
}

function shortWords(source: ViewSource, nowMs: number, fresh: boolean): string {
  if (fresh) return source.state.kind === 'catching-up' ? 'Reading' : 'Live'
  const name = SOURCE_NAMES[source.name]
  switch (source.state.kind) {
    case 'offline':
      return `${name}: as of ${age(source.state.since, nowMs)}`
    case 'not-permitted':
      return `${name}: not permitted`
    case 'live':
      return `${name}: ${age(source.state.lastAnswerAt, nowMs)}`
    default:
      return name
  }
}

function longWords({ state, everyMs }: ViewSource, nowMs: number): string {
  switch (state.kind) {
    case 'live':
      return everyMs === null ? 'live' : `read ${age(state.lastAnswerAt, nowMs)}`
    case 'catching-up':
      return 'being read'
    case 'offline':
      return `old: last read ${age(state.since, nowMs)}. ${state.why}`
    case 'not-permitted':
    case 'absent':
      return state.why
  }
}
