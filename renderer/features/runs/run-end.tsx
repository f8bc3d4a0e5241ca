import { type ReactNode, useMemo } from 'react'
import type { RunnerOfRun, RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, isNodeRun, nodeOfPlan } from '../../../shared/domain/plan.ts'
import { downAtLast } from '../../../shared/domain/ran-before.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { completedAllSteps, endingOf, type RunEnding } from '../../../shared/domain/run-ending.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { type ChangedThing, changedThings } from '../../../shared/words/changed-things.ts'
import { conditionWord } from '../../../shared/words/conditions.ts'
import { endingHeadline } from '../../../shared/words/ending-headline.ts'
import { acceptedLine, endingDetail, endingTone } from '../../../shared/words/run-ending.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { Named } from '../../ui/runs/named.tsx'
import { Said } from '../../ui/said.tsx'
import { When } from '../../ui/when.tsx'
import { undoOf } from './after-run.ts'
import { NextSteps } from './next-steps.tsx'
import { NodeNow } from './node-now.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunFolds } from './run-folds.tsx'
import { StillThere } from './still-there.tsx'
import { WhatHappened, WhatWasVerified } from './what-happened.tsx'
import './run-end.css'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly condition: RunCondition
  readonly leftAt: string | null
  readonly runner: RunnerOfRun | null
}

/** How a run ended, by the judgement that the map uses: the node, what is left, what to do next, and each instance. */
export function RunEnd({ view, events, condition, leftAt, runner }: Props): ReactNode {
  const { state, plan } = view
  if (state.kind !== 'finished') return null
  const ending = endingOf(view, state)
  const node = nodeOfPlan(plan)
  return (
    <>
      <section className={`run-end panel-card run-end-${endingTone(ending)}`} aria-label="How it ended">
        <Seal ending={ending} />
        <div className="run-end-words stack grow breaks">
          <Verdict view={view} ending={ending} />
          <RunFacts view={view} events={events} runner={runner} />
          <NextSteps view={view} ending={ending} />
        </div>
        {node === null || !isNodeRun(plan.kind) ? null : <NodeNow view={view} node={node} />}
      </section>
      <div className="run-grid run-grid-end">
        <WhatHappened view={view} condition={condition} leftAt={leftAt} />
        <WhatWasVerified view={view} ending={ending} />
      </div>
      <RunFolds view={view} events={events} leftAt={leftAt} />
    </>
  )
}

/** The headline, and what follows from it. */
function Verdict({ view, ending }: { readonly view: RunView; readonly ending: RunEnding }): ReactNode {
  const { plan, steps } = view
  const list = useRuns(store => store.list)
  const undone = useMemo(() => undoOf(view, list ?? []), [view, list])
  const isUndone = undone !== null && completedAllSteps(undone)
  const { named, strong } = endingHeadline(ending, plan)
  const changed = ending.kind === 'Stopped' && !isUndone ? changesLeft(view, ending) : []
  const skipped = ending.accepted.filter(({ code }) => code === 'SkippedStep')
  const down = downAtLast(
    steps.flatMap(({ facts }) => facts),
    steps.map(({ step }) => step.input),
  )
  const tail =
    ending.kind !== 'Stopped'
      ? ''
      : isUndone
        ? ' Undone since.'
        : changed.length > 0
          ? ' Still changed:'
          : ' Nothing stays changed.'
  return (
    <>
      <h1 className="run-end-title">
        <Named title={named} />
        {strong === '' ? null : (
          <>
            {' '}
            <strong>{strong}</strong>
          </>
        )}
        {tail}
      </h1>
      <Detail view={view} ending={ending} />
      <StillThere view={view} ending={ending} cluster={plan.cluster} />
      {changed.length === 0 ? null : (
        <ul className="run-end-list stack plain-list" aria-label="Still changed">
          {changed.map(({ what, undo }) => (
            <li key={what} className="spread">
              <b className="breaks">
                <Said text={what} />
              </b>
              <span className="quiet">{undo}</span>
            </li>
          ))}
        </ul>
      )}
      {skipped.length === 0 || ending.kind === 'NodeNotEmpty'
        ? null
        : skipped.map(accepted => <p key={accepted.code + acceptedLine(accepted)}>{acceptedLine(accepted)}</p>)}
      {down.length === 0 || !isNodePlan(plan) || plan.kind === 'enter' || plan.kind === 'rescue' ? null : (
        <p className="caution">
          {listed(down.map(({ name }) => name))} ran before and {down.length === 1 ? 'is' : 'are'} off now.
        </p>
      )}
      {undone === null ? null : <UndoneBy run={undone} />}
    </>
  )
}

/** What stays changed; in the words of the journal where its events do not say it. */
function changesLeft(
  view: RunView,
  ending: Extract<RunEnding, { kind: 'Stopped' }>,
): readonly Omit<ChangedThing, 'stepId'>[] {
  const things = changedThings(view)
  return things.length > 0 ? things : ending.changed.map(what => ({ what, undo: '' }))
}

/** The sentence below the headline. */
function Detail({ view, ending }: { readonly view: RunView; readonly ending: RunEnding }): ReactNode {
  if (view.state.kind !== 'finished') return null
  switch (ending.kind) {
    case 'NodeEmpty': {
      const rest = (endingDetail(ending) ?? '').replace('Safe to power off.', '').trim()
      return (
        <p className="quiet">
          Nothing runs on it. Lockkeeper checked the cloud again at <When at={ending.verdict.at} short />. {rest}
        </p>
      )
    }
    case 'NodeNotEmpty':
    case 'InService':
    case 'HeldBack': {
      const words = (endingDetail(ending) ?? '').replace('Safe to power off.', '').trim()
      return words === '' ? null : (
        <p className={ending.kind === 'NodeNotEmpty' ? 'run-end-lead' : 'quiet'}>
          <Said text={words} />
        </p>
      )
    }
    case 'Finished':
      return <p className="quiet">Lockkeeper checked the cloud again at the end.</p>
    case 'Stopped':
      return ending.outcome === 'failed' ? (
        <p className="run-end-lead">
          <Said text={view.state.summary} />
        </p>
      ) : null
    case 'Untouched':
    case 'HandedOver':
      return (
        <p>
          <Said text={view.state.summary} />
        </p>
      )
  }
}

function UndoneBy({ run }: { readonly run: RunSummary }): ReactNode {
  const href = hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))
  return completedAllSteps(run) ? (
    <p className="strong">
      Undone by <a href={href}>{run.operator}</a>.
    </p>
  ) : (
    <p className="caution">
      <a href={href}>{run.operator} undoes it</a>: {conditionWord(run.condition)}.
    </p>
  )
}

function Seal({ ending }: { readonly ending: RunEnding }): ReactNode {
  const tone = endingTone(ending)
  return (
    <svg className="run-seal" viewBox="0 0 40 40" width="56" height="56" aria-hidden="true">
      <circle cx="20" cy="20" r="18" />
      {tone === 'good' ? <path d="M12 20.5l5.5 6L28.5 14" /> : null}
      {tone === 'bad' || tone === 'attention' ? <path d="M20 11v11M20 28v.8" /> : null}
      {tone === 'rest' ? <rect x="14" y="14" width="12" height="12" rx="2" /> : null}
    </svg>
  )
}
