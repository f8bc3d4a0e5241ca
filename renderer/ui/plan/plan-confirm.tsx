import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useId, useMemo, useState } from 'react'
import type { Envelope, ListedWindow, RequestInput, RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isDisruptive, isNodePlan, isWayBack, planPlace } from '../../../shared/domain/plan.ts'
import { openBlockers, type PlanCounts } from '../../../shared/domain/plan-effects.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { silencedWords } from '../../../shared/words/signals.ts'
import { type Submitted, submitRun } from '../../bridge/runners.ts'
import { startRun } from '../../bridge/runs.ts'
import { useClusters } from '../../stores/clusters.ts'
import { goTo, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { nextWindowOf, openWindowsOf, rememberOutsideReason, useWindows } from '../../stores/windows.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Said } from '../said.tsx'
import { slots } from '../slots.ts'
import { planAge } from './plan-age.ts'
import { confirmWords, disruptionWords, type PlanStatus } from './plan-words.ts'
import { type RunPlace, RunPlaceChoice, useRunnerOffer } from './run-place.tsx'
import type { MadePlan } from './use-plan.ts'
import {
  chosenWindow,
  type WindowAnswer,
  type WindowChoice,
  type WindowsAtHand,
  windowChoice,
} from './window-choice.ts'

/** Why a plan cannot start, by its status. */
const NOT_IN_HAND: Readonly<Record<Exclude<PlanStatus, 'made'>, string>> = {
  making: 'Lockkeeper is checking the plan.',
  failed: 'The check failed. Check the plan again.',
  'other-choices': 'The plan has changed. Check it again.',
}

interface Props {
  readonly cluster: string
  readonly made: MadePlan
  readonly counts: PlanCounts
  /** Only the current plan may start. */
  readonly status: PlanStatus
  readonly cancel: RefObject<HTMLButtonElement | null>
  readonly onStarted: (run: RunSummary) => void
  readonly onCancel: () => void
  readonly onCheckAgain: () => void
  /** The window of this plan; absent if the operator is asked, except for the way back. */
  readonly windowId?: string
  /** The label of the button; absent means what the plan does to its node or cluster. */
  readonly confirm?: string
  /** Saves the confirmation for later, and starts nothing now. */
  readonly later?: {
    /** Text and questions beside the confirmation. */
    readonly words: ReactNode
    /** `typedCluster` as the operator typed it. */
    readonly keep: (planId: string, typedCluster: string | undefined) => Promise<Envelope<unknown>>
    readonly onKept: () => void
  }
}

/**
 * The one confirmation: repeats node, cluster and what is disruptive, asks for the window, and on production for the cluster's
 * name (docs/style.md G35).
 */
export function PlanConfirm(props: Props): ReactNode {
  const { cluster, made, counts, status, cancel, onStarted, onCancel, onCheckAgain, windowId, confirm, later } = props
  const { plan, startable } = made.checked
  const [typedCluster, setTyped] = useState('')
  const missingId = useId()
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const offer = useRunnerOffer(cluster)
  const [wanted, setPlace] = useState<RunPlace>('here')
  const place = offer?.kind === 'offered' ? wanted : 'here'
  const [typedCampaign, setCampaign] = useState('')
  const { campaignOfPlan } = slots()
  const asksForCampaign = place === 'cluster' && later === undefined && campaignOfPlan !== null
  const campaign = asksForCampaign ? typedCampaign.trim() : ''
  const campaignWhy = campaignOfPlan?.whyNot(campaign) ?? null
  const age = useTicks(store => planAge(made.madeAtMs, store.nowMs))
  const known = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(cluster) : undefined))
  const production = known?.production === true
  const silenced = known === undefined ? null : silencedWords(known, made.checked)
  const disruptive = isDisruptive(plan)
  const mustType = production && disruptive
  const window = useWindowChoice(cluster, production)
  // A rescue needs no window: nobody plans when a machine dies.
  const asksForWindow = windowId === undefined && !isWayBack(plan.kind) && plan.kind !== 'rescue'
  const missing: readonly string[] =
    status !== 'made'
      ? [NOT_IN_HAND[status]]
      : !startable
        ? [`${counted(openBlockers(made.checked).length, 'thing blocks', 'things block')} this; nothing can start.`]
        : age === 'too-old'
          ? ['This plan is 5 min old. Check it again.']
          : [
              ...(asksForWindow && window.choice.kind === 'unfinished' ? [window.choice.why] : []),
              ...(campaignWhy === null ? [] : [campaignWhy]),
              ...(mustType && typedCluster !== cluster
                ? [`${cluster} is a production cloud: type its name to confirm.`]
                : []),
            ]
  const mayStart = missing.length === 0

  const start = async () => {
    setStarting(true)
    setFailure(null)
    if (later !== undefined) {
      const kept = await later.keep(plan.id, mustType ? typedCluster : undefined)
      setStarting(false)
      if (kept.ok) later.onKept()
      else setFailure(kept.failure)
      return
    }
    const input = {
      planId: plan.id,
      ...(mustType ? { typedCluster } : {}),
      ...(windowId === undefined ? {} : { windowId }),
      ...(asksForWindow && window.choice.kind === 'ready' ? window.choice.input : {}),
    }
    const answer =
      place === 'cluster'
        ? await submitRun({ ...input, ...(campaign === '' ? {} : { campaign }) })
        : await startHere(input)
    setStarting(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    if (asksForWindow) window.remember()
    if (answer.value.kind === 'run') {
      onStarted(answer.value.run)
      return
    }
    const { object, phase, message } = answer.value.asked
    showToast({
      text: `MaintenanceRun ${object} is requested (${phase}). ${message}`,
      ...(campaign === '' ? {} : { action: { text: 'Campaigns', run: () => goTo({ kind: 'campaigns' }) } }),
    })
    onCancel()
  }

  return (
    <footer className="plan-foot row wrap">
      {failure === null ? null : (
        <div className="plan-foot-failure">
          <FailureCallout
            title={later === undefined ? 'The run was not started' : 'Nothing was saved'}
            failure={failure}
            onRetry={onCheckAgain}
          />
        </div>
      )}
      {asksForWindow ? (
        <WindowQuestion cluster={cluster} atHand={window.atHand} answer={window.answer} onAnswer={window.setAnswer} />
      ) : null}
      {later === undefined ? <RunPlaceChoice offer={offer} place={place} onPlace={setPlace} /> : null}
      {asksForCampaign ? (
        <campaignOfPlan.Field cluster={cluster} campaign={typedCampaign} onCampaign={setCampaign} />
      ) : null}
      <div className="plan-foot-words">
        <b>{planPlace(plan)}</b>: {disruptionWords(counts)}.
        {silenced === null ? null : <p className="quiet">{silenced}</p>}
        {later?.words}
      </div>
      {mayStart ? null : (
        <ul className="plan-missing plain-list" id={missingId}>
          {missing.map(words => (
            <li key={words}>
              <Said text={words} />
            </li>
          ))}
        </ul>
      )}
      {mustType ? (
        <InputGroup
          className="plan-typed"
          placeholder={cluster}
          aria-label={`Type ${cluster} to confirm`}
          value={typedCluster}
          onValueChange={setTyped}
          spellCheck={false}
          autoComplete="off"
        />
      ) : null}
      <Button ref={cancel} className="plan-cancel" text="Cancel" onClick={onCancel} />
      <Button
        className="plan-start"
        intent="primary"
        text={confirm ?? confirmWords(plan, isNodePlan(plan) ? 1 : nodesOfPlan(plan).length)}
        disabled={!mayStart}
        aria-describedby={mayStart ? undefined : missingId}
        loading={starting}
        onClick={() => void start()}
      />
    </footer>
  )
}

