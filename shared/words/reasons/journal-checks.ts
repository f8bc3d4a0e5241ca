import type { EntrySource } from '../../domain/journal-chain.ts'
import { counted } from '../../grammar/counts.ts'
import type { Cause, OfPath, OfRun, TextsOf } from '../steps/coded.ts'

type OfLink = { readonly seq: number }
type OfEntry = { readonly source: EntrySource; readonly sourceSeq: number }
type Keyed = OfEntry & { readonly key: string }
type OfRule = { readonly rule: string }

/** Texts of what a check of the journal finds, and of what is accepted and kept there. */
export const JOURNAL_CHECKS_REASONS = {
  // The chain.
  LinkChanged: ({ seq, ...entry }: OfLink & OfEntry) =>
    `Link ${seq} of the chain, of ${entryWords(entry)}, was changed after it was written: its hash does not follow from the one before it.`,
  LinkOutOfOrder: ({ seq, before, ...entry }: OfLink & OfEntry & { readonly before: number }) =>
    `Link ${seq} of the chain is of ${entryWords(entry)}, after that of ${before}: no journal numbers its entries so.`,
  EntryMissing: (entry: OfEntry) =>
    `The ${entryWords(entry)} was written and is not there any more, and no retention took it away.`,
  EntryChanged: ({ key, ...entry }: Keyed) =>
    `The ${entryWords(entry)} (${key}) is not what was written: its digest is another.`,
  EntryUnchained: (entry: OfEntry) =>
    `The ${entryWords(entry)} has no link in the chain: it was written by another hand.`,
  EntryWithoutLink: ({ key, ...entry }: Keyed) => `The ${entryWords(entry)} (${key}) has no link in the chain.`,
  LinksMissing: ({ first, last }: { readonly first: number; readonly last: number }) =>
    first === last
      ? `Link ${first} of the chain is not there any more.`
      : `Links ${first} to ${last} of the chain are not there any more.`,
  LinkRewritten: ({ seq }: OfLink) => `Link ${seq} of the chain was changed after it was written.`,
  ChainUnreadable: ({ cause }: Cause) => `The chain cannot be read: ${cause}.`,
  ChainBroken: ({ seq, cause }: OfLink & Cause) => `The chain is broken at link ${seq}. ${cause}`,
  ChainEmpty: () => 'The chain is empty: no entry is in it.',
  ChainHolds: ({ links, head }: { readonly links: number; readonly head: string }) =>
    `The chain holds: ${links === 1 ? 'its 1 entry is as it was written' : `all its ${links} entries are as they were written`}. Its head is ${head}.`,

  // A head that somebody wrote down.
  NotAHead: ({ given }: { readonly given: string }) =>
    `"${given}" is not a head: it is 64 hexadecimal digits, as \`journal status\` shows it.`,
  HeadNotContained: () => 'It does not contain the head that was asked about: it is another journal, or not all of it.',
  HeadContained: ({ seq, after }: OfLink & { readonly after: number }) => {
    const more = after === 1 ? '1 entry follows it.' : `${after} entries follow it.`
    return `It contains the head that was asked about, as entry ${seq}, and all before it is as it was then. ${after === 0 ? 'It is the newest.' : more}`
  },
  HeadOfBrokenChain: ({ seq }: OfLink) =>
    `The head that was asked about stands at entry ${seq}, but the chain is broken.`,

  // The tables and rules of the file.
  RuleMissing: ({ rule }: OfRule) => `The ${rule} is not there.`,
  RuleChanged: ({ rule }: OfRule) => `The ${rule} was changed.`,
  RuleOfOther: ({ rule }: OfRule) => `The ${rule} is none of ours.`,
  RunMissingInList: ({ run }: OfRun) => `Run ${run} has events but is not in the list of runs.`,
  RunListedAtOtherTime: ({ run, listed, first }: OfRun & { readonly listed: string; readonly first: string }) =>
    `Run ${run} is listed as of ${listed}; its first event is of ${first}.`,
  RunWithoutFirstEvent: ({ run }: OfRun) => `Run ${run} has no first event that says what it is.`,
  RunListedOtherwise: (is: OfRun & { readonly listed: readonly string[]; readonly said: readonly string[] }) =>
    `Run ${is.run} is listed as ${is.listed.join(', ')}; its first event says ${is.said.join(', ')}.`,
  WindowEventOfOtherCluster: ({
    seq,
    window,
    cluster,
  }: OfLink & { readonly window: string; readonly cluster: string }) =>
    `Window event ${seq} of ${window} is listed under another cluster, ${cluster}.`,
  FileWhole: () => 'The file is whole.',
  FileNotWhole: ({ found }: { readonly found: readonly string[] }) =>
    `The file is not whole: ${found.slice(0, FEW).join(' ')}${found.length > FEW ? ` And ${found.length - FEW} more.` : ''}`,
  JournalFileMissing: ({ path }: OfPath) => `There is no file at ${path}.`,
  JournalFileEmpty: ({ path }: OfPath) => `The file ${path} is empty.`,

  // What is accepted, removed and asked for.
  NothingToAccept: ({ path }: OfPath) =>
    `The journal ${path} holds all that is known of it: there is nothing to accept.`,
  AcceptWithoutReason: () => 'Say why: it is kept in the journal.',
  JournalAccepted: () =>
    'Accepted, and kept in the journal. Consoles that are open write again when they are restarted.',
  JournalWasAccepted: (is: {
    readonly by: string
    readonly at: string
    readonly reason: string
    readonly lost: string
  }) =>
    `Accepted by ${is.by} on ${is.at}, though something known of it was gone. The reason given: ${is.reason.replace(/\.$/, '')}. Gone was: ${is.lost}`,
  JournalWasPruned: (is: {
    readonly by: string
    readonly at: string
    readonly runs: number
    readonly windows: number
    readonly before: string
    readonly archive: string
  }) =>
    `Retention: ${is.by} removed ${counted(is.runs, 'run')} and ${counted(is.windows, 'window')} that ended before ${is.before} on ${is.at}; they are kept in ${is.archive}.`,
  PathNotWhole: ({ path }: OfPath) =>
    `"${path}" does not say in which folder. Give the whole path, such as /home/eva/journal.db.`,
  NotATimePast: ({ before }: { readonly before: string }) =>
    `"${before}" is not a time that is past, such as 2026-01-31T00:00:00.000Z. Runs and windows that ended before it would be removed.`,
} satisfies TextsOf<string>

const FEW = 5

/** An entry in an operator's words, such as `run event 12`. */
function entryWords({ source, sourceSeq }: OfEntry): string {
  return `${SOURCES[source]} ${sourceSeq}`
}

const SOURCES: Readonly<Record<EntrySource, string>> = {
  'run-event': 'run event',
  'window-event': 'window event',
  edit: 'edit',
  observation: 'observation',
  signal: 'signal',
}
