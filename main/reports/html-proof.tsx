import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { Nothing, Section, Table } from './html-parts.tsx'
import { wordedBy } from './report-words.ts'

/** What ran there. */
export function VersionsPart({ report }: { readonly report: Report }): ReactNode {
  const { versions } = report
  return (
    <Section id="versions" title="Versions">
      {versions.length === 0 ? (
        <Nothing>The journal tells of no versions.</Nothing>
      ) : (
        <Table caption="Versions" columns={['What', 'Version']}>
          <tbody>
            {versions.map(({ name, value }) => (
              <tr key={`${name} ${value}`}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

/** What the report stands on, and how somebody else can check it. */
export function ProofPart({ report }: { readonly report: Report }): ReactNode {
  const { chain, entries, damage, redacted, signature, madeBy } = report
  const [first, last] = [chain.links.at(0), chain.links.at(-1)]
  return (
    <Section id="proof" title="Proof">
      {damage.length === 0 ? null : (
        <>
          <p className="banner alarm">
            <strong>Part of the journal could not be read, or is not what was written:</strong>
          </p>
          <ul>
            {damage.map(words => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        Everything Lockkeeper writes into its journal is a link of one chain of hashes (SHA-256): changing, removing or
        adding an entry afterwards changes the hash of every later one. This report was made from{' '}
        {counted(entries.length, 'entry', 'entries')} within{' '}
        {first === undefined || last === undefined
          ? 'an empty stretch of the chain'
          : `links ${first.seq} to ${last.seq} of the chain`}
        .
      </p>
      <dl className="facts hashes">
        <div>
          <dt>Hash before the first link</dt>
          <dd>
            <code>{chain.before}</code>
          </dd>
        </div>
        <div>
          <dt>Hash of the last link</dt>
          <dd>
            <code>{chain.after}</code>
          </dd>
        </div>
        {signature === undefined ? null : (
          <div>
            <dt>Signed by key</dt>
            <dd>
              <code>{signature.fingerprint}</code>
            </dd>
          </div>
        )}
      </dl>
      <p>
        To verify: <code>lockkeeper report verify FILE</code> with this file as HTML or JSON. It recomputes every digest
        and hash{redacted ? '' : ', makes the report again from the entries it carries and compares'}. On the console
        that made it, the chain is held against the journal too. Write the hash of the last link down where this file is
        not kept, such as in the ticket: then nobody can exchange both. {wordedBy(madeBy.version)}.
      </p>
      {redacted ? (
        <p>
          This report is redacted and carries no entries: its chain can be verified, its figures cannot be made again
          from it. The full report can.
        </p>
      ) : null}
    </Section>
  )
}
