import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { MaintenanceWindow, WindowPlan } from '../../../shared/domain/window.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { planWords } from '../../../shared/words/windows.ts'
import { estimatePlan, ownersOfPlan } from '../../bridge/windows.ts'
import { type Asked, failedAfter, lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { EstimateCard } from './estimate-card.tsx'
import { OwnersCard } from './owners-card.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { Problems } from './problems.tsx'
import type { usePlanDraft } from './use-plan-draft.ts'

interface Props {
  readonly window: MaintenanceWindow
  readonly inHand: ReturnType<typeof usePlanDraft>
  /** False once a run has started or the window is closed: the plan is then read-only. */
  readonly mayEdit: boolean
}

/** Waits until cards have stopped moving. */
const SETTLED_MS = 900

/**
 * The plan of a window, editable until its work starts, with its estimate and owners. Both depend on the cloud now, so an ended
 * window does not show them.
 */
export function PlanSection({ window, inHand, mayEdit, isEnded }: Props & { readonly isEnded: boolean }): ReactNode {
  const { draft, reading, plan, isChanged, isOutdated, isSaving, failure, edit, discard, save } = inHand
  if (isEnded && plan.kind !== 'open') {
    return (
      <section className="panel" aria-label="The plan">
        <ReadPlan plan={plan} />
      </section>
    )
  }
  return plan.kind === 'open' ? (
    <section className="panel" aria-label="The plan">
      {mayEdit ? (
        <PlanEditor cluster={window.cluster} draft={draft} estimate={null} onEdit={edit} />
      ) : (
        <p className="quiet">{planWords(plan)}.</p>
      )}
      <SaveBar {...{ reading, isChanged, isOutdated, isSaving, failure, discard, save }} />
    </section>
  ) : (
    <Planned window={window} plan={plan} inHand={inHand} mayEdit={mayEdit} />
  )
}

function Planned({ window, plan, inHand, mayEdit }: Props & { readonly plan: WindowPlan }): ReactNode {
  const { draft, reading, isChanged, isOutdated, isSaving, failure, edit, discard, save } = inHand
  const key = JSON.stringify(plan)
  const estimate = useAnswer(key, () => estimatePlan(window.cluster, plan), SETTLED_MS)
  const { startsAt, endsAt, timeZone } = window
  const announced = JSON.stringify([plan, startsAt, endsAt, timeZone])
  const owners = useAnswer(announced, () => ownersOfPlan(window, plan), SETTLED_MS)
  return (
    <>
      <section className="panel" aria-label="The plan">
        {mayEdit ? (
          <PlanEditor
            cluster={window.cluster}
            draft={draft}
            estimate={estimate.isCurrent ? (lastRead(estimate.asked)?.own ?? null) : null}
            onEdit={edit}
          />
        ) : (
          <ReadPlan plan={plan} />
        )}
        <SaveBar {...{ reading, isChanged, isOutdated, isSaving, failure, discard, save }} />
      </section>
      <div className="win-columns">
        <EstimateCard
          asked={estimate.asked}
          isCurrent={estimate.isCurrent}
          lengthMs={Date.parse(window.endsAt) - Date.parse(window.startsAt)}
          onAgain={estimate.again}
        />
        <OwnersCard
          asked={owners.asked}
          isCurrent={owners.isCurrent}
          fileName={`owners-${window.cluster}-${window.startsAt.slice(0, 10)}.csv`}
          onAgain={owners.again}
        />
      </div>
    </>
  )
}

type SaveProps = Pick<
  Props['inHand'],
  'reading' | 'isChanged' | 'isOutdated' | 'isSaving' | 'failure' | 'discard' | 'save'
>

/** Saves changes, and reports a conflicting change. */
function SaveBar({ reading, isChanged, isOutdated, isSaving, failure, discard, save }: SaveProps): ReactNode {
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
    </>
  )
}

interface AnswerInHand<T> {
  readonly asked: Asked<T>
  /** Whether the answer belongs to the current question. */
  readonly isCurrent: boolean
  readonly again: () => void
}

/** Asks main once the question has been stable for a moment; a late answer is dropped. */
function useAnswer<T>(key: string, ask: () => Promise<Envelope<T>>, afterMs: number): AnswerInHand<T> {
  const [asked, setAsked] = useState<Asked<T>>({ kind: 'reading' })
  const [answered, setAnswered] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  }, [ask])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks again.
  useEffect(() => {
    let isGone = false
    const timer = window.setTimeout(async () => {
      const answer = await latest.current()
      if (isGone) return
      setAsked(before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure)))
      setAnswered(key)
    }, afterMs)
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [key, afterMs, round])
  const again = useCallback(() => setRound(before => before + 1), [])
  return { asked, isCurrent: answered === key, again }
}
