import { instantWords } from '../../grammar/times.ts'
import type { Cause, Finding, OfPath, TextsOf } from '../steps/coded.ts'

type Described = { readonly type: string; readonly name: string }
type Known = OfPath & { readonly entries: number; readonly at: string }
type Newer = OfPath & { readonly version: number; readonly known: number }

export const JOURNAL_REASONS = {
  // Errors of SQLite or the file system.
  JournalDamaged: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} is damaged (${cause}). Lockkeeper did not change it. Restore a copy of it. In any case keep the file together with the files beside it (${path}-wal): its runs can be resumed only with them.`,
  JournalLocked: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} is locked by another process (${cause}). Close the other Lockkeeper, then try again.`,
  JournalDiskFull: ({ path }: OfPath) =>
    `The disk of the journal ${path} is full. Free some space, then try again; no written entry is lost.`,
  JournalDiskFails: ({ path, cause }: OfPath & Cause) =>
    `The disk of the journal ${path} fails (${cause}), or its quota is used up. No entry reported as written is lost. Check the disk and the kernel's log, then try again.`,
  JournalNotWritable: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} cannot be written (${cause}). Check the owner and mode of the file and its folder, or choose another with --data-dir.`,
  JournalNotUsable: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} is unusable: ${cause}. Check the file and its folder, or choose another with --data-dir.`,

  // The file is another one, or incomplete.
  JournalAway: ({ path }: OfPath) => otherFile(path, 'no longer exists'),
  JournalReplaced: ({ path }: OfPath) => otherFile(path, 'is not the file that this process opened'),
  JournalCutOff: ({ path, size, expected }: OfPath & { readonly size: number; readonly expected: number }) =>
    `The journal ${path} is cut off: it has ${size} of ${expected} bytes, and no log beside it has the rest. Lockkeeper did not change it. Restore a copy of it, with the files beside it.`,
  JournalEmptied: ({ path }: OfPath) =>
    `The file of the journal ${path} was emptied, but its log ${path}-wal can still be read. Lockkeeper changed neither. Restore a copy of the file beside its log, or export the readable part (\`lockkeeper journal export\`).`,
  JournalOfNewer: ({ path, version, known }: Newer) =>
    `A newer Lockkeeper wrote the journal ${path} (schema ${version}, this one knows ${known}). Nothing was changed. Update Lockkeeper, or choose another folder with --data-dir.`,
  JournalOnlyLookedAt: ({ path }: OfPath) => `The journal ${path} is open for reading only.`,
  JournalReadOnly: ({ why }: { readonly why: Finding }) =>
    `${why.message} Until then the journal is read-only: history and reports work, but no run can start.`,
  DatabaseOfOther: ({ path }: OfPath) => foreign(path, 'is a database of another program, not a journal of Lockkeeper'),
  NoDatabase: ({ path }: OfPath) => foreign(path, 'is neither a journal of Lockkeeper nor a database'),
  LogOfOther: ({ path }: OfPath) =>
    foreign(path, 'is empty, and the log beside it (-wal) is not of a journal of Lockkeeper'),
  RunEventUnreadable: ({ path, run, seq }: OfPath & { readonly run: string; readonly seq: number }) =>
    `Event ${seq} of run ${run} in ${path} cannot be read. Lockkeeper did not change the file; the other runs are not affected.`,
  WindowChangedMeanwhile: () => 'Someone else changed this window meanwhile. Check it, then change it again.',

  // The file does not have the format of a journal.
  JournalMadeOtherwise: ({ path, why }: OfPath & { readonly why: Finding }) =>
    `The journal ${path} does not have the format of Lockkeeper: ${why.message}. Lockkeeper read nothing from it and did not change it. Restore a copy of it, or choose another folder with --data-dir.`,
  DescribedTwice: ({ type, name }: Described) => `it describes ${type} ${name} twice`,
  TableNotThere: ({ table }: { readonly table: string }) => `its ${table} is missing`,
  NotMadeAsInJournals: ({ type, name }: Described) => `its ${type} ${name} has an unknown definition`,
  InNoJournal: ({ type, name }: Described) => `it has a ${type} ${name}, which no journal has`,

  // The file differs from what Lockkeeper recorded about it elsewhere.
  JournalUnreadableNow: ({ path, entries, at }: Known) =>
    `The journal ${path} has changed: on ${instantWords(at)} it had ${entryCount(entries)}, but now it cannot be read as a journal. Lockkeeper did not change it. Keep it with all files beside it, and restore a copy, or choose another folder with --data-dir.`,
  JournalNotComparable: ({ path, cause }: OfPath & Cause) =>
    `${cause} So Lockkeeper cannot tell whether the journal ${path} is complete.`,
  JournalLostEntries: ({ path, why, entries, at, head }: Known & { readonly why: Finding; readonly head: string }) =>
    `The journal ${path} has changed: ${why.message}. On ${instantWords(at)} it had ${entryCount(entries)}; the head of its chain was ${head}.`,
  JournalWasEmptied: () => 'it was emptied or removed',
  OtherJournal: () => 'it is another journal',
  EndCutOff: ({ last }: { readonly last: number }) =>
    `it ends at entry ${last}: its end was cut off, or it was replaced by an older copy`,
  EntryRewritten: ({ seq }: { readonly seq: number }) =>
    `another entry has the number ${seq}: the entry was rewritten, or an older copy was continued`,
  JournalNotAccepted: ({ lost }: { readonly lost: string }) =>
    `${lost} Restore the earlier file, and its -wal file if there was one. If it is lost, \`lockkeeper journal accept --reason TEXT\` continues with the present file, and records who accepted that and why. Until then the journal is read-only, and no run can start.`,
} satisfies TextsOf<string>

function otherFile(path: string, what: string): string {
  return `The journal ${path} ${what}: it or its folder was removed, moved or replaced meanwhile. Entries written now would be lost, so this process writes nothing more. Restore the earlier file with its -wal file, or start Lockkeeper again to continue with the present file.`
}

function foreign(path: string, what: string): string {
  return `${path} ${what}. Lockkeeper did not change it: move it away with all files beside it, or choose another folder with --data-dir.`
}

function entryCount(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`
}
