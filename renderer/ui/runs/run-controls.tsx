import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Envelope, RunnerOfRun } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { planPlace, planSubject } from '../../../shared/domain/plan.ts'
import type { RunDriver, RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { asSentence } from '../../../shared/grammar/counts.ts'
import { changedThings } from '../../../shared/words/changed-things.ts'
import { leftWords } from '../../../shared/words/run-left.ts'
import { notConnected, whereDriven } from '../../../shared/words/runners.ts'
import { abortRun, detachRun, pauseRun, resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { useConsole } from '../../stores/console.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { isPausing } from './waits.ts'

interface NoteProps {
  readonly view: RunView
  readonly condition: RunCondition
}

interface ButtonsProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** What was requested and when: it stays requested until the run's events confirm it. */
interface Asked {
  readonly words: string
  readonly afterSeq: number
}

/** Which console runs a run, if that matters, and what may be asked of it. */
export function RunControls({ view, events, condition }: NoteProps & Pick<ButtonsProps, 'events'>): ReactNode {
  return (
    <div className="run-controls">
      <RunNote view={view} condition={condition} />
      <RunButtons view={view} events={events} interrupted={condition.kind === 'interrupted'} />
    </div>
  )
}

/** Shown if no console or another one runs this run, or if that is unknown. */
export function RunNote({ view, condition }: NoteProps): ReactNode {
  const isOurs = useThisConsole(view.driver)
  const runner = useRunnerOfRun(view.id)
  const cut = useConnection(whyCutOff)
  const { state, plan, driver } = view
  if (state.kind === 'finished') return null
  if (cut !== null) {
    return (
      <Callout compact intent="warning">
        <b>Lockkeeper does not know whether a console runs this.</b> {cut}
      </Callout>
    )
  }
  if (runner !== null && condition.kind === 'unheard') {
    return (
      <Callout compact intent="warning">
        <b>
          It runs {whereDriven(runner)}, {notConnected(runner)}.
        </b>{' '}
        Last known: {condition.was}. It continues without this console; its events appear once the runner answers again.
      </Callout>
    )
  }
  if (runner !== null && condition.kind !== 'interrupted') {
    return (
      <Callout compact>
        It runs {whereDriven(runner)}, namespace {runner.namespace} of {runner.by}, also when this console is closed.
        The cluster keeps your requests with your name.
      </Callout>
    )
  }
  if (condition.kind === 'interrupted') {
    return (
      <Callout compact intent="danger">
        <b>No console runs this.</b> {condition.left === null ? null : `${asSentence(leftWords(condition.left))} `}
        Nothing new starts on {planSubject(plan)} until you resume or stop it. What it asked the cloud for may still
        finish. Resuming checks everything again first.
      </Callout>
    )
  }
  return isOurs === false ? (
    <Callout compact>
      {driver.operator} runs it on {driver.machine} (process {driver.pid}), not this console. That process receives your
      request, which is shown as requested until it answers.
    </Callout>
  ) : null
}

/** Pause, resume, stop, leave: each a request to the console of the run. */
export function RunButtons({ view, events, interrupted }: ButtonsProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [aborting, setAborting] = useState(false)
  const [handing, setHanding] = useState(false)
  const isOurs = useThisConsole(view.driver)
  const runner = useRunnerOfRun(view.id)
  const cut = useConnection(whyCutOff)
  const { state } = view
  // Earlier requests are unknown here, so no new ones are possible now.
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
        <Continuing
          view={view}
          events={events}
          interrupted={interrupted}
          isHere={isOurs !== false && runner === null}
          request={request}
        />
        {runner === null && (interrupted || state.kind === 'paused') ? (
          <Button
            size="small"
            text="Hand over…"
            title="A runner in the cluster continues it, also while this console is closed."
            disabled={cut !== null}
            onClick={() => setHanding(true)}
          />
        ) : null}
        <Button
          size="small"
          intent="danger"
          variant="outlined"
          text="Stop…"
          disabled={cut !== null || state.kind === 'aborting'}
          onClick={() => setAborting(true)}
        />
        <span className="quiet" role="status">
          {requested}
        </span>
      </div>
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
      <AbortDialog view={view} isOpen={aborting} onClose={() => setAborting(false)} />
      <HandOverDialog view={view} isOpen={handing} onClose={() => setHanding(false)} />
    </div>
  )
}

interface ContinuingProps extends ButtonsProps {
  /** Whether this console may leave the run: it may run it, and no runner does. */
  readonly isHere: boolean
  readonly request: (words: string, send: () => Promise<Envelope<unknown>>) => Promise<void>
}

/** Pause, resume and leave, as far as the state of the run allows. */
function Continuing({ view, events, interrupted, isHere, request }: ContinuingProps): ReactNode {
  const cut = useConnection(whyCutOff)
  const { state } = view
  return interrupted ? (
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
          text="Resume"
          disabled={cut !== null}
          onClick={() => void request('Resume requested.', () => unpauseRun(view.id))}
        />
      ) : (
        <Button
          size="small"
          text="Pause"
          disabled={cut !== null || state.kind !== 'running' || isPausing(events)}
          onClick={() => void request(PAUSING, () => pauseRun(view.id))}
        />
      )}
      {isHere ? (
        <Button
          size="small"
          text="Leave, resume later"
          title="This console no longer runs it. Nothing changes, and it can be resumed."
          disabled={cut !== null || state.kind === 'aborting'}
          onClick={() => void request('Leave requested.', () => detachRun(view.id))}
        />
      ) : null}
    </>
  )
}

const PAUSING = 'Pause requested: nothing new starts.'

/** The runner of a run; null if the run is in this console's own journal, or not listed. */
function useRunnerOfRun(runId: string): RunnerOfRun | null {
  return useRuns(({ list }) => list?.find(({ id }) => id === runId)?.runner ?? null)
}

/** Whether the process behind this page runs a run; null before its answer. */
function useThisConsole({ id }: RunDriver): boolean | null {
  return useConsole(({ description }) => (description === null ? null : description.driverId === id))
}

interface AbortDialogProps {
  readonly view: RunView
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for the reason, and says what stays changed. */
function AbortDialog({ view, isOpen, onClose }: AbortDialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const place = planPlace(view.plan)
  const changed = changedThings(view)
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Stop the run: ${place}`}
      reason={reason}
      onReason={setReason}
      confirm={`Stop: ${place}`}
      isReady
      failureTitle="The run was not stopped"
      act={why => abortRun(view.id, why)}
    >
      {changed.length === 0 ? (
        <p>Nothing has changed yet.</p>
      ) : (
        <>
          <p>Stopping undoes nothing. Still changed:</p>
          <ul className="run-changed">
            {changed.map(({ what, undo }) => (
              <li key={what}>
                <b>{what}</b>
                <div className="quiet">{undo}</div>
              </li>
            ))}
          </ul>
        </>
      )}
    </ReasonDialog>
  )
}
