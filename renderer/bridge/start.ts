import { startTicking } from '../stores/ticks.ts'
import { followAddress } from './address.ts'
import { followClusters } from './clusters.ts'
import { followConsole } from './console.ts'
import { followEdits } from './instances.ts'
import { followJournal } from './journal.ts'
import { followPreferences } from './preferences.ts'
import { followQueues } from './queue.ts'
import { followRuns } from './runs.ts'
import { followViews } from './views.ts'
import { followWindows } from './windows.ts'

/** Starts everything that feeds the stores; answers how to stop it all. */
export function startBridge(): () => void {
  const stops = [
    followAddress(),
    startTicking(),
    followConsole(),
    followPreferences(),
    followClusters(),
    followViews(),
    followRuns(),
    followQueues(),
    followEdits(),
    followWindows(),
    followJournal(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
