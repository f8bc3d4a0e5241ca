import { Button, Callout, type Intent } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { ReportVerdict } from '../../../shared/domain/report.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { verifyReport } from '../../bridge/reports.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import '../../ui/reports/reports.css'

const TITLES: Readonly<Record<ReportVerdict['kind'], string>> = {
  genuine: 'is unchanged',
  changed: 'was changed',
  'other-version': 'was written by another version',
  unknown: 'is not a report that can be checked',
}

const INTENTS: Readonly<Record<ReportVerdict['kind'], Intent>> = {
  genuine: 'success',
  changed: 'danger',
  'other-version': 'warning',
  unknown: 'warning',
}

/** The socket's limit, less the envelope and escapes. */
const LARGEST = 40 * 1024 * 1024

type Checking =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly name: string }
  | { readonly kind: 'too-large'; readonly name: string; readonly bytes: number }
  | { readonly kind: 'failed'; readonly name: string; readonly failure: Failure }
  | { readonly kind: 'checked'; readonly name: string; readonly verdict: ReportVerdict }

/** Accepts a report by drop or choice, and says whether it is unchanged. */
export function ReportCheck(): ReactNode {
  const [checking, setChecking] = useState<Checking>({ kind: 'idle' })
  const [isOver, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const latest = useRef(0)
  const check = async (file: File | undefined) => {
    if (file === undefined) return
    const { name } = file
    latest.current += 1
    const own = latest.current
    setChecking({ kind: 'reading', name })
    const next = await verdictOn(file)
    if (own === latest.current) setChecking(next)
  }
  return (
    <div className="rep-check">
      <fieldset
        className="rep-drop stack"
        data-over={isOver}
        aria-label="A report to check"
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault()
          setOver(false)
          void check(event.dataTransfer.files[0])
        }}
      >
        <p>Drop a report here, HTML or JSON, or choose one.</p>
        <Button text="Choose a report" onClick={() => chooser.current?.click()} />
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label="Report to check"
          accept=".html,.json,text/html,application/json"
          onChange={({ currentTarget }) => {
            void check(currentTarget.files?.[0])
            // The operator may choose the same file again after a change.
            currentTarget.value = ''
          }}
        />
        <p className="quiet">
          Lockkeeper computes its digests and hash chain again, makes the report again from its entries, and compares
          both with the journal of this console. It keeps nothing of the file.
        </p>
      </fieldset>
      <div aria-live="polite">{outcomeOf(checking)}</div>
    </div>
  )
}

async function verdictOn(file: File): Promise<Checking> {
  const { name } = file
  if (file.size > LARGEST) return { kind: 'too-large', name, bytes: file.size }
  let content: string
  try {
    content = await file.text()
  } catch {
    return { kind: 'unreadable', name }
  }
  const answer = await verifyReport(content)
  return answer.ok
    ? { kind: 'checked', name, verdict: answer.value }
    : { kind: 'failed', name, failure: answer.failure }
}

function outcomeOf(checking: Checking): ReactNode {
  switch (checking.kind) {
    case 'idle':
      return null
    case 'reading':
      return <p>Checking {checking.name}.</p>
    case 'unreadable':
      return (
        <Callout intent="warning" title={`${checking.name} cannot be read`}>
          The browser could not read it: it was moved, is a folder, or you may not read it. Choose it again.
        </Callout>
      )
    case 'too-large':
      return (
        <Callout intent="warning" title={`${checking.name} is too large to check here`}>
          It has {bytes(checking.bytes)}. The terminal checks a report of any size:{' '}
          <code>lockkeeper report verify FILE</code>
        </Callout>
      )
    case 'failed':
      return <FailureCallout title={`${checking.name} was not checked`} failure={checking.failure} />
    case 'checked':
      return <ReportFindings name={checking.name} verdict={checking.verdict} />
  }
}

interface Props {
  readonly name: string
  readonly verdict: ReportVerdict
}

/** The findings of a check, in words. */
function ReportFindings({ name, verdict }: Props): ReactNode {
  return (
    <>
      <Callout intent={INTENTS[verdict.kind]} title={`${name} ${TITLES[verdict.kind]}`} className="rep-verdict">
        {verdict.words}
      </Callout>
      {verdict.findings.length === 0 ? null : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">What was checked</th>
              <th scope="col">Correct</th>
              <th scope="col">Finding</th>
            </tr>
          </thead>
          <tbody>
            {verdict.findings.map(({ what, holds, words }) => (
              <tr key={what}>
                <th scope="row" className="nowrap">
                  {what}
                </th>
                <td className={`strong nowrap ${holds === null ? 'quiet' : holds ? 'good' : 'bad'}`}>
                  {holdsWords(holds)}
                </td>
                <td>{words}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function holdsWords(holds: boolean | null): string {
  if (holds === null) return '– unknown'
  return holds ? '✓ yes' : '✗ no'
}
