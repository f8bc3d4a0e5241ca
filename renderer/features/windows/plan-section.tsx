import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { MaintenanceWindow, WindowPlan } from '../../../shared/domain/window.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { leftWords } from '../../../shared/words/window-judgements.ts'
import { planWords, rangeWords } from '../../../shared/words/windows.ts'
import { ownersOfPlan } from '../../bridge/windows.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Said } from '../../ui/said.tsx'
import { useAnswer } from '../../ui/windows/use-answer.ts'
import { EstimateCard } from './estimate-card.tsx'
import { OwnersCard } from './owners-card.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { Problems } from './problems.tsx'
import { type PlanAnswers, SETTLED_MS } from './use-plan-answers.ts'
import type { usePlanDraft } from './use-plan-draft.ts'
import { VerdictBlocks } from './window-verdict.tsx'

interface Props {
  readonly window: MaintenanceWindow
  readonly inHand: ReturnType<typeof usePlanDraft>
  readonly answers: PlanAnswers
  /** False once a run has started or the window is closed: the plan is then read-only. */
  readonly mayEdit: boolean
}

/**
 * The plan of a window, editable until its work starts, with its estimate and owners. Both depend on the cloud now, so an ended
 * window shows only what was recorded.
 */
export function PlanSection({ isEnded, ...props }: Props & { readonly isEnded: boolean }): ReactNode {
  const { window, inHand, answers, mayEdit } = props
  const { draft, plan, edit } = inHand
  const isOpen = plan.kind === 'open'
  if (isEnded) return isOpen ? null : <RecordedPlan window={window} />
  return (
    <>
      {isOpen ? null : <VerdictBlocks judgement={answers.judgement} />}
      <section className="panel" aria-label="The plan">
        {mayEdit ? (
          <PlanEditor
            cluster={window.cluster}
            draft={draft}
            estimate={answers.estimate.isCurrent ? (lastRead(answers.estimate.asked)?.own ?? null) : null}
            onEdit={edit}
          />
        ) : isOpen ? (
          <p className="quiet">You start nodes yourself.</p>
        ) : (
          <ReadPlan plan={plan} />
        )}
        <SaveBar inHand={inHand} />
      </section>
      {isOpen ? null : <Ahead {...props} />}
    </>
  )
}

/** How long a plan takes, and whom it concerns, by the cloud now. */
function Ahead({ window, inHand: { plan }, answers: { estimate } }: Props): ReactNode {
  const { startsAt, endsAt, timeZone } = window
  const announced = JSON.stringify([plan, startsAt, endsAt, timeZone])
  const owners = useAnswer(announced, () => ownersOfPlan(window, plan), SETTLED_MS)
  return (
    <>
      <EstimateCard estimate={estimate} lengthMs={Date.parse(endsAt) - Date.parse(startsAt)} />
      <OwnersCard
        asked={owners.asked}
        isCurrent={owners.isCurrent}
        fileName={`owners-${window.cluster}-${startsAt.slice(0, 10)}.csv`}
        onAgain={owners.again}
      />
    </>
  )
}

/** Saves changes, and reports a conflicting change. */
function SaveBar({ inHand }: Pick<Props, 'inHand'>): ReactNode {
  const { reading, isChanged, isOutdated, isSaving, failure, discard, save } = inHand
  if (!isChanged && failure === null) return null
  return (
    <div className="win-foot row wrap">
      {isOutdated ? (
        <Callout compact intent="warning" className="win-full-line">
          Another operator changed this window meanwhile. Discard your changes to see theirs.
        </Callout>
      ) : null}
      {failure === null ? null : (
        <div className="win-full-line">
          <FailureCallout title="The plan was not saved" failure={failure} />
        </div>
      )}
      <Problems readings={[reading]} />
      <Button text="Discard changes" onClick={discard} />
      <Button
        intent="primary"
        text="Save the plan"
        disabled={reading.kind !== 'ready' || !isChanged}
        loading={isSaving}
        onClick={save}
      />
    </div>
  )
}

/** The plan of a window that has ended, with the estimate of that time. */
function RecordedPlan({ window: { plan, estimate } }: Pick<Props, 'window'>): ReactNode {
  const total = estimate?.estimate.own.total ?? null
  return (
    <section className="panel" aria-label="The plan">
      <ReadPlan plan={plan} />
      {total === null ? null : <p className="quiet">Estimated before its first run: {rangeWords(total)}.</p>}
    </section>
  )
}

/** A read-only plan. */
function ReadPlan({ plan }: { readonly plan: WindowPlan }): ReactNode {
  const batches =
    plan.kind === 'batches'
      ? plan.batches.map(({ nodes }, at) => ({ name: `Batch ${at + 1}`, nodes }))
      : plan.kind === 'update'
        ? [
            { name: 'Control-plane nodes', nodes: plan.update.controlNodes },
            ...plan.update.groups.map(({ name, nodes }) => ({ name, nodes })),
          ]
        : []
  const left = plan.kind === 'batches' ? (plan.left ?? []) : []
  return (
    <>
      <h2>{planWords(plan)}</h2>
      <ol className="win-read-batches">
        {batches.map(({ name, nodes }) => (
          <li key={name}>
            <b>{name}</b> {nodes.length === 0 ? <span className="quiet">none</span> : listed(nodes)}
          </li>
        ))}
      </ol>
      {left.length === 0 ? null : (
        <ul className="plain-list win-read-left">
          {left.map(each => (
            <li key={each.node}>
              <b className="mono">{each.node}</b> left out{each.why === '' ? '' : ': '}
              <Said text={leftWords(each)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
