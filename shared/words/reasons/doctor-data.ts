import { bytes } from '../../grammar/bytes.ts'
import { counted } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { instantWords } from '../../grammar/times.ts'
import { type Finding, type Names, type OfPath, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

/** `fault`: why it cannot be used, a clause without a full stop. */
type Faulty = OfPath & { readonly fault: Finding }

/** What a disk has left for this user. */
type Room = OfPath & { readonly bytes: number }

/** A journal, and what is in it. */
type JournalSize = Room & { readonly runs: number; readonly windows: number; readonly entries: number }

/** Texts of `lockkeeper doctor` about the data directory and its journal: what was seen, and what to do next. */
export const DOCTOR_DATA_REASONS = {
  AnotherDirectoryNext: () => 'Name another with --data-dir.',
  ChangeOwnerNext: () => 'Give them to your user (chown).',
  CloseFilesNext: ({ paths }: { readonly paths: readonly string[] }) =>
    `\`chmod -R go= ${paths.map(shellWord).join(' ')}\``,
  CloseFolderNext: ({ path }: OfPath) => `\`chmod go-w ${shellWord(path)}\``,
  DataFilesForOwnerOnly: () => 'Each, in the folders there too, can be read by your user only.',
  DataFilesNotLookedAt: ({ path, fault }: Faulty) => `What lies in ${path} cannot be looked at: ${fault.message}.`,
  DataFilesOfOthers: ({ files }: { readonly files: Names }) => `Of another user are ${someNames(files)}.`,
  DataFilesOpen: ({ files }: { readonly files: Names }) => `Others may read ${someNames(files)}.`,
  DataFilesTooMany: ({ path, most }: OfPath & { readonly most: number }) =>
    `There are more than ${most} files in ${path}.`,
  DiskHasNoInode: ({ path }: OfPath) => `The disk of ${path} has no inode left: no file can be made.`,
  DiskRoom: ({ path, bytes: room }: Room) => `${bytes(room)} are free for your user on the disk of ${path}.`,
  DiskRoomNotKnown: ({ path, fault }: Faulty) =>
    `The disk of ${path} does not tell how much room it has: ${fault.message}.`,
  FolderForOwnerOnly: ({ path }: OfPath) => `Nobody but its owner may write into ${path}.`,
  FolderMadeLater: ({ path }: OfPath) =>
    `${path} is not there yet; the first command that needs it makes it, for your user only.`,
  FolderNotMakeable: ({ path, above, fault }: Faulty & { readonly above: string }) =>
    `${path} is not there, and cannot be made in ${above}: ${fault.message}.`,
  FolderNotUsable: ({ path, fault }: Faulty) => `Cannot use ${path}: ${fault.message}.`,
  FolderNotWritable: ({ path, fault }: Faulty) =>
    `${path} cannot be written: ${fault.message}. History can be read, and no run can be started.`,
  FolderOfOtherUser: ({ path, owner, user }: OfPath & { readonly owner: number; readonly user: number }) =>
    `${path} belongs to user ${owner}, and you are user ${user}.`,
  FolderOpenToOthers: ({ path }: OfPath) => `Others may write into ${path}.`,
  FolderWritable: ({ path }: OfPath) => `${path} may be written by your user; nothing was written to try it.`,
  GiveFolderBackNext: () =>
    'Give it back to your user with its rights, or name another with --data-dir or LOCKKEEPER_DATA_DIR.',
  JournalCheckNext: () => '`lockkeeper journal check` says more.',
  JournalFileNotWritable: ({ path, fault }: Faulty) =>
    `${path} cannot be written: ${fault.message}. No run can be started.`,
  JournalFilesWritable: () => 'Its files may be written by your user; nothing was written to try it.',
  JournalMadeLater: ({ path }: OfPath) => `There is no journal yet; it is made as ${path}.`,
  JournalNotLookedAt: () => 'It could not be looked at: its directory cannot be read.',
  JournalSize: ({ path, bytes: size, runs, windows, entries }: JournalSize) =>
    `${path} has ${bytes(size)}: ${counted(runs, 'run')}, ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')}.`,
  KeyMadeLater: () => 'This installation has no key yet; the first command that needs one makes it.',
  MakeFolderWritableNext: () => 'Make it writable for your user, or name another with --data-dir.',
  MakeRoomForRunsNext: () => 'Make room: what happens in a run cannot be written down.',
  MakeRoomNext: () => 'Make room before a long run.',
  MakeWritableNext: () => 'Make it writable for your user.',
  NoDataFiles: () => 'There are none yet.',
  NoRunOpen: () => 'No run is open.',
  OwnFolderNext: () => 'Use a directory of your own.',
  PathIsFile: () => 'it is a file',
  PruneNext: () => 'Old history can go: `lockkeeper journal prune --before DATE --dry-run`.',
  PutCopyBackNext: () => 'Put back a copy of it, together with what lay beside it.',
  PutFileBackNext: () => 'Put back the file that was there; `lockkeeper journal check` and `journal accept` say more.',
  RemoveFilesNext: () => 'Remove files there.',
  ReportsSigned: ({ fingerprint }: { readonly fingerprint: string }) =>
    `Reports are signed with the key ${fingerprint}.`,
  RunEndNotReadable: ({ run, cluster }: OfRun & { readonly cluster: string }) =>
    `What run ${run} on ${cluster} came to cannot be read.`,
  RunUndriven: ({ kind, cluster, node, begunAt }: UndrivenRun) =>
    `Nobody drives the ${kind} of ${node === null ? cluster : `${node} of ${cluster}`} that was begun on ${instantWords(begunAt)}.`,
  RunUndrivenNext: ({ run }: OfRun) =>
    `\`lockkeeper run resume ${run}\` goes on with it, \`lockkeeper run abort ${run}\` ends it where it is.`,
  RunsDriven: ({ runs }: { readonly runs: number }) =>
    `${counted(runs, 'run')} that ${runs === 1 ? 'is' : 'are'} not over, each with a driver.`,
} satisfies TextsOf<string>

/** A run that is not over and has no driver; `node` null: it is of the cluster. `begunAt` is ISO. */
type UndrivenRun = {
  readonly kind: string
  readonly cluster: string
  readonly node: string | null
  readonly begunAt: string
}
