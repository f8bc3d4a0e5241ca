import type { Report } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { wordedBy } from '../../shared/words/report-outcomes.ts'
import { id } from './cells.ts'
import { checksSection, editsSection, incidentsSection, notesSection, signalsSection } from './section-changes.ts'
import { cephSection, clocksSection, locksSection, versionsSection } from './section-cloud.ts'
import { estimateSection } from './section-estimate.ts'
import { instancesSection, podsSection } from './section-instances.ts'
import { nodesSection, remainsSection, runsSection } from './section-nodes.ts'
import { partsOf, type Section, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** All of a report as data, in the order in which it is read: first what remains to be done, then what happened, then the proof. A section with nothing to say is left out. */
export function reportSections(report: Report, times: ReportTimes): readonly Section[] {
  return [
    remainsSection(report),
    nodesSection(report),
    instancesSection(report),
    podsSection(report, times),
    locksSection(report),
    cephSection(report),
    checksSection(report),
    incidentsSection(report),
    estimateSection(report, times),
    editsSection(report),
    signalsSection(report),
    runsSection(report),
    notesSection(report, times),
    versionsSection(report),
    clocksSection(report),
    proofSection(report),
  ].filter((section): section is Section => section !== null && section.parts.length > 0)
}

/** The sources of the report, and how to verify it. */
function proofSection({ chain, entries, damage, redacted, signature, madeBy }: Report): Section {
  const [first, last] = [chain.links.at(0), chain.links.at(-1)]
  const stretch =
    first === undefined || last === undefined
      ? 'an empty part of the chain'
      : `links ${first.seq} to ${last.seq} of the chain (${chain.algorithm})`
  return {
    id: 'proof',
    title: 'Proof',
    amount: null,
    parts: partsOf(
      words(damage.length === 0 ? '' : 'The journal is damaged: part of it is unreadable or was changed.', 'alarm'),
      { kind: 'list', title: '', items: damage },
      words(
        `Every entry of the journal is a link of one chain of hashes: a later change of an entry changes the hash of every link after it. This report was made from ${redacted ? 'entries' : counted(entries.length, 'entry', 'entries')} within ${stretch}.`,
      ),
      {
        kind: 'facts',
        facts: [
          { name: 'Hash before the first link', cell: id(chain.before) },
          { name: 'Hash of the last link', cell: id(chain.after) },
          ...(signature === undefined ? [] : [{ name: 'Signed by key', cell: id(signature.fingerprint) }]),
        ],
      },
      words('This command verifies the report, given its HTML or JSON file. CSV, Markdown and PDF carry no proof.'),
      words('lockkeeper report verify FILE', 'command'),
      words(
        `It recomputes every hash${redacted ? '' : ', rebuilds the report from the entries in it and compares both'}. On the console that made the report, it also compares the chain with the journal. Write the hash of the last link down elsewhere, such as in the ticket: then nobody can replace both. ${wordedBy(madeBy.version)}`,
      ),
      words(
        redacted
          ? 'This report is redacted and carries no entries. Its chain can be verified; its figures can be rebuilt only from the full report.'
          : '',
      ),
    ),
  }
}
