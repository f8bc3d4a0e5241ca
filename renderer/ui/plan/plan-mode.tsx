import { Button, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { markInstances, undoEdit } from '../../bridge/instances.ts'
import { type UndoEntry, undoOf, useEdits } from '../../stores/edits.ts'
import { lastOf, useViews } from '../../stores/views.ts'

/** A mark decides nothing if the state, Watcher or the operator's choice decides. */
export function canMark({ action, source }: Pick<InstanceEffect, 'action' | 'source'>): boolean {
  return action === 'notify' || (action === 'blocked' && (source === 'tag' || source === 'host-mode'))
}

/** The undoable edits of single instances from this page, by instance. */
export function marksSetHere(entries: readonly UndoEntry[]): ReadonlyMap<string, UndoEntry> {
  return new Map(
    entries.flatMap(entry => {
      const [only, another] = entry.kind === 'marks' ? entry.marks : []
      return only === undefined || another !== undefined ? [] : [[only.id, entry] as const]
    }),
  )
}

/** The current edits of a cluster. */
export function useMarksSetHere(cluster: string): ReadonlyMap<string, UndoEntry> {
  return marksSetHere(useEdits(store => undoOf(store, cluster)))
}

interface Props {
  readonly cluster: string
  readonly id: string
  readonly name: string
  /** Called when the cloud has accepted the mark. */
  readonly onMarked: () => void
}

type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Changes an instance's mark where it blocks; a new plan then reads what the cloud says. */
export function ModeChoice({ cluster, id, name, onMarked }: Props): ReactNode {
  const marks = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.marks ?? null)
  const [asked, setAsked] = useState<Asked>({ kind: 'idle' })
  const current = marks === null || marks.length !== 1 ? '' : (marks[0] ?? '')
  const mark = async (value: string) => {
    const action: MaintenanceAction | undefined = MAINTENANCE_ACTIONS.find(each => each === value)
    setAsked({ kind: 'asked' })
    const { refused } = await markInstances(cluster, [{ id, actions: action === undefined ? [] : [action] }])
    const failure = refused[0]?.failure
    setAsked(failure === undefined ? { kind: 'idle' } : { kind: 'refused', failure })
    if (failure === undefined) onMarked()
  }
  return (
    <div className="plan-mode row wrap">
      <HTMLSelect
        aria-label={`Migration mode of ${name}`}
        disabled={asked.kind === 'asked'}
        value={current}
        onChange={({ currentTarget }) => void mark(currentTarget.value)}
      >
        <option value="">Mode of the node</option>
        {MAINTENANCE_ACTIONS.map(action => (
          <option key={action} value={action}>
            {MARK_WORDS[action]}
          </option>
        ))}
      </HTMLSelect>
      {asked.kind === 'asked' ? <span className="quiet">requested</span> : null}
      {asked.kind === 'refused' ? <span className="bad">{asked.failure.message}</span> : null}
    </div>
  )
}

/** Says that the operator set the mode here, with a button to undo it. */
export function SetByYou({
  cluster,
  name,
  entry,
  onMarked,
}: Omit<Props, 'id'> & { readonly entry: UndoEntry }): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const undo = async () => {
    setBusy(true)
    const outcome = await undoEdit(cluster, entry)
    setBusy(false)
    setFailure(outcome?.refused[0]?.failure ?? null)
    if (outcome?.refused.length === 0) onMarked()
  }
  return (
    <div className="plan-mode row wrap">
      <span>Set by you.</span>
      <Button
        size="small"
        text="Undo"
        aria-label={`Undo the migration mode of ${name}`}
        loading={busy}
        onClick={() => void undo()}
      />
      {failure === null ? null : <span className="bad">{failure.message}</span>}
    </div>
  )
}
