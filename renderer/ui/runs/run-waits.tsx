import type { ReactNode } from 'react'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { waitTitle } from '../../../shared/words/runs.ts'
import { waitText } from '../../../shared/words/waits.ts'
import { Said } from '../said.tsx'
import { WhenMinute } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'
import { groupedWaits } from './grouped-waits.ts'
import { Named } from './named.tsx'
import { OwnerModes } from './owner-modes.tsx'
import { OwnerChoices } from './run-choices.tsx'

interface Props {
  readonly cluster: string
  readonly condition: RunCondition
}

/** What a run waits for besides its questions, since when, and who can help. */
export function RunWaits({ cluster, condition }: Props): ReactNode {
  if (condition.kind === 'paused') {
    return (
      <Waits>
        <li>
          <h3 className="spread">
            <span>Paused: nothing new starts</span>
            <span className="run-since">
              for <Elapsed from={condition.since} to={null} />
            </span>
          </h3>
          <p className="quiet">Any operator of this cloud can resume it.</p>
        </li>
      </Waits>
    )
  }
  if (condition.kind !== 'waiting' && condition.kind !== 'moving') return null
  const waits = condition.waits.filter(wait => wait.for !== 'answer')
  if (waits.length === 0) return null
  return (
    <Waits>
      {groupedWaits(waits).map(({ first: wait, whats, since }) => {
        const { who, said } = waitText(wait)
        return (
          <li key={`${wait.node} ${wait.code} ${whats[0]}`}>
            <h3 className="spread">
              <span>
                <Named title={waitTitle(wait)} />
              </span>
              {since === null ? null : (
                <span className="run-since">
                  for <Elapsed from={since} to={null} />
                </span>
              )}
            </h3>
            {whats.map(what => (
              <p key={what}>{what}</p>
            ))}
            <div className="quiet">
              <Said text={who} />
              {wait.asksAt === null ? null : (
                <>
                  {' '}
                  It asks you at <WhenMinute at={wait.asksAt} />.
                </>
              )}
              {wait.failsAt === null ? null : (
                <>
                  {' '}
                  If nothing changes by <WhenMinute at={wait.failsAt} />, the step fails.
                </>
              )}
            </div>
            {said === null ? null : (
              <details>
                <summary className="quiet small">What the controller said</summary>
                <span className="small breaks">{said}</span>
              </details>
            )}
            {wait.for !== 'owner' || wait.instances.length === 0 ? null : (
              <>
                <div className="row wrap">
                  <OwnerChoices cluster={cluster} wait={wait} />
                </div>
                <OwnerModes cluster={cluster} instances={wait.instances} />
              </>
            )}
          </li>
        )
      })}
    </Waits>
  )
}

function Waits({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <section className="run-waits panel-card run-tone-waits" aria-label="What it waits for">
      <ul>{children}</ul>
    </section>
  )
}
