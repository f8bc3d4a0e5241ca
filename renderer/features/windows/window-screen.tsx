import { AnchorButton, Button, NonIdealState, Spinner, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { ListedWindow, RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceWindow, WindowStatus } from '../../../shared/domain/window.ts'
import { isOrWaits } from '../../../shared/words/conditions.ts'
import { pastLine } from '../../../shared/words/window-judgements.ts'
import { listWindows, noteInWindow } from '../../bridge/windows.ts'
import { hashOf, turnTo } from '../../stores/route.ts'
import { isFinished } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { statusAt, useWindows, windowOf } from '../../stores/windows.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { RunLinks } from '../../ui/runs/run-list.tsx'
import { When } from '../../ui/when.tsx'
import { LineText } from '../../ui/windows/window-line.tsx'
import { ForecastCard } from './forecast-card.tsx'
import { PlanSection } from './plan-section.tsx'
import { usePlanAnswers } from './use-plan-answers.ts'
import { usePlanDraft } from './use-plan-draft.ts'
import { WindowHead } from './window-head.tsx'
import { WindowPlanDialog } from './window-plan-dialog.tsx'
import { WindowTimeline } from './window-timeline.tsx'
import { VerdictLine } from './window-verdict.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-form.css'
import './batches.css'
import './window-page.css'
import './windows.css'

/** One window: its status, its plan with estimate and owners, its runs and notes. */
export function WindowScreen({ id, starts }: { readonly id: string; readonly starts: boolean }): ReactNode {
  const listed = useWindows(store => windowOf(store.list, id))
  const isRead = useWindows(store => store.list !== null)
  const failure = useWindows(store => store.listFailure)
  if (listed !== null) return <Page listed={listed} starts={starts} />
  if (failure !== null) {
    return (
      <div className="win">
        <FailureCallout title="The window cannot be read" failure={failure} onRetry={() => void listWindows()} />
      </div>
    )
  }
  if (!isRead) return <NonIdealState icon={<Spinner size={24} />} title="Reading the window" />
  return (
    <NonIdealState
      title="This window does not exist"
      description={`The journal of this console has no window ${id}. Another console may have it.`}
      action={<AnchorButton text="All windows" href={hashOf({ kind: 'windows' })} />}
    />
  )
}

function Page({ listed, starts }: { readonly listed: ListedWindow; readonly starts: boolean }): ReactNode {
  const { window, runs } = listed
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const known = useViews(store => lastOf(store.byCluster.get(window.cluster))?.nodes ?? null)
  const inHand = usePlanDraft(window, known === null ? null : [...known.keys()])
  const answers = usePlanAnswers(window.cluster, hasEnded(status) ? null : inHand.plan)
  const [planning, setPlanning] = useState<'now' | 'at-its-beginning' | null>(
    starts && status === 'planned' && window.start === null ? 'at-its-beginning' : null,
  )
  const isEnded = hasEnded(status)
  const working = runs.find(run => !isFinished(run))
  const isWorking = working !== undefined
  const whyNoPlan =
    status !== 'open' && status !== 'planned'
      ? 'The window is past its end: change its end first.'
      : inHand.isChanged
        ? 'Save the plan first.'
        : working !== undefined
          ? `A run of this window is unfinished: it ${isOrWaits(working.condition)}.`
          : null
  return (
    <div className="win">
      <WindowHead
        listed={listed}
        verdict={
          isEnded ? (
            <LineText {...pastLine(window, runs)} />
          ) : isWorking || status === 'over' ? null : (
            <VerdictLine plan={inHand.plan} judgement={answers.judgement} times={window} />
          )
        }
        onPlan={window.plan.kind === 'open' || isEnded ? null : setPlanning}
        whyNoPlan={whyNoPlan}
      />
      {status === 'open' || status === 'overrunning' ? <ForecastCard listed={listed} /> : null}
      <PlanSection
        window={window}
        inHand={inHand}
        answers={answers}
        mayEdit={!isEnded && !isWorking}
        isEnded={isEnded}
      />
      <WindowTimeline window={window} runs={runs} />
      <div className="win-columns">
        <WindowRuns runs={runs} />
        <WindowNotes window={window} />
      </div>
      {planning === null ? null : (
        <WindowPlanDialog
          window={window}
          start={planning}
          onClose={() => {
            setPlanning(null)
            if (starts) turnTo({ kind: 'window', id: window.id })
          }}
        />
      )}
    </div>
  )
}

function hasEnded(status: WindowStatus): boolean {
  return status === 'closed' || status === 'cancelled'
}

function WindowRuns({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  if (runs.length === 0) return null
  return (
    <section className="panel" aria-labelledby="win-runs">
      <h2 id="win-runs">Runs</h2>
      <RunLinks runs={runs} isNamed />
    </section>
  )
}

/** Notes and incidents of a window; the report lists incidents separately. */
function WindowNotes({ window }: { readonly window: MaintenanceWindow }): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const [asking, setAsking] = useState<'remark' | 'incident' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const note = async (kind: 'remark' | 'incident') => {
    setAsking(kind)
    const answer = await noteInWindow({ id: window.id, note: kind, text: text.trim() })
    setAsking(null)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) setText('')
  }
  const isEmpty = text.trim() === ''
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Notes and incidents</h2>
      {window.remarks.length === 0 ? null : (
        <ul className="win-remarks">
          {window.remarks.map(({ at, kind, text: words, by }) => (
            <li key={`${at} ${words}`} data-kind={kind}>
              <span className="quiet">
                <When at={at} /> {by}
              </span>
              {kind === 'incident' ? <b className="bad">Incident</b> : null}
              <span className="win-remark-text">{words}</span>
            </li>
          ))}
        </ul>
      )}
      {window.cancelled !== null ? null : (
        <>
          <TextArea
            fill
            autoResize
            aria-label="Note or incident"
            placeholder="What was seen; the report shows it"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {failure === null ? null : <FailureCallout title="The note was not saved" failure={failure} />}
          <div className="row wrap buttons">
            <Button
              size="small"
              text="Add note"
              disabled={isEmpty}
              loading={asking === 'remark'}
              onClick={() => void note('remark')}
            />
            <Button
              size="small"
              intent="warning"
              text="Add incident"
              disabled={isEmpty}
              loading={asking === 'incident'}
              onClick={() => void note('incident')}
            />
          </div>
        </>
      )}
    </section>
  )
}
