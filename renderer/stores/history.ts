import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { RecurringBlocker } from '../../shared/domain/history.ts'
import { keptInTab } from './kept-in-tab.ts'
import type { Asked } from './updates.ts'

/** What the operator searches for in the history. */
export type HistoryWish = RequestInput<'history.search'>

interface HistoryStore {
  /** Kept while the operator opens a run and comes back. */
  readonly wish: HistoryWish
  readonly found: Asked<RequestOutput<'history.search'>>
  /** Durations on all clusters. */
  readonly durations: Asked<RequestOutput<'history.durations'>>
  /** Blockers on all clusters. */
  readonly blockers: Asked<readonly RecurringBlocker[]>
}

/** Rows per request. */
export const HISTORY_PAGE = 200

const NO_WISH: HistoryWish = { cluster: null, text: '', from: null, to: null, limit: HISTORY_PAGE }

/** What happened on all clusters; only renderer/bridge/history.ts writes it. */
export const useHistory = create<HistoryStore>()(
  persist(
    (): HistoryStore => ({
      wish: NO_WISH,
      found: { kind: 'reading' },
      durations: { kind: 'reading' },
      blockers: { kind: 'reading' },
    }),
    keptInTab('history', ({ wish: { text, from, to } }) => ({ text, from, to }), keptWish),
  ),
)

/** The last search; the cluster is in the address, and paging starts again. */
function keptWish({ text, from, to }: Readonly<Record<string, unknown>>): Partial<HistoryStore> {
  const timeOf = (kept: unknown) => (typeof kept === 'string' && !Number.isNaN(Date.parse(kept)) ? kept : null)
  return { wish: { ...NO_WISH, text: typeof text === 'string' ? text : '', from: timeOf(from), to: timeOf(to) } }
}
