import type { Slots } from '../../ui/slots.ts'

/** The settings of a cluster about webhooks, alerts and health gates. */
export const loadSignalSettings: Slots['loadSignalSettings'] = async () =>
  (await import('./signal-settings.tsx')).SignalSettings
