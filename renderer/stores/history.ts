import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { RecurringBlocker } from '../../shared/domain/history.ts'
import { keptInTab } from './kept-in-tab.ts'
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

const NO_WISH: HistoryWish = { cluster: null, text: '', from: null, to: null, limit: HISTORY_PAGE }

/** What happened on all clusters; written by renderer/bridge/history.ts alone. */
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

/** What was looked for; the cluster is in the address, and a page is the first one again. */
function keptWish({ text, from, to }: Readonly<Record<string, unknown>>): Partial<HistoryStore> {
  const timeOf = (kept: unknown) => (typeof kept === 'string' && !Number.isNaN(Date.parse(kept)) ? kept : null)
  return { wish: { ...NO_WISH, text: typeof text === 'string' ? text : '', from: timeOf(from), to: timeOf(to) } }
}
