import { SIGNAL_SETTINGS_REASONS } from './reasons/signal-settings.ts'
import { SIGNALS_REASONS } from './reasons/signals.ts'

/** The texts of refusals and reports of this wing, by code. */
export const reasonsOfSignals = { ...SIGNAL_SETTINGS_REASONS, ...SIGNALS_REASONS }