/** Starts the run in this console. */
async function startHere(input: RequestInput<'run.start'>): Promise<Envelope<Submitted>> {
  const answer = await startRun(input)
  return answer.ok ? { ok: true, value: { kind: 'run', run: answer.value } } : answer
}

interface WindowChoiceInHand {
  readonly atHand: WindowsAtHand
  readonly answer: WindowAnswer
  readonly choice: WindowChoice
  readonly setAnswer: (answer: WindowAnswer) => void
  /** The run has started; its reason is offered for the next one. */
  readonly remember: () => void
}

/** The question of the window and its answer. An earlier reason is offered again, but never on production. */
function useWindowChoice(cluster: string, production: boolean): WindowChoiceInHand {
  const list = useWindows(store => store.list)
  const failure = useWindows(store => store.listFailure)
  // A window begins and ends on a minute, so the page need not be drawn every second.
  const minute = useTicks(store => Math.floor(store.nowMs / 10_000) * 10_000)
  const [answer, setAnswer] = useState<WindowAnswer>(() => ({
    windowId: null,
    reason: production ? '' : (useWindows.getState().outsideReasons.get(cluster) ?? ''),
  }))
  const atHand = useMemo<WindowsAtHand>(() => {
    if (list === null) return failure === null ? { kind: 'reading' } : { kind: 'not-told', why: failure.message }
    const windows = openWindowsOf(list, cluster, minute)
    return windows.length === 0
      ? { kind: 'none', next: nextWindowOf(list, cluster, minute) }
      : { kind: 'open', windows }
  }, [list, failure, cluster, minute])
  const choice = windowChoice(cluster, atHand, answer)
  const remember = () => {
    if (choice.kind === 'ready' && choice.input.outsideWindow !== undefined) {
      rememberOutsideReason(cluster, choice.input.outsideWindow)
    }
  }
  return { atHand, answer, choice, setAnswer, remember }
}

