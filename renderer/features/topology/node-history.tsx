import { type ReactNode, useEffect, useState } from 'react'
import type { Edit } from '../../../shared/domain/edit.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { readEdits } from '../../bridge/nodes.ts'
import { useNodeDetail } from '../../stores/node-detail.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { RunList } from '../../ui/runs/run-list.tsx'
import { When } from '../../ui/when.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
}

type Edits =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly edits: readonly Edit[] }
  | { readonly kind: 'failed'; readonly failure: Failure }

const MOST_EDITS = 100

/** Earlier runs on a node, and manual changes. */
export function NodeHistory({ cluster, name }: Props): ReactNode {
  return (
    <>
      <section className="topo-panel-section" aria-label="Runs">
        <h3>Runs</h3>
        <RunList cluster={cluster} node={name} />
      </section>
      <section className="topo-panel-section" aria-label="Changed by hand">
        <h3>Changed by hand</h3>
        <EditList cluster={cluster} name={name} />
      </section>
    </>
  )
}

function EditList({ cluster, name }: Props): ReactNode {
  const [edits, setEdits] = useState<Edits>({ kind: 'reading' })
  // No event reports edits; they are read again with the panel.
  const readAt = useNodeDetail(store => store.detail?.readAt ?? '')
  useEffect(() => {
    let isStill = readAt !== null
    void readEdits(cluster, name, MOST_EDITS).then(answer => {
      if (!isStill) return
      setEdits(answer.ok ? { kind: 'read', edits: answer.value } : { kind: 'failed', failure: answer.failure })
    })
    return () => {
      isStill = false
    }
  }, [cluster, name, readAt])
  switch (edits.kind) {
    case 'reading':
      return <p className="quiet">Reading…</p>
    case 'failed':
      return <FailureCallout title="Manual changes cannot be read" failure={edits.failure} />
    case 'read':
      return edits.edits.length === 0 ? (
        <p className="quiet">Nothing was changed by hand on it from this console.</p>
      ) : (
        <ul className="topo-events">
          {edits.edits.map(edit => (
            <li key={edit.seq} className="topo-event">
              <span className="quiet topo-event-age">
                <When at={edit.at} />
              </span>
              <div>
                <b>{edit.target}</b>
                <div>
                  {edit.before} → {edit.after}
                </div>
                {edit.refused === null ? null : <div className="bad">Refused: {edit.refused}</div>}
                <div className="quiet">
                  {edit.operator} on {edit.machine}
                </div>
              </div>
            </li>
          ))}
        </ul>
      )
  }
}
