import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { CheckedPlan, PlannedStep } from '../../../shared/domain/plan.ts'
import { openBlockers, type PlanEffects, warningsOf } from '../../../shared/domain/plan-effects.ts'
import { UpdatePhase } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { PHASE_EXPLAINED, PHASE_WORDS } from '../../../shared/words/updates.ts'
import { useClusters } from '../../stores/clusters.ts'
import { PlanChecks } from './plan-checks.tsx'
import { PlanInstances } from './plan-instances.tsx'
import { mentions } from './plan-order.ts'
import { PlanPods } from './plan-pods.tsx'
import { PlanSearch } from './plan-search.tsx'
import { PlanWarnings } from './plan-warnings.tsx'

interface Props {
  readonly cluster: string
  readonly checked: CheckedPlan
  readonly effects: PlanEffects
  readonly onMarked: () => void
}

/** Everything that a plan does and checked, folded: notes, steps, instances, pods, checks. */
export function UpdatePlanDetails({ cluster, checked, effects, onMarked }: Props): ReactNode {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const phases = useMemo(() => phasesOf(checked), [checked])
  // Phases belong to the node maintenance API; without it, nodes go out and come back alone.
  const isExplained = useClusters(
    ({ list }) => list.kind !== 'listed' || (list.byName.get(cluster)?.flavour ?? 'mosk') === 'mosk',
  )
  const notes = warningsOf(checked).length
  return (
    <details className="upd-fold">
      <summary>
        <span>
          <b>{counted(effects.instances.length, 'instance')}</b>, {counted(checked.checks.length, 'check')}
          {notes === 0 ? null : <span className="caution">, {counted(notes, 'note')}</span>}
        </span>
      </summary>
      <PlanSearch
        placeholder="Find in this plan"
        label="Find nodes, instances, pods and checks in this plan"
        value={typed}
        onChange={setTyped}
      />
      <PlanWarnings checked={checked} instances={effects.instances} search={search} />
      <PlanInstances
        cluster={cluster}
        instances={effects.instances}
        checked={checked}
        forecast={{ kind: 'not-asked' }}
        places={null}
        search={search}
        onMarked={onMarked}
        exclusion={null}
      />
      <details className="plan-section" open={search !== ''}>
        <summary>
          <h3>
            Steps, node by node{' '}
            <span className="quiet">{counted(checked.plan.steps.filter(isActing).length, 'step')}</span>
          </h3>
        </summary>
        {phases.map(phase => (
          <Phase key={phase.phase ?? ''} phase={phase} search={search} isExplained={isExplained} />
        ))}
      </details>
      <PlanPods pods={effects.pods} search={search} />
      <PlanChecks checked={checked} search={search} />
    </details>
  )
}

function Phase({
  phase: { phase, batches },
  search,
  isExplained,
}: {
  readonly phase: PlannedPhase
  readonly search: string
  readonly isExplained: boolean
}): ReactNode {
  // The checks before all phases are shown with the checks below.
  if ((phase === null || !isExplained) && batches.every(({ lanes }) => lanes.every(({ steps }) => steps.length === 0)))
    return null
  return (
    <section className="plan-section">
      <h3>
        {phase === null ? 'Beside the phases' : PHASE_WORDS[phase]}
        <span className="quiet">{phase === null || !isExplained ? '' : PHASE_EXPLAINED[phase]}</span>
      </h3>
      {batches.map(({ id, title, lanes }) => {
        const shown = lanes.filter(({ node, steps }) =>
          mentions(search, [node ?? '', title, ...steps.map(step => step.title)]),
        )
        return (
          <div key={id} className="upd-batch">
            {id === '' ? null : (
              <p>
                <b>{title}</b> <span className="quiet">{counted(lanes.length, 'node')}</span>
              </p>
            )}
            <ul className="upd-lanes plain-list">
              {shown.map(lane => (
                <Lane key={lane.node ?? ''} lane={lane} />
              ))}
            </ul>
          </div>
        )
      })}
    </section>
  )
}

function Lane({ lane: { node, steps, blockers, warnings } }: { readonly lane: PlannedLane }): ReactNode {
  const list = (
    <ol className="upd-lane-steps">
      {steps.map(step => (
        <li key={step.id} title={`${step.why} Undo: ${step.undo}`}>
          {step.title} <span className={step.risk === 'disruptive' ? 'small bad' : 'small quiet'}>{step.risk}</span>
        </li>
      ))}
    </ol>
  )
  if (node === null) return steps.length === 0 ? null : <li>{list}</li>
  return (
    <li>
      <details>
        <summary>
          <b>{node}</b>
          {blockers > 0 ? <span className="bad">{counted(blockers, 'blocker')}</span> : null}
          {warnings > 0 ? <span className="caution">{counted(warnings, 'note')}</span> : null}
          <span className="quiet">{counted(steps.length, 'step')}</span>
        </summary>
        {list}
      </details>
    </li>
  )
}

/** What a plan does on one node, or beside the nodes. */
interface PlannedLane {
  /** Null means steps without a node. */
  readonly node: string | null
  /** The acting steps, in order. */
  readonly steps: readonly PlannedStep[]
  readonly blockers: number
  readonly warnings: number
}

/** One phase of a planned update. */
interface PlannedPhase {
  /** Null means steps without a phase, such as the checks before all. */
  readonly phase: UpdatePhase | null
  readonly batches: readonly {
    readonly id: string
    readonly title: string
    readonly lanes: readonly PlannedLane[]
  }[]
}

/** The plan as an operator reads it: phases, their groups, their nodes and the steps of each. */
export function phasesOf(checked: CheckedPlan): readonly PlannedPhase[] {
  const blockers = Map.groupBy(openBlockers(checked), ({ stepId }) => stepId)
  const warnings = Map.groupBy(warningsOf(checked), ({ stepId }) => stepId)
  const phases: readonly (UpdatePhase | null)[] = [null, ...UpdatePhase.options]
  return phases.flatMap(phase => {
    const steps = checked.plan.steps.filter(step => step.phase === phase)
    if (steps.length === 0) return []
    const batches = grouped(steps, step => step.lane?.batch ?? '').map(([id, own]) => {
      const known = checked.plan.batches.find(batch => batch.id === id)
      return {
        id,
        title: known?.title ?? '',
        lanes: grouped(own, step => step.lane?.name ?? '').map(([name, mine]) =>
          laneOf(name === '' ? null : name, mine, blockers, warnings),
        ),
      }
    })
    return [{ phase, batches }]
  })
}

function isActing({ verbs }: PlannedStep): boolean {
  return verbs.includes('apply')
}

function laneOf(
  node: string | null,
  steps: readonly PlannedStep[],
  blockers: ReadonlyMap<string, readonly unknown[]>,
  warnings: ReadonlyMap<string, readonly unknown[]>,
): PlannedLane {
  const count = (found: ReadonlyMap<string, readonly unknown[]>) =>
    steps.reduce((sum, { id }) => sum + (found.get(id)?.length ?? 0), 0)
  return {
    node,
    steps: steps.filter(isActing),
    blockers: count(blockers),
    warnings: count(warnings),
  }
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else known.push(one)
  }
  return [...groups]
}
