import { create } from 'zustand'
import type { ListedWindow } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type WindowStatus, windowStatus } from '../../shared/domain/window.ts'
import { isFinished } from './runs.ts'

interface WindowStore {
  /** The windows of all clusters, latest beginning first; null before the first answer. */
  readonly list: readonly ListedWindow[] | null
  readonly listFailure: Failure | null
}

/** Windows as the journal has them; only renderer/bridge/windows.ts writes them. */
export const useWindows = create<WindowStore>()(() => ({ list: null, listFailure: null }))

/** The status of a window at a time: a listed window may have begun or ended since. */
export function statusAt({ window, runs }: ListedWindow, nowMs: number): WindowStatus {
  return windowStatus(
    window,
    nowMs,
    runs.some(run => !isFinished(run)),
  )
}

/** The windows of a cluster in which a run may start now. */
export function openWindowsOf(
  list: readonly ListedWindow[] | null,
  cluster: string,
  nowMs: number,
): readonly ListedWindow[] {
  return (list ?? []).filter(each => each.window.cluster === cluster && statusAt(each, nowMs) === 'open')
}

/** The planned window of a cluster that begins next; null if none is planned. */
export function nextWindowOf(
  list: readonly ListedWindow[] | null,
  cluster: string,
  nowMs: number,
): ListedWindow | null {
  const planned = (list ?? []).filter(each => each.window.cluster === cluster && statusAt(each, nowMs) === 'planned')
  return planned.toSorted((a, b) => Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt))[0] ?? null
}

/** A window by its id; null while it is unknown. */
export function windowOf(list: readonly ListedWindow[] | null, id: string): ListedWindow | null {
  return (list ?? []).find(({ window }) => window.id === id) ?? null
}
