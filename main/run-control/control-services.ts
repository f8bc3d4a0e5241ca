import type { Emit } from '../../shared/contract/index.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { OtherDrivers } from '../ports/other-drivers.ts'
import type { WindowServices } from '../windows/window-services.ts'

/** What the rules about runs work with; each file takes only what it needs. */
export interface ControlServices extends WindowServices {
  readonly commands: CommandPort
  readonly others: OtherDrivers
  readonly emit: Emit
}
