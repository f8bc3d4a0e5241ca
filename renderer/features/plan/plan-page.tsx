import { Button, ProgressBar } from '@blueprintjs/core'
import { ArrowRightIcon, CogIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { PlanChoices, RunSummary } from '../../../shared/contract/index.ts'
import type { NodeWork } from '../../../shared/domain/command-work.ts'
import { type LikelyPlaces, likelyPlaces } from '../../../shared/domain/likely-places.ts'
import {
  type CheckedPlan,
  type NodeRunKind,
  type PlannedNodeRunKind,
  type PlannedStep,
  takesOut,
} from '../../../shared/domain/plan.ts'
import {
  type ChangeEffect,
  effectsAfterAccepting,
  effectsOf,
  type InstanceEffect,
  instanceOf,
  openBlockers,
  type PlanEffects,
} from '../../../shared/domain/plan-effects.ts'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { closePlanDialog, type PlanWish } from '../../stores/plan-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { type LeavingInstance, PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanFacts } from '../../ui/plan/plan-facts.tsx'
import { PlanFold } from '../../ui/plan/plan-fold.tsx'
import { forecastsIn, PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { moves } from '../../ui/plan/plan-order.ts'
import { PlanPlaces } from '../../ui/plan/plan-places.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { PlanSheet } from '../../ui/plan/plan-sheet.tsx'
import { PlanVerdict } from '../../ui/plan/plan-verdict.tsx'
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

const NONE: readonly InstanceEffect[] = []

/** One node's plan: the verdict and what blocks it, what happens to each instance, and the one confirmation. */
export function PlanPage({ cluster, wish, node, title, nodes, onKind, onStarted }: Props): ReactNode {
  const { state, watches, forecast, choices, choose, checkAgain } = usePlan(cluster, node, wish)
  const cancel = useRef<HTMLButtonElement>(null)
  const [leaving, setLeaving] = useState<LeavingInstance | null>(null)
  const made = lastMade(state)
  const effects = useMemo(() => (made === null ? null : effectsAfterAccepting(made.checked)), [made])
  const planned = useMemo(() => (made === null ? NONE : effectsOf(made.checked).instances), [made])
  const changed = useHasChanged(cluster, node, made?.world ?? null, planned)
  const zone = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(node)?.zone ?? null)
  const places = usePlaces(cluster, effects?.instances ?? NONE, forecast)
  const inHand = made === null || effects === null ? null : { made, effects }
  const parts = {
    cluster,
    wish,
    node,
    forecast,
    places,
    choices,
    onKind,
    onChoose: choose,
    onCheckAgain: checkAgain,
    leaving,
    onLeave: (id: string) => setLeaving({ id }),
    status: state.kind,
  }
  return (
    <PlanSheet
      title={title}
      cluster={cluster}
      place={zone}
      checked={{
        atMs: made?.madeAtMs ?? null,
        isMaking: state.kind === 'making',
        changed,
        onCheckAgain: checkAgain,
      }}
      notice={
        state.kind === 'making' && (made === null || watches.length > 0) ? (
          <Making node={node} watches={watches} />
        ) : state.kind === 'failed' ? (
          <FailureCallout title={`No plan could be made for ${node}`} failure={state.failure} onRetry={checkAgain} />
        ) : null
      }
      map={inHand === null ? undefined : mapOf({ ...parts, ...inHand })}
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
            <Button ref={cancel} variant="minimal" text="Cancel" onClick={closePlanDialog} />
          </footer>
        ) : (
          <PlanConfirm
            cluster={cluster}
            made={inHand.made}
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

/** The map beside a plan that takes a node out: where its instances probably go. */
function mapOf({ cluster, wish, node, places, made, effects }: PartProps): ReactNode {
  if (places === null || !takesOut(wish.kind) || places.places.length === 0) return undefined
  return (
    <PlanPlaces
      cluster={cluster}
      node={node}
      instances={effects.instances}
      places={places}
      chooser={isByWatcher(made.checked.plan) ? 'Watcher' : 'Nova'}
    />
  )
}

/** Where the instances probably go, by the forecast and the live map; null before the forecast. */
function usePlaces(
  cluster: string,
  instances: readonly InstanceEffect[],
  forecast: ForecastState,
): LikelyPlaces | null {
  const live = useViews(store => lastOf(store.byCluster.get(cluster)))
  return useMemo(() => {
    if (live === null || forecast.kind !== 'read') return null
    const forecasts = forecastsIn(forecast)
    const movers = instances.filter(moves).flatMap(({ id }) => {
      const mayGoTo = forecasts.get(id)?.mayGoTo ?? []
      return mayGoTo.length === 0 ? [] : [{ id, mayGoTo, flavor: live.instances.get(id)?.flavor ?? null }]
    })
    return likelyPlaces(movers, live.nodes.values())
  }, [live, instances, forecast])
}

interface OptionsProps {
  readonly cluster: string
  readonly wish: PlanWish
  readonly made: MadePlan
  readonly effects: PlanEffects
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

interface PartProps extends OptionsProps {
  readonly node: string
  readonly forecast: ForecastState
  readonly places: LikelyPlaces | null
  readonly status: PlanStatus
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onCheckAgain: () => void
  readonly leaving: LeavingInstance | null
  readonly onLeave: (id: string) => void
}

/** The verdict, what blocks, three or four facts, then what opens. */
function PlanLeft(props: PartProps): ReactNode {
  const { cluster, wish, node, made, effects, forecast, places, choices, status, onKind, onChoose } = props
  const { leaving, onCheckAgain } = props
  const { checked } = made
  return (
    <>
      <PlanVerdict checked={checked} status={status} about={aboutWords(forecast)} />
      <PlanBlockers
        cluster={cluster}
        checked={checked}
        instances={effects.instances}
        onMarked={onCheckAgain}
        leaving={leaving}
        onChoose={onChoose}
      />
      <PlanFacts plan={checked.plan} node={node} instances={notBlocked(effects, checked)} places={places} />
      {OPEN_OPTIONS.has(wish.kind) ? <Options {...props} /> : null}
      <div className="plan-folds">
        <PlanWarnings checked={checked} instances={effects.instances} search="" />
        <PlanChecks checked={checked} search="" />
        <PlanSteps steps={checked.plan.steps} changes={effects.changes} />
        <PlanPods pods={effects.pods} search="" />
        {OPEN_OPTIONS.has(wish.kind) ? null : (
          <PlanFold icon={<CogIcon size={14} />} line={`Options: ${optionsInWords(checked.plan)}`}>
            <Options {...props} />
          </PlanFold>
        )}
      </div>
      {takesOut(wish.kind) ? (
        <Afterwards
          kind={wish.kind}
          work={gateOf(choices.work ?? checked.plan.options.work)}
          onKind={onKind}
          onChoose={onChoose}
        />
      ) : null}
    </>
  )
}

/** Without those that block: their cards above say it. */
function notBlocked({ instances }: PlanEffects, checked: CheckedPlan): readonly InstanceEffect[] {
  const blocking = new Set(openBlockers(checked).map(({ blocker }) => instanceOf(blocker, instances)?.id))
  return instances.filter(({ id }) => !blocking.has(id))
}

/** `45 s`: the middle of the forecast for all moves; null if nothing was measured. */
function aboutWords(forecast: ForecastState): string | null {
  const span = forecast.kind === 'read' ? forecast.forecast.evacuationMs : null
  return span === null ? null : durationWords((span.low + span.high) / 2)
}

/** What happens to every instance. */
function PlanRight(props: PartProps): ReactNode {
  const { cluster, made, effects, forecast, places, choices, onChoose, onCheckAgain, onLeave } = props
  return (
    <PlanInstances
      cluster={cluster}
      instances={effects.instances}
      checked={made.checked}
      forecast={forecast}
      places={places}
      onMarked={onCheckAgain}
      onLeave={onLeave}
      exclusion={
        isByWatcher(made.checked.plan)
          ? {
              excluded: choices.excludedInstances ?? made.checked.plan.options.excludedInstances,
              onExclude: excluded => onChoose({ excludedInstances: [...excluded] }),
            }
          : null
      }
    />
  )
}

/** The choices of the plan; every change makes a new plan. */
function Options({ cluster, wish, made, effects, choices, onChoose }: OptionsProps): ReactNode {
  return (
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
  )
}

function Making({ node, watches }: { readonly node: string; readonly watches: readonly string[] }): ReactNode {
  return (
    <div className="plan-making" role="status">
      <p>
        <b>Checking {node}.</b> <span className="quiet">Reads only; nothing changes.</span>
      </p>
      {watches.map(words => (
        <p key={words}>{words}</p>
      ))}
      <ProgressBar intent="primary" aria-label={`Checking ${node}`} />
    </div>
  )
}

interface PlanStepsProps {
  readonly steps: readonly PlannedStep[]
  readonly changes: readonly ChangeEffect[]
}

/** The steps in order, with the reason and the undo of each. */
function PlanSteps({ steps, changes }: PlanStepsProps): ReactNode {
  const acting = steps.filter(({ verbs }) => verbs.includes('apply'))
  if (acting.length === 0) return null
  return (
    <PlanFold icon={<ArrowRightIcon size={14} />} line={`${counted(acting.length, 'step')}, undo at any time`}>
      <ol className="plan-steps">
        {acting.map(step => (
          <li key={step.id}>
            <b>
              <Said text={step.title} />
            </b>
            <p>{step.why}</p>
            <p className="quiet">Undo: {step.undo}</p>
            <p className="quiet">
              {step.risk}, limit {durationWords(step.withinMs)}
            </p>
          </li>
        ))}
      </ol>
      {changes.length === 0 ? null : (
        <ul className="plain-list">
          {changes.map(({ target, from, to }) => (
            <li key={`${target} ${to}`}>
              <b>{target}</b>: {from} → {to}
            </li>
          ))}
        </ul>
      )}
    </PlanFold>
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
