import { Button, Callout, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { PruneAnswer } from '../../../shared/contract/reports.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { pruneJournal } from '../../bridge/journal.ts'
import { DayField } from '../../ui/day-field.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'

type Pruning =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'counted'; readonly day: string; readonly answer: PruneAnswer }
  | { readonly kind: 'removed'; readonly answer: PruneAnswer }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Removes old entries: first it shows what would go, then the operator types the day. */
export function JournalRetention({ isReadOnly }: { readonly isReadOnly: boolean }): ReactNode {
  const [day, setDay] = useState('')
  const [typed, setTyped] = useState('')
  const [pruning, setPruning] = useState<Pruning>({ kind: 'idle' })
  const id = useId()
  const prune = async (dryRun: boolean) => {
    setPruning({ kind: 'working' })
    setTyped('')
    const answer = await pruneJournal(new Date(`${day}T00:00:00`).toISOString(), dryRun)
    if (!answer.ok) setPruning({ kind: 'failed', failure: answer.failure })
    else if (dryRun) setPruning({ kind: 'counted', day, answer: answer.value })
    else setPruning({ kind: 'removed', answer: answer.value })
  }
  return (
    <section className="panel" aria-labelledby="jour-keep">
      <h2 id="jour-keep">Retention</h2>
      <p className="quiet">
        Lockkeeper removes nothing automatically. It first writes removed entries to a file beside the journal; their
        hashes stay in the chain, so that a check can tell them from lost ones. Unfinished runs are never removed.
      </p>
      <FormGroup label="Remove what ended before" labelFor={`${id}-day`}>
        <div className="jour-line row">
          <DayField
            id={`${id}-day`}
            day={day}
            disabled={isReadOnly}
            onDay={next => {
              setDay(next)
              setPruning({ kind: 'idle' })
            }}
          />
          <Button
            text="Show what would be removed"
            disabled={isReadOnly || day === '' || day > today()}
            loading={pruning.kind === 'working'}
            onClick={() => void prune(true)}
          />
        </div>
      </FormGroup>
      <div aria-live="polite">
        {pruning.kind === 'counted' ? (
          <Counted
            day={pruning.day}
            answer={pruning.answer}
            typed={typed}
            onTyped={setTyped}
            onRemove={() => void prune(false)}
          />
        ) : null}
        {pruning.kind === 'removed' ? (
          <Callout compact intent="success" title="Removed" className="jour-said">
            {goes(pruning.answer)} removed
            {pruning.answer.archive === null ? '' : `; they are kept in ${pruning.answer.archive}`}.
          </Callout>
        ) : null}
        {pruning.kind === 'failed' ? <FailureCallout title="Nothing was removed" failure={pruning.failure} /> : null}
      </div>
    </section>
  )
}

interface CountedProps {
  readonly day: string
  readonly answer: PruneAnswer
  readonly typed: string
  readonly onTyped: (typed: string) => void
  readonly onRemove: () => void
}

function Counted({ day, answer, typed, onTyped, onRemove }: CountedProps): ReactNode {
  const id = useId()
  if (answer.runs + answer.windows + answer.entries === 0) {
    return (
      <Callout compact className="jour-said">
        Nothing here ended before {day}.
      </Callout>
    )
  }
  return (
    <Callout intent="warning" title={`${goes(answer)} would be removed`} className="jour-said">
      <FormGroup label={`Type ${day} to remove them`} labelFor={id}>
        <div className="jour-line row">
          <InputGroup id={id} value={typed} onValueChange={onTyped} spellCheck={false} autoComplete="off" />
          <Button intent="danger" text="Remove them" disabled={typed !== day} onClick={onRemove} />
        </div>
      </FormGroup>
    </Callout>
  )
}

/** The day in the operator's own calendar. */
function today(): string {
  return dateAndTime(new Date().toISOString(), 'local').slice(0, 10)
}

function goes({ runs, windows, entries }: PruneAnswer): string {
  return listed([counted(runs, 'run'), counted(windows, 'window'), counted(entries, 'entry', 'entries')])
}
