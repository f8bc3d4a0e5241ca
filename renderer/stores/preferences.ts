import { create } from 'zustand'
import { DEFAULT_PREFERENCES, type Preferences } from '../../shared/contract/console.ts'

interface PreferenceStore {
  readonly preferences: Preferences
}

/** How the console looks for this operator; main keeps it. */
export const usePreferences = create<PreferenceStore>()(() => ({ preferences: DEFAULT_PREFERENCES }))
