import type { Cause, OfFile, OfPath, TextsOf } from '../steps/coded.ts'

type OfPod = { readonly name: string; readonly namespace: string; readonly by: string }
type OfLink = { readonly seq: number }

/** Refusals and results of exports, imports, archives and mirrors of journals. */
export const JOURNAL_COPIES_REASONS = {
  // Exports and retention.
  CopyThereAlready: ({ path }: OfPath) => `${path} already exists and was not changed. Give the copy another name.`,
  CopyDiskFull: ({ path }: OfPath) =>
    `The copy ${path} cannot be written: the disk is full. No file was left there. Free some space or choose another folder.`,
  CopyDiskFails: ({ path, cause }: OfPath & Cause) =>
    `The copy ${path} cannot be written (${cause}): its disk, or that of the journal, fails. No file was left there. Check the kernel's log.`,
  CopyNotWritten: ({ path, cause }: OfPath & Cause) =>
    `The copy ${path} cannot be written: ${cause}. No file was left there. Choose another folder.`,
  NotPruned: ({ path, cause }: OfPath & Cause) =>
    `Nothing was removed from the journal ${path}: its chain is broken, so a later check could not tell removed entries from missing ones. ${cause} \`lockkeeper journal check\` shows more.`,
  ArchiveNotVerified: ({ path, cause }: OfPath & Cause) =>
    `Nothing was removed: the copy ${path} could not be verified. ${cause}`,

  // Imports.
  ImportChainBroken: ({ file, cause }: OfFile & Cause) =>
    `Nothing was imported from ${file}: its chain is broken, so Lockkeeper cannot tell which entries changed. ${cause}`,
  ImportFileMissing: ({ file }: OfFile) => `File ${file} does not exist.`,
  ImportNoJournal: ({ file }: OfFile) => `${file} is not a journal of Lockkeeper. Nothing was imported.`,
  ImportOfNewer: ({ file, version, known }: OfFile & { readonly version: number; readonly known: number }) =>
    `A newer Lockkeeper wrote ${file} (schema ${version}, this one knows ${known}). Nothing was imported. Update Lockkeeper, then import it.`,
  ImportMadeOtherwise: ({ file, cause }: OfFile & Cause) =>
    `${file} does not have the format of a Lockkeeper journal: ${cause}. Nothing was imported.`,
  ImportNotRead: ({ file, withinSeconds }: OfFile & { readonly withinSeconds: number }) =>
    `${file} could not be read in ${withinSeconds} s, or reading it stopped early. Nothing was imported. If it is a journal of Lockkeeper, check it on its own console (\`lockkeeper journal check\`), and import an export of it.`,
  ImportOfItself: ({ file }: OfFile) => `${file} is this journal. Name another one.`,
  ImportDoesNotFit: ({ file, cause }: OfFile & Cause) =>
    `Nothing was imported from ${file}: its lists do not match its entries. ${cause}`,
  ImportWithoutChain: ({ file }: OfFile) =>
    `${file} is older than the chain of journals: Lockkeeper cannot tell whether it was changed.`,
  ImportChainHolds: ({ file }: OfFile) => `The chain of ${file} is valid.`,
  ImportNoted: ({ entries }: { readonly entries: number }) =>
    entries === 1
      ? '1 edit or observation was also imported.'
      : `${entries} edits and observations were also imported.`,
  ImportLeft: ({ left }: { readonly left: readonly string[] }) =>
    `Not imported, because they have not ended: ${left.join(', ')}. Import again when they have.`,

  // Mirrors of the journals of runners.
  MirrorToldNothing: () =>
    'The runner says that its journal is not empty but sent no entry of it. The console kept nothing.',
  MirrorHasHole: ({ reported, next }: { readonly reported: number; readonly next: number }) =>
    `The runner sent entry ${reported} of its journal, but ${next} is the next one here. The console asks for the missing entries again.`,
  MirrorTooLarge: ({ path, mostGib }: OfPath & { readonly mostGib: string }) =>
    `The runner's journal is larger than the limit for mirrors (${mostGib} GiB), so the mirror is out of date. Remove old runs of the runner's journal (\`lockkeeper journal prune\` beside the runner), then delete ${path}: Lockkeeper creates it again.`,
  MirrorOfOtherJournal: ({ seq }: OfLink) =>
    `The runner's journal is not the mirrored one: entry ${seq} does not follow from the earlier entries.`,
  MirrorEntryChanged: ({ seq, source, sourceSeq }: OfLink & { readonly source: string; readonly sourceSeq: number }) =>
    `Entry ${seq} of the runner's journal (${source} ${sourceSeq}) does not match its chain: it changed after it was written, or on the way.`,
  MirrorWithoutHash: () => 'The runner sent an invalid hash of its journal. The console did not keep it.',
  MirrorsTooMany: ({ kept, oldest, ...pod }: OfPod & { readonly kept: number; readonly oldest: string }) =>
    `${runnerOf(pod)} shows another journal than before, and this console already keeps ${kept} of its journals. It does not mirror this one, so its picture of this runner is out of date. A runner's journal changes only when its volume is replaced: find out why that keeps happening. If it is intended, close Lockkeeper, move unneeded files away (the oldest is ${oldest}), and open it again.`,
  MirrorsTooOften: ({ from, ...pod }: OfPod & { readonly from: string }) =>
    `${runnerOf(pod)} shows another journal than before, for the second time within an hour. This console does not mirror it, so its picture of this runner is out of date. A runner's journal changes only when its volume is replaced: check its pod and its volume claim. Mirroring continues at ${from}.`,
} satisfies TextsOf<string>

function runnerOf({ name, namespace, by }: OfPod): string {
  return `Runner ${name} (namespace ${namespace}) of ${by}`
}
