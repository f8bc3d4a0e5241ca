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
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { ReportFile } from '../../../shared/contract/reports.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { CsvTable, ReportFormat, type ReportSubject } from '../../../shared/domain/report.ts'
import { ok } from '../../../shared/domain/result.ts'
import { bytes as byteWords } from '../../../shared/grammar/bytes.ts'
import { CSV_TABLE_WORDS, REPORT_FORMAT_WORDS } from '../../../shared/words/reports.ts'
import { makeReport } from '../../bridge/reports.ts'
import { hasTabs, openReport } from '../../bridge/transport.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { saveFile } from '../save-file.ts'
import { ReportPreview } from './report-preview.tsx'
import './reports.css'

interface Props {
  readonly subject: ReportSubject
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A finished report in the chosen format; a PDF is previewed as the page it is printed from. */
type Making =
  | { readonly kind: 'making' }
  | { readonly kind: 'made' | 'saving'; readonly shown: ReportFile }
  | { readonly kind: 'saved'; readonly shown: ReportFile; readonly file: ReportFile; readonly bytes: number }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Asks for the format, shows the report, saves what it shows, and says which hash proves it against the journal. */
export function ExportDialog({ subject, isOpen, onClose }: Props): ReactNode {
  const [format, setFormat] = useState<ReportFormat>('html')
  const [table, setTable] = useState<CsvTable>('instances')
  const [redact, setRedact] = useState(false)
  const [making, setMaking] = useState<Making>({ kind: 'making' })
  const [attempt, setAttempt] = useState(1)
  const what = subject.kind === 'run' ? 'run' : 'window'
  const { kind, id } = subject
  const seenAs = format === 'pdf' ? 'html' : format
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    if (!isOpen) return
    // An answer to an earlier request is dropped.
    let isWanted = true
    setMaking({ kind: 'making' })
    void makeReport({ subject: { kind, id }, format: seenAs, table, redact }).then(answer => {
      if (!isWanted) return
      setMaking(answer.ok ? { kind: 'made', shown: answer.value } : { kind: 'failed', failure: answer.failure })
    })
    return () => {
      isWanted = false
    }
  }, [isOpen, kind, id, seenAs, table, redact, attempt])
  const save = async (shown: ReportFile) => {
    setMaking({ kind: 'saving', shown })
    const answer = seenAs === format ? ok(shown) : await makeReport({ subject, format, table, redact })
    if (!answer.ok) {
      setMaking({ kind: 'failed', failure: answer.failure })
      return
    }
    const file = answer.value
    const bytes = bytesOf(file)
    saveFile(file.name, file.mediaType, bytes)
    setMaking({ kind: 'saved', shown, file, bytes: bytes.byteLength })
  }
  const openTab = async () => {
    const opened = await openReport(subject, redact)
    if (!opened.ok) setMaking({ kind: 'failed', failure: opened.failure })
  }
  const shown = 'shown' in making ? making.shown : null
  return (
    <Dialog className="rep-dialog" isOpen={isOpen} onClose={onClose} title={`Report of this ${what}`}>
      <DialogBody>
        <div aria-live="polite">{madeWords(making, what, () => setAttempt(attempt + 1))}</div>
        <div className="rep-export">
          <Choices
            format={format}
            table={table}
            redact={redact}
            onFormat={setFormat}
            onTable={setTable}
            onRedact={setRedact}
          />
          {shown === null ? <div className="rep-preview" /> : <ReportPreview file={shown} />}
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={making.kind === 'saved' ? 'Close' : 'Cancel'} onClick={onClose} />
            {isOpen && seenAs === 'html' && hasTabs() ? (
              <Button text="Open in a new tab" disabled={shown === null} onClick={() => void openTab()} />
            ) : null}
            <Button
              intent="primary"
              text={`Save ${REPORT_FORMAT_WORDS[format].title}`}
              loading={making.kind === 'saving'}
              disabled={shown === null}
              onClick={() => (shown === null ? undefined : void save(shown))}
            />
          </>
        }
      />
    </Dialog>
  )
}

interface ChoicesProps {
  readonly format: ReportFormat
  readonly table: CsvTable
  readonly redact: boolean
  readonly onFormat: (format: ReportFormat) => void
  readonly onTable: (table: CsvTable) => void
  readonly onRedact: (redact: boolean) => void
}

function Choices({ format, table, redact, onFormat, onTable, onRedact }: ChoicesProps): ReactNode {
  const tableId = useId()
  return (
    <div>
      <RadioGroup
        label="As"
        selectedValue={format}
        onChange={({ currentTarget }) => onFormat(ReportFormat.parse(currentTarget.value))}
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
            onChange={({ currentTarget }) => onTable(CsvTable.parse(currentTarget.value))}
          >
            {' '}
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
        onChange={({ currentTarget }) => onRedact(currentTarget.checked)}
      />
      <p className="quiet rep-note">{noteOn(format, redact)}</p>
    </div>
  )
}

/** What a report contains, and whether it can be verified later. */
function noteOn(format: ReportFormat, redact: boolean): string {
  const checkable = format === 'html' || format === 'json'
  if (redact) {
    return `To share outside: it has no journal entries. ${checkable ? 'Its hash chain can be verified later; its figures cannot.' : ''}`
  }
  return `It names instances and projects, but never passwords or keys. ${checkable ? 'It has its journal entries, so that "Check a report" can verify it later.' : 'Only HTML and JSON can be verified later.'}${format === 'pdf' ? ' Saving prints the page below.' : ''}`
}

function madeWords(making: Making, what: string, onRetry: () => void): ReactNode {
  switch (making.kind) {
    case 'made':
    case 'saving':
      return null
    case 'making':
      return <p>Making the report of the {what} from the journal.</p>
    case 'failed':
      return <FailureCallout title="No report was made" failure={making.failure} onRetry={onRetry} />
    case 'saved':
      return (
        <Callout intent="success" title={`${making.file.name}, ${byteWords(making.bytes)}`}>
          <p>Saved. The hash of its journal entries:</p>
          <code className="rep-hash breaks block">{making.file.hash}</code>
          <p className="quiet">
            Write it down elsewhere, for example in the ticket. It shows later whether the report was changed.
          </p>
        </Callout>
      )
  }
}

function bytesOf({ encoding, content }: Pick<ReportFile, 'encoding' | 'content'>): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf8') return new TextEncoder().encode(content)
  return Uint8Array.from(atob(content), letter => letter.charCodeAt(0))
}
