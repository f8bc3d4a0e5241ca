import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Envelope, RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { noteSeen } from '../../stores/runs.ts'
import { showToast } from '../../stores/toasts.ts'
import { setMarks } from '../instances/set-marks.ts'
import { LinkButton } from '../link-button.tsx'
import { GateAnswers } from './gate-answers.tsx'

interface Props {
  readonly run: RunSummary
  /** Null if not read yet. */
  readonly view: RunView | null
}

/** The buttons that end a run's wait or resume it; none if that is impossible from here. */
export function RunChoices({ run, view }: Props): ReactNode {
  const isCut = useConnection(whyCutOff) !== null
  const { condition, id } = run
  if (isCut) return null
  switch (condition.kind) {
    case 'waiting': {
      const gate = view?.openGates[0]
      if (gate !== undefined)
        return <GateAnswers key={gate.gateId} runId={id} gate={gate} isInLine onRefused={report} />
      const left = condition.waits.find(wait => wait.for === 'owner' && wait.instances.length > 0)
      return left === undefined ? null : <OwnerChoices cluster={run.cluster} wait={left} />
    }
    case 'paused':
      return <AskButton key="go-on" text="Resume" send={() => unpauseRun(id)} />
    case 'interrupted':
      return <AskButton key="resume" text="Resume" send={() => resumeRun(id)} />
    case 'over':
      return (
        <>
          {condition.outcome === 'failed' ? (
            <AskButton key="again" text="Resume where it stopped" send={() => resumeRun(id)} />
          ) : null}
          <Button size="small" text="Dismiss" onClick={() => noteSeen(id)} />
        </>
      )
    case 'starting':
    case 'moving':
    case 'aborting':
    case 'unheard':
      return null
  }
}

function report({ message }: Failure): void {
  showToast({ text: message, tone: 'caution' })
}

interface AskButtonProps {
  readonly text: string
  readonly send: () => Promise<Envelope<unknown>>
}

/** Asks the console of the run; the run's events show the result. */
function AskButton({ text, send }: AskButtonProps): ReactNode {
  const [asked, setAsked] = useState(false)
  const begin = async () => {
    setAsked(true)
    const answer = await send()
    if (answer.ok) return
    setAsked(false)
    report(answer.failure)
  }
  return asked ? (
    <span>Requested: {text}.</span>
  ) : (
    <Button size="small" className="run-choice-first" text={text} onClick={() => void begin()} />
  )
}

interface OwnerProps {
  readonly cluster: string
  readonly wait: RunWait
}

/** What an operator may decide for an owner: a live move, or another choice among the instances. */
export function OwnerChoices({ cluster, wait: { instances, node } }: OwnerProps): ReactNode {
  const [asked, setAsked] = useState(false)
  const ids = instances.map(({ id }) => id)
  return (
    <>
      {asked ? (
        <span>Asked to move live.</span>
      ) : (
        <Button
          size="small"
          className="run-choice-first"
          text={ids.length === 1 ? 'Move it live' : `Move all ${ids.length} live`}
          title={`Sets the migration mode of ${instances.map(({ name }) => name).join(', ')} to live_migrate`}
          onClick={() => {
            setAsked(true)
            void setMarks(cluster, ids, ['live_migrate']).then(setAsked)
          }}
        />
      )}
      <LinkButton
        className="run-choice-second"
        title="Its instances and their migration modes"
        href={hashOf(clusterRoute(cluster, 'instances', { node }))}
      >
        Other choices
      </LinkButton>
    </>
  )
}
