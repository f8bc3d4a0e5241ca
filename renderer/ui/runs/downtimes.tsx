import { type ReactNode, useMemo } from 'react'
import type { RunView } from '../../../shared/domain/run.ts'
import { downtimesOf } from '../../../shared/domain/run-downtimes.ts'
import { Age } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'
import './runs.css'

interface Props {
  readonly view: RunView
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** Instances that the run stopped, and how long each was down. */
export function Downtimes({ view, leftAt }: Props): ReactNode {
  const downtimes = useMemo(() => downtimesOf(view), [view])
  if (downtimes.length === 0) return null
  return (
    <section className="panel-card" aria-label="Stopped by this run">
      <h3>Stopped by this run</h3>
      <ul className="run-downtimes plain-list">
        {downtimes.map(({ subject, name, from, to }) => (
          <li key={subject} className="spread">
            <b className="mono">{name}</b>
            <span>
              {to !== null ? (
                <>
                  was down <Elapsed from={from} to={to} />
                </>
              ) : leftAt === null ? (
                <>
                  down for <Elapsed from={from} to={null} />
                </>
              ) : (
                <>
                  stopped <Age at={from} />, not started again by this run
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
