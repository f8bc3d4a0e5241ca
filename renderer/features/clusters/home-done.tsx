import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { betweenWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { runTitle } from '../../../shared/words/runs.ts'
import { useConsole } from '../../stores/console.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { Named } from '../../ui/runs/named.tsx'
import { Age } from '../../ui/when.tsx'
import { HomeSection, RowFacts } from './home-section.tsx'

const MOST_TODAY = 6
const MOST_BEFORE = 3

/** What was done today; else the last runs before. */
export function HomeDone({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const today = useTicks(({ nowMs }) => dateAndTime(new Date(nowMs).toISOString(), clock).slice(0, 10))
  const own = useConsole(({ description }) => description)
  const ended = runs
    .flatMap(run => (run.endedAt === null ? [] : [{ run, endedAt: run.endedAt }]))
    .toSorted((a, b) => b.endedAt.localeCompare(a.endedAt))
  const ofToday = ended.filter(({ endedAt }) => dateAndTime(endedAt, clock).startsWith(today))
  const shown = ofToday.length > 0 ? ofToday.slice(0, MOST_TODAY) : ended.slice(0, MOST_BEFORE)
  if (shown.length === 0) return null
  const isRecorded = own?.demo === true && shown.every(({ run }) => run.machine !== own.machine)
  return (
    <HomeSection
      title={ofToday.length > 0 ? 'Done today' : 'Done before'}
      note={isRecorded ? 'recorded when this demo was built' : undefined}
    >
      <ul className="home-list plain-list">
        {shown.map(({ run, endedAt }) => (
          <li key={run.id} className="home-row home-ends">
            <div>
              <a className="strong" href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
                <Named title={runTitle(run)} />
              </a>
              <RowFacts cluster={run.cluster}>
                <span>{betweenWords(run.createdAt, endedAt)}</span>
                {run.undoneBy === undefined || run.undoneBy.length === 0 ? null : <span>undone</span>}
                <span>{run.operator}</span>
              </RowFacts>
            </div>
            <small className="quiet">
              <Age at={endedAt} />
            </small>
            <ExportReport subject={{ kind: 'run', id: run.id }} />
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
