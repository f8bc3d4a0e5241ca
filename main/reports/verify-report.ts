import { isSameJson } from '../../shared/domain/is-same-json.ts'
import { CHAIN_BEGIN, digestText, type JournalEntry, linkText } from '../../shared/domain/journal-chain.ts'
import { REPORT_SCHEMA, type Report, type ReportVerdict } from '../../shared/domain/report.ts'
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
type Found = Omit<Finding, 'what'>

export interface VerifyTools {
  /** The verifying version: another one may word the same entries differently. */
  readonly version: string
  readonly htmlOf: (report: Report) => string
  readonly journal: ReportSource
  readonly runsOf: (windowId: string) => readonly string[]
  /** The fingerprint of this installation's key; null if it has none. */
  readonly ownKey: string | null
  /** The fingerprint of the key that must have signed the report; null means any key, or none. */
  readonly wantedKey: string | null
}

/** Verifies a report on its own, and against a journal with the same entries. */
export function verifyReport(content: string, tools: VerifyTools): ReportVerdict {
  const read = readReport(content)
  if (read.kind === 'unknown') return { kind: 'unknown', words: read.words, findings: [] }
  if (read.kind === 'broken') {
    return { kind: 'changed', words: read.words, findings: [{ what: 'file', holds: false, words: read.words }] }
  }
  const { report, from } = read
  const findings: Finding[] = [
    { what: 'seal', ...sealFound(report, read.raw) },
    { what: 'signature', ...signatureFound(report, tools) },
    { what: 'entries', ...entriesFound(report) },
    { what: 'chain', ...chainFound(report) },
    { what: 'contents', ...rebuilding(report, tools, () => contentsFound(report, tools)) },
    ...(from === 'html'
      ? [{ what: 'page', ...rebuilding(report, tools, () => pageFound(report, content, tools)) }]
      : []),
    { what: 'journal', ...rebuilding(report, tools, () => journalFound(report, tools)) },
  ]
  return { ...verdictOf(report, findings, tools), findings }
}

function verdictOf(
  report: Report,
  findings: readonly Finding[],
  tools: VerifyTools,
): Pick<ReportVerdict, 'kind' | 'words'> {
  const broken = findings.filter(({ holds }) => holds === false)
  if (broken.length > 0) {
    const what = broken.map(({ what: name }) => name).join(', ')
    return { kind: 'changed', words: `This report was changed after it was made: ${what}. Do not rely on it.` }
  }
  const holds = (name: Finding['what']) => findings.find(({ what }) => what === name)?.holds === true
  const here = holds('journal')
  // Anyone can write another version into a report and seal it again. Only a known key, or identical words, prove that nobody did.
  const isRebuilt = report.redacted ? here : holds('contents')
  if (!isOurWording(report, tools) && !isRebuilt && !holds('signature')) {
    const checked = report.redacted ? 'seal and chain' : 'seal, entries and chain'
    const key = report.signature === undefined ? '' : ', or name the key that signed it with --key'
    return {
      kind: 'other-version',
      words: `${writtenBy(report)} This is ${wording(tools.version, REPORT_SCHEMA)}, which uses other words: it can check only the ${checked}, and they are unchanged. To verify the text, use ${maker(report, tools)}${key}.`,
    }
  }
  const proof = here
    ? 'This journal has the same entries.'
    : `This journal cannot prove that the whole report is the original: compare the hash of its last link, ${report.chain.after}, with the one noted when it was made.`
  return { kind: 'genuine', words: `Nothing in this report was changed after it was made. ${proof}` }
}

/** Whether this version words the same entries the same way. */
function isOurWording({ madeBy, schema }: Report, { version }: Pick<VerifyTools, 'version'>): boolean {
  return madeBy.version === version && schema === REPORT_SCHEMA
}

/** What can verify a report: builds of one version may differ in their schema. */
function maker({ madeBy, schema }: Report, { version }: VerifyTools): string {
  return madeBy.version === version ? `a build that writes schema ${numberOf(schema)}` : `Lockkeeper ${madeBy.version}`
}

function writtenBy({ madeBy, schema }: Report): string {
  return `This report was written by ${wording(madeBy.version, schema)}.`
}

function wording(version: string, schema: Report['schema']): string {
  return `Lockkeeper ${version} (schema ${numberOf(schema)})`
}

function numberOf(schema: Report['schema']): string {
  return schema.replace('lockkeeper-report/', '')
}

