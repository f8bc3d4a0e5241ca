import type { ReactNode } from 'react'
import { openGatesOf } from '../../../shared/domain/open-gate.ts'
import type { OpenGate, RunEvent, RunView } from '../../../shared/domain/run.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { Elapsed } from './elapsed.tsx'
import { GateAnswers } from './gate-answers.tsx'
import './runs.css'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** The questions of a run, oldest first; any operator may answer. */
export function RunQuestion({ view, events, interrupted }: Props): ReactNode {
  if (view.state.kind === 'finished') return null
  return openGatesOf(events).map(gate => (
    <Question key={gate.gateId} view={view} events={events} gate={gate} interrupted={interrupted} />
  ))
}

function Question({ view, events, gate, interrupted }: Props & { readonly gate: OpenGate }): ReactNode {
  const at = events.findLast(({ body }) => body.kind === 'gate-opened' && body.gateId === gate.gateId)?.at
  const isCut = useConnection(whyCutOff) !== null
  const title = view.steps.find(({ step }) => step.id === gate.stepId)?.step.title ?? gate.stepId
  return (
    <section className="run-question panel-card run-tone-waits" role="alert">
      <h3 className="spread">
        <span>Needs you: {title}</span>
        {at === undefined ? null : (
          <span className="run-since">
            for <Elapsed from={at} to={null} />
          </span>
        )}
      </h3>
      <p>{gate.question}</p>
      <p className="quiet">Any operator of this cloud can answer, here or in a terminal.</p>
      {isCut ? (
        <p>The console does not answer, so you cannot answer from here now.</p>
      ) : interrupted ? (
        <p>
          <b>No console runs this:</b> resume it first. It checks again, and asks again if it must.
        </p>
      ) : (
        <GateAnswers runId={view.id} gate={gate} />
      )}
    </section>
  )
}
