import type { ReactNode } from 'react'
import type { RunView } from '../../../shared/domain/run.ts'
import { clusterPlace, hashOf } from '../../stores/place.ts'
import { WhenMinute } from '../../ui/when.tsx'
import { Elapsed } from './elapsed.tsx'
import { waitsOf } from './waits.ts'

/** What holds the run up just now, since when, and who can do something about it. */
export function RunWaits({ view }: { readonly view: RunView }): ReactNode {
  const waits = waitsOf(view)
  if (waits.length === 0) return null
  return (
    <section className="run-waits" aria-label="What it waits for">
      <h3>Waits for</h3>
      <ul>
        {waits.map(({ what, since, who, asksAt, failsAt, node }) => (
          <li key={what}>
            {what}
            <div className="quiet">
              {since === null ? null : (
                <>
                  It has waited <Elapsed from={since} to={null} />.{' '}
                </>
              )}
              {who}
              {asksAt === undefined ? null : (
                <>
                  {' '}
                  It asks at <WhenMinute at={asksAt} />.
                </>
              )}
              {failsAt === undefined ? null : (
                <>
                  {' '}
                  If it does not hold at <WhenMinute at={failsAt} />, the step fails.
                </>
              )}
              {node === undefined ? null : (
                <>
                  {' '}
                  <a href={hashOf(clusterPlace(view.plan.cluster, 'instances', { node }))}>
                    Instances and migration mode of {node}
                  </a>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
