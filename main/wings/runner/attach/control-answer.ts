import { seconds } from '../../../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'

/** How long to wait: a runner follows a control at its next check. */
const PATIENCE_MS = seconds(20)
const LOOK_EVERY_MS = 500

/** Waits for the result of a control, and returns the text of the runner; a refusal is a failure with that text. `target`: the subject of the control. */
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
    // Unknown whether the runner followed it: reports neither success nor refusal.
    if (status !== null && 'unreadable' in status) {
      const why = because('ControlUnreadable', { control: name, cause: status.unreadable })
      return failed(refusal('unreadable', why, { target }))
    }
    if (status?.outcome === 'Accepted') return ok(status.message)
    if (status?.outcome === 'Refused')
      return failed(
        refusal('conflict', because('RunnerRefusedControl', { control: name, said: status.message }), { target }),
      )
    await clock.sleep(LOOK_EVERY_MS)
  }
  const why =
    unread === null
      ? because('ControlNotAnswered', { control: name, withinMs: PATIENCE_MS })
      : because('ControlUnread', { control: name, cause: unread })
  return failed(refusal('timed-out', why, { target }))
}
