import { Button, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { noteInWindow } from '../../bridge/windows.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { When } from '../../ui/when.tsx'

/** What was seen during a window: remarks, and incidents, which the report lists by themselves. */
export function WindowNotes({ window }: { readonly window: MaintenanceWindow }): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const [asking, setAsking] = useState<'remark' | 'incident' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const note = async (kind: 'remark' | 'incident') => {
    setAsking(kind)
    const answer = await noteInWindow({ id: window.id, note: kind, text: text.trim() })
    setAsking(null)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) setText('')
  }
  const isEmpty = text.trim() === ''
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Remarks and incidents</h2>
      {window.remarks.length === 0 ? (
        <p className="quiet">Nothing was written down yet. The report shows what is.</p>
      ) : (
        <ul className="win-remarks">
          {window.remarks.map(({ at, kind, text: words, by }) => (
            <li key={`${at} ${words}`} data-kind={kind}>
              <span className="quiet">
                <When at={at} /> {by}
              </span>
              {kind === 'incident' ? <b className="bad">Incident</b> : null}
              <span className="win-remark-text">{words}</span>
            </li>
          ))}
        </ul>
      )}
      {window.cancelled !== null ? null : (
        <>
          <TextArea
            fill
            autoResize
            aria-label="Remark or incident"
            placeholder="What was seen"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {failure === null ? null : <FailureCallout title="It was not written down" failure={failure} />}
          <div className="row wrap buttons">
            <Button
              size="small"
              text="Add remark"
              disabled={isEmpty}
              loading={asking === 'remark'}
              onClick={() => void note('remark')}
            />
            <Button
              size="small"
              intent="warning"
              text="Add incident"
              disabled={isEmpty}
              loading={asking === 'incident'}
              onClick={() => void note('incident')}
            />
          </div>
        </>
      )}
    </section>
  )
}
