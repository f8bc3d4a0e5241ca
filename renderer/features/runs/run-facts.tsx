import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { RunnerOfRun } from '../../../shared/contract/index.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { waitedOf } from '../../../shared/domain/run-waited.ts'
import { withoutIds } from '../../../shared/grammar/first-words.ts'
import { whereDriven } from '../../../shared/words/runners.ts'
import { waitedParts } from '../../../shared/words/waited.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { When, WhenMinute } from '../../ui/when.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly runner: RunnerOfRun | null
}

/** The facts of a run: its operator, start, window, overrides, and how long it waited. */
export function RunFacts({ view, events, runner }: Props): ReactNode {
  const { plan, driver, createdAt, endedAt } = view
  const starter = starterOf(events) ?? driver.operator
  const stopped = events.findLast(({ body }) => body.kind === 'abort-requested')
  return (
    <dl className="run-meta stack">
      <Fact name="Started by">{starter}</Fact>
      <Fact name="Started">
        <When at={createdAt} short />
        {endedAt === null ? null : (
          <>
            , <Elapsed from={createdAt} to={endedAt} /> in all
          </>
        )}
      </Fact>
      {endedAt === null && (runner !== null || driver.operator !== starter) ? (
        <Fact name="Runs on">{runner === null ? `${driver.machine}, as ${driver.operator}` : whereDriven(runner)}</Fact>
      ) : null}
      {plan.window?.kind !== 'in' ? null : (
        <Fact name="Window">
          <a href={hashOf({ kind: 'window', id: plan.window.id })}>{plan.window.title}</a>
          {plan.window.endsAt === undefined ? null : (
            <>
              , until <WhenMinute at={plan.window.endsAt} />
            </>
          )}
        </Fact>
      )}
      {plan.window?.kind === 'outside' && plan.window.reason !== '' ? (
        <Fact name="Reason">{plan.window.reason}</Fact>
      ) : null}
      {stopped?.body.kind !== 'abort-requested' ? null : (
        <Fact name="Stopped by">
          {stopped.body.by}, <When at={stopped.at} short />
          {stopped.body.reason === '' ? '' : `: ${stopped.body.reason}`}
        </Fact>
      )}
      <WaitedFacts view={view} events={events} />
      {[...new Set(view.overrides.map(({ reason }) => reason))].map(reason => (
        <Fact key={reason} name="Started anyway" isLong>
          {view.overrides
            .filter(each => each.reason === reason)
            .map(({ message }) => withoutIds(message))
            .join(' ')}
          {reason === '' ? '' : ` Reason: ${reason}`}
        </Fact>
      ))}
      {isNodeRun(plan.kind) ? null : (
        <Fact name="Timeline">
          <a href={hashOf(clusterRoute(plan.cluster, 'update', { runId: view.id }))}>Open the timeline</a>
        </Fact>
      )}
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly isLong?: boolean
  readonly children: ReactNode
}

/** For whom the run waited, and how long; a wait that lasts counts on. */
function WaitedFacts({ view, events }: Pick<Props, 'view' | 'events'>): ReactNode {
  const waited = useMemo(() => waitedOf(view, events), [view, events])
  const nowMs = useTicks(store => store.nowMs)
  return waitedParts(waited, nowMs).map(({ whom, lasted }) => (
    <Fact key={whom} name={`Waited ${whom}`}>
      {lasted}
    </Fact>
  ))
}

function Fact({ name, isLong = false, children }: FactProps): ReactNode {
  return (
    <div className={isLong ? 'run-meta-long' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function starterOf(events: readonly RunEvent[]): string | null {
  const first = events.find(({ body }) => body.kind === 'run-created')
  return first?.body.kind === 'run-created' ? first.body.driver.operator : null
}

/** The address of a run, for a ticket or a colleague; its id is in there. */
export function CopyLink(): ReactNode {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      setSaid('Copied')
    } catch {
      setSaid('The browser refuses access to the clipboard')
    }
  }
  return (
    <span className="row">
      <span className="small quiet" role="status">
        {said}
      </span>
      <Button size="small" variant="minimal" text="Copy link" onClick={() => void copy()} />
    </span>
  )
}