function sealFound(report: Report, raw: object): Found {
  const holds = report.seal === sealOf(report) || report.seal === sealOf(raw)
  return holds
    ? { holds, words: 'The seal over the whole report is right.' }
    : { holds, words: 'The seal over the whole report is wrong: something in it was changed after it was made.' }
}

/** The key that signed the report. A signature proves the author, if only they have the key, not the content. */
function signatureFound(report: Report, { ownKey, wantedKey }: VerifyTools): Found {
  const { signature } = report
  if (signature === undefined) {
    return wantedKey === null
      ? { holds: null, words: 'It is not signed: no key proves who made it.' }
      : { holds: false, words: `It is not signed, but key ${wantedKey} must have signed it.` }
  }
  // Anyone can write a fingerprint into the file: the key's own one counts.
  const fingerprint = fingerprintOf(signature.publicKey)
  if (
    !signatureHolds(signature.publicKey, sealText(report), signature.value) ||
    fingerprint !== signature.fingerprint
  ) {
    return { holds: false, words: `Its signature is not by key ${fingerprint}: it was changed or replaced.` }
  }
  if (wantedKey !== null && !isSameFingerprint(fingerprint, wantedKey)) {
    return { holds: false, words: `Key ${fingerprint} signed it, not ${wantedKey}.` }
  }
  if (wantedKey !== null) return { holds: true, words: `Key ${fingerprint} signed it, as expected.` }
  return fingerprint === ownKey
    ? { holds: true, words: `This installation signed it (key ${fingerprint}).` }
    : {
        holds: null,
        words: `Key ${fingerprint} signed it, which is not the key of this installation. Compare it with the fingerprint that \`lockkeeper journal status\` shows on the console that made it, and give that with --key.`,
      }
}

function entriesFound({ entries, chain, redacted }: Report): Found {
  if (redacted) return { holds: null, words: 'A redacted report carries no entries.' }
  const links = new Map(chain.links.map(link => [`${link.source}/${link.sourceSeq}`, link]))
  for (const entry of entries) {
    const link = links.get(`${entry.source}/${entry.sourceSeq}`)
    const name = `Entry ${entry.sourceSeq} (${entry.source} of ${entry.key}, ${entry.at})`
    if (link === undefined) return { holds: false, words: `${name} has no link in the chain: it was added later.` }
    if (link.digest !== sha256(digestText(entry))) {
      return { holds: false, words: `${name} does not fit its digest: it was changed.` }
    }
  }
  return { holds: true, words: `All ${counted(entries.length, 'entry', 'entries')} fit their digests.` }
}

function chainFound({ chain }: Report): Found {
  let before = chain.before
  let seq = chain.links[0]?.seq ?? 1
  if (seq === 1 && before !== CHAIN_BEGIN) return { holds: false, words: 'The beginning of the chain was changed.' }
  for (const link of chain.links) {
    if (link.seq !== seq) return { holds: false, words: `Link ${seq} of the chain is missing.` }
    if (link.hash !== sha256(linkText(before, link))) {
      return { holds: false, words: `Link ${link.seq} of the chain does not fit the one before it: it was changed.` }
    }
    before = link.hash
    seq += 1
  }
  const holds = chain.after === before
  return holds
    ? { holds, words: `All ${counted(chain.links.length, 'link')} of the chain fit each other.` }
    : { holds, words: 'The hash of the last link is not the one in the report.' }
}

/** Changed content may make this fail, such as a text in place of a time. */
function rebuilding(report: Report, tools: VerifyTools, find: () => Found): Found {
  try {
    return find()
  } catch {
    const words = 'The report could not be rebuilt: an entry, a timestamp or a number in it is invalid.'
    return { holds: isOurWording(report, tools) ? false : null, words }
  }
}

function contentsFound(report: Report, tools: VerifyTools): Found {
  if (report.redacted) return { holds: null, words: 'A redacted report cannot be rebuilt from itself.' }
  const again = buildReport({ ...requestOf(report), extract: { ...report, damage: foreignDamage(report) } })
  return compared(report, again, tools, 'its entries')
}

/** The journal's known damage when the report was made. Unreadable entries are found again. */
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

