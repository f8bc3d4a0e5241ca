import { type ReactNode, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { advanceOf, movesShown, nodesOf } from '../../../shared/domain/run-advance.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import { waitedOf } from '../../../shared/domain/run-waited.ts'
import { advanceWords, NODE_STATE_WORDS } from '../../../shared/words/runs.ts'
import { waitedWords } from '../../../shared/words/waited.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { type ChipState, chipLegend, chipsOfRun, chipWords, followsMoves } from './run-chips.ts'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly condition: RunCondition
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** A run as a picture: its progress, its figures, and each instance or node with its state. */
export function RunPicture({ view, events, condition, leftAt }: Props): ReactNode {
  const advance = useMemo(() => advanceOf(view), [view])
  const { moves, pods } = useMemo(() => talliesOf(view), [view])
  const isOfNode = isNodeRun(view.plan.kind)
  if (advance === null) return null
  // The large figure stays the subject of the run, also during other steps.
  const large = isOfNode && moves !== null && (followsMoves(view) || moves.moved > 0) ? movesShown(moves) : advance
  const words = advanceWords({ ...advance, ...large })
  return (
    <section className="run-picture panel-card" aria-label="Progress">
      <div className="run-figures">
        <p className="run-large">
          <b>{large.done}</b> of {large.total} {words.replace(/^\d+ of \d+ /, '')}
        </p>
        <dl>
          {large.of === advance.of ? null : (
            <Figure name={advanceWords(advance).replace(/^\d+ of \d+ /, '')}>
              {advance.done} of {advance.total}
            </Figure>
          )}
          {large.of === 'nodes' || view.endedAt !== null ? null : (
            <Figure name="of the run">{Math.round(advance.share * 100)} %</Figure>
          )}
          {pods === null || advance.of === 'pods' ? null : (
            <Figure name="pods gone">
              {pods.done} of {pods.total}
            </Figure>
          )}
          <Waited view={view} events={events} />
          <Figure name={view.endedAt === null ? 'elapsed' : 'took'}>
            <Elapsed from={view.createdAt} to={view.endedAt} />
          </Figure>
        </dl>
      </div>
      <div
        className={`run-bar run-tone-${toneOf(condition)}`}
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(advance.share * 100)}
        aria-valuetext={advanceWords(advance)}
      >
        <i style={{ width: `${advance.share * 100}%` }} />
      </div>
      {isOfNode ? <Instances view={view} condition={condition} leftAt={leftAt} /> : <Nodes view={view} />}
    </section>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Waited({ view, events }: Pick<Props, 'view' | 'events'>): ReactNode {
  const waited = useMemo(() => waitedOf(view, events), [view, events])
  const words = useTicks(({ nowMs }) => waitedWords(waited, nowMs))
  if (words === null) return null
  return (
    <Figure name="waited">
      <span className={waited.since === null ? '' : 'caution'}>{words}</span>
    </Figure>
  )
}

function Instances({ view, condition, leftAt }: Omit<Props, 'events'>): ReactNode {
  // A finished run does not use what is seen now.
  const seen = useViews(({ byCluster }) =>
    view.endedAt === null ? (lastOf(byCluster.get(view.plan.cluster))?.instances ?? null) : null,
  )
  const chips = useMemo(
    () => chipsOfRun(view, condition, leftAt, seen === null ? null : id => seen.get(id)?.node ?? null),
    [view, condition, leftAt, seen],
  )
  if (chips.length === 0) return null
  const counts = new Map<ChipState, number>()
  for (const { state } of chips) counts.set(state, (counts.get(state) ?? 0) + 1)
  return (
    <>
      <ul className="run-chips plain-list" aria-label="Instances">
        {chips.map(chip => (
          <li key={chip.id} className={`run-chip run-chip-${chip.state}`} title={chipWords(chip)}>
            <span className="visually-hidden">{chipWords(chip)}</span>
          </li>
        ))}
      </ul>
      <ul className="run-legend plain-list" aria-hidden="true">
        {[...counts].map(([state, count]) => (
          <li key={state}>
            <i className={`run-chip run-chip-${state}`} />
            {chipLegend(state, count)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Nodes({ view }: { readonly view: RunView }): ReactNode {
  const nodes = useMemo(() => nodesOf(view), [view])
  return (
    <ul className="run-nodes plain-list" aria-label="Nodes">
      {nodes.map(({ node, state }) => (
        <li key={node} className={`run-node run-mark-${state}`} title={`${node}: ${NODE_STATE_WORDS[state]}`}>
          <span className="mono">{node}</span>
          <span className="visually-hidden">: {NODE_STATE_WORDS[state]}</span>
        </li>
      ))}
    </ul>
  )
}
