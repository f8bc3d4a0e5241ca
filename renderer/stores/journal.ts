import { create } from 'zustand'
import type { JournalStatus } from '../../shared/contract/reports.ts'
import type { Asked } from './updates.ts'

interface JournalStore {
  readonly status: Asked<JournalStatus>
}

/** The journal as a file, and how it stands; written by renderer/bridge/journal.ts alone. */
export const useJournal = create<JournalStore>()(() => ({ status: { kind: 'reading' } }))