function compared(report: Report, again: Report | null, tools: VerifyTools, source: string): Found {
  const part = again === null ? 'all of it' : differing(report, again)
  if (part === null) return { holds: true, words: `Rebuilt from ${source}, the report is the same.` }
  return isOurWording(report, tools)
    ? { holds: false, words: `Rebuilt from ${source}, the report is different: ${part} was changed.` }
    : {
        holds: null,
        words: `${writtenBy(report)} This version writes it differently (${part}); verify it with ${maker(report, tools)}.`,
      }
}

/** The first part in which two reports differ; null if they are the same. */
function differing(report: Report, again: Report): string | null {
  const parts = new Map<string, unknown>(Object.entries(again))
  // A different text matters more than a different schema.
  const own = Object.entries(report).toSorted(([a], [b]) => Number(a === 'schema') - Number(b === 'schema'))
  for (const [name, value] of own) {
    if (name !== 'seal' && name !== 'signature' && !isSameJson(value, parts.get(name))) return name
  }
  // Earlier versions' reports lack this part, and their entries have no data for it.
  if (report.clocks === undefined && (again.clocks ?? []).length > 0) return 'clocks'
  return report.signals === undefined && again.signals !== undefined ? 'signals' : null
}

function pageFound(report: Report, content: string, tools: VerifyTools): Found {
  if (tools.htmlOf(report) === content) return { holds: true, words: 'The page shows exactly the report in it.' }
  return isOurWording(report, tools)
    ? { holds: false, words: 'The page does not show the report in it: the page was changed.' }
    : {
        holds: null,
        words: `${writtenBy(report)} This version draws the page differently; it verified the report in it.`,
      }
}

/** Compares the report with this console's journal. Only this detects a report made from changed or missing entries. */
function journalFound(report: Report, tools: VerifyTools): Found {
  const [first, last] = [report.chain.links[0], report.chain.links.at(-1)]
  if (last === undefined || first === undefined) return UNKNOWN_ENTRIES
  const [here, begin] = [tools.journal.linkAt(last.seq), tools.journal.linkAt(first.seq)]
  if (here === null && begin === null) return UNKNOWN_ENTRIES
  const gathered = gathering(report, tools, last.seq)
  if (!gathered.ok) return { holds: null, words: `This journal could not be read: ${gathered.failure.message}` }
  // Another journal has links of these numbers too, but not this subject.
  const isHere = gathered.value.entries.length > 0 || holdsSubject(report, tools)
  if (!isHere) return UNKNOWN_ENTRIES
  if (here?.hash !== last.hash) return underOtherLinks(report, tools, last.seq)
  if (!report.redacted && sameEntries(gathered.value.entries, report.entries)) return SAME_ENTRIES
  const own = buildReport({ ...requestOf(report), extract: { ...gathered.value, damage: foreignDamage(report) } })
  const found = compared(report, own === null || !report.redacted ? own : redactReport(own), tools, 'this journal')
  return found.holds === true ? SAME_ENTRIES : found
}

const SAME_ENTRIES: Found = { holds: true, words: 'This journal has the same entries, under the same links.' }
const UNKNOWN_ENTRIES: Found = {
  holds: null,
  words: 'This journal does not have these entries: another console wrote them, or they were removed here.',
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

/** The journal has the same work under other links: it was imported, or one of the two was changed. Then the entries themselves are compared. */
function underOtherLinks(report: Report, tools: VerifyTools, seq: number): Found {
  const all = gathering(report, tools, null)
  if (!all.ok || report.redacted) {
    const words = `This journal has the same work, but another link ${seq} in its chain: it was imported, or one of the two was changed.`
    return { holds: null, words }
  }
  const [reported, known] = [ownEntries(report.entries), ownEntries(all.value.entries)]
  const strange = [...reported.keys()].filter(key => !known.has(key)).length
  if (strange > 0) {
    return { holds: false, words: `This journal does not have ${counted(strange, 'entry', 'entries')} of the report.` }
  }
  const lastAt = Math.max(...reported.values())
  const missing = [...known].filter(([key, at]) => !reported.has(key) && at < lastAt).length
  return missing > 0
    ? { holds: false, words: `The report leaves out ${counted(missing, 'entry', 'entries')} of this journal.` }
    : { holds: true, words: 'This journal has the same entries, imported from another one.' }
}

function ownEntries(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  return new Map(
    entries
      .filter(({ source }) => source === 'run-event' || source === 'window-event')
      .map(({ source, key, at, body }) => [JSON.stringify([source, key, at, body]), Date.parse(at)]),
  )
}
