import { create } from 'zustand'
import type { RunSummary } from '../../shared/contract/index.ts'

const SEEN = 'lockkeeper-first-minute'

interface FirstMinuteStore {
  /** It was followed or put away on this machine: it is never shown twice. */
  readonly seen: boolean
  /** The node that is pointed at, as `cluster/node`; null: none. */
  readonly pointedAt: string | null
}

/** The one hint that whoever opens the demo for the first time gets. */
export const useFirstMinute = create<FirstMinuteStore>()(() => ({ seen: wasSeen(), pointedAt: null }))

/** Whether anybody began a run from this machine: what the demo has behind it was begun elsewhere. */
export function hasTried(runs: readonly Pick<RunSummary, 'machine'>[], machine: string): boolean {
  return runs.some(run => run.machine === machine)
}

/** Puts the hint away for good. */
export function endFirstMinute(): void {
  useFirstMinute.setState({ seen: true, pointedAt: null })
  try {
    globalThis.localStorage?.setItem(SEEN, 'yes')
  } catch {
    // A browser that keeps nothing shows it again the next time.
  }
}

function wasSeen(): boolean {
  try {
    return globalThis.localStorage?.getItem(SEEN) === 'yes'
  } catch {
    return false
  }
}
