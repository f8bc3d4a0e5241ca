import { Button, Callout, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { exportJournal, importJournal } from '../../bridge/journal.ts'
import { useConsole } from '../../stores/console.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

interface Props {
  /** The path of the journal. */
  readonly path: string
  readonly isReadOnly: boolean
}

type Doing =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** A copy to keep elsewhere, and import of another console's runs and windows. */
export function JournalCopies({ path, isReadOnly }: Props): ReactNode {
  const machine = useConsole(store => store.description?.machine ?? 'the machine of the console')
  const [to, setTo] = useState(() => nameOfCopy(path, new Date()))
  const [from, setFrom] = useState('')
  const [copying, setCopying] = useState<Doing>({ kind: 'idle' })
  const [taking, setTaking] = useState<Doing>({ kind: 'idle' })
  const id = useId()
  const copy = async () => {
    setCopying({ kind: 'working' })
    const answer = await exportJournal(to.trim())
    if (!answer.ok) {
      setCopying({ kind: 'failed', failure: answer.failure })
      return
    }
    const { path: written, bytes: size, runs, head } = answer.value
    setCopying({
      kind: 'done',
      words: `${written} has ${counted(runs, 'run')} in ${bytes(size)}. Its last hash is ${head}.`,
    })
  }
  const take = async () => {
    setTaking({ kind: 'working' })
    const answer = await importJournal(from.trim())
    setTaking(answer.ok ? { kind: 'done', words: answer.value.words } : { kind: 'failed', failure: answer.failure })
  }
  return (
    <section className="panel" aria-labelledby="jour-copies">
      <h2 id="jour-copies">Copies</h2>
      <p className="quiet">Paths are on {machine}, where the console runs.</p>
      <FormGroup
        label="Name of the copy"
        labelFor={`${id}-to`}
        helperText={
          <>
            In the folder <code>exports</code> of the data directory. <code>lockkeeper journal export</code> writes
            elsewhere. A copy never replaces a file.
          </>
        }
      >
        <div className="jour-line row">
          <InputGroup id={`${id}-to`} fill value={to} onValueChange={setTo} spellCheck={false} autoComplete="off" />
          <Button
            text="Write copy"
            disabled={to.trim() === ''}
            loading={copying.kind === 'working'}
            onClick={() => void copy()}
          />
        </div>
      </FormGroup>
      <Outcome doing={copying} done="The copy is written" failed="No copy was written" />
      <FormGroup
        label="Import from another journal"
        labelFor={`${id}-from`}
        helperText="Adds runs and windows that are missing here, with all their events. The file is not changed."
      >
        <div className="jour-line row">
          <InputGroup
            id={`${id}-from`}
            fill
            value={from}
            placeholder="/path/to/journal.db"
            disabled={isReadOnly}
            onValueChange={setFrom}
            spellCheck={false}
            autoComplete="off"
          />
          <Button
            text="Import"
            disabled={isReadOnly || from.trim() === ''}
            loading={taking.kind === 'working'}
            onClick={() => void take()}
          />
        </div>
      </FormGroup>
      <Outcome doing={taking} done="Imported" failed="Nothing was imported" />
    </section>
  )
}

interface OutcomeProps {
  readonly doing: Doing
  readonly done: string
  readonly failed: string
}

function Outcome({ doing, done, failed }: OutcomeProps): ReactNode {
  return (
    <div aria-live="polite">
      {doing.kind === 'done' ? (
        <Callout compact intent="success" title={done} className="jour-said">
          {doing.words}
        </Callout>
      ) : null}
      {doing.kind === 'failed' ? <FailureCallout title={failed} failure={doing.failure} /> : null}
    </div>
  )
}

/** `/data/journal.db` becomes `journal-2026-11-21.db`. */
function nameOfCopy(path: string, now: Date): string {
  return path.replace(/^.*[/\\]/, '').replace(/(\.\w+)?$/, `-${now.toISOString().slice(0, 10)}$1`)
}
