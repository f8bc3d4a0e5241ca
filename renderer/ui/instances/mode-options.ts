import { actionOfHostMode, isAtRest, type ShownAction } from '../../../shared/domain/instance-policy.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction, takesTags } from '../../../shared/domain/instance-tags.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import type { UndoEntry } from '../../stores/edits.ts'

/** What a plan, or the live picture, says that happens to an instance. */
export interface Fate {
  readonly action: InstanceEffect['action'] | ShownAction
  readonly source: InstanceEffect['source']
  readonly status: string
  readonly powerState?: number | null | undefined
}

export interface ModeInput {
  readonly marks: readonly MaintenanceAction[]
  readonly hostMode: string | null
  /** Null while a change is on its way: the fate is that of the mode before. */
  readonly fate: Fate | null
  readonly vmState: string | null
  /** Whether its mode was set on this page. */
  readonly isYours: boolean
  /** Whether the plan may start although the instance stays. */
  readonly canLeave: boolean
}

export interface ModeOption {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

/** The instance has no mode: its node decides. */
const DEFAULT_MODE = ''
/** What happens is not a mode: nothing is chosen yet, or the plan decides. Nobody can choose it. */
export const NO_MODE = 'now'
/** Accept that it stays: asks for a reason. */
export const LEAVE_MODE = 'leave'

/** The modes of one instance; the shown one is what happens, and says where it comes from: the node, a tag, or you. */
export function modesOf(input: ModeInput): { readonly value: string; readonly options: readonly ModeOption[] } {
  const { marks, hostMode, fate, vmState, isYours, canLeave } = input
  // Several tags count as none.
  const tagged = marks.length === 1 ? (marks[0] ?? null) : null
  const isRefused = !takesTags(vmState)
  const overruled = overruling(input, isRefused)
  const isOff = fate?.action === 'ignore' && isAtRest(fate)
  const byNode = {
    value: DEFAULT_MODE,
    label: isOff ? 'Leave it off' : `${MARK_WORDS[actionOfHostMode(hostMode)]} · default`,
    disabled: isRefused,
  }
  return {
    value: overruled !== null ? NO_MODE : (tagged ?? DEFAULT_MODE),
    options: [
      ...(overruled === null ? [] : [{ value: NO_MODE, label: overruled, disabled: true }]),
      ...(overruled !== null && tagged === null ? [] : [byNode]),
      ...MAINTENANCE_ACTIONS.map(action => ({
        value: action,
        label: action === tagged ? `${MARK_WORDS[action]} · ${isYours ? 'yours' : 'tag'}` : MARK_WORDS[action],
        disabled: isRefused,
      })),
      ...(canLeave ? [{ value: LEAVE_MODE, label: 'Leave it here…' }] : []),
    ],
  }
}

/** What happens instead of the mode; null if the mode decides. */
function overruling({ fate, canLeave }: ModeInput, isRefused: boolean): string | null {
  if (fate === null) return null
  if (fate.action === 'blocked') return isRefused && !canLeave ? `Not while in ${fate.status}` : 'Choose…'
  if (fate.source !== 'operator') return null
  if (fate.action === 'cold_migrate') return 'Move with downtime · yours'
  if (fate.action === 'stop') return 'Stop with node · yours'
  return fate.action === 'ignore' ? `Leave it ${isAtRest(fate) ? 'off' : 'here'} · yours` : null
}

/** The modes for several instances at once. */
export const MODES_OF_MANY: readonly ModeOption[] = [
  { value: NO_MODE, label: 'Set mode…', disabled: true },
  ...MAINTENANCE_ACTIONS.map(action => ({ value: action, label: MARK_WORDS[action] })),
  { value: DEFAULT_MODE, label: 'As its node' },
]

/** The mode that a value of a select means, as tags; null if it means none. */
export function marksOfValue(value: string): readonly MaintenanceAction[] | null {
  if (value === DEFAULT_MODE) return []
  const action = MAINTENANCE_ACTIONS.find(each => each === value)
  return action === undefined ? null : [action]
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
