import { Button, Callout, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { openGatesOf } from '../../../shared/domain/open-gate.ts'
import type { OpenGate, RunEvent, RunView } from '../../../shared/domain/run.ts'
import { answerRun } from '../../bridge/runs.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Age } from '../when.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

type Choice = OpenGate['choices'][number]

const CHOICE_WORDS: Readonly<Record<Choice, string>> = {
  continue: 'Go on',
  retry: 'Try again',
  skip: 'Skip the step…',
  abort: 'Abort the run…',
}

/** The questions that the run waits with, oldest first: whoever looks at them may answer. */
export function RunQuestion({ view, events, interrupted }: Props): ReactNode {
  return openGatesOf(events).map(gate => (
    <Question key={gate.gateId} view={view} events={events} gate={gate} interrupted={interrupted} />
  ))
}

function Question({ view, events, gate, interrupted }: Props & { readonly gate: OpenGate }): ReactNode {
  const at = events.findLast(({ body }) => body.kind === 'gate-opened' && body.gateId === gate.gateId)?.at
  const isCut = useConnection(whyCutOff) !== null
  const title = view.steps.find(({ step }) => step.id === gate.stepId)?.step.title ?? gate.stepId
  return (
    <Callout intent="warning" className="run-question" role="alert" title={`Waits for you: ${title}`}>
      <p>{gate.question}</p>
      <p className="small">
        {at === undefined ? null : (
          <>
            Asked <Age at={at} />.{' '}
          </>
        )}
        Any operator of this cluster may answer, here or in a terminal.
      </p>
      {isCut ? (
        <p>The console does not answer, so nothing can be answered from here now.</p>
      ) : interrupted ? (
        <p>
          <b>Nobody drives the run:</b> resume it first; it looks again, and asks again if it still has to.
        </p>
      ) : (
        <Answers runId={view.id} gate={gate} />
      )}
    </Callout>
  )
}

type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reason'; readonly choice: Choice }
  | { readonly kind: 'asked'; readonly choice: Choice }
  | { readonly kind: 'refused'; readonly failure: Failure }

function Answers({ runId, gate }: { readonly runId: string; readonly gate: OpenGate }): ReactNode {
  const [asked, setAsked] = useState<Asked>({ kind: 'idle' })
  const [reason, setReason] = useState('')
  const answer = async (choice: Choice) => {
    setAsked({ kind: 'asked', choice })
    const sent = await answerRun({ runId, gateId: gate.gateId, choice, reason: reason.trim() })
    if (!sent.ok) setAsked({ kind: 'refused', failure: sent.failure })
  }
  const choose = (choice: Choice) => {
    if (choice === 'skip' || choice === 'abort') setAsked({ kind: 'reason', choice })
    else void answer(choice)
  }
  if (asked.kind === 'asked') {
    return (
      <p role="status">
        Answer requested: {CHOICE_WORDS[asked.choice].replace('…', '')}. It is shown here once the run has taken it.
      </p>
    )
  }
  if (asked.kind === 'reason') {
    const submit = (event: FormEvent) => {
      event.preventDefault()
      if (reason.trim() !== '') void answer(asked.choice)
    }
    return (
      <form className="run-reason row wrap" onSubmit={submit}>
        <InputGroup
          inputRef={input => input?.focus()}
          placeholder={asked.choice === 'skip' ? 'Why may this step be skipped?' : 'Why is the run aborted?'}
          aria-label="Reason"
          value={reason}
          onValueChange={setReason}
        />
        <Button text="Not now" onClick={() => setAsked({ kind: 'idle' })} />
        <Button
          type="submit"
          intent="danger"
          disabled={reason.trim() === ''}
          text={asked.choice === 'skip' ? 'Skip the step' : 'Abort the run'}
        />
      </form>
    )
  }
  return (
    <>
      <div className="row wrap">
        {gate.choices.map(choice => (
          <Button
            key={choice}
            intent={choice === 'retry' || choice === 'continue' ? 'primary' : 'none'}
            text={CHOICE_WORDS[choice]}
            onClick={() => choose(choice)}
          />
        ))}
      </div>
      {asked.kind === 'refused' ? <FailureCallout title="The answer was not taken" failure={asked.failure} /> : null}
    </>
  )
}
