import { Button, Callout, NonIdealState, ProgressBar, Spinner } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { countsOf, effectsOf } from '../../../shared/domain/plan-effects.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { closeUpdateDialog } from '../../stores/update-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { readDraft } from '../../ui/plan/update-draft.ts'
import { UpdateForm } from '../../ui/plan/update-form.tsx'
import { UpdatePlanView } from '../../ui/plan/update-plan-view.tsx'
import { lastMade } from '../../ui/plan/use-plan.ts'
import { useUpdatePlan } from './use-update-plan.ts'

interface Props {
  readonly cluster: string
  readonly cancel: RefObject<HTMLButtonElement | null>
}

/** The choices of an update on the left, its checked plan on the right, and the one confirmation. */
export function UpdatePlanPage({ cluster, cancel }: Props): ReactNode {
  const { proposal, draft, edit, plan, isOfDraft, choices, check, proposeAgain } = useUpdatePlan(cluster)
  const known = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const nodes = useMemo(() => (known === null ? null : [...known.keys()]), [known])
  const reading = useMemo(() => (draft === null ? null : readDraft(draft, nodes)), [draft, nodes])
  const made = plan === null ? null : lastMade(plan)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = plan?.kind === 'making'
  const standing = plan?.kind === 'made' && !isOfDraft ? 'other-choices' : (plan?.kind ?? 'making')
  const checkNow = () => {
    if (reading?.kind === 'ready') check(reading.options, choices)
  }
  return (
    <section className="column grow" aria-label={`Plan of the update of ${cluster}`} aria-busy={making}>
      <div className="plan-columns">
        <aside className="plan-side upd-form" aria-label="Choices">
          {proposal.kind === 'failed' ? (
            <FailureCallout
              title={`No update can be proposed for ${cluster}`}
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
              <UpdateForm
                draft={draft}
                nodes={nodes}
                left={proposal.kind === 'read' ? proposal.proposal.left : []}
                onEdit={edit}
              />
              {reading.kind === 'ready' ? null : (
                <ul className="upd-problems bad" aria-label="Still to settle" aria-live="polite">
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key. */}
        <section className={`plan-scroll grow${making ? ' stale' : ''}`} tabIndex={0} aria-label="The plan">
          {making ? (
            <Callout compact className="plan-making" role="status">
              <b>Checking every node of {cluster}.</b> <span className="quiet">Reads only; nothing is touched.</span>
              <ProgressBar intent="primary" aria-label={`Checking ${cluster}`} />
            </Callout>
          ) : null}
          {plan?.kind === 'failed' ? (
            <FailureCallout title="No plan could be made" failure={plan.failure} onRetry={checkNow} />
          ) : null}
          {made === null || effects === null ? (
            plan !== null ? null : (
              <NonIdealState
                title="Nothing was checked yet"
                description="Look over the choices on the left, then make the plan: it shows every node in its place, what happens to whom, and what stands in the way."
              />
            )
          ) : (
            <UpdatePlanView
              cluster={cluster}
              checked={made.checked}
              standing={standing}
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
          <span className="plan-foot-words quiet">Nothing was touched.</span>
          <Button ref={cancel} text="Cancel" onClick={closeUpdateDialog} />
        </footer>
      ) : (
        <PlanConfirm
          cluster={cluster}
          made={made}
          counts={countsOf(effects)}
          standing={standing}
          cancel={cancel}
          onCancel={closeUpdateDialog}
          onCheckAgain={checkNow}
          onStarted={run => {
            closeUpdateDialog()
            goTo(clusterRoute(cluster, 'update'))
            showToast({
              text: `The update of ${cluster} began.`,
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
