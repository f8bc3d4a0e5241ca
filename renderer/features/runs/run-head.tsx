import type { ReactNode } from 'react'
import { colourOf } from '../../../shared/domain/cluster.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { Tallies } from '../../ui/runs/run-progress.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Age, When } from '../../ui/when.tsx'

interface Props {
  readonly view: RunView
  readonly condition: RunCondition
}

/** What the run does, on which node of which cluster, by whom, since when, and where it stands. */
export function RunHead({ view, condition }: Props): ReactNode {
  const { plan, driver, createdAt, endedAt, lastEventAt } = view
  const colour = useClusters(({ list }) =>
    colourOf(
      (list.kind === 'listed' ? list.byName.get(plan.cluster) : undefined) ?? { name: plan.cluster, colour: null },
    ),
  )
  return (
    <header className="run-head">
      <div className="run-head-row spread">
        <h2>
          <span className="run-dot" style={{ background: `var(--cluster-${colour})` }} />
          {RUN_KIND_WORDS[plan.kind]}:{' '}
          {!isNodeRun(plan.kind) ? (
            <a href={hashOf(clusterRoute(plan.cluster, 'topology'))}>{plan.cluster}</a>
          ) : (
            <>
              <a href={hashOf(clusterRoute(plan.cluster, 'topology', { node: plan.node }))}>{plan.node}</a>
              <span className="run-of">of {plan.cluster}</span>
            </>
          )}
          <StateTag condition={condition} />
        </h2>
        <ExportReport subject={{ kind: 'run', id: view.id }} />
      </div>
      <p className="run-facts">
        <span>
          Started <When at={createdAt} />
        </span>
        <span>
          {endedAt === null ? 'runs' : 'took'} <Elapsed from={createdAt} to={endedAt} />
        </span>
        <Tallies view={view} />
        <span>
          {condition.kind === 'interrupted' ? 'last driven by' : 'driven by'} {driver.operator}@{driver.machine},
          process {driver.pid}
        </span>
        {endedAt === null ? (
          <span className="quiet">
            last heard <Age at={lastEventAt} />
          </span>
        ) : null}
        {!isNodeRun(plan.kind) ? (
          <a href={hashOf(clusterRoute(plan.cluster, 'update', { runId: view.id }))}>Timeline</a>
        ) : null}
        <span className="quiet mono">{view.id}</span>
      </p>
      {view.overrides.length === 0 ? null : (
        <ul className="run-overrides" aria-label="Overrides given">
          {view.overrides.map(({ stepId, code, message, flag, reason }) => (
            <li key={`${stepId} ${code} ${message}`}>
              Overridden with <b>{flag}</b> ({reason}): {message}
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}
