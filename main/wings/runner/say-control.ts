import type { MaintenanceRunControl, MaintenanceRunControlStatus } from '../../../shared/domain/maintenance-run.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Memory } from './cloud-memory.ts'
import { controlStatus } from './control-run.ts'
import type { MaintenanceRunsPort } from './ports/maintenance-runs.ts'
import type { HeldWorkLease } from './work-lease.ts'

/** What a control came to: a code with values, or the failure of what it asked for. Its object has a place for the text. */
type Why = { readonly message: string }

/** Says what became of controls, in their statuses. */
export interface ControlSayer {
  /** What became of one: kept, so that it is never obeyed or judged again for want of being said, and said. What was kept of it before stands. */
  say(control: MaintenanceRunControl, outcome: MaintenanceRunControlStatus['outcome'], why: Why): Promise<void>
  /** Says again what was kept, where it could not be said yet. */
  sayAgain(control: MaintenanceRunControl): Promise<void>
}

export function createControlSayer({
  objects,
  lease,
  memory,
  clock,
  log,
}: {
  readonly objects: Pick<MaintenanceRunsPort, 'setControlStatus'>
  readonly lease: Pick<HeldWorkLease, 'isHeld'>
  readonly memory: Pick<Memory, 'controls'>
  readonly clock: Clock
  readonly log: Logger
}): ControlSayer {
  async function sayAgain(control: MaintenanceRunControl): Promise<void> {
    const kept = memory.controls.get(control.uid)
    if (kept === undefined || kept.isWritten || !lease.isHeld()) return
    const written = await objects.setControlStatus(control, kept.status)
    kept.isWritten = written.ok || written.failure.code === 'not-found'
    if (!written.ok) log.warn('control-status-unwritten', { name: control.name, why: written.failure.message })
  }
  return {
    sayAgain,
    say: async (control, outcome, { message }) => {
      if (!memory.controls.has(control.uid)) {
        memory.controls.set(control.uid, { status: controlStatus(outcome, message, isoNow(clock)), isWritten: false })
        log.info('control-heard', { name: control.name, outcome, message })
      }
      await sayAgain(control)
    },
  }
}
