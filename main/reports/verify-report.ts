import { CHAIN_BEGIN, digestText, type JournalEntry, linkText } from '../../shared/domain/journal-chain.ts'
import type { Report, ReportVerdict } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { fingerprintOf, isSameFingerprint, signatureHolds } from '../platform/settings/signature.ts'
import type { ReportSource } from '../ports/journal.ts'
import { buildReport } from './build-report.ts'
import { gatherEntries } from './gather-entries.ts'
import { readEntries } from './read-entries.ts'
import { readReport } from './read-report.ts'
import { redactReport } from './redact-report.ts'
import { sealOf, sealText, sha256 } from './seal.ts'

type Finding = ReportVerdict['findings'][number]

/** What a verification is made with. */
export interface VerifyTools {
  /** The version that verifies: another one may write the same facts in other words. */
  readonly version: string
  readonly htmlOf: (report: Report) => string
  /** This console's own journal. */
  readonly journal: ReportSource
  /** The runs of a window, by this console's journal. */
  readonly runsOf: (windowId: string) => readonly string[]
  /** The fingerprint of this installation's key; null: it has none. */
  readonly ownKey: string | null
  /** The fingerprint of the key that has to have signed the report; null: any, or none. */
  readonly wantedKey: string | null
}

/** Verifies a report by itself, and against a journal where that holds the same entries. */
export function verifyReport(content: string, tools: VerifyTools): ReportVerdict {
  const read = readReport(content)
  if (read.kind === 'unknown') return { kind: 'unknown', words: read.words, findings: [] }
  if (read.kind === 'broken') {
    return { kind: 'changed', words: read.words, findings: [{ what: 'file', holds: false, words: read.words }] }
  }
  const { report, from } = read
  const findings = [
    sealFinding(report, read.raw),
    signatureFinding(report, tools),
    entriesFinding(report),
    chainFinding(report),
    madeOfIt('contents', report, tools, () => rebuiltFinding(report, tools)),
    ...(from === 'html' ? [madeOfIt('page', report, tools, () => pageFinding(report, content, tools))] : []),
    madeOfIt('journal', report, tools, () => journalFinding(report, tools)),
  ]
  return { ...verdictOf(report, findings, tools), findings }
}

function verdictOf(
  report: Report,
  findings: readonly Finding[],
  { version }: VerifyTools,
): Pick<ReportVerdict, 'kind' | 'words'> {
  const broken = findings.filter(({ holds }) => holds === false)
  if (broken.length > 0) {
    const what = broken.map(({ what: name }) => name).join(', ')
    return { kind: 'changed', words: `This report is not as it was made: ${what}. Do not rely on it.` }
  }
  const holds = (name: Finding['what']) => findings.find(({ what }) => what === name)?.holds === true
  const here = holds('journal')
  // Anybody can write another version's name into a report, and seal it anew: only a known key, or the same words again, tell that nobody did.
  const reported = report.redacted ? here : holds('contents')
  const made = report.madeBy.version
  if (made !== version && !reported && !holds('signature')) {
    const stands = report.redacted ? 'seal and chain are' : 'seal, entries and chain are'
    return {
      kind: 'other-version',
      words: `No change was found, but this report was worded by Lockkeeper ${made}, and ${version} words the same otherwise: its ${stands} right; what it says of them is proved by ${made} alone. Verify it with ${made}${report.signature === undefined ? '' : ', or name with --key the key that signed it'}.`,
    }
  }
  const proof = here
    ? 'This journal holds the same entries.'
    : `By itself it holds together. This journal cannot tell whether somebody made all of it anew: compare the hash of its last link, ${report.chain.after}, with the one written down when it was made.`
  return { kind: 'genuine', words: `Nothing in this report was changed since it was made. ${proof}` }
}

function sealFinding(report: Report, raw: object): Finding {
  const holds = report.seal === sealOf(report) || report.seal === sealOf(raw)
  return {
    what: 'seal',
    holds,
    words: holds
      ? 'The seal over all of the report is right.'
      : 'The seal over all of the report is wrong: something in it was changed after it was made.',
  }
}

/** By whose key the report was signed. A signature tells who made it, as far as that key was kept to them; not that it is true. */
function signatureFinding(report: Report, { ownKey, wantedKey }: VerifyTools): Finding {
  const what = 'signature'
  const { signature } = report
  if (signature === undefined) {
    return wantedKey === null
      ? { what, holds: null, words: 'It is not signed: who made it cannot be told by a key.' }
      : { what, holds: false, words: `It is not signed, and has to be by key ${wantedKey}.` }
  }
  // The fingerprint in the file is what somebody wrote there; the key's own is what counts.
  const fingerprint = fingerprintOf(signature.publicKey)
  if (
    !signatureHolds(signature.publicKey, sealText(report), signature.value) ||
    fingerprint !== signature.fingerprint
  ) {
    return { what, holds: false, words: `Its signature is not one of key ${fingerprint}: it was changed or exchanged.` }
  }
  if (wantedKey !== null && !isSameFingerprint(fingerprint, wantedKey)) {
    return { what, holds: false, words: `It is signed by key ${fingerprint}, not by ${wantedKey}.` }
  }
  if (wantedKey !== null) return { what, holds: true, words: `It is signed by key ${fingerprint}, as demanded.` }
  return fingerprint === ownKey
    ? { what, holds: true, words: `It is signed by this installation (key ${fingerprint}).` }
    : {
        what,
        holds: null,
        words: `It is signed by key ${fingerprint}, which is not that of this installation. Hold it against the fingerprint that its console shows (\`lockkeeper journal status\`), with --key.`,
      }
}

