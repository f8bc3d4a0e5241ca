import {
  AnchorButton,
  Button,
  Callout,
  Dialog,
  DialogBody,
  DialogFooter,
  type Intent,
  TextArea,
} from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Envelope, ListedWindow } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { agreedStartWords, CONSOLE_HAS_TO_BE_OPEN } from '../../../shared/words/agreed-starts.ts'
import { timeLeft } from '../../../shared/words/windows.ts'
import { cancelWindow, changeWindow, closeWindow, takeBackStart } from '../../bridge/windows.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { isFinished } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { statusAt } from '../../stores/windows.ts'
import { ClusterName } from '../../ui/clusters/cluster-name.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { Said } from '../../ui/said.tsx'
import { When } from '../../ui/when.tsx'
import { CalendarFile } from './calendar-file.tsx'
import { headDraftOf, readHead } from './head-draft.ts'
import { HeadForm } from './head-form.tsx'
import { Problems } from './problems.tsx'
import { WindowStatusTag } from './window-status-tag.tsx'
import { WindowTimes } from './window-times.tsx'

interface Props {
  readonly listed: ListedWindow
  /** What it will do, or did, in one line; null while a run of it says more. */
  readonly verdict: ReactNode
  /** Null if there is nothing to start: no plan, or not open. */
  readonly onPlan: ((start: 'now' | 'at-its-beginning') => void) | null
  /** Why the plan cannot be made now; null if it can. */
  readonly whyNoPlan: string | null
}

type Open = 'change' | 'close' | 'cancel' | 'take-back' | null

/** The details of a window, its status and its actions. */
export function WindowHead({ listed, verdict, onPlan, whyNoPlan }: Props): ReactNode {
  const { window, runs } = listed
  const [open, setOpen] = useState<Open>(null)
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const left = useTicks(store => timeLeft(window, status, store.nowMs))
  const isEnded = status === 'closed' || status === 'cancelled'
  const waits = !isEnded && window.start?.state.kind === 'waits'
  const isWorking = runs.some(run => !isFinished(run))
  return (
    <header className="win-page-head">
      <div className="win-title row wrap">
        <h1>{window.title}</h1>
        <WindowStatusTag status={status} />
        {left === '' ? null : <b className={status === 'overrunning' || status === 'over' ? 'bad' : ''}>{left}</b>}
      </div>
      <Facts window={window} />
      {verdict === null ? null : (
        <p className="win-verdict-line" role="status">
          {verdict}
        </p>
      )}
      {isEnded ? null : <Starting window={window} hasRuns={runs.length > 0} />}
      {window.notes === '' ? null : <p className="win-notes">{window.notes}</p>}
      <Ending window={window} />
      <div className="row wrap buttons">
        {onPlan === null || waits ? null : (
          <Button
            size="small"
            intent="primary"
            text={status === 'planned' ? 'Start automatically…' : 'See the plan and start…'}
            disabled={whyNoPlan !== null}
            title={whyNoPlan ?? undefined}
            onClick={() => onPlan(status === 'planned' ? 'at-its-beginning' : 'now')}
          />
        )}
        {waits ? <Button size="small" text="Cancel the automatic start…" onClick={() => setOpen('take-back')} /> : null}
        {isEnded || window.plan.kind !== 'open' ? null : (
          <AnchorButton
            size="small"
            text="Start runs from the map"
            href={hashOf(clusterRoute(window.cluster, 'topology'))}
          />
        )}
        {isEnded ? null : <Button size="small" text="Change…" onClick={() => setOpen('change')} />}
        <CalendarFile name={`window-${window.id}`} windows={[listed]} />
        <ExportReport subject={{ kind: 'window', id: window.id }} />
        <span className="space" />
        {isEnded || status === 'planned' ? null : (
          <Button
            size="small"
            text="Close the window…"
            disabled={isWorking}
            title={isWorking ? 'A run of it is running.' : undefined}
            onClick={() => setOpen('close')}
          />
        )}
        {isEnded || runs.length > 0 ? null : (
          <Button size="small" variant="minimal" text="Cancel the window…" onClick={() => setOpen('cancel')} />
        )}
      </div>
      {whyNoPlan === null || onPlan === null ? null : <p className="quiet">{whyNoPlan}</p>}
      <OpenDialog window={window} open={open} onClose={() => setOpen(null)} />
    </header>
  )
}

function Facts({ window }: { readonly window: MaintenanceWindow }): ReactNode {
  return (
    <p className="win-facts">
      <a href={hashOf(clusterRoute(window.cluster, 'topology'))}>
        <ClusterName name={window.cluster} />
      </a>
      <WindowTimes window={window} />
      {window.ticket === '' ? null : <span>{window.ticket}</span>}
      <span className="quiet" title={window.createdAt}>
        planned by {window.operator}
      </span>
    </p>
  )
}

/** The operator who closed or cancelled the window, with the words for that. */
function Ending({ window }: { readonly window: MaintenanceWindow }): ReactNode {
  return (
    <>
      {window.closed === null ? null : (
        <p>
          Closed by {window.closed.by}, <When at={window.closed.at} />
          {window.closed.summary === '' ? '.' : `: ${window.closed.summary}`}
        </p>
      )}
      {window.cancelled === null ? null : (
        <p>
          Cancelled by {window.cancelled.by}, <When at={window.cancelled.at} />: {window.cancelled.why}
        </p>
      )}
    </>
  )
}

