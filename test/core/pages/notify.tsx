import type { Slots } from '../../../renderer/ui/slots.ts'

export const loadSignalSettings: Slots['loadSignalSettings'] = null
