import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import { effectsOf } from '../../../shared/domain/plan-effects.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { rollingKindOf } from '../../../shared/words/plans.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useTicks } from '../../stores/ticks.ts'
import { forgetUpdateWish, useUpdateWish } from '../../stores/update-wish.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { openWindowsOf, useWindows, windowOf } from '../../stores/windows.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { moveLanes } from '../../ui/plan/lane-order.ts'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import { namesIn, nodesLeftOut, readDraft, type UpdateDraft } from '../../ui/plan/update-draft.ts'
import { UpdatePlanDetails } from '../../ui/plan/update-plan-view.tsx'
import { lastMade } from '../../ui/plan/use-plan.ts'
import { BatchVerdict } from '../../ui/windows/batch-verdict.tsx'
import { factsByNode } from './plan-facts.ts'
import { PlanLanes } from './plan-lanes.tsx'
import { UpdateBlockers } from './update-blockers.tsx'
import { UpdateControllers } from './update-controllers.tsx'
import { UpdateFoot } from './update-foot.tsx'
import { UpdatePast } from './update-past.tsx'
import { UpdatePlanHead } from './update-plan-head.tsx'
import { usePlanAhead } from './use-plan-ahead.ts'
import { type UpdatePlanInHand, useUpdatePlan } from './use-update-plan.ts'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-form.css'

interface Props {
  readonly cluster: string
  /** What else can be shown here, as links. */
  readonly links: ReactNode
}

const NO_NODES: readonly string[] = []

/** Before an update begins: what blocks it, the order on the time axis, and the button. Nothing starts before that. */
export function UpdatePlan({ cluster, links }: Props): ReactNode {
  const wish = useUpdateWish(({ wish }) => (wish?.cluster === cluster ? wish.nodes : null))
  return <Planned key={(wish ?? NO_NODES).join(' ')} cluster={cluster} chosen={wish} links={links} />
}

interface PlannedProps extends Props {
  /** The chosen nodes; null means all of the cloud. */
  readonly chosen: readonly string[] | null
}

function Planned({ cluster, chosen, links }: PlannedProps): ReactNode {
  const work = useUpdatePlan(cluster, chosen)
  const { proposal, draft, plan } = work
  if (draft === null) {
    return (
      <div className="upd-plan column">
        {proposal.kind === 'failed' ? (
          <FailureCallout
            title={`Lockkeeper cannot propose a plan for ${cluster}`}
            failure={proposal.failure}
            onRetry={work.proposeAgain}
          />
        ) : (
          <NonIdealState icon={<Spinner size={24} />} title={`Reading the nodes of ${cluster}`} />
        )}
        {plan === null ? <UpdateControllers cluster={cluster} /> : null}
      </div>
    )
  }
  return <Drafted work={work} draft={draft} chosen={chosen} links={links} />
}

interface DraftedProps extends Pick<PlannedProps, 'chosen' | 'links'> {
  readonly work: UpdatePlanInHand
  readonly draft: UpdateDraft
}

