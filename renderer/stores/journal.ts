import { create } from 'zustand'
import type { JournalStatus } from '../../shared/contract/reports.ts'
import { type Asked, lastRead } from './updates.ts'

interface JournalStore {
  readonly status: Asked<JournalStatus>
}

/** The journal as a file, and how it stands; written by renderer/bridge/journal.ts alone. */
export const useJournal = create<JournalStore>()(() => ({ status: { kind: 'reading' } }))

/** Whether the journal can only be read: what it does not show may have been there all the same. */
export function isJournalOnlyRead({ status }: JournalStore): boolean {
  return (lastRead(status)?.readOnly ?? null) !== null
}
