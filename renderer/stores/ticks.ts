import { create } from 'zustand'

interface TickStore {
  /** The present, to the second: ages and running times are drawn from it. */
  readonly nowMs: number
}

/** One clock for all that is drawn, so that a screen ticks as one. */
export const useTicks = create<TickStore>()(() => ({ nowMs: Date.now() }))

/** Lets the clock tick; answers how to stop it. */
export function startTicking(): () => void {
  const timer = window.setInterval(() => useTicks.setState({ nowMs: Date.now() }), 1000)
  return () => window.clearInterval(timer)
}
