import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { assertNever } from '../../../shared/domain/must.ts'
import { followHistory, searchHistory } from '../../bridge/history.ts'
import { useClusters } from '../../stores/clusters.ts'
import { HISTORY_PAGE, useHistory } from '../../stores/history.ts'
import { HISTORY_PARTS, type HistoryPart, hashOf, turnTo } from '../../stores/route.ts'
import { HISTORY_PART_WORDS } from '../../ui/screens.ts'
import { BlockersPart } from './blockers-part.tsx'
import { DurationsPart } from './durations-part.tsx'
import { HistoryLog } from './history-log.tsx'
import { JournalCard } from './journal-card.tsx'
import { MonthPart } from './month-part.tsx'
import { ReportCheck } from './report-check.tsx'
import './history.css'

interface Props {
  readonly part: HistoryPart
  /** Null means all clusters. */
  readonly cluster: string | null
}

/** What happened on all clusters: runs and windows, durations, blockers, reports and the journal. */
export function HistoryScreen({ part, cluster }: Props): ReactNode {
  useEffect(followHistory, [])
  useEffect(() => {
    if (useHistory.getState().wish.cluster !== cluster) searchHistory({ cluster, limit: HISTORY_PAGE })
  }, [cluster])
  return (
    <div className="hist column">
      <header className="hist-top row wrap">
        <h1 className="visually-hidden">History</h1>
        <nav className="hist-parts wrap space" aria-label="Parts of the history">
          {HISTORY_PARTS.map(each => (
            <a
              key={each}
              className="bar-screen"
              href={hashOf({ kind: 'history', part: each, cluster })}
              aria-current={each === part ? 'page' : undefined}
            >
              {HISTORY_PART_WORDS[each]}
            </a>
          ))}
        </nav>
        {part === 'reports' || part === 'journal' ? null : <WhichCluster part={part} cluster={cluster} />}
      </header>
      <div className="hist-screen">{screenOf(part, cluster)}</div>
    </div>
  )
}

function screenOf(part: HistoryPart, cluster: string | null): ReactNode {
  switch (part) {
    case 'log':
      return <HistoryLog />
    case 'month':
      return <MonthPart cluster={cluster} />
    case 'durations':
      return <DurationsPart cluster={cluster} />
    case 'blockers':
      return <BlockersPart cluster={cluster} />
    case 'reports':
      return (
        <div className="hist-pad hist-scroll hist-narrow">
          <ReportCheck />
        </div>
      )
    case 'journal':
      return (
        <div className="hist-pad hist-scroll hist-narrow">
          <JournalCard />
        </div>
      )
    default:
      return assertNever(part, 'part of the history')
  }
}

function WhichCluster({ part, cluster }: Props): ReactNode {
  const list = useClusters(store => store.list)
  const names = list.kind === 'listed' ? [...list.byName.keys()] : []
  // A removed cluster keeps its history.
  const offered = cluster === null || names.includes(cluster) ? names : [...names, cluster]
  return (
    <HTMLSelect
      aria-label="Cloud"
      value={cluster ?? ''}
      options={[{ value: '', label: 'All clouds' }, ...offered.map(name => ({ value: name, label: name }))]}
      onChange={({ currentTarget: { value } }) =>
        turnTo({ kind: 'history', part, cluster: value === '' ? null : value })
      }
    />
  )
}
