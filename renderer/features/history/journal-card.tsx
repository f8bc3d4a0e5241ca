import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { JournalStatus } from '../../../shared/contract/reports.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { checkJournal, readJournal } from '../../bridge/journal.ts'
import { useJournal } from '../../stores/journal.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { When } from '../../ui/when.tsx'
import { JournalCopies } from './journal-copies.tsx'
import { JournalRetention } from './journal-retention.tsx'

/** Journal: its file, its verification, copies and retention. */
export function JournalCard(): ReactNode {
  const asked = useJournal(store => store.status)
  const status = lastRead(asked)
  useEffect(() => void readJournal(), [])
  return (
    <div>
      <section className="panel" aria-labelledby="jour-file">
        <h2 id="jour-file">Journal</h2>
        {asked.kind === 'failed' ? (
          <FailureCallout
            title="The state of the journal is unknown"
            failure={asked.failure}
            onRetry={() => void readJournal()}
          />
        ) : null}
        {status === null ? (
          asked.kind === 'reading' ? (
            <p className="quiet">Reading…</p>
          ) : null
        ) : (
          <Facts status={status} />
        )}
      </section>
      {status === null ? null : (
        <>
          <JournalCheck />
          <JournalCopies path={status.path} isReadOnly={status.readOnly !== null} />
          <JournalRetention isReadOnly={status.readOnly !== null} />
        </>
      )}
    </div>
  )
}

function Facts({ status }: { readonly status: JournalStatus }): ReactNode {
  const { path, schema, readOnly, bytes: size, runs, windows, entries, oldestAt, head } = status
  return (
    <>
      {readOnly === null ? null : (
        <Callout compact intent="warning" title="It is read-only" className="jour-said">
          {readOnly}
        </Callout>
      )}
      <dl className="facts">
        <dt>File</dt>
        <dd className="mono">{path}</dd>
        <dt>Size</dt>
        <dd>
          {bytes(size)}, schema {schema}
        </dd>
        <dt>Content</dt>
        <dd>
          {counted(runs, 'run')}, {counted(windows, 'window')}, {counted(entries, 'entry', 'entries')}
          {oldestAt === null ? null : (
            <>
              , the oldest of <When at={oldestAt} />
            </>
          )}
        </dd>
        <dt>Last hash</dt>
        <dd>
          {head === null ? (
            'nothing was written yet'
          ) : (
            <>
              entry {head.seq}, <code className="jour-hash">{head.hash}</code>
              <span className="quiet block">
                Copy this hash to a safe place: it proves later that no entry changed.
              </span>
            </>
          )}
        </dd>
      </dl>
    </>
  )
}

type Check =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly answer: RequestOutput<'journal.check'> }
  | { readonly kind: 'failed'; readonly failure: Failure }

function JournalCheck(): ReactNode {
  const [check, setCheck] = useState<Check>({ kind: 'idle' })
  const run = async () => {
    setCheck({ kind: 'checking' })
    const answer = await checkJournal()
    setCheck(answer.ok ? { kind: 'checked', answer: answer.value } : { kind: 'failed', failure: answer.failure })
  }
  return (
    <section className="panel" aria-labelledby="jour-check">
      <h2 id="jour-check">Verify the journal</h2>
      <p className="quiet">Computes every hash again and checks the database. Changes nothing.</p>
      <Button text="Verify" loading={check.kind === 'checking'} onClick={() => void run()} />
      <div aria-live="polite">
        {check.kind === 'checked' ? <CheckOutcome answer={check.answer} /> : null}
        {check.kind === 'failed' ? <FailureCallout title="The check did not run" failure={check.failure} /> : null}
      </div>
    </section>
  )
}

function CheckOutcome({ answer }: { readonly answer: RequestOutput<'journal.check'> }): ReactNode {
  const { ok, words, database } = answer
  return (
    <Callout
      intent={ok ? 'success' : 'danger'}
      title={ok ? 'Every entry is unchanged' : 'The journal was changed'}
      className="jour-said"
    >
      <p>{words}</p>
      {ok || database.length === 0 ? null : (
        <ul>
          {database.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Callout>
  )
}
