import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import type { Envelope, RequestInput, RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isDisruptive, isNodePlan, isWayBack } from '../../../shared/domain/plan.ts'
import { openBlockers } from '../../../shared/domain/plan-effects.ts'
import { reasonOfPlan, wantsReason } from '../../../shared/domain/reason-policy.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { silencedWords } from '../../../shared/words/signals.ts'
import { type Submitted, submitRun } from '../../bridge/runners.ts'
import { startRun } from '../../bridge/runs.ts'
import { useClusters } from '../../stores/clusters.ts'
import { goTo } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Said } from '../said.tsx'
import { type Slots, slots } from '../slots.ts'
import { planAge } from './plan-age.ts'
import { confirmWords, type PlanStatus } from './plan-words.ts'
import { type RunPlace, RunPlaceChoice, useRunnerOffer } from './run-place.tsx'
import type { MadePlan } from './use-plan.ts'
import { useWindowChoice, WindowQuestion } from './window-question.tsx'

/** Why a plan cannot start, by its status. */
const NOT_IN_HAND: Readonly<Record<Exclude<PlanStatus, 'made'>, string>> = {
  making: 'Lockkeeper is checking the plan.',
  failed: 'The check failed. Check the plan again.',
  'other-choices': 'The plan has changed. Check it again.',
}

interface Props {
  readonly cluster: string
  readonly made: MadePlan
  /** Only the current plan may start. */
  readonly status: PlanStatus
  /** The button that closes the plan; null on a page, which has nothing to close. */
  readonly cancel: RefObject<HTMLButtonElement | null> | null
  /** Choices at the left, on a page that shows what the plan does above. */
  readonly lead?: ReactNode
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
  const { cluster, made, cancel, onCancel, onCheckAgain, confirm, later, lead } = props
  const { plan } = made.checked
  const missingId = useId()
  const answers = useAnswers(props)
  const { window, missing } = answers
  const mayStart = missing.length === 0
  const { starting, failure, start } = useStart(props, answers)
  return (
    <footer className="plan-foot sheet-foot row wrap">
      {failure === null ? null : (
        <div className="plan-foot-failure">
          <FailureCallout
            title={later === undefined ? 'The run was not started' : 'Nothing was saved'}
            failure={failure}
            onRetry={onCheckAgain}
          />
        </div>
      )}
      {answers.asksForWindow ? <WindowQuestion cluster={cluster} window={window} /> : null}
      {later === undefined ? (
        <RunPlaceChoice offer={answers.offer} place={answers.place} onPlace={answers.setPlace} />
      ) : null}
      {answers.askedCampaign === null ? null : (
        <answers.askedCampaign.Field
          cluster={cluster}
          campaign={answers.typedCampaign}
          onCampaign={answers.setCampaign}
        />
      )}
      {lead}
      {answers.silenced === null ? null : <p className="plan-foot-whole quiet small">{answers.silenced}</p>}
      {later === undefined ? null : <div className="plan-foot-whole">{later.words}</div>}
      {answers.mustType ? (
        // Somebody types the name from what the field shows of it.
        <div className="plan-typed" style={{ flexBasis: `${cluster.length + 4}ch` }}>
          <InputGroup
            placeholder={`Type ${cluster}`}
            aria-label={`Type ${cluster} to confirm`}
            value={answers.typedCluster}
            onValueChange={answers.setTyped}
            spellCheck={false}
            autoComplete="off"
          />
        </div>
      ) : null}
      {mayStart ? null : (
        <p className={answers.isSeen ? 'visually-hidden' : 'plan-missing'} id={missingId}>
          <Said text={missing[0] ?? ''} />
        </p>
      )}
      <span className="plan-buttons rigid row">
        {cancel === null ? null : <Button ref={cancel} variant="minimal" text="Cancel" onClick={onCancel} />}
        <Button
          className="plan-start"
          intent="primary"
          text={confirm ?? confirmWords(plan, isNodePlan(plan) ? 1 : nodesOfPlan(plan).length)}
          disabled={!mayStart}
          aria-describedby={mayStart ? undefined : missingId}
          loading={starting}
          onClick={() => void start()}
        />
      </span>
    </footer>
  )
}

