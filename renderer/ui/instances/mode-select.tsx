import { HTMLSelect, Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { type MaintenanceAction, tagOf } from '../../../shared/domain/instance-tags.ts'
import { type MarkState, markStatesOf, undoOf, useEdits } from '../../stores/edits.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { type Fate, LEAVE_MODE, type ModeOption, marksOfValue, marksSetHere, modesOf, NO_MODE } from './mode-options.ts'
import './mode-select.css'

/** After this long without the confirmed mode, the view counts as behind. */
export const BEHIND_MS = 10_000

interface SelectProps {
  /** `Mode of web-01`. */
  readonly label: string
  readonly value: string
  readonly options: readonly ModeOption[]
  readonly onChoose: (value: string) => void
  readonly title?: string | undefined
  /** Red: it blocks, or its last change was refused. */
  readonly isBad?: boolean
  /** -1 where a list has the focus. */
  readonly tabIndex?: number
}

/** How an instance leaves its node: the one select of every list and plan. */
export function ModeSelect({ label, value, options, onChoose, title, isBad, tabIndex }: SelectProps): ReactNode {
  return (
    <HTMLSelect
      className="mode-select"
      fill
      aria-label={label}
      aria-invalid={isBad === true}
      title={title}
      tabIndex={tabIndex}
      value={value}
      options={options}
      disabled={options.every(option => option.disabled === true)}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    />
  )
}

interface Props {
  readonly cluster: string
  readonly id: string
  readonly called: string
  /** What a plan says; absent where the live picture says it. */
  readonly effect?: Fate
  readonly tabIndex?: number
  readonly onMode: (actions: readonly MaintenanceAction[]) => void
  /** Accepts that the instance stays; absent where nothing can be accepted. */
  readonly onLeave?: (() => void) | undefined
}

/** The mode of one instance. A change is saved at once, as its tag. */
export function InstanceMode({ cluster, id, called, effect, tabIndex, onMode, onLeave }: Props): ReactNode {
  const instance = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id) ?? null)
  const hostMode = useViews(
    store => lastOf(store.byCluster.get(cluster))?.nodes.get(instance?.node ?? '')?.migrationMode,
  )
  const asked = useMarkState(cluster, id)
  const isYours = useEdits(store => marksSetHere(undoOf(store, cluster)).has(id))
  const isWaiting = asked !== null && asked.kind !== 'refused'
  const fate = effect ?? (instance === null ? null : { ...instance, source: instance.actionSource })
  const marks = isWaiting ? asked.wanted : (instance?.marks ?? [])
  const { value, options } = modesOf({
    marks,
    hostMode: hostMode ?? null,
    fate: isWaiting ? null : fate,
    vmState: instance?.vmState ?? null,
    isYours,
    canLeave: onLeave !== undefined,
  })
  return (
    <span className="mode-of row">
      <ModeSelect
        label={`Mode of ${called}`}
        value={value}
        options={options}
        isBad={asked?.kind === 'refused' || value === NO_MODE}
        title={asked?.kind === 'refused' ? asked.failure.message : tagsText(marks)}
        {...(tabIndex === undefined ? {} : { tabIndex })}
        onChoose={chosen => {
          const actions = marksOfValue(chosen)
          if (chosen === LEAVE_MODE) onLeave?.()
          else if (actions !== null) onMode(actions)
        }}
      />
      {isWaiting ? <Waiting state={asked} /> : null}
    </span>
  )
}

/** The unsettled edit of an instance. */
export function useMarkState(cluster: string, id: string): MarkState | null {
  return useEdits(store => markStatesOf(store, cluster).get(id) ?? null)
}

/** The tags that set a mode, one a line; several count as none. */
function tagsText(marks: readonly MaintenanceAction[]): string | undefined {
  if (marks.length === 0) return undefined
  const tags = marks.map(tagOf).join('\n')
  return marks.length > 1 ? `Several tags, so none counts:\n${tags}` : `Tag: ${tags}`
}

function Waiting({ state }: { readonly state: MarkState }): ReactNode {
  const behind = useTicks(({ nowMs }) => state.kind === 'confirmed' && nowMs - state.atMs > BEHIND_MS)
  const words = behind ? 'Nova confirms it. The list is not updated yet.' : 'Requested'
  return (
    <span title={words}>
      <Spinner size={12} aria-label={words} />
    </span>
  )
}
