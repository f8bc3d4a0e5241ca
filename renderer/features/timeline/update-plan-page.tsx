import { Button, Callout, NonIdealState, ProgressBar, Spinner } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { countsOf, effectsOf, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { rollingNoun } from '../../../shared/words/plans.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { closeUpdateDialog } from '../../stores/update-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import { nodesLeftOut, readDraft } from '../../ui/plan/update-draft.ts'
import { UpdateForm } from '../../ui/plan/update-form.tsx'
import { phasesOf, UpdatePlanView } from '../../ui/plan/update-plan-view.tsx'
import { lastMade, type MadePlan, type PlanState } from '../../ui/plan/use-plan.ts'
import { BatchVerdict } from '../../ui/windows/batch-verdict.tsx'
import type { LaneFindings } from './plan-lane.tsx'
import { PlanLanes } from './plan-lanes.tsx'
import { usePlanSpans } from './use-plan-spans.ts'
import { type UpdatePlanInHand, useUpdatePlan } from './use-update-plan.ts'

interface Props {
  readonly cluster: string
  /** The chosen nodes; null means all of the cluster. */
  readonly chosen: readonly string[] | null
  readonly cancel: RefObject<HTMLButtonElement | null>
}

/** The choices of an update at the left, the order and its checked plan at the right, and the one confirmation. */
export function UpdatePlanPage({ cluster, chosen, cancel }: Props): ReactNode {
  const work = useUpdatePlan(cluster, chosen)
  const { proposal, draft, edit, plan, isOfDraft, choices, check } = work
  const known = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const nodes = useMemo(() => (known === null ? null : [...known.keys()]), [known])
  const reading = useMemo(() => (draft === null ? null : readDraft(draft, nodes)), [draft, nodes])
  const made = plan === null ? null : lastMade(plan)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = plan?.kind === 'making'
  const scroller = useRef<HTMLElement>(null)
  const left = proposal.kind === 'read' ? proposal.proposal.left : NO_LEFT
  const leftOut = useMemo(() => {
    const whole = chosen ?? nodes ?? left.map(({ node }) => node)
    const why = new Map(left.map(({ node, why: words }) => [node, words]))
    return draft === null ? [] : nodesLeftOut(draft, whole).map(node => ({ node, why: why.get(node) ?? null }))
  }, [draft, chosen, nodes, left])
  const { spans, failure: spansFailure } = usePlanSpans(cluster, reading?.kind === 'ready' ? reading.options : null)
  const findings = useMemo(() => (made === null || !isOfDraft ? null : findingsOf(made.checked)), [made, isOfDraft])
  const status = plan?.kind === 'made' && !isOfDraft ? 'other-choices' : (plan?.kind ?? 'making')
  const checkNow = () => {
    if (reading?.kind === 'ready') check(reading.options, choices)
  }
  return (
    <section className="column grow" aria-label={`Plan of the work on ${cluster}`} aria-busy={making}>
      <div className="plan-columns">
        <PlanSide
          work={work}
          reading={reading}
          nodes={chosen ?? nodes}
          left={left}
          hasPlan={made !== null}
          onCheck={checkNow}
        />
        <section
          ref={scroller}
          className={`plan-scroll grow${making ? ' stale' : ''}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
          tabIndex={0}
          aria-label="The plan"
        >
          {chosen === null || leftOut.length === 0 ? null : <ChosenLeftOut all={chosen.length} leftOut={leftOut} />}
          {draft === null ? null : (
            <PlanLanes
              cluster={cluster}
              draft={draft}
              leftOut={leftOut}
              spans={spans}
              spansFailure={spansFailure}
              findings={findings}
              scroller={scroller}
              onEdit={edit}
            />
          )}
          <CheckedLanes
            cluster={cluster}
            plan={plan}
            made={made}
            effects={effects}
            status={status}
            onChoose={change => {
              if (reading?.kind === 'ready') check(reading.options, { ...choices, ...change })
            }}
            onCheck={checkNow}
          />
        </section>
      </div>
      <PlanFoot
        cluster={cluster}
        chosen={chosen}
        made={made}
        effects={effects}
        status={status}
        cancel={cancel}
        onCheck={checkNow}
      />
    </section>
  )
}

interface PlanSideProps {
  readonly work: UpdatePlanInHand
  /** The draft as options, or what it lacks; null before the proposal. */
  readonly reading: ReturnType<typeof readDraft> | null
  readonly nodes: readonly string[] | null
  readonly left: UpdateProposal['left']
  readonly hasPlan: boolean
  readonly onCheck: () => void
}

/** The choices of the update, with what is still missing. */
function PlanSide({ work, reading, nodes, left, hasPlan, onCheck }: PlanSideProps): ReactNode {
  const { proposal, draft, isAsProposed, edit, plan, isOfDraft, proposeAgain } = work
  return (
    <aside className="plan-side upd-form" aria-label="Choices">
      {proposal.kind === 'failed' ? (
        <FailureCallout
          title={`Lockkeeper cannot propose a plan for ${work.cluster}`}
          failure={proposal.failure}
          onRetry={proposeAgain}
        />
      ) : null}
      {draft === null || reading === null ? (
        proposal.kind === 'reading' ? (
          <NonIdealState icon={<Spinner size={24} />} title="Reading nodes and roles" />
        ) : null
      ) : (
        <>
          {proposal.kind === 'read' ? (
            <BatchesRoom batches={proposal.proposal.batches} isCurrent={isAsProposed} />
          ) : null}
          <UpdateForm hasLanes draft={draft} nodes={nodes} left={left} onEdit={edit} />
          {reading.kind === 'ready' ? null : (
            <ul className="upd-problems bad" aria-label="Still missing" aria-live="polite">
              {reading.problems.map(problem => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <Button
            fill
            intent={isOfDraft && hasPlan ? 'none' : 'primary'}
            text={hasPlan ? 'Check again' : 'Make the plan and check it'}
            disabled={reading.kind !== 'ready'}
            loading={plan?.kind === 'making'}
            onClick={onCheck}
          />
        </>
      )}
    </aside>
  )
}

interface CheckedLanesProps {
  readonly cluster: string
  readonly plan: PlanState | null
  readonly made: MadePlan | null
  readonly effects: PlanEffects | null
  readonly status: PlanStatus
  readonly onChoose: (change: PlanChoices) => void
  readonly onCheck: () => void
}

/** The checked plan, or why there is none yet. */
function CheckedLanes({ cluster, plan, made, effects, status, onChoose, onCheck }: CheckedLanesProps): ReactNode {
  return (
    <>
      {plan?.kind === 'making' ? (
        <Callout compact className="plan-making" role="status">
          <b>Checking every node of {cluster}.</b> <span className="quiet">Reads only; nothing changes.</span>
          <ProgressBar intent="primary" aria-label={`Checking ${cluster}`} />
        </Callout>
      ) : null}
      {plan?.kind === 'failed' ? (
        <FailureCallout title="No plan could be made" failure={plan.failure} onRetry={onCheck} />
      ) : null}
      {made === null || effects === null ? (
        plan !== null ? null : (
          <p className="quiet">There is no plan yet. Make it to see what happens to each node, and what blocks it.</p>
        )
      ) : (
        <UpdatePlanView
          cluster={cluster}
          checked={made.checked}
          status={status}
          effects={effects}
          onChoose={onChoose}
          onMarked={onCheck}
        />
      )}
    </>
  )
}

interface PlanFootProps extends Props {
  readonly made: MadePlan | null
  readonly effects: PlanEffects | null
  readonly status: PlanStatus
  readonly onCheck: () => void
}

/** The confirmation of the plan; without a plan, only the way out. */
function PlanFoot({ cluster, chosen, made, effects, status, cancel, onCheck }: PlanFootProps): ReactNode {
  if (made === null || effects === null) {
    return (
      <footer className="plan-foot row wrap">
        <span className="plan-foot-words quiet">Nothing was changed.</span>
        <Button ref={cancel} text="Cancel" onClick={closeUpdateDialog} />
      </footer>
    )
  }
  return (
    <PlanConfirm
      cluster={cluster}
      made={made}
      counts={countsOf(effects)}
      status={status}
      {...confirmOfChosen(cluster, chosen, made)}
      cancel={cancel}
      onCancel={closeUpdateDialog}
      onCheckAgain={onCheck}
      onStarted={run => {
        closeUpdateDialog()
        goTo(clusterRoute(cluster, 'update'))
        // The bar above every screen leads to it.
        showToast({ text: `The ${rollingNoun(run.kind)} of ${cluster} has started.` })
      }}
    />
  )
}

/** The label of the button: for chosen nodes of an update it has their number; batches always have it. */
function confirmOfChosen(cluster: string, chosen: readonly string[] | null, { checked: { plan } }: MadePlan) {
  return chosen === null || plan.kind !== 'update'
    ? {}
    : { confirm: `Update ${counted(nodesOfPlan(plan).length, 'node')} of ${cluster}` }
}

const NO_LEFT: UpdateProposal['left'] = []

/** The findings of the checks, by node. */
function findingsOf(checked: CheckedPlan): ReadonlyMap<string, LaneFindings> {
  return new Map(
    phasesOf(checked).flatMap(({ batches }) =>
      batches.flatMap(({ lanes }) => lanes.flatMap(lane => (lane.node === null ? [] : [[lane.node, lane] as const]))),
    ),
  )
}

/** Names chosen nodes that the plan leaves out. */
function ChosenLeftOut({
  all,
  leftOut,
}: {
  readonly all: number
  readonly leftOut: readonly { readonly node: string; readonly why: string | null }[]
}): ReactNode {
  return (
    <Callout compact intent="warning" role="status">
      <b>
        {leftOut.length} of {counted(all, 'chosen node')} {leftOut.length === 1 ? 'is' : 'are'} left out
      </b>
      <ul>
        {leftOut.map(({ node, why }) => (
          <li key={node}>
            <span className="mono">{node}</span>: {why ?? 'it has no place in the order below.'}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** Whether the rest of the cloud has room for the instances of each proposed batch. */
function BatchesRoom({
  batches,
  isCurrent,
}: {
  readonly batches: UpdateProposal['batches']
  readonly isCurrent: boolean
}): ReactNode {
  if (batches.length === 0) return null
  return (
    <section className="upd-room" aria-label="Room for the instances">
      {batches.map((batch, at) => (
        <div key={batch.nodes.join(' ')}>
          <b>
            Batch {at + 1}: <span className="mono">{listed(batch.nodes)}</span>
          </b>
          <BatchVerdict judged={batch} isCurrent={isCurrent} />
        </div>
      ))}
      {isCurrent ? null : <p className="quiet">These are the proposed batches. The plan checks the current ones.</p>}
    </section>
  )
}
