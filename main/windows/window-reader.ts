import type { ListedWindow, RunSummary } from '../../shared/contract/index.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { foldWindow, type MaintenanceWindow, type WindowEvent, windowStatus } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { namesOf } from '../../shared/words/steps/coded.ts'
import { wordedWindow } from '../../shared/words/window-remarks.ts'
import type { WindowServices } from './window-services.ts'

export type WindowSources = Pick<WindowServices, 'windows' | 'runs' | 'clock'>

/** Windows folded from the journal, with their current status and runs. */
interface WindowReader {
  /** Latest beginning first; null cluster: all. */
  list(cluster: string | null): Result<readonly ListedWindow[]>
  find(id: string): Result<ListedWindow>
}

export function createWindowReader({ windows, runs, clock }: WindowSources): WindowReader {
  const listed = (window: MaintenanceWindow, ofCluster: readonly RunSummary[]): ListedWindow => {
    const ids = new Set(windows.runsOf(window.id))
    const own = ofCluster.filter(({ id }) => ids.has(id))
    return { window, status: windowStatus(window, clock.now(), own.some(isOpenRun)), runs: own }
  }
  return {
    list: cluster => {
      const events = windows.list(cluster)
      if (!events.ok) return events
      const found = runs.list({ cluster })
      if (!found.ok) return found
      const byWindow = Map.groupBy(events.value, event => event.windowId)
      return ok(
        [...byWindow.values()]
          .flatMap(own => wordedOf(own) ?? [])
          .map(window => listed(window, found.value))
          .toSorted(
            (a, b) =>
              Date.parse(b.window.startsAt) - Date.parse(a.window.startsAt) || b.window.revision - a.window.revision,
          ),
      )
    },
    find: given => {
      const ids = windows.idsBeginningWith(given)
      const id = ids.find(each => each === given) ?? (ids.length === 1 ? ids[0] : undefined)
      const target = { target: `window/${given}` }
      if (given === '' || id === undefined) {
        return failed(
          ids.length > 1 && given !== ''
            ? refusal('bad-input', because('SeveralWindowsBegin', { given, windows: namesOf(ids) }), target)
            : refusal('not-found', because('WindowUnknown', { given }), target),
        )
      }
      const events = windows.events(id)
      if (!events.ok) return events
      const window = wordedOf(events.value)
      if (window === null) return failed(damaged(id, events.value))
      const found = runs.list({ cluster: window.cluster })
      return found.ok ? ok(listed(window, found.value)) : found
    },
  }
}

function wordedOf(events: readonly WindowEvent[]): MaintenanceWindow | null {
  const folded = foldWindow(events)
  return folded === null ? null : wordedWindow(folded)
}

function damaged(id: string, events: readonly WindowEvent[]) {
  const why = because('WindowUnreadable', { window: id, events: events.length })
  return refusal('damaged', why, { target: `window/${id}` })
}

/** Whether a run is open: running, waiting or resumable. For a handed-over run the runner's journal decides. */
export function isOpenRun({ condition }: Pick<RunSummary, 'condition'>): boolean {
  return condition.kind !== 'over'
}
