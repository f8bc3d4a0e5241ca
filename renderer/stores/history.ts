import { create } from 'zustand'
import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { RecurringBlocker } from '../../shared/domain/history.ts'
import type { Asked } from './updates.ts'

/** What is looked for in the history. */
export type HistoryWish = RequestInput<'history.search'>

interface HistoryStore {
  /** Kept while the operator looks at a run and comes back. */
  readonly wish: HistoryWish
  readonly found: Asked<RequestOutput<'history.search'>>
  /** Of every cluster. */
  readonly durations: Asked<RequestOutput<'history.durations'>>
  /** Of every cluster. */
  readonly blockers: Asked<readonly RecurringBlocker[]>
}

/** So many rows are asked for at once. */
export const HISTORY_PAGE = 200

/** What happened on all clusters; written by renderer/bridge/history.ts alone. */
export const useHistory = create<HistoryStore>()(() => ({
  wish: { cluster: null, text: '', from: null, to: null, limit: HISTORY_PAGE },
  found: { kind: 'reading' },
  durations: { kind: 'reading' },
  blockers: { kind: 'reading' },
}))
