import { bytes } from '../../grammar/bytes.ts'
import { counted } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { instantWords } from '../../grammar/times.ts'
import { type Finding, type Names, type OfPath, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

/** `fault`: why it is unusable, a clause without a full stop. */
type Faulty = OfPath & { readonly fault: Finding }

/** The free space of a disk for this user. */
type Room = OfPath & { readonly bytes: number }

/** A journal and its contents. */
type JournalSize = Room & { readonly runs: number; readonly windows: number; readonly entries: number }

/** Findings of `lockkeeper doctor` about the data directory and its journal, and the next steps. */
export const DOCTOR_DATA_REASONS = {
  AnotherDirectoryNext: () => 'Name another with --data-dir.',
  ChangeOwnerNext: () => 'Give them to your user (chown).',
  CloseFilesNext: ({ paths }: { readonly paths: readonly string[] }) =>
    `\`chmod -R go= ${paths.map(shellWord).join(' ')}\``,
  CloseFolderNext: ({ path }: OfPath) => `\`chmod go-w ${shellWord(path)}\``,
  DataFilesForOwnerOnly: () => 'Only your user can read the files, also in its folders.',
  DataFilesNotLookedAt: ({ path, fault }: Faulty) => `Cannot inspect the contents of ${path}: ${fault.message}.`,
  DataFilesOfOthers: ({ files }: { readonly files: Names }) => `Another user owns ${someNames(files)}.`,
  DataFilesOpen: ({ files }: { readonly files: Names }) => `Other users may read ${someNames(files)}.`,
  DataFilesTooMany: ({ path, most }: OfPath & { readonly most: number }) => `${path} has more than ${most} files.`,
  DiskHasNoInode: ({ path }: OfPath) => `The disk of ${path} has no inode left, so no file can be created.`,
  DiskRoom: ({ path, bytes: room }: Room) => `The disk of ${path} has ${bytes(room)} free for your user.`,
  DiskRoomNotKnown: ({ path, fault }: Faulty) => `Cannot read the free space on the disk of ${path}: ${fault.message}.`,
  FolderForOwnerOnly: ({ path }: OfPath) => `Only its owner may write into ${path}.`,
  FolderMadeLater: ({ path }: OfPath) =>
    `${path} does not exist yet; the first command that needs it creates it, for your user only.`,
  FolderNotMakeable: ({ path, above, fault }: Faulty & { readonly above: string }) =>
    `${path} does not exist, and cannot be created in ${above}: ${fault.message}.`,
  FolderNotUsable: ({ path, fault }: Faulty) => `Cannot use ${path}: ${fault.message}.`,
  FolderNotWritable: ({ path, fault }: Faulty) =>
    `${path} cannot be written: ${fault.message}. You can read the history, but not start a run.`,
  FolderOfOtherUser: ({ path, owner, user }: OfPath & { readonly owner: number; readonly user: number }) =>
    `${path} belongs to user ${owner}, but you are user ${user}.`,
  FolderOpenToOthers: ({ path }: OfPath) => `Other users may write into ${path}.`,
  FolderWritable: ({ path }: OfPath) => `Your user may write into ${path}; the check wrote nothing.`,
  GiveFolderBackNext: () =>
    'Give it back to your user with its rights, or name another with --data-dir or LOCKKEEPER_DATA_DIR.',
  JournalCheckNext: () => '`lockkeeper journal check` shows more.',
  JournalFileNotWritable: ({ path, fault }: Faulty) => `${path} cannot be written: ${fault.message}. No run can start.`,
  JournalFilesWritable: () => 'Your user may write its files; the check wrote nothing.',
  JournalMadeLater: ({ path }: OfPath) => `There is no journal yet; Lockkeeper will create it as ${path}.`,
  JournalNotLookedAt: () => 'Lockkeeper could not check it because its directory cannot be read.',
  JournalSize: ({ path, bytes: size, runs, windows, entries }: JournalSize) =>
    `${path} has ${bytes(size)}: ${counted(runs, 'run')}, ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')}.`,
  KeyMadeLater: () => 'This installation has no key yet; the first command that needs one creates it.',
  MakeFolderWritableNext: () => 'Make it writable for your user, or name another with --data-dir.',
  MakeRoomForRunsNext: () => 'Free some space: Lockkeeper cannot record runs.',
  MakeRoomNext: () => 'Free some space before a long run.',
  MakeWritableNext: () => 'Make it writable for your user.',
  NoDataFiles: () => 'No files yet.',
  NoRunOpen: () => 'No run is open.',
  OwnFolderNext: () => 'Use your own directory.',
  PathIsFile: () => 'it is a file',
  PruneNext: () => 'You can remove old history: `lockkeeper journal prune --before DATE --dry-run`.',
  PutCopyBackNext: () => 'Restore a copy of it, together with the files beside it.',
  PutFileBackNext: () => 'Restore the earlier file; `lockkeeper journal check` and `journal accept` show more.',
  RemoveFilesNext: () => 'Remove files there.',
  ReportsSigned: ({ fingerprint }: { readonly fingerprint: string }) =>
    `Reports are signed with the key ${fingerprint}.`,
  RunEndNotReadable: ({ run, cluster }: OfRun & { readonly cluster: string }) =>
    `Cannot read the outcome of run ${run} on ${cluster}.`,
  RunUndriven: ({ kind, cluster, node, begunAt }: UndrivenRun) =>
    `No console runs the ${kind} of ${node === null ? cluster : `${node} of ${cluster}`} that was started on ${instantWords(begunAt)}.`,
  RunUndrivenNext: ({ run }: OfRun) =>
    `\`lockkeeper run resume ${run}\` continues it, \`lockkeeper run abort ${run}\` ends it now.`,
  RunsDriven: ({ runs }: { readonly runs: number }) => `${counted(runs, 'run')} in progress, each in a console.`,
} satisfies TextsOf<string>

/** An open run without a console; `node` null: a run of the cloud. `begunAt` is ISO. */
type UndrivenRun = {
  readonly kind: string
  readonly cluster: string
  readonly node: string | null
  readonly begunAt: string
}
