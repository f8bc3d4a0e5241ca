import type { Preferences } from '../../shared/contract/index.ts'
import { usePreferences } from '../stores/preferences.ts'
import { ask, listen, onResync } from './transport.ts'

/** Follows what main keeps of the operator's wishes; answers how to stop. */
export function followPreferences(): () => void {
  void readPreferences()
  const stops = [
    listen('preferences.changed', preferences => usePreferences.setState({ preferences })),
    onResync(() => void readPreferences()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function readPreferences(): Promise<void> {
  const answer = await ask('preferences.show', {})
  if (answer.ok) usePreferences.setState({ preferences: answer.value })
}

/** Changes some of them; every tab and window of this console follows. */
export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  const answer = await ask('preferences.change', change)
  if (answer.ok) usePreferences.setState({ preferences: answer.value })
}