interface WindowQuestionProps {
  readonly cluster: string
  readonly atHand: WindowsAtHand
  readonly answer: WindowAnswer
  readonly onAnswer: (answer: WindowAnswer) => void
}

/** The window of the run; without an open window, why it starts all the same. */
function WindowQuestion({ cluster, atHand, answer, onAnswer }: WindowQuestionProps): ReactNode {
  switch (atHand.kind) {
    case 'reading':
      return <div className="plan-window row wrap quiet">Reading the windows of {cluster}.</div>
    case 'open':
      return <OpenWindows windows={atHand.windows} answer={answer} onAnswer={onAnswer} />
    case 'none':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>No window is open on {cluster}.</b> <NextWindow next={atHand.next} />
          </p>
          <OutsideReason answer={answer} onAnswer={onAnswer} />
        </div>
      )
    case 'not-told':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>The windows of {cluster} cannot be read.</b> {atHand.why}
          </p>
          <OutsideReason answer={answer} onAnswer={onAnswer} />
        </div>
      )
  }
}

function OpenWindows({
  windows,
  answer,
  onAnswer,
}: {
  readonly windows: readonly ListedWindow[]
  readonly answer: WindowAnswer
  readonly onAnswer: WindowQuestionProps['onAnswer']
}): ReactNode {
  const id = useId()
  const chosen = chosenWindow(windows, answer)
  return (
    <div className="plan-window row wrap">
      {windows.length === 1 ? null : (
        <>
          <label htmlFor={id}>
            <b>Belongs to</b>
          </label>
          <HTMLSelect
            id={id}
            value={chosen?.window.id ?? ''}
            options={[
              { value: '', label: `One of ${windows.length} open windows…`, disabled: true },
              ...windows.map(({ window }) => ({ value: window.id, label: window.title })),
            ]}
            onChange={({ currentTarget }) => onAnswer({ ...answer, windowId: currentTarget.value })}
          />
        </>
      )}
      {chosen === null ? null : <Belongs window={chosen} named={windows.length === 1} />}
    </div>
  )
}

function Belongs({ window: { window }, named }: { readonly window: ListedWindow; readonly named: boolean }): ReactNode {
  const leftMs = useTicks(store => Math.ceil((Date.parse(window.endsAt) - store.nowMs) / 60_000) * 60_000)
  return (
    <p>
      {named ? (
        <>
          Belongs to <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>,{' '}
        </>
      ) : null}
      ends in {durationWords(Math.max(leftMs, 60_000))}.
    </p>
  )
}

function NextWindow({ next }: { readonly next: ListedWindow | null }): ReactNode {
  const inMs = useTicks(store =>
    next === null ? 0 : Math.ceil((Date.parse(next.window.startsAt) - store.nowMs) / 60_000) * 60_000,
  )
  if (next === null) return 'None is planned.'
  return (
    <>
      The next one: <a href={hashOf({ kind: 'window', id: next.window.id })}>{next.window.title}</a>, in{' '}
      {durationWords(inMs)}.
    </>
  )
}

function OutsideReason({ answer, onAnswer }: Pick<WindowQuestionProps, 'answer' | 'onAnswer'>): ReactNode {
  const id = useId()
  return (
    <div className="plan-window-reason row">
      <label htmlFor={id}>Why now?</label>
      <InputGroup
        id={id}
        value={answer.reason}
        placeholder="Kept in the journal and in the report"
        onValueChange={reason => onAnswer({ ...answer, reason })}
      />
    </div>
  )
}
