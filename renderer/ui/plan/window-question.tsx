import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { chosenWindow, type WindowAnswer, type WindowsAtHand } from './window-choice.ts'

interface Props {
  readonly cluster: string
  readonly atHand: WindowsAtHand
  readonly answer: WindowAnswer
  readonly onAnswer: (answer: WindowAnswer) => void
}

/** To which maintenance window the run will belong; where none is open, why it is started all the same. */
export function WindowQuestion({ cluster, atHand, answer, onAnswer }: Props): ReactNode {
  switch (atHand.kind) {
    case 'reading':
      return <div className="plan-window row wrap quiet">Reading the maintenance windows of {cluster}.</div>
    case 'open':
      return <OpenWindows windows={atHand.windows} answer={answer} onAnswer={onAnswer} />
    case 'none':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>No maintenance window is open on {cluster}.</b> <NextWindow next={atHand.next} />
          </p>
          <OutsideReason answer={answer} onAnswer={onAnswer} />
        </div>
      )
    case 'not-told':
      return (
        <div className="plan-window row wrap">
          <p>
            <b>The maintenance windows of {cluster} cannot be read.</b> {atHand.why}
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
  readonly onAnswer: Props['onAnswer']
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

function OutsideReason({ answer, onAnswer }: Pick<Props, 'answer' | 'onAnswer'>): ReactNode {
  const id = useId()
  return (
    <div className="plan-window-reason row">
      <label htmlFor={id}>Started outside any window, because</label>
      <InputGroup
        id={id}
        value={answer.reason}
        placeholder="Reason, kept in the journal and shown in the report"
        onValueChange={reason => onAnswer({ ...answer, reason })}
      />
    </div>
  )
}
