import { type ReactNode, useMemo } from 'react'
import { readHistory } from '../../bridge/history.ts'
import { useHistory } from '../../stores/history.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { Unreadable } from './unreadable.tsx'

const MonthChart = later(async () => (await import('./month-chart.tsx')).MonthChart)
const HOUR_MS = 3_600_000

/** What Lockkeeper did to nodes over the last 30 days. */
export function MonthPart({ cluster }: { readonly cluster: string | null }): ReactNode {
  const asked = useHistory(store => store.durations)
  const hour = useTicks(({ nowMs }) => Math.floor(nowMs / HOUR_MS))
  const read = lastRead(asked)
  const measured = useMemo(
    () => (read?.measured ?? []).filter(each => cluster === null || each.cluster === cluster),
    [read, cluster],
  )
  return (
    <div className="hist-pad hist-scroll">
      {asked.kind === 'failed' ? (
        <FailureCallout title="The history cannot be read" failure={asked.failure} onRetry={readHistory} />
      ) : null}
      {read === null ? (
        <p className="quiet hist-chart">{asked.kind === 'failed' ? '' : 'Reading…'}</p>
      ) : (
        <section className="card hist-card" aria-labelledby="hist-month">
          <h2 id="hist-month">Nodes taken out and brought back, last 30 days</h2>
          <Unreadable lines={read.unreadable} />
          <MonthChart measured={measured} nowMs={(hour + 1) * HOUR_MS} />
        </section>
      )}
    </div>
  )
}