function entriesFinding({ entries, chain, redacted }: Report): Finding {
  const what = 'entries'
  if (redacted) return { what, holds: null, words: 'A redacted report carries no entries to recompute.' }
  const links = new Map(chain.links.map(link => [`${link.source}/${link.sourceSeq}`, link]))
  for (const entry of entries) {
    const link = links.get(`${entry.source}/${entry.sourceSeq}`)
    const name = `Entry ${entry.sourceSeq} (${entry.source} of ${entry.key}, ${entry.at})`
    if (link === undefined) return { what, holds: false, words: `${name} has no link in the chain: it was put in.` }
    if (link.digest !== sha256(digestText(entry))) {
      return { what, holds: false, words: `${name} is not what its digest was taken over: it was changed.` }
    }
  }
  return {
    what,
    holds: true,
    words: `All ${counted(entries.length, 'entry', 'entries')} are what their digests were taken over.`,
  }
}

function chainFinding({ chain }: Report): Finding {
  const what = 'chain'
  let before = chain.before
  let seq = chain.links[0]?.seq ?? 1
  if (seq === 1 && before !== CHAIN_BEGIN)
    return { what, holds: false, words: 'The beginning of the chain was changed.' }
  for (const link of chain.links) {
    if (link.seq !== seq) return { what, holds: false, words: `Link ${seq} of the chain is missing.` }
    if (link.hash !== sha256(linkText(before, link))) {
      return {
        what,
        holds: false,
        words: `Link ${link.seq} of the chain does not follow from the one before it: it was changed.`,
      }
    }
    before = link.hash
    seq += 1
  }
  const holds = chain.after === before
  return {
    what,
    holds,
    words: holds
      ? `All ${counted(chain.links.length, 'link')} of the chain follow from each other.`
      : 'The hash of the last link is not the one the report names.',
  }
}

/** Contents that somebody changed may make this fail: an instant that is none, a number that is a word. */
function madeOfIt(what: Finding['what'], report: Report, { version }: VerifyTools, find: () => Finding): Finding {
  try {
    return find()
  } catch {
    const holds = report.madeBy.version === version ? false : null
    return { what, holds, words: 'From what it carries nothing can be made: an entry, an instant or a number is none.' }
  }
}

function rebuiltFinding(report: Report, tools: VerifyTools): Finding {
  const what = 'contents'
  if (report.redacted) return { what, holds: null, words: 'A redacted report cannot be made again from itself.' }
  const again = buildReport({ ...requestOf(report), extract: { ...report, damage: foreignDamage(report) } })
  return compared(what, report, again, tools)
}

/** What the journal said of itself when the report was made; what of the entries cannot be read is found again. */
function foreignDamage({ damage, entries }: Report): readonly string[] {
  if (damage.length === 0) return []
  const found = new Set(readEntries(entries).damage)
  return damage.filter(line => !found.has(line))
}

function requestOf(report: Report) {
  const { subject, madeAt, madeBy, cluster, runs } = report
  const interruptedRunIds = runs.filter(({ state }) => state === 'interrupted').map(({ id }) => id)
  return { subject, madeAt, madeBy, flavour: cluster.flavour, interruptedRunIds }
}

function compared(what: string, report: Report, again: Report | null, { version }: VerifyTools): Finding {
  const part = again === null ? 'all of it' : differing(report, again)
  if (part === null) return { what, holds: true, words: 'Made again from its entries, the report is the same.' }
  if (report.madeBy.version !== version) {
    return {
      what,
      holds: null,
      words: `It was made by Lockkeeper ${report.madeBy.version}, and ${version} makes it otherwise (${part}): verify it with ${report.madeBy.version}.`,
    }
  }
  return { what, holds: false, words: `Made again from its entries, the report is another one: ${part} was changed.` }
}