function Drafted({ work, draft, chosen, links }: DraftedProps): ReactNode {
  const { cluster, plan, isOfDraft, choices, check, edit } = work
  const { reading, options, leftOut } = useReading(work, draft, chosen)
  const hasPhases = useClusters(
    ({ list }) => rollingKindOf(list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined) === 'update',
  )
  const scroller = useRef<HTMLDivElement>(null)
  const window = useOpenWindow(cluster)
  const times = usePlanAhead(cluster, draft, options)
  const made = plan === null ? null : lastMade(plan)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const facts = useMemo(
    () => (made === null || effects === null || !isOfDraft ? null : factsByNode(made.checked, effects)),
    [made, effects, isOfDraft],
  )
  const ordered = useMemo(
    () => new Set([draft.controlNodes, ...draft.groups.map(({ nodes }) => nodes)].flatMap(namesIn)),
    [draft],
  )
  const status: PlanStatus = plan?.kind === 'made' && !isOfDraft ? 'other-choices' : (plan?.kind ?? 'making')
  const checkNow = useCallback(() => {
    if (options !== null) check(options, choices)
  }, [options, choices, check])
  const foot = { work, draft, count: ordered.size, hasPhases, made, effects, status, onCheck: checkNow }
  return (
    <section className="upd-plan column" aria-label={`Plan for ${cluster}`} aria-busy={plan?.kind === 'making'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
      <div ref={scroller} className="upd-scroll column scrolls grow" tabIndex={0}>
        <UpdatePlanHead
          {...{ cluster, chosen, draft, hasPhases, window, times, status }}
          count={ordered.size}
          madeAtMs={made?.madeAtMs ?? null}
          onCheck={checkNow}
        />
        {chosen === null ? null : <Chosen work={work} chosen={chosen} leftOut={leftOut} />}
        {reading.kind === 'ready' ? null : (
          <ul className="upd-problems bad" aria-label="Still missing" aria-live="polite">
            {reading.problems.map(problem => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        {plan?.kind === 'failed' ? (
          <FailureCallout title="No plan could be made" failure={plan.failure} onRetry={checkNow} />
        ) : null}
        {made === null || effects === null || plan?.kind === 'failed' ? null : (
          <UpdateBlockers
            {...{ cluster, effects, status, ordered }}
            checked={made.checked}
            onLeaveOut={nodes => edit(moveLanes(draft, nodes, { kind: 'out' }))}
            onChoose={change => {
              if (options !== null) check(options, { ...choices, ...change })
            }}
            onCheck={checkNow}
          />
        )}
        <PlanLanes
          {...{ draft, leftOut, hasPhases, facts, scroller }}
          ahead={times.ahead}
          nowMs={times.nowMs}
          windowEndMs={window === null ? null : Date.parse(window.window.endsAt)}
          onEdit={edit}
        />
        <div className="upd-under">
          {hasPhases ? <UpdateControllers cluster={cluster} /> : null}
          {made === null || effects === null ? null : (
            <UpdatePlanDetails cluster={cluster} checked={made.checked} effects={effects} onMarked={checkNow} />
          )}
          <UpdatePast cluster={cluster} />
          {links === null ? null : <p className="upd-links">{links}</p>}
        </div>
      </div>
      <UpdateFoot {...foot} />
    </section>
  )
}

interface DraftReading {
  readonly reading: ReturnType<typeof readDraft>
  /** Null while something is missing. */
  readonly options: UpdateOptions | null
  readonly leftOut: readonly { readonly node: string; readonly why: string | null }[]
}

/** The draft as options, or what it lacks, and the nodes that it does not touch. */
function useReading(
  { cluster, proposal }: UpdatePlanInHand,
  draft: UpdateDraft,
  chosen: readonly string[] | null,
): DraftReading {
  const known = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const nodes = useMemo(() => (known === null ? null : [...known.keys()]), [known])
  const reading = useMemo(() => readDraft(draft, nodes), [draft, nodes])
  const left = proposal.kind === 'read' ? proposal.proposal.left : NO_LEFT
  const leftOut = useMemo(() => {
    const whole = chosen ?? nodes ?? left.map(({ node }) => node)
    const why = new Map(left.map(({ node, why: words }) => [node, words]))
    return nodesLeftOut(draft, whole).map(node => ({ node, why: why.get(node) ?? null }))
  }, [draft, chosen, nodes, left])
  return { reading, options: reading.kind === 'ready' ? reading.options : null, leftOut }
}

const NO_LEFT: UpdateProposal['left'] = []

/** The open window of the cloud; null if none is open. */
function useOpenWindow(cluster: string): ListedWindow | null {
  const list = useWindows(store => store.list)
  const id = useTicks(({ nowMs }) => openWindowsOf(list, cluster, nowMs)[0]?.window.id ?? null)
  return id === null ? null : windowOf(list, id)
}

interface ChosenProps {
  readonly work: UpdatePlanInHand
  readonly chosen: readonly string[]
  readonly leftOut: DraftReading['leftOut']
}

/** Which nodes were chosen, whether the rest of the cloud has room for their instances, and the way to all nodes. */
function Chosen({ work: { proposal, isAsProposed }, chosen, leftOut }: ChosenProps): ReactNode {
  const batches = proposal.kind === 'read' ? proposal.proposal.batches : []
  return (
    <section className="upd-chosen" aria-label="Chosen nodes">
      <p className="row wrap">
        <span className="grow">
          {leftOut.length === 0
            ? `Only ${counted(chosen.length, 'chosen node')}.`
            : `${leftOut.length} of ${counted(chosen.length, 'chosen node')} left out: ${listed(leftOut.map(({ node }) => node))}.`}
        </span>
        <Button size="small" text="Plan all nodes" onClick={forgetUpdateWish} />
      </p>
      {batches.map((batch, at) => (
        <details key={batch.nodes.join(' ')} open={batch.problems.length > 0}>
          <summary>
            Batch {at + 1}: <span className="mono">{listed(batch.nodes)}</span>
          </summary>
          <BatchVerdict judged={batch} isCurrent={isAsProposed} />
        </details>
      ))}
    </section>
  )
}
