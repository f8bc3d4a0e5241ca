import { HTMLSelect, InputGroup, Tag } from '@blueprintjs/core'
import { CalendarIcon } from '@blueprintjs/icons'
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
  /** Whether the operator has to say why. */
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
      return <span className="quiet">Reading the windows of {cluster}.</span>
    case 'open':
      return <OpenWindows windows={atHand.windows} answer={answer} onAnswer={onAnswer} />
    case 'none':
      return <WhyNow next={atHand.next} because="No window is open" answer={answer} onAnswer={onAnswer} />
    case 'not-told':
      return <WhyNow next={null} because="The windows cannot be read" answer={answer} onAnswer={onAnswer} />
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
    <span className="row wrap">
      {windows.length === 1 ? null : (
        <>
          <label htmlFor={id}>
            <b>Window</b>
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
      {chosen === null ? null : <OpenWindow window={chosen} named={windows.length === 1} />}
    </span>
  )
}

function OpenWindow({
  window: { window },
  named,
}: {
  readonly window: ListedWindow
  readonly named: boolean
}): ReactNode {
  const leftMs = useTicks(store => Math.ceil((Date.parse(window.endsAt) - store.nowMs) / 60_000) * 60_000)
  return (
    <>
      {named ? (
        <Tag intent="success" icon={<CalendarIcon size={12} />}>
          <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>
        </Tag>
      ) : null}
      <span className="quiet">Window ends in {durationWords(Math.max(leftMs, 60_000))}</span>
    </>
  )
}

interface WhyNowProps {
  readonly next: ListedWindow | null
  readonly because: string
  readonly answer: WindowAnswer
  readonly onAnswer: WindowChoiceInHand['setAnswer']
}

function WhyNow({ next, because, answer, onAnswer }: WhyNowProps): ReactNode {
  const id = useId()
  const inMs = useTicks(store =>
    next === null ? 0 : Math.ceil((Date.parse(next.window.startsAt) - store.nowMs) / 60_000) * 60_000,
  )
  const begins = next === null ? '' : `, the next begins in ${durationWords(inMs)}`
  return (
    <>
      <label className="nowrap" htmlFor={id}>
        <b>Why now?</b>
      </label>
      <InputGroup
        id={id}
        value={answer.reason}
        placeholder={`${because}${begins}. Ticket or one line`}
        onValueChange={reason => onAnswer({ ...answer, reason })}
      />
    </>
  )
}
