import { Button, Callout, ProgressBar } from '@blueprintjs/core'
import { type ReactNode, useMemo, useRef } from 'react'
import type { PlanChoices, RunSummary } from '../../../shared/contract/index.ts'
import type { NodeWork } from '../../../shared/domain/command-work.ts'
import { type NodeRunKind, type PlannedNodeRunKind, type PlannedStep, takesOut } from '../../../shared/domain/plan.ts'
import {
  type ChangeEffect,
  countsOf,
  effectsOf,
  type InstanceEffect,
  type PlanEffects,
} from '../../../shared/domain/plan-effects.ts'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { closePlanDialog, type PlanWish } from '../../stores/plan-dialog.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanFigures } from '../../ui/plan/plan-figures.tsx'
import { PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { PlanSheet } from '../../ui/plan/plan-sheet.tsx'
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
  readonly title: ReactNode
  /** The nodes brought back together; null for one. */
  readonly nodes: ReactNode
  /** The operator chooses whether the same run brings the node back. */
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onStarted: (run: RunSummary) => void
}

/** Runs with few but decisive choices, which are not folded. */
const OPEN_OPTIONS: ReadonlySet<NodeRunKind> = new Set(['leave', 'rescue', 'undo'])

/** One node's plan: what blocks it, what happens to each instance, and the one confirmation. */
export function PlanPage({ cluster, wish, node, title, nodes, onKind, onStarted }: Props): ReactNode {
  const { state, watches, forecast, choices, choose, checkAgain } = usePlan(cluster, node, wish)
  const cancel = useRef<HTMLButtonElement>(null)
  const made = lastMade(state)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = state.kind === 'making'
  const changed = useHasChanged(cluster, node, made?.world ?? null, effects?.instances ?? NONE)
  const zone = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(node)?.zone ?? null)
  const inHand = made === null || effects === null ? null : { made, effects }
  const parts = {
    cluster,
    wish,
    forecast,
    choices,
    onKind,
    onChoose: choose,
    onCheckAgain: checkAgain,
    status: state.kind,
  }
  return (
    <PlanSheet
      title={title}
      cluster={cluster}
      place={zone}
      checked={{ atMs: made?.madeAtMs ?? null, isMaking: making, changed, onCheckAgain: checkAgain }}
      notice={
        state.kind === 'making' && made === null ? (
          <Making node={node} sinceMs={state.sinceMs} watches={watches} />
        ) : state.kind === 'failed' ? (
          <FailureCallout title={`No plan could be made for ${node}`} failure={state.failure} onRetry={checkAgain} />
        ) : null
      }
      left={
        <>
          {nodes}
          {inHand === null ? null : <PlanLeft {...parts} {...inHand} />}
        </>
      }
      right={inHand === null ? null : <PlanRight {...parts} {...inHand} />}
      foot={
        inHand === null ? (
          <footer className="sheet-foot row">
            <span className="space" />
            <Button ref={cancel} text="Cancel" onClick={closePlanDialog} />
          </footer>
        ) : (
          <PlanConfirm
            cluster={cluster}
            made={inHand.made}
            counts={countsOf(inHand.effects)}
            status={state.kind}
            cancel={cancel}
            onStarted={onStarted}
            onCancel={closePlanDialog}
            onCheckAgain={checkAgain}
          />
        )
      }
      first={cancel}
      onClose={closePlanDialog}
    />
  )
}

const NONE: readonly InstanceEffect[] = []

interface OptionsProps {
  readonly cluster: string
  readonly wish: PlanWish
  readonly made: MadePlan
  readonly effects: PlanEffects
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

interface PartProps extends OptionsProps {
  readonly forecast: ForecastState
  readonly status: PlanStatus
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onCheckAgain: () => void
}

/** The verdict, what blocks, and the options. */
function PlanLeft(props: PartProps): ReactNode {
  const { cluster, wish, made, effects, choices, status, onKind, onChoose, onCheckAgain } = props
  return (
    <>
      <PlanVerdictTag checked={made.checked} status={status} large />
      <PlanBlockers
        cluster={cluster}
        checked={made.checked}
        instances={effects.instances}
        onMarked={onCheckAgain}
        onChoose={onChoose}
      />
      <PlanWarnings checked={made.checked} instances={effects.instances} search="" />
      <PlanChecks checked={made.checked} search="" />
      <PlanSteps steps={made.checked.plan.steps} changes={effects.changes} />
      <Options cluster={cluster} wish={wish} made={made} effects={effects} choices={choices} onChoose={onChoose} />
      {takesOut(wish.kind) ? (
        <Afterwards
          kind={wish.kind}
          work={gateOf(choices.work ?? made.checked.plan.options.work)}
          onKind={onKind}
          onChoose={onChoose}
        />
      ) : null}
    </>
  )
}

/** What happens to every instance and pod. */
function PlanRight({ cluster, made, effects, forecast, choices, onChoose, onCheckAgain }: PartProps): ReactNode {
  return (
    <>
      <PlanFigures effects={effects} forecast={forecast} />
      <PlanInstances
        cluster={cluster}
        instances={effects.instances}
        checked={made.checked}
        forecast={forecast}
        search=""
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
      <PlanPods pods={effects.pods} search="" />
    </>
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
