import type { MaintenanceRunControl, MaintenanceRunControlStatus } from '../../../shared/domain/maintenance-run.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Memory } from './cloud-memory.ts'
import { controlStatus } from './control-run.ts'
import type { MaintenanceRunsPort } from './ports/maintenance-runs.ts'
import type { HeldWorkLease } from './work-lease.ts'

/** Answers controls in their statuses. */
export interface ControlAnswers {
  /** Keeps the answer, so that the control is never carried out or judged twice, and writes it. An earlier answer stays. */
  give(
    control: MaintenanceRunControl,
    outcome: MaintenanceRunControlStatus['outcome'],
    why: { readonly message: string },
  ): Promise<void>
  /** Writes a kept answer that could not be written before. */
  giveAgain(control: MaintenanceRunControl): Promise<void>
}

export function createControlAnswers({
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
}): ControlAnswers {
  async function giveAgain(control: MaintenanceRunControl): Promise<void> {
    const kept = memory.controls.get(control.uid)
    if (kept === undefined || kept.isWritten || !lease.isHeld()) return
    const written = await objects.setControlStatus(control, kept.status)
    kept.isWritten = written.ok || written.failure.code === 'not-found'
    if (!written.ok) log.warn('control-status-unwritten', { name: control.name, why: written.failure.message })
  }
  return {
    giveAgain,
    give: async (control, outcome, { message }) => {
      if (!memory.controls.has(control.uid)) {
        memory.controls.set(control.uid, { status: controlStatus(outcome, message, isoNow(clock)), isWritten: false })
        log.info('control-heard', { name: control.name, outcome, message })
      }
      await giveAgain(control)
    },
  }
}
