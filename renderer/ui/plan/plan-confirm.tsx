import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isDisruptive, planPlace } from '../../../shared/domain/plan.ts'
import { openBlockers, type PlanCounts } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { startRun } from '../../bridge/runs.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useTicks } from '../../stores/ticks.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { planAge } from './plan-age.ts'
import { confirmWords, disruptionWords, type PlanStanding } from './plan-words.ts'
import type { MadePlan } from './use-plan.ts'
import { useWindowChoice } from './use-window-choice.ts'
import { WindowQuestion } from './window-question.tsx'

/** Why a plan that is not the one in hand cannot be started. */
const NOT_IN_HAND: Readonly<Record<Exclude<PlanStanding, 'made'>, string>> = {
  making: 'The plan is being checked.',
  failed: 'The plan could not be checked again. Check again first.',
  'other-choices': 'The choices are others by now. Check again first.',
}

interface Props {
  readonly cluster: string
  readonly made: MadePlan
  readonly counts: PlanCounts
  /** Only a plan in hand may start: any other is no longer what would run. */
  readonly standing: PlanStanding
  readonly cancel: RefObject<HTMLButtonElement | null>
  readonly onStarted: (run: RunSummary) => void
  readonly onCancel: () => void
  readonly onCheckAgain: () => void
  /** The window whose plan this is; absent: the operator is asked, unless a node is only brought back. */
  readonly windowId?: string
  /** What is confirmed; absent: what the plan does to its node or cluster. */
  readonly confirm?: string
}

/**
 * The one confirmation: repeats node, cluster and what is disruptive, and asks for the maintenance window it belongs to; a production
 * cluster has its name typed (docs/style.md G35).
 */
export function PlanConfirm(props: Props): ReactNode {
  const { cluster, made, counts, standing, cancel, onStarted, onCancel, onCheckAgain, windowId, confirm } = props
  const { plan, startable } = made.checked
  const [typedCluster, setTyped] = useState('')
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const age = useTicks(store => planAge(made.madeAtMs, store.nowMs))
  const production = useClusters(({ list }) => list.kind === 'listed' && list.byName.get(cluster)?.production === true)
  const disruptive = isDisruptive(plan)
  const mustType = production && disruptive
  const window = useWindowChoice(cluster, production)
  const asksForWindow = windowId === undefined && plan.kind !== 'leave'
  const whyNot =
    standing !== 'made'
      ? NOT_IN_HAND[standing]
      : !startable
        ? `${counted(openBlockers(made.checked).length, 'blocker')} in the way; nothing can start.`
        : age === 'too-old'
          ? 'This plan is older than five minutes. Check again first.'
          : mustType && typedCluster !== cluster
            ? `${cluster} is a production cluster: type its name to go on.`
            : asksForWindow && window.choice.kind === 'unfinished'
              ? window.choice.why
              : null

  const start = async () => {
    setStarting(true)
    setFailure(null)
    const answer = await startRun({
      planId: plan.id,
      ...(mustType ? { typedCluster } : {}),
      ...(windowId === undefined ? {} : { windowId }),
      ...(asksForWindow && window.choice.kind === 'ready' ? window.choice.input : {}),
    })
    setStarting(false)
    if (answer.ok) {
      if (asksForWindow) window.remember()
      onStarted(answer.value)
    } else setFailure(answer.failure)
  }

  return (
    <footer className="plan-foot row wrap">
      {failure === null ? null : (
        <div className="plan-foot-failure">
          <FailureCallout title="The run was not started" failure={failure} onRetry={onCheckAgain} />
        </div>
      )}
      {asksForWindow ? (
        <WindowQuestion cluster={cluster} atHand={window.atHand} answer={window.answer} onAnswer={window.setAnswer} />
      ) : null}
      <div className="plan-foot-words">
        <b>{planPlace(plan)}</b>: {disruptionWords(counts)}.
        {whyNot === null ? null : <div className="quiet">{whyNot}</div>}
      </div>
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
      <Button ref={cancel} text="Cancel" onClick={onCancel} />
      <Button
        intent={disruptive ? 'danger' : 'primary'}
        text={confirm ?? confirmWords(plan.kind, plan.node, cluster)}
        disabled={whyNot !== null}
        loading={starting}
        onClick={() => void start()}
      />
    </footer>
  )
}
