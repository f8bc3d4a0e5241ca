import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { changeWindow } from '../../bridge/windows.ts'
import type { Span } from '../../geometry/week-calendar.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { WindowTimes } from './window-times.tsx'

interface Props {
  /** The window when the drag began: a later change by another operator is not overwritten. */
  readonly listed: ListedWindow
  readonly span: Span
  readonly windows: readonly ListedWindow[]
  readonly onClose: () => void
}

/**
 * Old and new times of a dragged window, and its overlaps. No button has the focus: the release of the key that opened the dialog
 * would press it.
 */
export function MoveWindowDialog({ listed: { window: base }, span, windows, onClose }: Props): ReactNode {
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const hasBegun = useTicks(({ nowMs }) => span.fromMs <= nowMs)
  const isPast = useTicks(({ nowMs }) => span.toMs <= nowMs)
  const { id, revision, cluster, title, ticket, timeZone, plan, notes } = base
  const startsAt = new Date(span.fromMs).toISOString()
  const endsAt = new Date(span.toMs).toISOString()
  const others = windows.filter(
    ({ window: other }) =>
      other.id !== id &&
      other.cluster === cluster &&
      other.cancelled === null &&
      Date.parse(other.startsAt) < span.toMs &&
      Date.parse(other.endsAt) > span.fromMs,
  )
  const save = async () => {
    setAsking(true)
    const draft = { cluster, title, ticket, startsAt, endsAt, timeZone, plan, notes }
    const answer = await changeWindow({ id, revision, draft })
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Change the time of ${title}?`}>
      <DialogBody>
        <dl className="facts cal-times">
          <div>
            <dt>Old</dt>
            <dd>
              <WindowTimes window={base} />
            </dd>
          </div>
          <div>
            <dt>New</dt>
            <dd>
              <WindowTimes window={{ startsAt, endsAt, timeZone }} />
            </dd>
          </div>
        </dl>
        {others.length === 0 ? null : (
          <p className="caution">
            {cluster} has {others.map(({ window: other }) => other.title).join(', ')} at that time too.
          </p>
        )}
        {isPast ? (
          <p className="bad">It would have ended already.</p>
        ) : hasBegun ? (
          <p className="caution">It would open immediately.</p>
        ) : null}
        {failure === null ? null : <FailureCallout title="The time was not changed" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Keep the old time" onClick={onClose} />
            <Button
              intent="primary"
              text="Change the time"
              disabled={isPast}
              loading={asking}
              onClick={() => void save()}
            />
          </>
        }
      />
    </Dialog>
  )
}
