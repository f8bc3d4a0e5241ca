import { Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { openGatesOf } from '../../../shared/domain/open-gate.ts'
import type { OpenGate, RunEvent, RunView } from '../../../shared/domain/run.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { Age } from '../when.tsx'
import { GateAnswers } from './gate-answers.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
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
        <GateAnswers runId={view.id} gate={gate} />
      )}
    </Callout>
  )
}