interface OpenDialogProps {
  readonly window: MaintenanceWindow
  readonly open: Open
  readonly onClose: () => void
}

/** The dialog of the chosen action; none is open at first. */
function OpenDialog({ window, open, onClose }: OpenDialogProps): ReactNode {
  return (
    <>
      {open === 'change' ? <HeadDialog window={window} onClose={onClose} /> : null}
      {open === 'close' ? (
        <WordsDialog
          title={`Close ${window.title}`}
          label="Summary, shown first in the report"
          confirm="Close the window"
          intent="primary"
          failureTitle="The window was not closed"
          mayBeEmpty
          onConfirm={words => closeWindow(window.id, words)}
          onClose={onClose}
        >
          <p>No run can start in it afterwards. You can still add notes.</p>
        </WordsDialog>
      ) : null}
      {open === 'take-back' ? (
        <WordsDialog
          title={`Cancel the automatic start of ${window.title}`}
          label="Why, kept with the window"
          confirm="Cancel the start"
          intent="primary"
          failureTitle="The start was not cancelled"
          mayBeEmpty={false}
          onConfirm={words => takeBackStart(window.id, words)}
          onClose={onClose}
        >
          <p>The window stays as it is. Start it yourself then, or agree to its start again.</p>
        </WordsDialog>
      ) : null}
      {open === 'cancel' ? (
        <WordsDialog
          title={`Cancel ${window.title}`}
          label="Why, kept in the journal"
          confirm="Cancel the window"
          intent="danger"
          failureTitle="The window was not cancelled"
          mayBeEmpty={false}
          onConfirm={words => cancelWindow(window.id, words)}
          onClose={onClose}
        >
          <p>The window stays in the list as cancelled; you cannot open it again.</p>
        </WordsDialog>
      ) : null}
    </>
  )
}

/** Whether the window starts automatically and under which conditions, or why it did not. */
function Starting({ window, hasRuns }: { readonly window: MaintenanceWindow; readonly hasRuns: boolean }): ReactNode {
  const words = agreedStartWords(window)
  const kind = window.start?.state.kind
  if (words === null || (kind === 'missed' && hasRuns)) return null
  return (
    <Callout compact intent={kind === 'missed' ? 'danger' : kind === 'waits' ? 'primary' : 'none'} role="status">
      <b>{words}</b> {kind === 'waits' ? <Said text={CONSOLE_HAS_TO_BE_OPEN} /> : null}
    </Callout>
  )
}

interface HeadDialogProps {
  /** The window when the dialog opened: a later change by another operator is not overwritten. */
  readonly window: MaintenanceWindow
  readonly onClose: () => void
}

/** Changes the fields of a window; its plan stays. */
function HeadDialog({ window, onClose }: HeadDialogProps): ReactNode {
  const [base] = useState(window)
  const [draft, setDraft] = useState(() => headDraftOf(window))
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const reading = readHead(draft)
  const save = async () => {
    if (reading.kind !== 'ready') return
    setAsking(true)
    const answer = await changeWindow({
      id: base.id,
      revision: base.revision,
      draft: { ...reading.head, plan: base.plan },
    })
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="win-head-dialog"
      onClose={onClose}
      canOutsideClickClose={false}
      title={`Change ${base.title}`}
    >
      <DialogBody>
        <HeadForm draft={draft} fixedCluster onEdit={setDraft} />
        <Problems readings={[reading]} />
        {failure === null ? null : <FailureCallout title="The window was not changed" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text="Save"
              disabled={reading.kind !== 'ready'}
              loading={asking}
              onClick={() => void save()}
            />
          </>
        }
      />
    </Dialog>
  )
}

interface WordsDialogProps {
  readonly title: string
  readonly label: string
  readonly confirm: string
  readonly intent: Intent
  readonly failureTitle: string
  /** Whether the text may be empty. */
  readonly mayBeEmpty: boolean
  readonly onConfirm: (words: string) => Promise<Envelope<unknown>>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for a text that the journal keeps, and acts with it. */
function WordsDialog(props: WordsDialogProps): ReactNode {
  const { title, label, confirm, intent, failureTitle, mayBeEmpty, onConfirm, onClose, children } = props
  const id = useId()
  const [words, setWords] = useState('')
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const act = async () => {
    setAsking(true)
    const answer = await onConfirm(words.trim())
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} onOpened={() => field.current?.focus()} canOutsideClickClose={false} title={title}>
      <DialogBody>
        {children}
        <label className="block" htmlFor={id}>
          <span>{label}</span>
          <TextArea
            id={id}
            inputRef={field}
            fill
            autoResize
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
        {failure === null ? null : <FailureCallout title={failureTitle} failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Back" onClick={onClose} />
            <Button
              intent={intent}
              text={confirm}
              disabled={!mayBeEmpty && words.trim() === ''}
              loading={asking}
              onClick={() => void act()}
            />
          </>
        }
      />
    </Dialog>
  )
}
