import type { ConsoleCommand } from '../../../renderer/stores/commands.ts'
import type { Slots } from '../../../renderer/ui/slots.ts'

export const demoCommands: readonly ConsoleCommand[] = []
export const DemoMenu: Slots['DemoMenu'] = null
