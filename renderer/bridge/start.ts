import { useConsole } from '../stores/console.ts'
import { routeOf, useRoute } from '../stores/route.ts'
import { startTicking } from '../stores/ticks.ts'
import { followClusters } from './clusters.ts'
import { followEdits } from './instances.ts'
import { followJournal } from './journal.ts'
import { followPreferences } from './preferences.ts'
import { followRuns } from './runs.ts'
import { askMain, onResync } from './transport.ts'
import { followViews } from './views.ts'
import { followWindows } from './windows.ts'

/** Starts everything that fills the stores; returns a stop function. */
export function startBridge(): () => void {
  const stops = [
    followAddress(),
    startTicking(),
    followConsole(),
    followPreferences(),
    followClusters(),
    followViews(),
    followRuns(),
    followEdits(),
    followWindows(),
    followJournal(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Follows the address of the page; returns a stop function. */
function followAddress(): () => void {
  const follow = () => useRoute.setState({ place: routeOf(window.location.hash) })
  follow()
  window.addEventListener('hashchange', follow)
  return () => window.removeEventListener('hashchange', follow)
}

/** Reads what this console is; returns a stop function. */
function followConsole(): () => void {
  void describe()
  return onResync(() => void describe())
}

async function describe(): Promise<void> {
  const answer = await askMain('console.describe', {})
  if (answer.ok) useConsole.setState({ description: answer.value })
}
