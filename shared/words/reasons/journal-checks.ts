import type { EntrySource } from '../../domain/journal-chain.ts'
import { counted } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
import type { Cause, OfPath, OfRun, TextsOf } from '../steps/coded.ts'

type OfLink = { readonly seq: number }
type OfEntry = { readonly source: EntrySource; readonly sourceSeq: number }
type Keyed = OfEntry & { readonly key: string }
type OfRule = { readonly rule: string }

/** Findings of a check of the journal, and the records of what an operator accepted or removed. */
export const JOURNAL_CHECKS_REASONS = {
  // The chain.
  LinkChanged: ({ seq, ...entry }: OfLink & OfEntry) =>
    `Link ${seq} of the chain, of ${entryWords(entry)}, changed after it was written: its hash does not follow from the one before it.`,
  LinkOutOfOrder: ({ seq, before, ...entry }: OfLink & OfEntry & { readonly before: number }) =>
    `Link ${seq} of the chain is of ${entryWords(entry)} but follows ${before}: no journal has this order.`,
  EntryMissing: (entry: OfEntry) => `The ${entryWords(entry)} is missing, although retention did not remove it.`,
  EntryChanged: ({ key, ...entry }: Keyed) =>
    `The ${entryWords(entry)} (${key}) changed after it was written: its digest differs.`,
  EntryUnchained: (entry: OfEntry) => `The ${entryWords(entry)} has no link in the chain: Lockkeeper did not write it.`,
  EntryWithoutLink: ({ key, ...entry }: Keyed) => `The ${entryWords(entry)} (${key}) has no link in the chain.`,
  LinksMissing: ({ first, last }: { readonly first: number; readonly last: number }) =>
    first === last ? `Link ${first} of the chain is missing.` : `Links ${first} to ${last} of the chain are missing.`,
  LinkRewritten: ({ seq }: OfLink) => `Link ${seq} of the chain changed after it was written.`,
  ChainUnreadable: ({ cause }: Cause) => `The chain cannot be read: ${cause}.`,
  ChainBroken: ({ seq, cause }: OfLink & Cause) => `The chain is broken at link ${seq}. ${cause}`,
  ChainEmpty: () => 'The chain is empty: it has no entries.',
  ChainHolds: ({ links, head }: { readonly links: number; readonly head: string }) =>
    `The chain is valid: ${links === 1 ? 'its 1 entry is unchanged' : `all its ${links} entries are unchanged`}. Its head is ${head}.`,

  // A head that an operator wrote down.
  NotAHead: ({ given }: { readonly given: string }) =>
    `"${given}" is not a head, which has 64 hexadecimal digits, as \`journal status\` shows it.`,
  HeadNotContained: () => 'The journal does not contain this head: it is another journal, or incomplete.',
  HeadContained: ({ seq, after }: OfLink & { readonly after: number }) => {
    const more = after === 1 ? '1 entry follows it.' : `${after} entries follow it.`
    return `The journal contains this head, as entry ${seq}, and nothing before it has changed. ${after === 0 ? 'It is the newest.' : more}`
  },
  HeadOfBrokenChain: ({ seq }: OfLink) => `The head is at entry ${seq}, but the chain is broken.`,

  // The tables and rules of the file.
  RuleMissing: ({ rule }: OfRule) => `The ${rule} is missing.`,
  RuleChanged: ({ rule }: OfRule) => `The ${rule} was changed.`,
  RuleOfOther: ({ rule }: OfRule) => `The ${rule} is not one of Lockkeeper's.`,
  RunMissingInList: ({ run }: OfRun) => `Run ${run} has events but is missing in the list of runs.`,
  RunListedAtOtherTime: ({ run, listed, first }: OfRun & { readonly listed: string; readonly first: string }) =>
    `The list shows run ${run} with the time ${listed}; its first event has ${first}.`,
  RunWithoutFirstEvent: ({ run }: OfRun) => `Run ${run} has no first event that describes it.`,
  RunListedOtherwise: (is: OfRun & { readonly listed: readonly string[]; readonly said: readonly string[] }) =>
    `The list shows run ${is.run} as ${is.listed.join(', ')}; its first event says ${is.said.join(', ')}.`,
  WindowEventOfOtherCluster: ({
    seq,
    window,
    cluster,
  }: OfLink & { readonly window: string; readonly cluster: string }) =>
    `Window event ${seq} of ${window} is listed under another cloud, ${cluster}.`,
  FileWhole: () => 'The file is complete.',
  FileNotWhole: ({ found }: { readonly found: readonly string[] }) =>
    `The file is incomplete: ${found.slice(0, FEW).join(' ')}${found.length > FEW ? ` And ${found.length - FEW} more.` : ''}`,
  JournalFileMissing: ({ path }: OfPath) => `No file exists at ${path}.`,
  JournalFileEmpty: ({ path }: OfPath) => `The file ${path} is empty.`,

  // Acceptance, retention and requests.
  NothingToAccept: ({ path }: OfPath) => `The journal ${path} is complete, so you need not accept anything.`,
  AcceptWithoutReason: () => 'Give a reason: the journal records it.',
  JournalAccepted: () => 'Accepted and recorded in the journal. Restart open consoles so that they write again.',
  JournalWasAccepted: (is: {
    readonly by: string
    readonly at: string
    readonly reason: string
    readonly lost: string
  }) =>
    `Accepted by ${is.by} at ${instantWords(is.at)}, although something was missing. Reason: ${is.reason.replace(/\.$/, '')}. Missing: ${is.lost}`,
  JournalWasPruned: (is: {
    readonly by: string
    readonly at: string
    readonly runs: number
    readonly windows: number
    readonly before: string
    readonly archive: string
  }) =>
    `Retention: ${is.by} removed ${counted(is.runs, 'run')} and ${counted(is.windows, 'window')} that ended before ${is.before} at ${instantWords(is.at)}; ${is.archive} has them.`,
  PathNotWhole: ({ path }: OfPath) => `"${path}" names no folder. Give the full path, such as /home/eva/journal.db.`,
  NotATimePast: ({ before }: { readonly before: string }) =>
    `"${before}" is not a time in the past, such as 2026-01-31T00:00:00.000Z. Retention removes runs and windows that ended before it.`,
} satisfies TextsOf<string>

const FEW = 5

/** `run event 12` */
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
