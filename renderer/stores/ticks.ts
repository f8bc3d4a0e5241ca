import { create } from 'zustand'

interface TickStore {
  /** The present, to the second; ages and durations are drawn from it. */
  readonly nowMs: number
}

/** One clock for the whole page, so that everything ticks together. */
export const useTicks = create<TickStore>()(() => ({ nowMs: Date.now() }))

/** Starts the clock; returns a stop function. */
export function startTicking(): () => void {
  const timer = window.setInterval(() => useTicks.setState({ nowMs: Date.now() }), 1000)
  return () => window.clearInterval(timer)
}
