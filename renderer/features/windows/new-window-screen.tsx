import { AnchorButton, Button, Checkbox } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { CONSOLE_HAS_TO_BE_OPEN } from '../../../shared/words/agreed-starts.ts'
import { createWindow } from '../../bridge/windows.ts'
import { goTo, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastRead } from '../../stores/updates.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Said } from '../../ui/said.tsx'
import { useShownZone } from '../../ui/windows/window-card.tsx'
import { EstimateCard } from './estimate-card.tsx'
import { type HeadDraft, newHead, readHead, timesOf } from './head-draft.ts'
import { HeadForm } from './head-form.tsx'
import { NO_PLAN, readPlanDraft } from './plan-draft.ts'
import { PlanEditor } from './plan-editor.tsx'
import { Problems } from './problems.tsx'
import { usePlanAnswers } from './use-plan-answers.ts'
import { VerdictBlocks, VerdictLine } from './window-verdict.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-form.css'
import './batches.css'
import './window-page.css'
import './windows.css'

interface Props {
  readonly cluster: string | null
  /** Null: the next full hour. */
  readonly times: { readonly startsAt: string; readonly endsAt: string } | null
}

/** Makes a new window: one form, with the judgement of its plan always in sight. */
export function NewWindowScreen({ cluster, times: given }: Props): ReactNode {
  const zone = useShownZone()
  const [head, setHead] = useState<HeadDraft>(() => newHead(cluster ?? '', Date.now(), zone, given))
  const [plan, setPlan] = useState(NO_PLAN)
  const [wantsStart, setStart] = useState(false)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const nodes = useViews(store => lastOf(store.byCluster.get(head.cluster))?.nodes ?? null)
  const times = timesOf(head)
  const lengthMs = times === null ? null : Date.parse(times.endsAt) - Date.parse(times.startsAt)
  const isAhead = useTicks(({ nowMs }) => times !== null && Date.parse(times.startsAt) > nowMs)
  const headReading = readHead(head)
  const planReading = readPlanDraft(plan, nodes === null ? null : [...nodes.keys()])
  const ready = head.cluster !== '' && planReading.kind === 'ready' ? planReading.plan : null
  const answers = usePlanAnswers(head.cluster, ready)
  const mayStart = plan.kind !== 'open' && isAhead
  const starts = wantsStart && mayStart
  const save = async () => {
    if (headReading.kind !== 'ready' || ready === null) return
    setAsking(true)
    setFailure(null)
    const answer = await createWindow({ ...headReading.head, plan: ready })
    setAsking(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    goTo({ kind: 'window', id: answer.value.window.id, ...(starts ? { starts } : {}) })
  }
  return (
    <div className="win win-new column">
      <h1>New window</h1>
      <section className="panel" aria-label="The window">
        <HeadForm
          draft={head}
          fixedCluster={false}
          onEdit={next => {
            // Nodes belong to one cluster.
            if (next.cluster !== head.cluster) setPlan(NO_PLAN)
            setHead(next)
          }}
        />
      </section>
      {head.cluster === '' ? null : (
        <section className="panel" aria-label="The plan">
          <PlanEditor
            key={head.cluster}
            cluster={head.cluster}
            draft={plan}
            estimate={answers.estimate.isCurrent ? (lastRead(answers.estimate.asked)?.own ?? null) : null}
            onEdit={setPlan}
          />
          {mayStart ? <StartChoice at={head.startWall.slice(11)} isChosen={wantsStart} onChoose={setStart} /> : null}
        </section>
      )}
      {ready === null || ready.kind === 'open' ? null : (
        <>
          <VerdictBlocks judgement={answers.judgement} />
          <EstimateCard estimate={answers.estimate} lengthMs={lengthMs} />
        </>
      )}
      {failure === null ? null : <FailureCallout title="The window was not saved" failure={failure} />}
      <footer className="win-foot row wrap">
        <span role="status" className="win-foot-line space">
          <VerdictLine plan={ready} judgement={answers.judgement} times={times} />
        </span>
        <Problems readings={[headReading, planReading]} />
        <AnchorButton text="Cancel" href={hashOf({ kind: 'windows' })} />
        <Button
          intent="primary"
          text={starts ? 'Save, then confirm the plan…' : 'Save window'}
          disabled={headReading.kind !== 'ready' || ready === null}
          loading={asking}
          onClick={() => void save()}
        />
      </footer>
    </div>
  )
}

interface StartProps {
  /** `22:00`. */
  readonly at: string
  readonly isChosen: boolean
  readonly onChoose: (chosen: boolean) => void
}

/** Whether the window starts automatically; its plan is confirmed after it is saved. */
function StartChoice({ at, isChosen, onChoose }: StartProps): ReactNode {
  return (
    <Checkbox
      className="win-starts"
      checked={isChosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
    >
      Start automatically at {at}{' '}
      <span className="quiet">{isChosen ? <Said text={CONSOLE_HAS_TO_BE_OPEN} /> : 'Otherwise you start it.'}</span>
    </Checkbox>
  )
}