/** What the confirmation asks, and what the operator has answered so far. */
interface Answers {
  readonly typedCluster: string
  readonly setTyped: (typed: string) => void
  /** Whether the operator types the name of the cluster. */
  readonly mustType: boolean
  readonly offer: ReturnType<typeof useRunnerOffer>
  readonly place: RunPlace
  readonly setPlace: (place: RunPlace) => void
  /** The question for a campaign; null if it is not asked. */
  readonly askedCampaign: Slots['campaignOfPlan']
  readonly typedCampaign: string
  readonly setCampaign: (campaign: string) => void
  readonly campaign: string
  readonly silenced: string | null
  readonly window: ReturnType<typeof useWindowChoice>
  readonly asksForWindow: boolean
  /** Why the plan cannot start yet; empty if it can. */
  readonly missing: readonly string[]
  /** Whether the verdict or an empty field shows it already. */
  readonly isSeen: boolean
}

function useAnswers({ cluster, made, status, windowId, later }: Props): Answers {
  const { plan } = made.checked
  const [typedCluster, setTyped] = useState('')
  const offer = useRunnerOffer(cluster)
  const [wanted, setPlace] = useState<RunPlace>('here')
  const place = offer?.kind === 'offered' ? wanted : 'here'
  const [typedCampaign, setCampaign] = useState('')
  const { campaignOfPlan } = slots()
  const askedCampaign = place === 'cluster' && later === undefined ? campaignOfPlan : null
  const campaign = askedCampaign === null ? '' : typedCampaign.trim()
  const campaignWhy = campaignOfPlan?.whyNot(campaign) ?? null
  const age = useTicks(store => planAge(made.madeAtMs, store.nowMs))
  const known = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(cluster) : undefined))
  const production = known?.production === true
  const silenced = known === undefined ? null : silencedWords(known, made.checked)
  const mustType = production && isDisruptive(plan)
  const window = useWindowChoice(cluster, {
    isWanted: known !== undefined && wantsReason(plan, known),
    given: reasonOfPlan(plan),
  })
  // A rescue needs no window: nobody plans when a machine dies.
  const asksForWindow = windowId === undefined && !isWayBack(plan.kind) && plan.kind !== 'rescue'
  const unanswered = [
    ...(asksForWindow && window.choice.kind === 'unfinished' ? [window.choice.why] : []),
    ...(campaignWhy === null ? [] : [campaignWhy]),
    ...(mustType && typedCluster !== cluster ? [`Type ${cluster} to confirm.`] : []),
  ]
  const why = whyNotStartable(made, status, age)
  return {
    typedCluster,
    setTyped,
    mustType,
    offer,
    place,
    setPlace,
    askedCampaign,
    typedCampaign,
    setCampaign,
    campaign,
    silenced,
    window,
    asksForWindow,
    missing: why === null ? unanswered : [why],
    isSeen: why === null ? campaignWhy === null : status !== 'made' || !made.checked.startable,
  }
}

/** Why the plan itself cannot start, whatever the operator answers; null if it can. */
function whyNotStartable({ checked }: MadePlan, status: PlanStatus, age: ReturnType<typeof planAge>): string | null {
  if (status !== 'made') return NOT_IN_HAND[status]
  if (!checked.startable) {
    return `${counted(openBlockers(checked).length, 'thing blocks', 'things block')} this; nothing can start.`
  }
  return age === 'too-old' ? 'This plan is 5 min old. Check it again.' : null
}

/** Starts the confirmed plan, in this console or in the cluster, or keeps the confirmation for later. */
function useStart({ made, windowId, later, onStarted, onCancel }: Props, answers: Answers) {
  const { plan } = made.checked
  const { typedCluster, mustType, place, campaign, window, asksForWindow } = answers
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
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
  return { starting, failure, start }
}

/** Starts the run in this console. */
async function startHere(input: RequestInput<'run.start'>): Promise<Envelope<Submitted>> {
  const answer = await startRun(input)
  return answer.ok ? { ok: true, value: { kind: 'run', run: answer.value } } : answer
}
