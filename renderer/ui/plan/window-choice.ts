import type { ListedWindow, RequestInput } from '../../../shared/contract/index.ts'

/** The windows of a cluster when a run is about to start. */
export type WindowsAtHand =
  | { readonly kind: 'reading' }
  /** Main does not answer, or refuses. */
  | { readonly kind: 'not-told'; readonly why: string }
  | { readonly kind: 'none'; readonly next: ListedWindow | null }
  | { readonly kind: 'open'; readonly windows: readonly ListedWindow[] }

/** The operator's choice: one of several open windows, or a reason without one. */
export interface WindowAnswer {
  readonly windowId: string | null
  readonly reason: string
}

/** What else the start rests on. */
export interface ReasonWanted {
  /** Whether the policy of the cloud wants a reason outside every window. */
  readonly isWanted: boolean
  /** The reason that came with the plan; empty if none. */
  readonly given: string
}

/** What the start of a run needs: its window, or why it has none; or what the operator must still enter. */
export type WindowChoice =
  | { readonly kind: 'ready'; readonly input: Pick<RequestInput<'run.start'>, 'windowId' | 'outsideWindow'> }
  | { readonly kind: 'unfinished'; readonly why: string }

/** Reads the operator's answer against the open windows. */
export function windowChoice(
  cluster: string,
  atHand: WindowsAtHand,
  answer: WindowAnswer,
  { isWanted, given }: ReasonWanted,
): WindowChoice {
  switch (atHand.kind) {
    case 'reading':
      return { kind: 'unfinished', why: `Reading the windows of ${cluster}.` }
    case 'open': {
      const chosen = chosenWindow(atHand.windows, answer)
      return chosen === null
        ? { kind: 'unfinished', why: 'Choose the window of this run.' }
        : { kind: 'ready', input: { windowId: chosen.window.id } }
    }
    case 'none':
    case 'not-told': {
      const reason = answer.reason.trim()
      if (reason !== '') return { kind: 'ready', input: { outsideWindow: reason } }
      return isWanted && given === ''
        ? { kind: 'unfinished', why: 'No window is open. Why now?' }
        : { kind: 'ready', input: {} }
    }
  }
}

/** The window of the run: the only open one, or the chosen one. */
export function chosenWindow(windows: readonly ListedWindow[], { windowId }: WindowAnswer): ListedWindow | null {
  const [only, another] = windows
  if (only !== undefined && another === undefined) return only
  return windows.find(({ window }) => window.id === windowId) ?? null
}