/** The first part in which two reports differ; null: none. */
function differing(report: Report, again: Report): string | null {
  const parts = new Map<string, unknown>(Object.entries(again))
  // Where an earlier schema words something otherwise, that says more than that it is another one.
  const own = Object.entries(report).toSorted(([a], [b]) => Number(a === 'schema') - Number(b === 'schema'))
  for (const [name, value] of own) {
    if (name !== 'seal' && name !== 'signature' && JSON.stringify(value) !== JSON.stringify(parts.get(name)))
      return name
  }
  // Reports of earlier versions have no such part, and their entries nothing to tell in it.
  if (report.clocks === undefined && (again.clocks ?? []).length > 0) return 'clocks'
  return report.signals === undefined && again.signals !== undefined ? 'signals' : null
}

function pageFinding(report: Report, content: string, { htmlOf, version }: VerifyTools): Finding {
  const what = 'page'
  if (htmlOf(report) === content) return { what, holds: true, words: 'The page shows exactly the report it carries.' }
  return report.madeBy.version === version
    ? { what, holds: false, words: 'The page does not show the report it carries: what is seen was changed.' }
    : {
        what,
        holds: null,
        words: `The page was drawn by Lockkeeper ${report.madeBy.version}; ${version} draws it otherwise. The report it carries is what was verified.`,
      }
}

/** Holds the report against this console's journal: only this tells of a report that was made anew from changed or left-out entries. */
function journalFinding(report: Report, tools: VerifyTools): Finding {
  const what = 'journal'
  const last = report.chain.links.at(-1)
  const first = report.chain.links[0]
  const unknown: Finding = {
    what,
    holds: null,
    words: 'This journal does not hold these entries: it is of another console, or they were removed here.',
  }
  if (last === undefined || first === undefined) return unknown
  const [here, begin] = [tools.journal.linkAt(last.seq), tools.journal.linkAt(first.seq)]
  if (here === null && begin === null) return unknown
  const gathered = gathering(report, tools, last.seq)
  if (!gathered.ok) return { what, holds: null, words: `This journal could not be asked: ${gathered.failure.message}` }
  // Another journal has links of these numbers too, but nothing of this subject.
  const isHere = gathered.value.entries.length > 0 || holdsSubject(report, tools)
  if (!isHere) return unknown
  if (here?.hash !== last.hash) return underOtherLinks(report, tools, last.seq)
  // Of the same entries it was made again above.
  if (!report.redacted && sameEntries(gathered.value.entries, report.entries)) return SAME_ENTRIES
  const own = buildReport({ ...requestOf(report), extract: { ...gathered.value, damage: foreignDamage(report) } })
  const again = own === null || !report.redacted ? own : redactReport(own)
  const finding = compared(what, report, again, tools)
  return finding.holds === true
    ? SAME_ENTRIES
    : finding.holds === null
      ? finding
      : { ...finding, words: finding.words.replace('its entries', 'this journal') }
}

const SAME_ENTRIES: Finding = {
  what: 'journal',
  holds: true,
  words: 'This journal holds the same entries, under the same links.',
}

function sameEntries(a: readonly JournalEntry[], b: readonly JournalEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => digestText(entry) === (b[index] && digestText(b[index])))
}

function gathering(report: Report, { journal, runsOf }: VerifyTools, upToLink: number | null) {
  const { subject, madeAt } = report
  const runIds = subject.kind === 'run' ? [subject.id] : runsOf(subject.id)
  return gatherEntries(journal, { subject, runIds, windowId: report.window?.id ?? null, madeAt, upToLink })
}

function holdsSubject(report: Report, tools: VerifyTools): boolean {
  const all = gathering(report, tools, null)
  return all.ok && all.value.entries.length > 0
}

/**
 * The same work is in this journal under other links: it was taken over from another journal, or one of both was changed. Then the entries
 * themselves are compared.
 */
function underOtherLinks(report: Report, tools: VerifyTools, seq: number): Finding {
  const what = 'journal'
  const all = gathering(report, tools, null)
  if (!all.ok || report.redacted) {
    const words = `This journal holds the same work, but link ${seq} of its chain is another one: whether it was taken over from elsewhere or changed cannot be told.`
    return { what, holds: null, words }
  }
  const [reported, known] = [ownEntries(report.entries), ownEntries(all.value.entries)]
  const strange = [...reported.keys()].filter(key => !known.has(key)).length
  if (strange > 0) {
    return {
      what,
      holds: false,
      words: `${counted(strange, 'entry', 'entries')} of the report are not what this journal holds.`,
    }
  }
  const lastAt = Math.max(...reported.values())
  const leftOut = [...known].filter(([key, at]) => !reported.has(key) && at < lastAt).length
  return leftOut > 0
    ? {
        what,
        holds: false,
        words: `The report leaves out ${counted(leftOut, 'entry', 'entries')} that this journal holds.`,
      }
    : { what, holds: true, words: 'This journal holds the same entries, taken over from another one.' }
}

/** What happened in the work itself, by its contents, with its time. */
function ownEntries(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  return new Map(
    entries
      .filter(({ source }) => source === 'run-event' || source === 'window-event')
      .map(({ source, key, at, body }) => [JSON.stringify([source, key, at, body]), Date.parse(at)]),
  )
}
