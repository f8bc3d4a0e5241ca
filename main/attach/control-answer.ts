import { seconds } from '../../shared/domain/durations.ts'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'

/** A runner heeds a control at its next look. */
const PATIENCE_MS = seconds(20)
const LOOK_EVERY_MS = 500

/** Waits for what became of a control, and answers the words of the runner: a refusal is a failure in them. `target`: what the control is about. */
export async function controlAnswer(
  name: string,
  target: string,
  { objects, clock }: { readonly objects: Pick<MaintenanceRunsPort, 'objects'>; readonly clock: Clock },
): Promise<Result<string>> {
  const giveUpAt = clock.monotonicMs() + PATIENCE_MS
  let unread: string | null = null
  while (clock.monotonicMs() < giveUpAt) {
    const now = await objects.objects()
    unread = now.ok ? null : now.failure.message
    const status = (now.ok ? now.value.controls.find(each => each.name === name)?.status : null) ?? null
    // Nobody knows whether it was heeded: it is neither told as done nor as refused.
    if (status !== null && 'unreadable' in status) {
      const why = `It was asked (MaintenanceRunControl ${name}), and what came of it cannot be read here: ${status.unreadable}. \`kubectl get maintenanceruncontrols -A -o yaml\` shows what the runner said, and a console of its version reads it.`
      return failed(failure('unreadable', why, { target }))
    }
    if (status?.outcome === 'Accepted') return ok(status.message)
    if (status?.outcome === 'Refused') return failed(failure('conflict', status.message, { target }))
    await clock.sleep(LOOK_EVERY_MS)
  }
  if (unread !== null) {
    const why = `It was asked (MaintenanceRunControl ${name}), and what the runner said could not be read: ${unread} \`kubectl get maintenanceruncontrols -A -o yaml\` shows it to whoever may read it.`
    return failed(failure('timed-out', why, { target }))
  }
  const why = `It was asked (MaintenanceRunControl ${name}), and the runner has not answered within ${PATIENCE_MS / 1000} s. It is heeded as soon as the runner looks; \`kubectl get maintenanceruncontrols -A\` shows what became of it.`
  return failed(failure('timed-out', why, { target }))
}
