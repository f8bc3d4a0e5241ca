import { Button, Callout, InputGroup, ProgressBar, Tag } from '@blueprintjs/core'
import { RefreshIcon, SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { PlanChoices, RunSummary } from '../../../shared/contract/index.ts'
import type { NodeWork } from '../../../shared/domain/command-work.ts'
import {
  type NodeRunKind,
  type PlannedNodeRunKind,
  type PlannedStep,
  planSubject,
  takesOut,
} from '../../../shared/domain/plan.ts'
import {
  type ChangeEffect,
  countsOf,
  effectsOf,
  type InstanceEffect,
  type PlanEffects,
  warningsOf,
} from '../../../shared/domain/plan-effects.ts'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ageWords, durationWords } from '../../../shared/grammar/durations.ts'
import { closePlanDialog, type PlanWish } from '../../stores/plan-dialog.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { planAge } from '../../ui/plan/plan-age.ts'
import { PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanFigures } from '../../ui/plan/plan-figures.tsx'
import { PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { PlanVerdictTag } from '../../ui/plan/plan-verdict.tsx'
import { PlanWarnings } from '../../ui/plan/plan-warnings.tsx'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import { type ForecastState, lastMade, type MadePlan, usePlan } from '../../ui/plan/use-plan.ts'
import { hasChanged, type World, worldOf } from '../../ui/plan/world-of-plan.ts'
import { Said } from '../../ui/said.tsx'
import { Afterwards } from './afterwards.tsx'
import { isByWatcher, optionsInWords } from './choices-of-plan.ts'
import { PlanChoicesForm } from './plan-choices.tsx'
import { UndoChoices } from './undo-choices.tsx'

interface Props {
  readonly cluster: string
  readonly wish: PlanWish
  readonly node: string
  readonly cancel: RefObject<HTMLButtonElement | null>
  /** The operator chooses whether the same run brings the node back. */
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onStarted: (run: RunSummary) => void
}

/** Runs with few but decisive choices, which are not folded. */
const OPEN_OPTIONS: ReadonlySet<NodeRunKind> = new Set(['leave', 'rescue', 'undo'])

/** One node's plan: what blocks it, what happens to each instance, and the one confirmation. */
export function PlanPage({ cluster, wish, node, cancel, onKind, onStarted }: Props): ReactNode {
  const { state, watches, forecast, choices, choose, checkAgain } = usePlan(cluster, node, wish)
  const made = lastMade(state)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = state.kind === 'making'
  // The focused element may be gone with the last plan: keys would reach nothing.
  useEffect(() => {
    if (state.kind !== 'making' && document.activeElement === document.body) cancel.current?.focus()
  }, [state, cancel])
  return (
    <section className="column grow" aria-label={`Plan for ${node}`} aria-busy={making}>
      {making ? <Making node={node} sinceMs={state.sinceMs} watches={watches} /> : null}
      {state.kind === 'failed' ? (
        <div className="plan-failure">
          <FailureCallout title={`No plan could be made for ${node}`} failure={state.failure} onRetry={checkAgain} />
        </div>
      ) : null}
      {made === null || effects === null ? (
        <div className="plan-scroll grow">
          {making ? <p className="quiet plan-wait">The plan appears here once every check has answered.</p> : null}
        </div>
      ) : (
        <>
          <PlanHead cluster={cluster} made={made} status={state.kind} onCheckAgain={checkAgain} />
          <PlanBody
            cluster={cluster}
            wish={wish}
            made={made}
            effects={effects}
            forecast={forecast}
            choices={choices}
            isOld={state.kind !== 'made'}
            onKind={onKind}
            onChoose={choose}
            onCheckAgain={checkAgain}
          />
        </>
      )}
      {made === null || effects === null ? (
        <footer className="plan-foot row wrap">
          <span className="plan-foot-words quiet">Nothing was changed.</span>
          <Button ref={cancel} text="Cancel" onClick={closePlanDialog} />
        </footer>
      ) : (
        <PlanConfirm
          cluster={cluster}
          made={made}
          counts={countsOf(effects)}
          status={state.kind}
          cancel={cancel}
          onStarted={onStarted}
          onCancel={closePlanDialog}
          onCheckAgain={checkAgain}
        />
      )}
    </section>
  )
}

interface OptionsProps {
  readonly cluster: string
  readonly wish: PlanWish
  readonly made: MadePlan
  readonly effects: PlanEffects
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

interface PlanBodyProps extends OptionsProps {
  readonly forecast: ForecastState
  /** Whether the plan is not the current one. */
  readonly isOld: boolean
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onCheckAgain: () => void
}

/** What the plan does, what blocks it, and its options. */
function PlanBody(props: PlanBodyProps): ReactNode {
  const { cluster, wish, made, effects, forecast, choices, isOld, onKind, onChoose, onCheckAgain } = props
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section className={`plan-scroll grow${isOld ? ' stale' : ''}`} tabIndex={0} aria-label="The plan">
      {takesOut(wish.kind) ? (
        <Afterwards
          kind={wish.kind}
          work={gateOf(choices.work ?? made.checked.plan.options.work)}
          onKind={onKind}
          onChoose={onChoose}
        />
      ) : null}
      <PlanFigures effects={effects} forecast={forecast} />
      <PlanBlockers
        cluster={cluster}
        checked={made.checked}
        instances={effects.instances}
        onMarked={onCheckAgain}
        onChoose={onChoose}
      />
      <PlanWarnings checked={made.checked} instances={effects.instances} search={search} />
      <PlanInstances
        cluster={cluster}
        instances={effects.instances}
        checked={made.checked}
        forecast={forecast}
        search={search}
        onMarked={onCheckAgain}
        exclusion={
          isByWatcher(made.checked.plan)
            ? {
                excluded: choices.excludedInstances ?? made.checked.plan.options.excludedInstances,
                onExclude: excluded => onChoose({ excludedInstances: [...excluded] }),
              }
            : null
        }
      />
      <PlanPods pods={effects.pods} search={search} />
      <PlanChecks checked={made.checked} search={search} />
      <PlanSteps steps={made.checked.plan.steps} changes={effects.changes} />
      <Options cluster={cluster} wish={wish} made={made} effects={effects} choices={choices} onChoose={onChoose} />
      <InputGroup
        className="plan-search"
        size="small"
        type="search"
        leftElement={<SearchIcon className="plan-search-icon" />}
        placeholder="Find in this plan"
        aria-label="Find instances, pods and checks in this plan"
        value={typed}
        onValueChange={setTyped}
      />
    </section>
  )
}

/** The choices of the plan; folded unless they decide the run. */
function Options({ cluster, wish, made, effects, choices, onChoose }: OptionsProps): ReactNode {
  return (
    <details className="plan-section" open={OPEN_OPTIONS.has(wish.kind)}>
      <summary>
        <h3>
          Options <span className="quiet">{optionsInWords(made.checked.plan)}</span>
        </h3>
      </summary>
      <div className="plan-options">
        {wish.kind === 'undo' ? (
          <UndoChoices plan={made.checked.plan} choices={choices} onChoose={onChoose} />
        ) : (
          <PlanChoicesForm
            cluster={cluster}
            effects={effects}
            checked={made.checked}
            choices={choices}
            onChoose={onChoose}
          />
        )}
      </div>
    </details>
  )
}

function Making({
  node,
  sinceMs,
  watches,
}: {
  readonly node: string
  readonly sinceMs: number
  readonly watches: readonly string[]
}): ReactNode {
  const ms = useTicks(store => store.nowMs - sinceMs)
  return (
    <Callout compact className="plan-making" role="status">
      <div className="plan-making-words">
        <b>Checking {node}.</b> <span className="quiet">Reads only; nothing changes.</span>
        <span className="quiet" aria-hidden="true">
          {durationWords(ms)}
        </span>
      </div>
      {watches.map(words => (
        <p key={words}>{words}</p>
      ))}
      <ProgressBar intent="primary" aria-label={`Checking ${node}`} />
    </Callout>
  )
}

interface PlanStepsProps {
  readonly steps: readonly PlannedStep[]
  readonly changes: readonly ChangeEffect[]
}

/** The steps in order, with the reason and the undo of each. */
function PlanSteps({ steps, changes }: PlanStepsProps): ReactNode {
  const acting = steps.filter(({ verbs }) => verbs.includes('apply'))
  return (
    <details className="plan-section">
      <summary>
        <h3>
          {counted(acting.length, 'step')} <span className="quiet">run in this order, once all checks pass again</span>
        </h3>
      </summary>
      {acting.length === 0 ? <p className="quiet">None: this plan only checks.</p> : null}
      <ol className="plan-steps">
        {acting.map(step => (
          <li key={step.id}>
            <b>
              <Said text={step.title} />
            </b>{' '}
            <span className={step.risk === 'disruptive' ? 'small bad' : 'small quiet'}>{step.risk}</span>
            <div className="quiet">
              {step.why} At most {durationWords(step.withinMs)}.
            </div>
            <div className="quiet">Undo: {step.undo}</div>
          </li>
        ))}
      </ol>
      {changes.length === 0 ? null : (
        <ul className="plan-changes">
          {changes.map(({ target, from, to }) => (
            <li key={`${target} ${to}`}>
              <b>{target}</b>: {from} → {to}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

interface PlanHeadProps {
  readonly cluster: string
  readonly made: MadePlan
  /** Whether the shown plan is the current one; an older one says nothing about now. */
  readonly status: PlanStatus
  readonly onCheckAgain: () => void
}

/** Whether the plan may start, how old it is, and whether the facts behind it have changed. */
function PlanHead({ cluster, made, status, onCheckAgain }: PlanHeadProps): ReactNode {
  const { checked, madeAtMs } = made
  const warnings = warningsOf(checked).length
  const age = useTicks(store => planAge(madeAtMs, store.nowMs))
  const planned = useMemo(() => effectsOf(checked).instances, [checked])
  const changed = useHasChanged(cluster, planSubject(checked.plan), made.world, planned)
  return (
    <header className="plan-head row wrap">
      <PlanVerdictTag checked={checked} status={status} />
      {warnings > 0 ? <Tag intent="warning">{counted(warnings, 'note')}</Tag> : null}
      <span className={age === 'fresh' ? 'quiet' : 'caution'}>
        Checked <Elapsed sinceMs={madeAtMs} />
      </span>
      {changed ? (
        <b className="caution" role="status">
          The cloud has changed since.
        </b>
      ) : null}
      <span className="plan-head-end row">
        <Button
          size="small"
          icon={<RefreshIcon />}
          text="Check again"
          loading={status === 'making'}
          intent={age !== 'fresh' || changed ? 'primary' : 'none'}
          onClick={onCheckAgain}
        />
      </span>
    </header>
  )
}

function Elapsed({ sinceMs }: { readonly sinceMs: number }): ReactNode {
  const ms = useTicks(store => Math.max(0, store.nowMs - sinceMs))
  return <>{ms < 2000 ? 'now' : `${ageWords(ms)} ago`}</>
}

function useHasChanged(
  cluster: string,
  node: string,
  before: World | null,
  planned: readonly InstanceEffect[],
): boolean {
  return useViews(store => hasChanged(before, worldOf(lastOf(store.byCluster.get(cluster)), node), planned))
}

/** A page offers no command, only how the end of the work is recognized. */
function gateOf(work: NodeWork | null): NodeWorkGate | null {
  return work?.kind === 'command' ? null : work
}
