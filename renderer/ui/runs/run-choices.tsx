import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Envelope, RunSummary } from '../../../shared/contract/index.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { noteSeen } from '../../stores/runs.ts'
import { showToast } from '../../stores/toasts.ts'
import { ChoiceButton } from './choice-button.tsx'
import { choicesOf } from './choices.ts'

interface Props {
  readonly run: RunSummary
  /** Null if not read yet. */
  readonly view: RunView | null
}

/** As many buttons as fit beside the words. */
const MOST_CHOICES = 3

/** The buttons that end a run's wait or resume it; none if that is impossible from here. */
export function RunChoices({ run, view }: Props): ReactNode {
  const isCut = useConnection(whyCutOff) !== null
  const { condition, id } = run
  if (isCut) return null
  switch (condition.kind) {
    case 'waiting': {
      const [first] = condition.waits
      if (first === undefined || view === null) return null
      // The page has them all, with their costs.
      return choicesOf(view, first)
        .slice(0, MOST_CHOICES)
        .map((choice, at) => (
          <span key={`${first.code} ${first.since} ${choice.key}`} className={at > 1 ? 'run-choice-last' : undefined}>
            <ChoiceButton choice={choice} isFirst={at === 0} isSmall />
          </span>
        ))
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
    showToast({ text: answer.failure.message, tone: 'caution' })
  }
  return asked ? (
    <span>Requested: {text}.</span>
  ) : (
    <Button size="small" intent="primary" text={text} onClick={() => void begin()} />
  )
}
