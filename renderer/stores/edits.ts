import { create } from 'zustand'
import type { HostModeValues } from '../../shared/contract/index.ts'
import type { InstanceView } from '../../shared/domain/cluster-view.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { MaintenanceAction } from '../../shared/domain/instance-tags.ts'

/** The marks an instance is to have: one action, or none for the host's default; several only when an edit is undone. */
export interface WantedMark {
  readonly id: string
  readonly actions: readonly MaintenanceAction[]
}

/** The state of a manual edit that the live view does not show yet. */
type EditState<T> =
  /** Main has not answered yet. */
  | { readonly kind: 'requested'; readonly wanted: T }
  /** Main read the new value back; the live view does not show it yet. */
  | { readonly kind: 'confirmed'; readonly wanted: T; readonly atMs: number }
  /** The edit failed. The failure stays until the operator dismisses it or tries again. */
  | { readonly kind: 'refused'; readonly wanted: T; readonly failure: Failure }

export type MarkState = EditState<readonly MaintenanceAction[]>
export type HostModeState = EditState<HostModeValues>

/** How to undo an edit. */
export type UndoEntry =
  | { readonly kind: 'marks'; readonly words: string; readonly marks: readonly WantedMark[] }
  | { readonly kind: 'host-mode'; readonly words: string; readonly node: string; readonly restore: HostModeValues }

interface EditStore {
  /** Keyed by cluster, then by instance. */
  readonly marks: ReadonlyMap<string, ReadonlyMap<string, MarkState>>
  /** Keyed by cluster, then by node. */
  readonly hosts: ReadonlyMap<string, ReadonlyMap<string, HostModeState>>
  /** Keyed by cluster, newest last. */
  readonly undo: ReadonlyMap<string, readonly UndoEntry[]>
}

/** Unsettled manual edits from this page, and what can be undone (docs/style.md G30). */
export const useEdits = create<EditStore>()(() => ({ marks: new Map(), hosts: new Map(), undo: new Map() }))

/** Older edits are in the journal. */
const MOST_UNDONE = 50
const NO_MARKS: ReadonlyMap<string, MarkState> = new Map()
const NO_UNDO: readonly UndoEntry[] = []

export function markStatesOf(store: EditStore, cluster: string): ReadonlyMap<string, MarkState> {
  return store.marks.get(cluster) ?? NO_MARKS
}

/** What can be undone in a cluster, newest last. */
export function undoOf(store: EditStore, cluster: string): readonly UndoEntry[] {
  return store.undo.get(cluster) ?? NO_UNDO
}

/** Sets the states of some marks; null removes one. */
export function putMarks(cluster: string, states: Iterable<readonly [string, MarkState | null]>): void {
  useEdits.setState(store => ({ marks: withEntries(store.marks, cluster, states) }))
}

/** Sets the state of one host's mode; null removes it. */
export function putHostMode(cluster: string, node: string, state: HostModeState | null): void {
  useEdits.setState(store => ({ hosts: withEntries(store.hosts, cluster, [[node, state]]) }))
}

export function rememberUndo(cluster: string, entry: UndoEntry): void {
  useEdits.setState(store => ({
    undo: new Map(store.undo).set(cluster, [...undoOf(store, cluster), entry].slice(-MOST_UNDONE)),
  }))
}

/** Removes an entry, so that it is undone only once; returns whether it was still there. */
export function forgetUndo(cluster: string, entry: UndoEntry): boolean {
  const entries = undoOf(useEdits.getState(), cluster)
  if (!entries.includes(entry)) return false
  useEdits.setState(store => ({ undo: new Map(store.undo).set(cluster, without(entries, entry)) }))
  return true
}

/** The marks that the live view now shows as wanted, or whose instance is gone. */
export function settledMarks(
  states: ReadonlyMap<string, MarkState>,
  instances: ReadonlyMap<string, InstanceView>,
): readonly string[] {
  const settled: string[] = []
  for (const [id, state] of states) {
    const instance = instances.get(id)
    if (instance === undefined) settled.push(id)
    else if (state.kind !== 'refused' && sameMarks(instance.marks, state.wanted)) settled.push(id)
  }
  return settled
}

/** Whether two sets of marks are equal in any order. */
export function sameMarks(a: readonly MaintenanceAction[], b: readonly MaintenanceAction[]): boolean {
  return a.length === b.length && a.every(action => b.includes(action))
}

function without(entries: readonly UndoEntry[], entry: UndoEntry): readonly UndoEntry[] {
  return entries.filter(other => other !== entry)
}

function withEntries<T>(
  all: ReadonlyMap<string, ReadonlyMap<string, T>>,
  cluster: string,
  entries: Iterable<readonly [string, T | null]>,
): ReadonlyMap<string, ReadonlyMap<string, T>> {
  const own = new Map(all.get(cluster))
  for (const [key, value] of entries) {
    if (value === null) own.delete(key)
    else own.set(key, value)
  }
  return new Map(all).set(cluster, own)
}
