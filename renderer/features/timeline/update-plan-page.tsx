import { Button, Callout, NonIdealState, ProgressBar, Spinner } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { countsOf, effectsOf } from '../../../shared/domain/plan-effects.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { rollingNoun } from '../../../shared/words/plans.ts'
import { planUpdate, proposeUpdate } from '../../bridge/updates.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { closeUpdateDialog } from '../../stores/update-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { draftOf, nodesLeftOut, readDraft, type UpdateDraft } from '../../ui/plan/update-draft.ts'
import { UpdateForm } from '../../ui/plan/update-form.tsx'
import { phasesOf, UpdatePlanView } from '../../ui/plan/update-plan-view.tsx'
import { lastMade, type MadePlan, type PlanState } from '../../ui/plan/use-plan.ts'
import { BatchVerdict } from '../../ui/windows/batch-verdict.tsx'
import type { LaneFindings } from './plan-lane.tsx'
import { PlanLanes } from './plan-lanes.tsx'
import { usePlanSpans } from './use-plan-spans.ts'

interface Props {
  readonly cluster: string
  /** The chosen nodes; null means all of the cluster. */
  readonly chosen: readonly string[] | null
  readonly cancel: RefObject<HTMLButtonElement | null>
}

/** The choices of an update at the left, the order and its checked plan at the right, and the one confirmation. */
export function UpdatePlanPage({ cluster, chosen, cancel }: Props): ReactNode {
  const { proposal, draft, isAsProposed, edit, plan, isOfDraft, choices, check, proposeAgain } = useUpdatePlan(
    cluster,
    chosen,
  )
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
        <aside className="plan-side upd-form" aria-label="Choices">
          {proposal.kind === 'failed' ? (
            <FailureCallout
              title={`Lockkeeper cannot propose a plan for ${cluster}`}
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
              <UpdateForm hasLanes draft={draft} nodes={chosen ?? nodes} left={left} onEdit={edit} />
              {reading.kind === 'ready' ? null : (
                <ul className="upd-problems bad" aria-label="Still missing" aria-live="polite">
                  {reading.problems.map(problem => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              )}
              <Button
                fill
                intent={isOfDraft && made !== null ? 'none' : 'primary'}
                text={made === null ? 'Make the plan and check it' : 'Check again'}
                disabled={reading.kind !== 'ready'}
                loading={making}
                onClick={checkNow}
              />
            </>
          )}
        </aside>
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
          {making ? (
            <Callout compact className="plan-making" role="status">
              <b>Checking every node of {cluster}.</b> <span className="quiet">Reads only; nothing changes.</span>
              <ProgressBar intent="primary" aria-label={`Checking ${cluster}`} />
            </Callout>
          ) : null}
          {plan?.kind === 'failed' ? (
            <FailureCallout title="No plan could be made" failure={plan.failure} onRetry={checkNow} />
          ) : null}
          {made === null || effects === null ? (
            plan !== null ? null : (
              <p className="quiet">
                There is no plan yet. Make it to see what happens to each node, and what blocks it.
              </p>
            )
          ) : (
            <UpdatePlanView
              cluster={cluster}
              checked={made.checked}
              status={status}
              effects={effects}
              onChoose={change => {
                if (reading?.kind === 'ready') check(reading.options, { ...choices, ...change })
              }}
              onMarked={checkNow}
            />
          )}
        </section>
      </div>
      {made === null || effects === null ? (
        <footer className="plan-foot row wrap">
          <span className="plan-foot-words quiet">Nothing was changed.</span>
          <Button ref={cancel} text="Cancel" onClick={closeUpdateDialog} />
        </footer>
      ) : (
        <PlanConfirm
          cluster={cluster}
          made={made}
          counts={countsOf(effects)}
          status={status}
          {...confirmOfChosen(cluster, chosen, made)}
          cancel={cancel}
          onCancel={closeUpdateDialog}
          onCheckAgain={checkNow}
          onStarted={run => {
            closeUpdateDialog()
            goTo(clusterRoute(cluster, 'update'))
            showToast({
              text: `The ${rollingNoun(run.kind)} of ${cluster} has started.`,
              action: {
                text: 'Steps of the run',
                run: () => goTo(clusterRoute(cluster, 'runs', { runId: run.id })),
              },
            })
          }}
        />
      )}
    </section>
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

/** Main's proposal for an update. */
type ProposalState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly proposal: UpdateProposal }

interface UpdatePlanInHand {
  readonly proposal: ProposalState
  /** Null before the proposal. */
  readonly draft: UpdateDraft | null
  /** Whether the nodes and their order are as proposed. */
  readonly isAsProposed: boolean
  readonly edit: (change: Partial<UpdateDraft>) => void
  /** Null if not checked yet. */
  readonly plan: PlanState | null
  /** Whether the shown plan belongs to the current draft. */
  readonly isOfDraft: boolean
  readonly choices: PlanChoices
  /** Makes the plan of these options and runs every check. */
  readonly check: (options: UpdateOptions, choices: PlanChoices) => void
  readonly proposeAgain: () => void
}

/** The update being planned: proposed, edited, checked. A late answer is dropped. */
function useUpdatePlan(cluster: string, chosen: readonly string[] | null): UpdatePlanInHand {
  const [proposal, setProposal] = useState<ProposalState>({ kind: 'reading' })
  const [draft, setDraft] = useState<UpdateDraft | null>(null)
  const [proposed, setProposed] = useState<UpdateDraft | null>(null)
  const [plan, setPlan] = useState<PlanState | null>(null)
  const [isOfDraft, setOfDraft] = useState(false)
  const [choices, setChoices] = useState<PlanChoices>({})
  const asked = useRef(0)

  const edit = useCallback((change: Partial<UpdateDraft>) => {
    setDraft(before => (before === null ? null : { ...before, ...change }))
    setOfDraft(false)
  }, [])

  const make = useCallback(
    async (options: UpdateOptions, wanted: PlanChoices) => {
      asked.current += 1
      const own = asked.current
      const last = (before: PlanState | null): MadePlan | null => (before === null ? null : lastMade(before))
      setChoices(wanted)
      setOfDraft(true)
      setPlan(before => ({ kind: 'making', sinceMs: Date.now(), last: last(before) }))
      const answer = await planUpdate(cluster, options, { ...wanted, scope: options.scope, reason: options.reason })
      if (own !== asked.current) return
      setPlan(before =>
        answer.ok
          ? { kind: 'made', made: { checked: answer.value, madeAtMs: Date.now(), world: null } }
          : { kind: 'failed', failure: answer.failure, last: last(before) },
      )
    },
    [cluster],
  )
  const propose = useCallback(async () => {
    setProposal({ kind: 'reading' })
    const answer = await proposeUpdate(cluster, chosen)
    if (!answer.ok) {
      setProposal({ kind: 'failed', failure: answer.failure })
      return
    }
    setProposal({ kind: 'read', proposal: answer.value })
    const fresh = draftOf(answer.value.options)
    setDraft(fresh)
    setProposed(fresh)
    // For chosen nodes the plan is checked at once, and can be changed then.
    if (chosen !== null) void make(answer.value.options, {})
  }, [cluster, chosen, make])
  useEffect(() => {
    void propose()
    return () => {
      asked.current += 1
    }
  }, [propose])

  const check = useCallback((options: UpdateOptions, wanted: PlanChoices) => void make(options, wanted), [make])
  const proposeAgain = useCallback(() => void propose(), [propose])
  const isAsProposed = draft?.groups === proposed?.groups && draft?.controlNodes === proposed?.controlNodes
  return { proposal, draft, isAsProposed, edit, plan, isOfDraft, choices, check, proposeAgain }
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
