import { Button, Dialog, DialogBody, DialogFooter, type Intent, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

interface Props {
  readonly title: string
  readonly label: string
  readonly confirm: string
  readonly intent: Intent
  readonly failureTitle: string
  /** Whether nothing may be said. */
  readonly mayBeEmpty: boolean
  readonly onConfirm: (words: string) => Promise<Envelope<unknown>>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for a few words that are kept in the journal, and does something with them. */
export function WordsDialog(props: Props): ReactNode {
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
