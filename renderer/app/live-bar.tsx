import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { RunSummary } from '../../shared/contract/index.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { advanceOf } from '../../shared/domain/run-advance.ts'
import { mayShowEnd } from '../../shared/domain/run-condition.ts'
import type { TimedMove } from '../../shared/domain/slow-moves.ts'
import { slowWords } from '../../shared/words/instances.ts'
import { verdictDetail } from '../../shared/words/node-verdict.ts'
import { leftWords } from '../../shared/words/run-left.ts'
import { whereDriven } from '../../shared/words/runners.ts'
import { advanceWords, conditionTitle, runTitle } from '../../shared/words/runs.ts'
import { useClusterColour } from '../stores/clusters.ts'
import { useCommands } from '../stores/commands.ts'
import { useConnection, whyCutOff } from '../stores/connection.ts'
import { clusterRoute, hashOf, type Route } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Elapsed } from '../ui/runs/elapsed.tsx'
import { sinceOf, toneOf } from '../ui/runs/live-runs.ts'
import { Named } from '../ui/runs/named.tsx'
import { Ring } from '../ui/runs/ring.tsx'
import { RunChoices } from '../ui/runs/run-choices.tsx'
import { StateTag } from '../ui/runs/state-tag.tsx'
import { subjectOf } from '../ui/runs/trouble-subject.ts'
import { useLiveRuns } from '../ui/runs/use-live-runs.ts'
import { useRunEnd, useRunView } from '../ui/runs/use-run-view.ts'
import { useSlowMoves } from '../ui/runs/use-slow-moves.ts'
import { Age, WhenMinute } from '../ui/when.tsx'
import { useEndToasts } from './use-end-toasts.ts'
import './live-bar.css'

/** On every screen while a run is running, needs you or has failed: its progress, what it waits for, and its buttons. */
export function LiveBar({ place }: { readonly place: Route }): ReactNode {
  const live = useLiveRuns()
  // The page of a run shows all of this.
  const open =
    place.kind === 'cluster' && (place.screen === 'history' || place.screen === 'update') ? place.runId : null
  const [first, ...others] = live.filter(({ id }) => id !== open)
  const said = useAnnounced(live[0])
  useEndToasts(place)
  const bar = useRef<HTMLElement>(null)
  const commands = useMemo(
    () => [
      {
        id: 'live.focus',
        title: 'The run that needs you, or is running',
        group: 'Go to',
        keys: 'g l',
        run: () => bar.current?.querySelector<HTMLElement>('button, a')?.focus(),
        available: () => bar.current !== null,
      },
    ],
    [],
  )
  useCommands(commands)
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {first === undefined ? null : <Line key={first.id} run={first} others={others} place={place} bar={bar} />}
    </>
  )
}

/** What a screen reader announces: changes of a run's state and its end, but not the passing time. */
function useAnnounced(first: RunSummary | undefined): string {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    if (first !== undefined) setId(first.id)
  }, [first])
  const ended = useRuns(({ list }) => (first === undefined ? (list?.find(run => run.id === id) ?? null) : null))
  const run = first ?? ended
  if (run === null) return ''
  const title = runTitle(run).filter(Boolean).join(' ')
  return run.condition.kind === 'over' ? `${title}. ${run.summary}` : `${title}, ${run.cluster}.`
}

interface LineProps {
  readonly run: RunSummary
  readonly others: readonly RunSummary[]
  readonly place: Route
  readonly bar: React.RefObject<HTMLElement | null>
}

/** `for 3 min`; nothing if the start is unknown. */
function SinceWords({ run }: { readonly run: RunSummary }): ReactNode {
  const since = sinceOf(run)
  return since === null ? null : (
    <span>
      for <Elapsed from={since} to={null} />
    </span>
  )
}

