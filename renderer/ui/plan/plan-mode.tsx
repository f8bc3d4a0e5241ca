import { HTMLSelect } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { actionOfHostMode, isAtRest } from '../../../shared/domain/instance-policy.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { markInstances } from '../../bridge/instances.ts'
import { markStatesOf, type UndoEntry, undoOf, useEdits } from '../../stores/edits.ts'
import { lastOf, useViews } from '../../stores/views.ts'

/** The undoable edits of single instances from this page, by instance. */
export function marksSetHere(entries: readonly UndoEntry[]): ReadonlyMap<string, UndoEntry> {
  return new Map(
    entries.flatMap(entry => {
      const [only, another] = entry.kind === 'marks' ? entry.marks : []
      return only === undefined || another !== undefined ? [] : [[only.id, entry] as const]
    }),
  )
}

interface Mode {
  readonly marks: readonly MaintenanceAction[]
  readonly hostMode: string | null
  /** Whether it is off: without a tag it stays off. */
  readonly isOff: boolean
  readonly isYours: boolean
}

/** The modes of an instance; the chosen one says where it comes from: the node, a tag, or you. */
export function modesOf({ marks, hostMode, isOff, isYours }: Mode): {
  readonly value: MaintenanceAction | ''
  readonly options: readonly { readonly value: string; readonly label: string }[]
} {
  // Several tags count as none.
  const [only, another] = marks
  const value = only === undefined || another !== undefined ? '' : only
  return {
    value,
    options: [
      { value: '', label: isOff ? 'Leave it off' : `${MARK_WORDS[actionOfHostMode(hostMode)]} · default` },
      ...MAINTENANCE_ACTIONS.map(action => ({
        value: action,
        label: action === value ? `${MARK_WORDS[action]} · ${isYours ? 'yours' : 'tag'}` : MARK_WORDS[action],
      })),
    ],
  }
}

interface Props {
  readonly cluster: string
  readonly effect: InstanceEffect
  readonly called: string
  /** Called when the cloud has accepted the mode: another plan is necessary. */
  readonly onMarked: () => void
}

/** The mode of one instance. A change is saved at once as its tag; a new plan then reads what the cloud says. */
export function ModeSelect({ cluster, effect, called, onMarked }: Props): ReactNode {
  const { id, action } = effect
  const shown = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.marks ?? null)
  const node = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.node ?? null)
  const hostMode = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(node ?? '')?.migrationMode ?? null)
  const asked = useEdits(store => markStatesOf(store, cluster).get(id) ?? null)
  const isYours = useEdits(store => marksSetHere(undoOf(store, cluster)).has(id))
  const wanted = asked === null || asked.kind === 'refused' ? (shown ?? []) : asked.wanted
  const { value, options } = modesOf({
    marks: wanted,
    hostMode,
    isOff: action === 'ignore' && isAtRest(effect),
    isYours,
  })
  const mark = async (next: string) => {
    const chosen = MAINTENANCE_ACTIONS.find(each => each === next)
    const { refused } = await markInstances(cluster, [{ id, actions: chosen === undefined ? [] : [chosen] }])
    if (refused.length === 0) onMarked()
  }
  return (
    <>
      <HTMLSelect
        className="plan-mode"
        fill
        aria-label={`Mode of ${called}`}
        aria-invalid={asked?.kind === 'refused'}
        value={value}
        options={options}
        onChange={({ currentTarget }) => void mark(currentTarget.value)}
      />
      {asked?.kind === 'refused' ? (
        <p className="bad small" role="alert">
          {asked.failure.message}
        </p>
      ) : null}
    </>
  )
}

/** Which instances are left out of Watcher's plan, and how to change that. */
export interface Exclusion {
  readonly excluded: readonly string[]
  readonly onExclude: (excluded: readonly string[]) => void
}

/** In a plan of Watcher no tag decides: an instance moves as Watcher plans, or is left out. */
export function WatcherSelect({
  id,
  called,
  exclusion,
}: {
  readonly id: string
  readonly called: string
  readonly exclusion: Exclusion
}): ReactNode {
  const { excluded, onExclude } = exclusion
  return (
    <HTMLSelect
      className="plan-mode"
      fill
      aria-label={`Mode of ${called}`}
      value={excluded.includes(id) ? 'out' : 'watcher'}
      options={[
        { value: 'watcher', label: 'As Watcher plans' },
        { value: 'out', label: 'Leave it out · yours' },
      ]}
      onChange={({ currentTarget: { value } }) =>
        onExclude(value === 'out' ? [...excluded, id] : excluded.filter(other => other !== id))
      }
    />
  )
}
