import {
  Button,
  Callout,
  Dialog,
  DialogBody,
  DialogFooter,
  HTMLSelect,
  Radio,
  RadioGroup,
  Switch,
} from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { ReportFile } from '../../../shared/contract/reports.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { CsvTable, ReportFormat, type ReportSubject } from '../../../shared/domain/report.ts'
import { bytes as byteWords } from '../../../shared/grammar/bytes.ts'
import { CSV_TABLE_WORDS, REPORT_FORMAT_WORDS } from '../../../shared/words/reports.ts'
import { makeReport } from '../../bridge/reports.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { saveFile } from '../save-file.ts'
import './reports.css'

interface Props {
  readonly subject: ReportSubject
  readonly isOpen: boolean
  readonly onClose: () => void
}

type Making =
  | { readonly kind: 'idle' }
  | { readonly kind: 'making' }
  | { readonly kind: 'saved'; readonly file: ReportFile; readonly bytes: number }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Asks in which form, makes the report, hands it over, and says by which hash it can be held against the journal. */
export function ExportDialog({ subject, isOpen, onClose }: Props): ReactNode {
  const [format, setFormat] = useState<ReportFormat>('html')
  const [table, setTable] = useState<CsvTable>('instances')
  const [redact, setRedact] = useState(false)
  const [making, setMaking] = useState<Making>({ kind: 'idle' })
  const tableId = useId()
  const what = subject.kind === 'run' ? 'run' : 'window'
  const make = async () => {
    setMaking({ kind: 'making' })
    const answer = await makeReport({ subject, format, table, redact })
    if (!answer.ok) {
      setMaking({ kind: 'failed', failure: answer.failure })
      return
    }
    const bytes = bytesOf(answer.value)
    saveFile(answer.value.name, answer.value.mediaType, bytes)
    setMaking({ kind: 'saved', file: answer.value, bytes: bytes.byteLength })
  }
  const change = (apply: () => void) => {
    apply()
    setMaking({ kind: 'idle' })
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Report of this ${what}`}>
      <DialogBody>
        <RadioGroup
          label="As"
          selectedValue={format}
          onChange={({ currentTarget }) => change(() => setFormat(ReportFormat.parse(currentTarget.value)))}
        >
          {ReportFormat.options.map(value => (
            <Radio key={value} value={value} className="rep-format">
              <span className="rep-format-words">
                <b>{REPORT_FORMAT_WORDS[value].title}</b>
                <span className="quiet">{REPORT_FORMAT_WORDS[value].use}</span>
              </span>
            </Radio>
          ))}
        </RadioGroup>
        {format === 'csv' ? (
          <label className="rep-table row" htmlFor={tableId}>
            Table
            <HTMLSelect
              id={tableId}
              value={table}
              onChange={({ currentTarget }) => change(() => setTable(CsvTable.parse(currentTarget.value)))}
            >
              {CsvTable.options.map(value => (
                <option key={value} value={value}>
                  {CSV_TABLE_WORDS[value]}
                </option>
              ))}
            </HTMLSelect>
          </label>
        ) : null}
        <Switch
          label="Replace the names of instances and projects"
          checked={redact}
          onChange={({ currentTarget }) => change(() => setRedact(currentTarget.checked))}
        />
        <p className="quiet rep-note">{noteOn(format, redact)}</p>
        <div aria-live="polite">{madeWords(making, what)}</div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={making.kind === 'saved' ? 'Close' : 'Cancel'} onClick={onClose} />
            <Button
              intent="primary"
              text={`Save ${REPORT_FORMAT_WORDS[format].title}`}
              loading={making.kind === 'making'}
              onClick={() => void make()}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** What is in it, and whether it can be checked later. */
function noteOn(format: ReportFormat, redact: boolean): string {
  const checkable = format === 'html' || format === 'json'
  if (redact) {
    return `For people outside: the journal entries it was made from are left out. ${
      checkable ? 'Its chain of hashes can be checked later, its figures cannot.' : ''
    }`
  }
  return `It names instances and projects; passwords and keys are never in it. ${
    checkable
      ? 'It carries the journal entries it was made from, so that "Check a report" in the history can make it again from them.'
      : 'Only HTML and JSON can be checked later.'
  }`
}

function madeWords(making: Making, what: string): ReactNode {
  switch (making.kind) {
    case 'idle':
      return null
    case 'making':
      return <p>Making the report of the {what} from the journal.</p>
    case 'failed':
      return <FailureCallout title="No report was made" failure={making.failure} />
    case 'saved':
      return (
        <Callout intent="success" title={`${making.file.name}, ${byteWords(making.bytes)}`}>
          <p>Saved. The hash of the journal entries that it was made from:</p>
          <code className="rep-hash">{making.file.hash}</code>
          <p className="quiet">
            Write it down elsewhere, for example in the ticket. Then nobody can exchange the report unnoticed.
          </p>
        </Callout>
      )
  }
}

/** A report as it will lie on the disk. */
function bytesOf({ encoding, content }: Pick<ReportFile, 'encoding' | 'content'>): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf8') return new TextEncoder().encode(content)
  return Uint8Array.from(atob(content), letter => letter.charCodeAt(0))
}
