import { instantWords } from '../../grammar/times.ts'
import type { Cause, Finding, OfPath, TextsOf } from '../steps/coded.ts'

type Described = { readonly type: string; readonly name: string }
type Known = OfPath & { readonly entries: number; readonly at: string }
type Newer = OfPath & { readonly version: number; readonly known: number }

/** Texts of the journal. */
export const JOURNAL_REASONS = {
  // What SQLite or the file system says.
  JournalDamaged: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} is damaged (${cause}). It was left as it is. Put back a copy of it; whatever is done, keep the file together with what lies beside it (${path}-wal): runs that it tells of can be resumed only with it.`,
  JournalLocked: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} is locked by another process (${cause}). Close the other Lockkeeper, then try again.`,
  JournalDiskFull: ({ path }: OfPath) =>
    `The disk of the journal ${path} is full. Make room, then try again; nothing that was written is lost.`,
  JournalDiskFails: ({ path, cause }: OfPath & Cause) =>
    `The disk of the journal ${path} fails (${cause}), or its quota is used up. Nothing that was told as written is lost. Look at the disk and the kernel's log, then try again.`,
  JournalNotWritable: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} cannot be written (${cause}). Check the owner and mode of the file and its folder, or choose another with --data-dir.`,
  JournalNotUsable: ({ path, cause }: OfPath & Cause) =>
    `The journal ${path} cannot be used: ${cause}. Check the file and its folder, or choose another with --data-dir.`,

  // The file is not the one that was there, or not all of it.
  JournalAway: ({ path }: OfPath) => otherFile(path, 'is not there any more'),
  JournalReplaced: ({ path }: OfPath) => otherFile(path, 'is another file than the one that this process opened'),
  JournalCutOff: ({ path, size, expected }: OfPath & { readonly size: number; readonly expected: number }) =>
    `The journal ${path} is cut off: ${size} of ${expected} bytes are there, and no log beside it holds the rest. It was left as it is. Put back a copy of it, with what lay beside it.`,
  JournalEmptied: ({ path }: OfPath) =>
    `The file of the journal ${path} was emptied; what its log ${path}-wal still holds can be read. Both were left as they are. Put back a copy of the file beside its log, or export what can be read (\`lockkeeper journal export\`).`,
  JournalOfNewer: ({ path, version, known }: Newer) =>
    `The journal ${path} was written by a newer Lockkeeper (schema ${version}, this one knows ${known}). Update Lockkeeper, or choose another folder with --data-dir. Nothing was changed.`,
  JournalOnlyLookedAt: ({ path }: OfPath) => `The journal ${path} was opened to be looked at.`,
  JournalReadOnly: ({ why }: { readonly why: Finding }) =>
    `${why.message} Until then the journal is open for reading only: history and reports work, and no run can be started.`,
  DatabaseOfOther: ({ path }: OfPath) => foreign(path, 'is a database of another program, not a journal of Lockkeeper'),
  NoDatabase: ({ path }: OfPath) => foreign(path, 'is not a journal of Lockkeeper, and no database'),
  LogOfOther: ({ path }: OfPath) =>
    foreign(path, 'is empty, and beside it lies a log (-wal) that is not of a journal of Lockkeeper'),
  RunEventUnreadable: ({ path, run, seq }: OfPath & { readonly run: string; readonly seq: number }) =>
    `Event ${seq} of run ${run} in ${path} cannot be read. The file was left as it is; the other runs are not affected.`,
  WindowChangedMeanwhile: () => 'Somebody changed this window meanwhile. Look at it again, then change it.',

  // It is not made as a journal.
  JournalMadeOtherwise: ({ path, why }: OfPath & { readonly why: Finding }) =>
    `The journal ${path} is not made as Lockkeeper makes one: ${why.message}. Nothing in it was read, and it was left as it is. Put back a copy of it, or choose another folder with --data-dir.`,
  DescribedTwice: ({ type, name }: Described) => `it describes ${type} ${name} twice`,
  TableNotThere: ({ table }: { readonly table: string }) => `its ${table} is not there`,
  NotMadeAsInJournals: ({ type, name }: Described) => `its ${type} ${name} is not made as in a journal`,
  InNoJournal: ({ type, name }: Described) => `it has a ${type} ${name}, which no journal has`,

  // It is not what is known of it outside.
  JournalUnreadableNow: ({ path, entries, at }: Known) =>
    `The journal ${path} is not what it was: on ${instantWords(at)} it held ${entryCount(entries)}, and now it cannot be read as one. It was left as it is: keep it with all that lies beside it, and put back a copy, or choose another folder with --data-dir.`,
  JournalNotComparable: ({ path, cause }: OfPath & Cause) =>
    `${cause} Whether the journal ${path} is whole can therefore not be told.`,
  JournalLostEntries: ({ path, why, entries, at, head }: Known & { readonly why: Finding; readonly head: string }) =>
    `The journal ${path} is not what it was: ${why.message}. On ${instantWords(at)} it held ${entryCount(entries)}; the head of its chain was ${head}.`,
  JournalWasEmptied: () => 'it was emptied or taken away',
  OtherJournal: () => 'it is another journal',
  EndCutOff: ({ last }: { readonly last: number }) =>
    `it ends at entry ${last}: its end was cut off, or an older copy was put in its place`,
  EntryRewritten: ({ seq }: { readonly seq: number }) =>
    `another entry has the number ${seq}: what is in it was rewritten, or goes on from an older copy`,
  JournalNotAccepted: ({ lost }: { readonly lost: string }) =>
    `${lost} Put back the file that was there, and its -wal file if there was one. If it is gone for good, \`lockkeeper journal accept --reason TEXT\` goes on with what is there, and keeps who accepted that and why. Until then it is open for reading only, and no run can be started.`,
} satisfies TextsOf<string>

function otherFile(path: string, what: string): string {
  return `The journal ${path} ${what}: it or its folder was removed, moved or replaced meanwhile. What this process wrote now would be lost, so it writes nothing more. Put the file back that was there, with its -wal file, or start Lockkeeper again: it goes on with what is there.`
}

function foreign(path: string, what: string): string {
  return `${path} ${what}. It was left as it is: move it away with all that lies beside it, or choose another folder with --data-dir.`
}

function entryCount(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`
}
