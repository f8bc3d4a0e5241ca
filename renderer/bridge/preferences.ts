import type { Preferences } from '../../shared/contract/index.ts'
import { usePreferences } from '../stores/preferences.ts'
import { askMain, listen, onResync } from './transport.ts'

/** Keeps the operator's preferences current; returns a stop function. */
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
  const answer = await askMain('preferences.show', {})
  if (answer.ok) usePreferences.setState({ preferences: answer.value })
}

/** Changes some preferences; all tabs and windows of this console follow. */
export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  const answer = await askMain('preferences.change', change)
  if (answer.ok) usePreferences.setState({ preferences: answer.value })
}