function Line({ run, others, place, bar }: LineProps): ReactNode {
  const { condition, cluster, id } = run
  const isCut = useConnection(whyCutOff) !== null
  const view = useRunView(condition.kind === 'over' ? null : id)
  const advance = useMemo(() => (view === null ? null : advanceOf(view)), [view])
  const end = useRunEnd(view, advance?.of === 'nodes' ? advance.done : 0)
  const tone = isCut ? 'rest' : toneOf(condition)
  const isHere = place.kind === 'cluster' && place.cluster === cluster
  const slow = useSlowMoves(cluster, condition.kind === 'moving' ? view : null)
  const detail = slowDetail(slow) ?? detailOf(run, view)
  const since = sinceOf(run)
  return (
    <section ref={bar} className={`live row run-tone-${tone}`} aria-label="Current run">
      <Ring tone={tone} share={advance === null || advance.total === 0 ? null : advance.done / advance.total} />
      <b className="live-what cut">
        {isCut ? 'Last known: ' : null}
        <Named title={runTitle(run)} />
      </b>
      <span className="live-facts grow quiet cut" title={detail ?? undefined}>
        {isHere ? null : <ClusterName name={cluster} />}
        {run.runner === undefined ? null : <span>{whereDriven(run.runner)}</span>}
        {run.node !== null && runTitle(run)[1] !== run.node ? <span className="mono">{run.node}</span> : null}
        {isCut || since === null ? null : (
          <span>
            {condition.kind === 'moving' || condition.kind === 'starting' ? null : 'for '}
            <Elapsed from={since} to={null} />
          </span>
        )}
        {advance === null ? null : <span>{advanceWords(advance)}</span>}
        {end === null || isCut || !mayShowEnd(condition) ? null : (
          <span>
            ends about <WhenMinute at={end.highAt} />
          </span>
        )}
        {detail === null ? null : <span>{detail}</span>}
      </span>
      <span className="live-choices rigid nowrap row">
        <RunChoices run={run} view={view} />
        {others.length === 0 ? null : <Others runs={others} />}
        <LinkButton
          aria-label={`Open: ${runTitle(run).filter(Boolean).join(' ')}`}
          href={hashOf(clusterRoute(cluster, 'history', { runId: id }))}
        >
          Open
        </LinkButton>
      </span>
    </section>
  )
}

/** The moves that take longer than usual; null without any. */
function slowDetail(slow: readonly TimedMove[]): string | null {
  const [first, ...others] = slow
  if (first === undefined) return null
  return others.length === 0 ? `${first.name}: ${slowWords(first)}` : `${slow.length} moves take longer than usual`
}

/** What the bar adds: the question, what the run waits for, or why it failed. */
function detailOf({ condition, summary }: RunSummary, view: RunView | null): string | null {
  switch (condition.kind) {
    case 'moving':
      return condition.at
    case 'waiting': {
      const [first] = condition.waits
      // Until the run is read, its title says enough.
      return first === undefined || view === null || first.code === 'LeftToOwners' ? null : subjectOf(view, first).line
    }
    case 'interrupted':
      return condition.left === null ? 'No console runs it.' : leftWords(condition.left)
    case 'over':
      // The title names the verdict.
      return 'verdict' in condition.ending ? verdictDetail(condition.ending.verdict) : summary
    case 'unheard':
      return summary
    case 'starting':
    case 'paused':
    case 'aborting':
      return null
  }
}

function ClusterName({ name }: { readonly name: string }): ReactNode {
  const colour = useClusterColour(name)
  return (
    <span>
      <i className="dot dot-inline" style={{ background: colour }} />
      {name}
    </span>
  )
}

function Others({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <ul className="live-others plain-list" aria-label="Other runs">
          {runs.map(run => (
            <li key={run.id}>
              <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
                <span className="spread">
                  <b>
                    <Named title={runTitle(run)} />
                  </b>
                  <StateTag condition={run.condition} />
                </span>
                <span className="quiet row small">
                  <ClusterName name={run.cluster} />
                  {runTitle(run)[1] === run.node ? null : <span className="mono">{run.node}</span>}
                  {run.endedAt === null ? <SinceWords run={run} /> : <Age at={run.endedAt} />}
                </span>
              </a>
            </li>
          ))}
        </ul>
      }
    >
      <Button
        size="small"
        variant="minimal"
        text={`+${runs.length} more`}
        aria-label={`+${runs.length} more: ${runs.map(run => conditionTitle(run.condition)).join(', ')}`}
      />
    </PopoverNext>
  )
}
