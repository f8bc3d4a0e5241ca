import type { ListedWindow, RequestInput } from '../../../shared/contract/index.ts'

/** What is known of the windows of a cluster when a run is about to begin. */
export type WindowsAtHand =
  | { readonly kind: 'reading' }
  /** Main does not tell; it may refuse. */
  | { readonly kind: 'not-told'; readonly why: string }
  | { readonly kind: 'none'; readonly next: ListedWindow | null }
  | { readonly kind: 'open'; readonly windows: readonly ListedWindow[] }

/** What the operator chose: of several open windows one, and a reason where there is none. */
export interface WindowAnswer {
  readonly windowId: string | null
  readonly reason: string
}

/** What goes with the start of a run: the window it belongs to, or why it belongs to none; or what is still to be said. */
export type WindowChoice =
  | { readonly kind: 'ready'; readonly input: Pick<RequestInput<'run.start'>, 'windowId' | 'outsideWindow'> }
  | { readonly kind: 'unfinished'; readonly why: string }

/** Reads the operator's answer against the windows that are open. */
export function windowChoice(cluster: string, atHand: WindowsAtHand, answer: WindowAnswer): WindowChoice {
  switch (atHand.kind) {
    case 'reading':
      return { kind: 'unfinished', why: `Reading the maintenance windows of ${cluster}.` }
    case 'open': {
      const chosen = chosenWindow(atHand.windows, answer)
      return chosen === null
        ? { kind: 'unfinished', why: 'Choose the maintenance window it belongs to.' }
        : { kind: 'ready', input: { windowId: chosen.window.id } }
    }
    case 'none':
    case 'not-told': {
      const reason = answer.reason.trim()
      return reason === ''
        ? { kind: 'unfinished', why: 'Say why it is started outside any maintenance window.' }
        : { kind: 'ready', input: { outsideWindow: reason } }
    }
  }
}

/** The window a run will belong to: the only one that is open, or the one that was chosen of several. */
export function chosenWindow(windows: readonly ListedWindow[], { windowId }: WindowAnswer): ListedWindow | null {
  const [only, another] = windows
  if (only !== undefined && another === undefined) return only
  return windows.find(({ window }) => window.id === windowId) ?? null
}
