import type { ReactNode } from 'react'
import type { RunCondition, RunWait } from '../../../shared/domain/run-condition.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { WhenMinute } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'

interface Props {
  readonly cluster: string
  readonly condition: RunCondition
}

/** What holds the run up just now beside its questions, since when, and who can do something about it. */
export function RunWaits({ cluster, condition }: Props): ReactNode {
  if (condition.kind === 'paused') {
    return (
      <Waits>
        <li>
          Paused: nothing new is begun.
          <div className="quiet">
            <Since at={condition.since} />
            Any operator of this cluster, with Go on.
          </div>
        </li>
      </Waits>
    )
  }
  if (condition.kind !== 'waiting' && condition.kind !== 'moving') return null
  const waits = condition.waits.filter(wait => wait.for !== 'answer')
  if (waits.length === 0) return null
  return (
    <Waits>
      {waits.map(wait => (
        <li key={`${wait.node} ${wait.for} ${wait.what}`}>
          {wait.what}
          <div className="quiet">
            <Since at={wait.since} />
            {wait.who}
            {wait.asksAt === null ? null : (
              <>
                {' '}
                It asks at <WhenMinute at={wait.asksAt} />.
              </>
            )}
            {wait.failsAt === null ? null : (
              <>
                {' '}
                If it does not hold at <WhenMinute at={wait.failsAt} />, the step fails.
              </>
            )}
            <WayToInstances cluster={cluster} wait={wait} />
          </div>
          {wait.said === null ? null : <div className="quiet">Its controller says: {wait.said}</div>}
        </li>
      ))}
    </Waits>
  )
}

function Waits({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <section className="run-waits" aria-label="What it waits for">
      <h3>Waits for</h3>
      <ul>{children}</ul>
    </section>
  )
}

function Since({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? null : (
    <>
      It has waited <Elapsed from={at} to={null} />.{' '}
    </>
  )
}

/** Where instances decide how long it takes. */
function WayToInstances({ cluster, wait }: { readonly cluster: string; readonly wait: RunWait }): ReactNode {
  if (wait.for !== 'owner' || wait.node === null) return null
  return (
    <>
      {' '}
      <a href={hashOf(clusterRoute(cluster, 'instances', { node: wait.node }))}>
        Instances and migration mode of {wait.node}
      </a>
    </>
  )
}
