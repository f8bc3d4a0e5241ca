import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { nextWindowOf, openWindowsOf, useWindows } from '../../stores/windows.ts'
import {
  chosenWindow,
  type ReasonWanted,
  type WindowAnswer,
  type WindowChoice,
  type WindowsAtHand,
  windowChoice,
} from './window-choice.ts'

interface WindowChoiceInHand {
  readonly atHand: WindowsAtHand
  readonly answer: WindowAnswer
  readonly choice: WindowChoice
  readonly setAnswer: (answer: WindowAnswer) => void
  /** Whether the operator is asked for a reason. */
  readonly asksWhy: boolean
}

/** The question of the window and its answer. */
export function useWindowChoice(cluster: string, reason: ReasonWanted): WindowChoiceInHand {
  const list = useWindows(store => store.list)
  const failure = useWindows(store => store.listFailure)
  // A window begins and ends on a minute, so the page need not be drawn every second.
  const minute = useTicks(store => Math.floor(store.nowMs / 10_000) * 10_000)
  const [answer, setAnswer] = useState<WindowAnswer>({ windowId: null, reason: '' })
  const atHand = useMemo<WindowsAtHand>(() => {
    if (list === null) return failure === null ? { kind: 'reading' } : { kind: 'not-told', why: failure.message }
    const windows = openWindowsOf(list, cluster, minute)
    return windows.length === 0
      ? { kind: 'none', next: nextWindowOf(list, cluster, minute) }
      : { kind: 'open', windows }
  }, [list, failure, cluster, minute])
  const choice = windowChoice(cluster, atHand, answer, reason)
  const isOutside = atHand.kind === 'none' || atHand.kind === 'not-told'
  return { atHand, answer, choice, setAnswer, asksWhy: isOutside && reason.isWanted && reason.given === '' }
}

interface WindowQuestionProps {
  readonly cluster: string
  readonly window: WindowChoiceInHand
}

/** The window of the run; without an open window, why it starts now if the policy of the cloud wants to know. */
export function WindowQuestion({ cluster, window }: WindowQuestionProps): ReactNode {
  const { atHand, answer, asksWhy, setAnswer: onAnswer } = window
  if (!asksWhy && (atHand.kind === 'none' || atHand.kind === 'not-told')) return null
  switch (atHand.kind) {
    case 'reading':
      return <div className="plan-window row wrap quiet">Reading the windows of {cluster}.</div>
    case 'open':
      return <OpenWindows windows={atHand.windows} answer={answer} onAnswer={onAnswer} />
    case 'none':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>No window is open on {cluster}.</b> <NextWindow next={atHand.next} />
          </p>
          <OutsideReason answer={answer} onAnswer={onAnswer} />
        </div>
      )
    case 'not-told':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>The windows of {cluster} cannot be read.</b> {atHand.why}
          </p>
          <OutsideReason answer={answer} onAnswer={onAnswer} />
        </div>
      )
  }
}

function OpenWindows({
  windows,
  answer,
  onAnswer,
}: {
  readonly windows: readonly ListedWindow[]
  readonly answer: WindowAnswer
  readonly onAnswer: WindowChoiceInHand['setAnswer']
}): ReactNode {
  const id = useId()
  const chosen = chosenWindow(windows, answer)
  return (
    <div className="plan-window row wrap">
      {windows.length === 1 ? null : (
        <>
          <label htmlFor={id}>
            <b>Belongs to</b>
          </label>
          <HTMLSelect
            id={id}
            value={chosen?.window.id ?? ''}
            options={[
              { value: '', label: `One of ${windows.length} open windows…`, disabled: true },
              ...windows.map(({ window }) => ({ value: window.id, label: window.title })),
            ]}
            onChange={({ currentTarget }) => onAnswer({ ...answer, windowId: currentTarget.value })}
          />
        </>
      )}
      {chosen === null ? null : <Belongs window={chosen} named={windows.length === 1} />}
    </div>
  )
}

function Belongs({ window: { window }, named }: { readonly window: ListedWindow; readonly named: boolean }): ReactNode {
  const leftMs = useTicks(store => Math.ceil((Date.parse(window.endsAt) - store.nowMs) / 60_000) * 60_000)
  return (
    <p>
      {named ? (
        <>
          Belongs to <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>,{' '}
        </>
      ) : null}
      ends in {durationWords(Math.max(leftMs, 60_000))}.
    </p>
  )
}

function NextWindow({ next }: { readonly next: ListedWindow | null }): ReactNode {
  const inMs = useTicks(store =>
    next === null ? 0 : Math.ceil((Date.parse(next.window.startsAt) - store.nowMs) / 60_000) * 60_000,
  )
  if (next === null) return 'None is planned.'
  return (
    <>
      The next one: <a href={hashOf({ kind: 'window', id: next.window.id })}>{next.window.title}</a>, in{' '}
      {durationWords(inMs)}.
    </>
  )
}

function OutsideReason({
  answer,
  onAnswer,
}: {
  readonly answer: WindowAnswer
  readonly onAnswer: WindowChoiceInHand['setAnswer']
}): ReactNode {
  const id = useId()
  return (
    <div className="plan-window-reason row">
      <label htmlFor={id}>Why now?</label>
      <InputGroup
        id={id}
        value={answer.reason}
        placeholder="Kept in the journal and in the report"
        onValueChange={reason => onAnswer({ ...answer, reason })}
      />
    </div>
  )
}
