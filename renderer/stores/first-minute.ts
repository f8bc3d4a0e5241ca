import { create } from 'zustand'
import type { RunSummary } from '../../shared/contract/index.ts'

const SEEN = 'lockkeeper-first-minute'

interface FirstMinuteStore {
  /** The operator followed or dismissed it on this machine; it does not appear again. */
  readonly seen: boolean
  /** The node it points at, as `cluster/node`; null if there is none. */
  readonly pointedAt: string | null
}

/** The one hint of the demo for a new operator. */
export const useFirstMinute = create<FirstMinuteStore>()(() => ({ seen: wasSeen(), pointedAt: null }))

/** Whether a run was started from this machine; the demo's own history names another one. */
export function hasTried(runs: readonly Pick<RunSummary, 'machine'>[], machine: string): boolean {
  return runs.some(run => run.machine === machine)
}

export function endFirstMinute(): void {
  useFirstMinute.setState({ seen: true, pointedAt: null })
  try {
    globalThis.localStorage?.setItem(SEEN, 'yes')
  } catch {
    // A browser that keeps nothing shows it again next time.
  }
}

function wasSeen(): boolean {
  try {
    return globalThis.localStorage?.getItem(SEEN) === 'yes'
  } catch {
    return false
  }
}
