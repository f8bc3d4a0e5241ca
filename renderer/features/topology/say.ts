import { create } from 'zustand'

interface SayingStore {
  readonly words: string
}

/** What was last said; drawn at the foot of the map until something else is, or some seconds have passed. */
export const useSaying = create<SayingStore>()(() => ({ words: '' }))

const KEPT_MS = 8000
let timer: number | null = null

/** Says something that needs no decision. */
export function say(words: string): void {
  if (timer !== null) window.clearTimeout(timer)
  useSaying.setState({ words })
  timer = window.setTimeout(() => useSaying.setState({ words: '' }), KEPT_MS)
}
