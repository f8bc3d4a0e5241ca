import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Envelope, RunnerOfRun } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { planPlace, planSubject } from '../../../shared/domain/plan.ts'
import type { RunDriver, RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { asSentence } from '../../../shared/grammar/counts.ts'
import { leftWords } from '../../../shared/words/run-left.ts'
import { notConnected, whereDriven } from '../../../shared/words/runners.ts'
import { abortRun, detachRun, pauseRun, resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { useConsole } from '../../stores/console.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { changedSoFar, isPausing } from './waits.ts'

interface NoteProps {
  readonly view: RunView
  readonly condition: RunCondition
}

interface ButtonsProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** What was asked and when: it stays *requested* until the run's own events tell of it. */
interface Asked {
  readonly words: string
  readonly afterSeq: number
}

/** Who drives a run, where that has to be known, and what may be asked of them. */
export function RunControls({ view, events, condition }: NoteProps & Pick<ButtonsProps, 'events'>): ReactNode {
  return (
    <div className="run-controls">
      <RunNote view={view} condition={condition} />
      <RunButtons view={view} events={events} interrupted={condition.kind === 'interrupted'} />
    </div>
  )
}

/** Said where nobody drives a run, another console does, or that is not known. */
export function RunNote({ view, condition }: NoteProps): ReactNode {
  const isOurs = useThisConsole(view.driver)
  const runner = useRunnerOfRun(view.id)
  const cut = useConnection(whyCutOff)
  const { state, plan, driver } = view
  if (state.kind === 'finished') return null
  if (cut !== null) {
    return (
      <Callout compact intent="warning">
        <b>Whether anybody drives this run is not known.</b> {cut}
      </Callout>
    )
  }
  if (runner !== null && condition.kind === 'unheard') {
    return (
      <Callout compact intent="warning">
        <b>
          Driven {whereDriven(runner)}, {notConnected(runner)}.
        </b>{' '}
        It was {condition.was} then and goes on without this console; what it did since is shown when the runner is
        reached again.
      </Callout>
    )
  }
  if (runner !== null && condition.kind !== 'interrupted') {
    return (
      <Callout compact>
        Driven {whereDriven(runner)}, namespace {runner.namespace} of {runner.by}: it goes on when this console is
        closed. What is asked of it is kept in the cluster, with your name there.
      </Callout>
    )
  }
  if (condition.kind === 'interrupted') {
    return (
      <Callout compact intent="danger">
        <b>Nobody drives this run.</b> {condition.left === null ? null : `${asSentence(leftWords(condition.left))} `}It
        begins nothing more on {planSubject(plan)} until it is resumed or aborted. What it had asked the cloud for may
        still end by itself. Resuming checks everything again first.
      </Callout>
    )
  }
  return isOurs === false ? (
    <Callout compact>
      Driven by {driver.operator} on {driver.machine} (process {driver.pid}), not by this console. A request is sent to
      that process and shown as requested until it answers.
    </Callout>
  ) : null
}

/** Pause, go on, abort, leave now, resume: each a request to whoever drives the run. */
export function RunButtons({ view, events, interrupted }: ButtonsProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [aborting, setAborting] = useState(false)
  const [handing, setHanding] = useState(false)
  const isOurs = useThisConsole(view.driver)
  const runner = useRunnerOfRun(view.id)
  const cut = useConnection(whyCutOff)
  const { state } = view
  // What of it was asked since is not known here, so that nothing is asked of it now.
  if (state.kind === 'finished' || runner?.connected === false) return null
  const lastSeq = events.at(-1)?.seq ?? 0
  const requested = asked !== null && lastSeq <= asked.afterSeq ? asked.words : isPausing(events) ? PAUSING : null

  const request = async (words: string, send: () => Promise<Envelope<unknown>>) => {
    setFailure(null)
    setAsked({ words, afterSeq: lastSeq })
    const answer = await send()
    if (answer.ok) return
    setAsked(null)
    setFailure(answer.failure)
  }

  return (
    <div>
      <div className="row wrap">
        {interrupted ? (
          <Button
            size="small"
            intent="primary"
            text="Resume"
            disabled={cut !== null}
            onClick={() => void request('Resume requested.', () => resumeRun(view.id))}
          />
        ) : (
          <>
            {state.kind === 'paused' ? (
              <Button
                size="small"
                intent="primary"
                text="Go on"
                disabled={cut !== null}
                onClick={() => void request('Going on requested.', () => unpauseRun(view.id))}
              />
            ) : (
              <Button
                size="small"
                text="Pause"
                disabled={cut !== null || state.kind !== 'running' || isPausing(events)}
                onClick={() => void request(PAUSING, () => pauseRun(view.id))}
              />
            )}
            {isOurs === false || runner !== null ? null : (
              <Button
                size="small"
                text="Detach"
                title="Stops driving it from here. It stays where it is and can be resumed."
                disabled={cut !== null || state.kind === 'aborting'}
                onClick={() => void request('Detach requested.', () => detachRun(view.id))}
              />
            )}
          </>
        )}
        {runner === null && (interrupted || state.kind === 'paused') ? (
          <Button
            size="small"
            text="Hand over…"
            title="A runner in the cluster goes on with it, also while this console is closed."
            disabled={cut !== null}
            onClick={() => setHanding(true)}
          />
        ) : null}
        <Button
          size="small"
          intent="danger"
          variant="outlined"
          text="Abort…"
          disabled={cut !== null || state.kind === 'aborting'}
          onClick={() => setAborting(true)}
        />
        <span className="quiet" role="status">
          {requested}
        </span>
      </div>
      {failure === null ? null : <FailureCallout title="It was not done" failure={failure} />}
      <AbortDialog view={view} isOpen={aborting} onClose={() => setAborting(false)} />
      <HandOverDialog view={view} isOpen={handing} onClose={() => setHanding(false)} />
    </div>
  )
}

const PAUSING = 'Pause requested: nothing new is begun.'

/** The runner that drives a run; null: it is of this console's own journal, or not listed. */
function useRunnerOfRun(runId: string): RunnerOfRun | null {
  return useRuns(({ list }) => list?.find(({ id }) => id === runId)?.runner ?? null)
}

/** Whether the process behind this page drives a run; null before it told who it is. */
function useThisConsole({ id }: RunDriver): boolean | null {
  return useConsole(({ description }) => (description === null ? null : description.driverId === id))
}

interface AbortDialogProps {
  readonly view: RunView
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for the reason, and says what will stay changed. */
function AbortDialog({ view, isOpen, onClose }: AbortDialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const place = planPlace(view.plan)
  const changed = changedSoFar(view)
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Abort the run: ${place}`}
      reason={reason}
      onReason={setReason}
      confirm={`Abort: ${place}`}
      isReady
      failureTitle="It was not aborted"
      act={why => abortRun(view.id, why)}
    >
      {changed.length === 0 ? (
        <p>Nothing was changed yet; nothing stays behind.</p>
      ) : (
        <>
          <p>Nothing is rolled back. These changes stay:</p>
          <ul className="run-changed">
            {changed.map(({ title, undo }) => (
              <li key={title}>
                <b>{title}</b>
                <div className="quiet">{undo}</div>
              </li>
            ))}
          </ul>
        </>
      )}
    </ReasonDialog>
  )
}
