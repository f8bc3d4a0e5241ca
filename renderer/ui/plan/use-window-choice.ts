import { useMemo, useState } from 'react'
import { useTicks } from '../../stores/ticks.ts'
import { nextWindowOf, openWindowsOf, rememberOutsideReason, useWindows } from '../../stores/windows.ts'
import { type WindowAnswer, type WindowChoice, type WindowsAtHand, windowChoice } from './window-choice.ts'

interface WindowChoiceInHand {
  readonly atHand: WindowsAtHand
  readonly answer: WindowAnswer
  readonly choice: WindowChoice
  readonly setAnswer: (answer: WindowAnswer) => void
  /** The run began: the reason is offered for the next one. */
  readonly remember: () => void
}

/** The question of the window, with its answer as it stands. A reason given before is offered again, but never on production. */
export function useWindowChoice(cluster: string, production: boolean): WindowChoiceInHand {
  const list = useWindows(store => store.list)
  const failure = useWindows(store => store.listFailure)
  // A window opens or ends on a minute; the page need not be drawn again every second for it.
  const minute = useTicks(store => Math.floor(store.nowMs / 10_000) * 10_000)
  const [answer, setAnswer] = useState<WindowAnswer>(() => ({
    windowId: null,
    reason: production ? '' : (useWindows.getState().outsideReasons.get(cluster) ?? ''),
  }))
  const atHand = useMemo<WindowsAtHand>(() => {
    if (list === null) return failure === null ? { kind: 'reading' } : { kind: 'not-told', why: failure.message }
    const windows = openWindowsOf(list, cluster, minute)
    return windows.length === 0
      ? { kind: 'none', next: nextWindowOf(list, cluster, minute) }
      : { kind: 'open', windows }
  }, [list, failure, cluster, minute])
  const choice = windowChoice(cluster, atHand, answer)
  const remember = () => {
    if (choice.kind === 'ready' && choice.input.outsideWindow !== undefined) {
      rememberOutsideReason(cluster, choice.input.outsideWindow)
    }
  }
  return { atHand, answer, choice, setAnswer, remember }
}
