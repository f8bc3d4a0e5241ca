import { Button, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { GateChoice } from '../../../shared/domain/gate-choice.ts'
import type { OpenGate } from '../../../shared/domain/run.ts'
import { answerRun } from '../../bridge/runs.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../failure-callout.tsx'
import './runs.css'

interface Props {
  readonly runId: string
  readonly gate: OpenGate
  /** In a line, beside other things. */
  readonly isInLine?: boolean
  /** Receives a failure; absent means shown under the buttons. */
  readonly onRefused?: (failure: Failure) => void
}

const CHOICE_WORDS: Readonly<Record<GateChoice, string>> = {
  continue: 'Continue the run',
  retry: 'Try again',
  skip: 'Skip the step…',
  abort: 'Stop the run…',
}

type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reason'; readonly choice: GateChoice }
  | { readonly kind: 'asked'; readonly choice: GateChoice }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** The answers to a question of a run; stopping and skipping are confirmed, with a reason where the cloud wants one. */
export function GateAnswers({ runId, gate, isInLine = false, onRefused }: Props): ReactNode {
  const [asked, setAsked] = useState<Asked>({ kind: 'idle' })
  const [reason, setReason] = useState('')
  const isProduction = useIsProduction(useRuns(({ list }) => list?.find(({ id }) => id === runId)?.cluster ?? null))
  const size = isInLine ? 'small' : 'medium'
  const answer = async (choice: GateChoice) => {
    setAsked({ kind: 'asked', choice })
    const sent = await answerRun({ runId, gateId: gate.gateId, choice, reason: reason.trim() })
    if (sent.ok) return
    setAsked(onRefused === undefined ? { kind: 'refused', failure: sent.failure } : { kind: 'idle' })
    onRefused?.(sent.failure)
  }
  const choose = (choice: GateChoice) => {
    if (choice === 'skip' || choice === 'abort') setAsked({ kind: 'reason', choice })
    else void answer(choice)
  }
  if (asked.kind === 'asked') {
    const words = CHOICE_WORDS[asked.choice].replace('…', '')
    return (
      <span role="status">
        Answer requested: {words}.{isInLine ? '' : ' The run shows it here once it has it.'}
      </span>
    )
  }
  if (asked.kind === 'reason') {
    const isReady = asked.choice === 'abort' || !isProduction || reason.trim() !== ''
    const submit = (event: FormEvent) => {
      event.preventDefault()
      if (isReady) void answer(asked.choice)
    }
    const leave = () => setAsked({ kind: 'idle' })
    return (
      <form
        className={`run-reason row${isInLine ? '' : ' wrap'}`}
        onSubmit={submit}
        onKeyDown={({ key }) => key === 'Escape' && leave()}
      >
        <InputGroup
          autoFocus
          size={size}
          placeholder={asked.choice === 'skip' ? 'Why skip this step?' : 'Why stop the run?'}
          aria-label="Reason"
          value={reason}
          onValueChange={setReason}
        />
        <Button size={size} text="Not now" onClick={leave} />
        <Button
          size={size}
          type="submit"
          intent="danger"
          disabled={!isReady}
          text={asked.choice === 'skip' ? 'Skip the step' : 'Stop the run'}
        />
      </form>
    )
  }
  return (
    <>
      <span className={`row${isInLine ? '' : ' wrap'}`}>
        {gate.choices.map((choice, at) => (
          <Button
            key={choice}
            size={size}
            className={at === 0 ? 'run-choice-first' : ''}
            text={CHOICE_WORDS[choice]}
            onClick={() => choose(choice)}
          />
        ))}
      </span>
      {asked.kind === 'refused' ? <FailureCallout title="The answer was not taken" failure={asked.failure} /> : null}
    </>
  )
}
