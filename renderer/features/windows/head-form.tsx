import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { zonedText } from '../../../shared/grammar/times.ts'
import { useClusters } from '../../stores/clusters.ts'
import { type HeadDraft, inZone, type Occurrence, timeOf } from './head-draft.ts'

interface Props {
  readonly draft: HeadDraft
  /** The cluster of a saved window stays. */
  readonly fixedCluster: boolean
  readonly onEdit: (draft: HeadDraft) => void
}

/** The fields of a window: cluster, title, ticket, beginning and end in a time zone, notes. */
export function HeadForm({ draft, fixedCluster, onEdit }: Props): ReactNode {
  const id = useId()
  const list = useClusters(store => store.list)
  const clusters = list.kind === 'listed' ? [...list.byName.keys()] : []
  const set = (change: Partial<HeadDraft>) => onEdit({ ...draft, ...change })
  return (
    <div className="win-form">
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
      <FormGroup label="Title" labelFor={`${id}-title`} className="win-wide">
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
      <TimeField label="Begins" which="start" draft={draft} onEdit={onEdit} />
      <TimeField label="Ends" which="end" draft={draft} onEdit={onEdit} />
      <FormGroup label="Time zone" labelFor={`${id}-zone`} helperText={<Length draft={draft} />}>
        <HTMLSelect
          id={`${id}-zone`}
          fill
          value={draft.timeZone}
          options={[...new Set([draft.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          onChange={({ currentTarget }) => onEdit(inZone(draft, currentTarget.value))}
        />
      </FormGroup>
      <FormGroup label="Notes" labelFor={`${id}-notes`} className="win-full">
        <TextArea
          id={`${id}-notes`}
          fill
          autoResize
          value={draft.notes}
          maxLength={20_000}
          placeholder="Who knows about it, what to check, how to go back"
          onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
        />
      </FormGroup>
    </div>
  )
}

interface TimeProps {
  readonly label: string
  readonly which: 'start' | 'end'
  readonly draft: HeadDraft
  readonly onEdit: (draft: HeadDraft) => void
}

/** A date and time on the clocks of the zone, with UTC below; if clocks show it twice, which of the two. */
function TimeField({ label, which, draft, onEdit }: TimeProps): ReactNode {
  const id = useId()
  const { at, words, isTwice } = timeOf(draft, which)
  const isStart = which === 'start'
  // No error before the operator has typed.
  const [isTyped, setTyped] = useState(false)
  const isWrong = isTyped && at === null
  const occurrence = isStart ? draft.startOccurrence : draft.endOccurrence
  return (
    <FormGroup
      label={label}
      labelFor={id}
      intent={isWrong ? 'danger' : 'none'}
      helperText={
        <>
          {words === '' ? null : <span className={isTwice ? 'caution' : isWrong ? 'bad' : 'quiet'}>{words} </span>}
          {at === null ? null : <span>{zonedText(at, 'UTC').replace(' +00:00', '')} UTC</span>}
        </>
      }
    >
      <InputGroup
        id={id}
        className="mono"
        intent={isWrong ? 'danger' : 'none'}
        aria-invalid={isWrong}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder="2026-11-22 22:00"
        value={isStart ? draft.startWall : draft.endWall}
        onValueChange={value => {
          setTyped(true)
          onEdit({ ...draft, ...(isStart ? { startWall: value } : { endWall: value }) })
        }}
      />
      {isTwice ? (
        <HTMLSelect
          aria-label={`${label}: which of the two`}
          value={occurrence}
          options={[
            { value: 'first', label: 'the first time' },
            { value: 'second', label: 'the second time' },
          ]}
          onChange={({ currentTarget }) => {
            const chosen: Occurrence = currentTarget.value === 'second' ? 'second' : 'first'
            onEdit({ ...draft, ...(isStart ? { startOccurrence: chosen } : { endOccurrence: chosen }) })
          }}
        />
      ) : null}
    </FormGroup>
  )
}

function Length({ draft }: { readonly draft: HeadDraft }): ReactNode {
  const [start, end] = [timeOf(draft, 'start').at, timeOf(draft, 'end').at]
  if (start === null || end === null) return null
  const ms = Date.parse(end) - Date.parse(start)
  return ms > 0 ? `${durationWords(ms)} long` : <span className="bad">It ends before it begins.</span>
}
