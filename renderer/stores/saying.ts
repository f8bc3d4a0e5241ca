import { create } from 'zustand'

/** Something that was said and needs no decision. */
export interface Saying {
  readonly id: number
  readonly at: string
  readonly tone: 'plain' | 'good' | 'caution'
  readonly text: string
  readonly action: { readonly text: string; readonly run: () => void } | null
}

interface SayingStore {
  /** Newest last; the list of what was said. */
  readonly said: readonly Saying[]
  /** Those still on screen. */
  readonly shown: readonly number[]
}

const KEPT = 50
const SHOWN = 3

export const useSayings = create<SayingStore>()(() => ({ said: [], shown: [] }))

let ids = 0

/** Says something that needs no decision; it goes by itself, and stays in the list of what was said. Answers its id. */
export function tell(saying: {
  readonly text: string
  readonly tone?: Saying['tone']
  readonly action?: Saying['action']
}): number {
  ids += 1
  const id = ids
  const entry: Saying = {
    id,
    at: new Date().toISOString(),
    tone: saying.tone ?? 'plain',
    text: saying.text,
    action: saying.action ?? null,
  }
  useSayings.setState(({ said, shown }) => ({
    said: [...said, entry].slice(-KEPT),
    shown: [...shown, id].slice(-SHOWN),
  }))
  return id
}

/** Takes one off the screen; it stays in the list. */
export function hush(id: number): void {
  useSayings.setState(({ shown }) => ({ shown: shown.filter(other => other !== id) }))
}
