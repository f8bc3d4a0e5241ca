import { create } from 'zustand'
import type { JournalStatus } from '../../shared/contract/reports.ts'
import { type Asked, lastRead } from './updates.ts'

interface JournalStore {
  readonly status: Asked<JournalStatus>
}

/** The journal as a file, and its status; only renderer/bridge/journal.ts writes it. */
export const useJournal = create<JournalStore>()(() => ({ status: { kind: 'reading' } }))

/** Whether the journal is read-only: something missing from it may still have happened. */
export function isJournalOnlyRead({ status }: JournalStore): boolean {
  return (lastRead(status)?.readOnly ?? null) !== null
}
