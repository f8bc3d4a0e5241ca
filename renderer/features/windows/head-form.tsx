import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { zonedText, zonedWall } from '../../../shared/grammar/times.ts'
import { useClusters } from '../../stores/clusters.ts'
import { type HeadDraft, inZone, lengthMs, type Occurrence, startOf, timesOf } from './head-draft.ts'

interface Props {
  readonly draft: HeadDraft
  /** The cluster of a saved window stays. */
  readonly fixedCluster: boolean
  readonly onEdit: (draft: HeadDraft) => void
}

/** The fields of a window: name, ticket, cloud, start and length in a time zone, notes. */
export function HeadForm({ draft, fixedCluster, onEdit }: Props): ReactNode {
  const id = useId()
  const list = useClusters(store => store.list)
  const clusters = list.kind === 'listed' ? [...list.byName.keys()] : []
  const set = (change: Partial<HeadDraft>) => onEdit({ ...draft, ...change })
  return (
    <div className="win-form">
      <FormGroup label="Name" labelFor={`${id}-title`} className="win-wide">
        <InputGroup
          id={`${id}-title`}
          value={draft.title}
          maxLength={200}
          placeholder="Kernel update of the compute nodes"
          onValueChange={title => set({ title })}
        />
      </FormGroup>
      <FormGroup label="Ticket" labelFor={`${id}-ticket`}>
        <InputGroup
          id={`${id}-ticket`}
          value={draft.ticket}
          maxLength={200}
          placeholder="CHG-4711"
          spellCheck={false}
          onValueChange={ticket => set({ ticket })}
        />
      </FormGroup>
      <FormGroup label="Cloud" labelFor={`${id}-cluster`}>
        <HTMLSelect
          id={`${id}-cluster`}
          fill
          disabled={fixedCluster}
          value={draft.cluster}
          options={[
            ...(draft.cluster === '' ? [{ value: '', label: 'Choose…' }] : []),
            ...[...new Set([...clusters, ...(draft.cluster === '' ? [] : [draft.cluster])])].map(name => ({
              value: name,
              label: name,
            })),
          ]}
          onChange={({ currentTarget }) => set({ cluster: currentTarget.value })}
        />
      </FormGroup>
      <StartField draft={draft} onEdit={onEdit} />
      <LengthField draft={draft} onEdit={onEdit} />
      <FormGroup label="Time zone" labelFor={`${id}-zone`} className="win-wide">
        <HTMLSelect
          id={`${id}-zone`}
          fill
          value={draft.timeZone}
          options={[...new Set([draft.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          onChange={({ currentTarget }) => onEdit(inZone(draft, currentTarget.value))}
        />
      </FormGroup>
      <FormGroup label="Notes" labelFor={`${id}-notes`} className="win-whole">
        <TextArea
          id={`${id}-notes`}
          className="win-note-field"
          fill
          autoResize
          value={draft.notes}
          maxLength={20_000}
          placeholder="Who knows, how to undo it"
          onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
        />
      </FormGroup>
    </div>
  )
}

type FieldProps = Pick<Props, 'draft' | 'onEdit'>

/** A date and time on the clocks of the zone; if clocks show it twice, which of the two. */
function StartField({ draft, onEdit }: FieldProps): ReactNode {
  const id = useId()
  const { at, words, isTwice } = startOf(draft)
  // No error before the operator has typed.
  const [isTyped, setTyped] = useState(false)
  const isWrong = isTyped && at === null
  return (
    <FormGroup
      label="Start"
      labelFor={id}
      intent={isWrong ? 'danger' : 'none'}
      helperText={
        <>
          {words === '' ? null : <span className={isTwice ? 'caution' : isWrong ? 'bad' : 'quiet'}>{words} </span>}
          {at === null || draft.timeZone === 'UTC' ? null : (
            <span>{zonedText(at, 'UTC').replace(' +00:00', '')} UTC</span>
          )}
        </>
      }
    >
      <InputGroup
        id={id}
        intent={isWrong ? 'danger' : 'none'}
        aria-invalid={isWrong}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder="2026-11-22 22:00"
        value={draft.startWall}
        onValueChange={startWall => {
          setTyped(true)
          onEdit({ ...draft, startWall })
        }}
      />
      {isTwice ? (
        <HTMLSelect
          aria-label="Start: which of the two"
          value={draft.startOccurrence}
          options={[
            { value: 'first', label: 'the first time' },
            { value: 'second', label: 'the second time' },
          ]}
          onChange={({ currentTarget }) => {
            const startOccurrence: Occurrence = currentTarget.value === 'second' ? 'second' : 'first'
            onEdit({ ...draft, startOccurrence })
          }}
        />
      ) : null}
    </FormGroup>
  )
}

/** How long it is open, and the end that follows. */
function LengthField({ draft, onEdit }: FieldProps): ReactNode {
  const id = useId()
  const times = timesOf(draft)
  const isWrong = draft.length.trim() !== '' && lengthMs(draft.length) === null
  return (
    <FormGroup
      label="Length"
      labelFor={id}
      intent={isWrong ? 'danger' : 'none'}
      helperText={
        isWrong
          ? 'Write it as 4 h or 90 min.'
          : times === null
            ? null
            : `Ends ${zonedWall(times.endsAt, draft.timeZone).slice(5)}`
      }
    >
      <InputGroup
        id={id}
        intent={isWrong ? 'danger' : 'none'}
        aria-invalid={isWrong}
        autoComplete="off"
        list={`${id}-usual`}
        maxLength={40}
        placeholder="4 h"
        value={draft.length}
        onValueChange={length => onEdit({ ...draft, length })}
      />
      <datalist id={`${id}-usual`}>
        {USUAL.map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </FormGroup>
  )
}

const USUAL = ['1 h', '2 h', '3 h', '4 h', '6 h', '8 h']
