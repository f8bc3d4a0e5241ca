import { create } from 'zustand'
import type { ListedWindow } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type WindowStatus, windowStatus } from '../../shared/domain/window.ts'
import { isOver } from './runs.ts'

interface WindowStore {
  /** The windows of every cluster, by their beginning, latest first; null before the first answer. */
  readonly list: readonly ListedWindow[] | null
  readonly listFailure: Failure | null
  /** Why a run was last started outside any window, by cluster: offered again where nothing is at stake. */
  readonly outsideReasons: ReadonlyMap<string, string>
}

/** Maintenance windows as the journal has them; written by renderer/bridge/windows.ts alone. */
export const useWindows = create<WindowStore>()(() => ({ list: null, listFailure: null, outsideReasons: new Map() }))

/** Where a window stands at a time: what was listed a while ago may have begun or ended since. */
export function statusAt({ window, runs }: ListedWindow, nowMs: number): WindowStatus {
  return windowStatus(
    window,
    nowMs,
    runs.some(run => !isOver(run)),
  )
}

/** The windows of a cluster in which a run may begin now. */
export function openWindowsOf(
  list: readonly ListedWindow[] | null,
  cluster: string,
  nowMs: number,
): readonly ListedWindow[] {
  return (list ?? []).filter(each => each.window.cluster === cluster && statusAt(each, nowMs) === 'open')
}

/** The planned window of a cluster that begins next; null when none is planned. */
export function nextWindowOf(
  list: readonly ListedWindow[] | null,
  cluster: string,
  nowMs: number,
): ListedWindow | null {
  const planned = (list ?? []).filter(each => each.window.cluster === cluster && statusAt(each, nowMs) === 'planned')
  return planned.toSorted((a, b) => Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt))[0] ?? null
}

/** A window by its id; null while it is not known. */
export function windowOf(list: readonly ListedWindow[] | null, id: string): ListedWindow | null {
  return (list ?? []).find(({ window }) => window.id === id) ?? null
}

/** Keeps why a run was started outside any window. */
export function rememberOutsideReason(cluster: string, reason: string): void {
  useWindows.setState(({ outsideReasons }) => ({ outsideReasons: new Map(outsideReasons).set(cluster, reason) }))
}
