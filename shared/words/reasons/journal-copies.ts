import type { Cause, OfFile, OfPath, TextsOf } from '../steps/coded.ts'

type OfPod = { readonly name: string; readonly namespace: string; readonly by: string }
type OfLink = { readonly seq: number }

/** Texts of copies of journals: exports, imports, what is removed into an archive, and mirrors of those of runners. */
export const JOURNAL_COPIES_REASONS = {
  // Exports and retention.
  CopyThereAlready: ({ path }: OfPath) => `${path} is there already and was left as it is. Give the copy another name.`,
  CopyDiskFull: ({ path }: OfPath) =>
    `The copy ${path} cannot be written: the disk is full. Nothing has that name; make room or choose another folder.`,
  CopyDiskFails: ({ path, cause }: OfPath & Cause) =>
    `The copy ${path} cannot be written (${cause}): the disk of it, or of the journal, fails. Nothing has that name; look at the kernel's log.`,
  CopyNotWritten: ({ path, cause }: OfPath & Cause) =>
    `The copy ${path} cannot be written: ${cause}. Nothing has that name; choose another folder.`,
  NotPruned: ({ path, cause }: OfPath & Cause) =>
    `Nothing was removed from the journal ${path}: its chain is broken, and what is removed now could never be told from what is missing. ${cause} \`lockkeeper journal check\` says more.`,
  ArchiveNotVerified: ({ path, cause }: OfPath & Cause) =>
    `Nothing was removed: the copy ${path} could not be verified. ${cause}`,

  // Imports.
  ImportChainBroken: ({ file, cause }: OfFile & Cause) =>
    `Nothing was taken over from ${file}: its chain is broken, so that it cannot be told what in it is as it was written. ${cause}`,
  ImportFileMissing: ({ file }: OfFile) => `There is no file ${file}.`,
  ImportNoJournal: ({ file }: OfFile) => `${file} is not a journal of Lockkeeper. Nothing was taken over.`,
  ImportOfNewer: ({ file, version, known }: OfFile & { readonly version: number; readonly known: number }) =>
    `${file} was written by a newer Lockkeeper (schema ${version}, this one knows ${known}). Update Lockkeeper, then import it. Nothing was taken over.`,
  ImportMadeOtherwise: ({ file, cause }: OfFile & Cause) =>
    `${file} is not made as a journal of Lockkeeper: ${cause}. Nothing was taken over.`,
  ImportNotRead: ({ file, withinSeconds }: OfFile & { readonly withinSeconds: number }) =>
    `${file} could not be read in ${withinSeconds} s, or reading it ended before its end. Nothing was taken over. If it is a journal of Lockkeeper, check it with the console that it is of (\`lockkeeper journal check\`), and import an export of it.`,
  ImportOfItself: ({ file }: OfFile) => `${file} is this journal itself. Name another one.`,
  ImportDoesNotFit: ({ file, cause }: OfFile & Cause) =>
    `Nothing was taken over from ${file}: what it lists does not fit its entries. ${cause}`,
  ImportWithoutChain: ({ file }: OfFile) =>
    `${file} was written before journals had a chain: whether it was changed since cannot be told.`,
  ImportChainHolds: ({ file }: OfFile) => `The chain of ${file} holds.`,
  ImportNoted: ({ entries }: { readonly entries: number }) =>
    entries === 1
      ? '1 edit or observation was taken over too.'
      : `${entries} edits and observations were taken over too.`,
  ImportLeft: ({ left }: { readonly left: readonly string[] }) =>
    `Left there, because they are not over: ${left.join(', ')}. Import again when they are.`,

  // Mirrors of the journals of runners.
  MirrorToldNothing: () => 'The runner says that its journal is not empty, and told no entry of it: nothing is kept.',
  MirrorHasHole: ({ reported, next }: { readonly reported: number; readonly next: number }) =>
    `The runner told entry ${reported} of its journal, and ${next} is the next one here: what is between is asked for again.`,
  MirrorTooLarge: ({ path, mostGib }: OfPath & { readonly mostGib: string }) =>
    `The runner's journal is larger than is mirrored here (${mostGib} GiB): nothing more of it is taken, and what is shown of it is old. Have its old runs removed (\`lockkeeper journal prune\` beside the runner), then delete ${path}: it is made again.`,
  MirrorOfOtherJournal: ({ seq }: OfLink) =>
    `The runner's journal is not the one that is mirrored here: entry ${seq} does not follow from what was there before.`,
  MirrorEntryChanged: ({ seq, source, sourceSeq }: OfLink & { readonly source: string; readonly sourceSeq: number }) =>
    `Entry ${seq} of the runner's journal (${source} ${sourceSeq}) is not what its chain says: it was changed after it was written, or on the way.`,
  MirrorWithoutHash: () => 'The runner names its journal by what is no hash: nothing of it is kept.',
  MirrorsTooMany: ({ kept, oldest, ...pod }: OfPod & { readonly kept: number; readonly oldest: string }) =>
    `${runnerOf(pod)} shows another journal than before, and ${kept} of its journals are kept here already: nothing of this one is kept, and what is shown of this runner is old. A runner's journal changes only when its volume is replaced: find out why it does so often. If that is right, close Lockkeeper, move files that are not needed away (the oldest is ${oldest}), and open it again.`,
  MirrorsTooOften: ({ from, ...pod }: OfPod & { readonly from: string }) =>
    `${runnerOf(pod)} shows another journal than before, and did so less than an hour ago already: nothing of this one is kept, and what is shown of this runner is old. A runner's journal changes only when its volume is replaced: look at its pod and its volume claim. The journal it has then is taken from ${from} on.`,
} satisfies TextsOf<string>

function runnerOf({ name, namespace, by }: OfPod): string {
  return `Runner ${name} (namespace ${namespace}) of ${by}`
}
